package kernel

import "github.com/slimsvm/slimsvm/format/vec"

// packSets prepares the sets and the table of values. If all entries of two vectors are v, each
// term of their dot product or squared distance is v*v or 0. So the sum depends only on the number
// of nonzero terms.
func (b *Basis) packSets() {
	b.sets = setQueries(b.zs, &b.columns)
	square := float64(b.columns.constant * b.columns.constant)
	sum := 0.0
	for range 2*b.columns.count + 1 {
		b.table = append(b.table, sum)
		sum += square
	}
	switch k := b.kernel.(type) {
	case Poly:
		k.mapDots(b.table)
	case Sigmoid:
		k.mapDots(b.table)
	case RBF:
		for i, d := range b.table {
			b.table[i] = Exp(-k.Gamma * d)
		}
	}
}

func (b *Batch) setsTo(dst []float64, from, to int) {
	z, lanes := b.basis, b.lanes
	w := vec.Words(z.columns.count)
	tile := room(&b.counts, z.block*lanes)
	z.eachBlock(from, to, func(first, rows, lo, hi int) {
		query := z.sets[first*w : (first+rows)*w]
		if z.byDistance() {
			b.sets.HammingTo(tile[:rows*lanes], lanes, query, rows, 0, lanes/vec.PanelRows)
		} else {
			b.sets.CommonTo(tile[:rows*lanes], lanes, query, rows, 0, lanes/vec.PanelRows)
		}
		for i := lo; i < hi; i++ {
			counts := tile[(i-first)*lanes : (i-first+1)*lanes]
			if b.extras {
				for r, n := range b.extra {
					counts[r] += n
				}
			}
			out := dst[(i-from)*lanes:][:len(counts)]
			for r, n := range counts {
				out[r] = z.table[n]
			}
		}
	})
}
