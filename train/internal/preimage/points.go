package preimage

import (
	"slices"

	"github.com/slimsvm/slimsvm/predict/columns"
)

// points are the points of a target, stored by feature. If points have few features each, as in
// text, only nonzero entries are stored; otherwise all. Both forms give the same bits if the
// factors are finite, because zeros add nothing.
type points struct {
	count int       // number of points
	lanes int       // count, padded with points at 0
	dense []float64 // feature k of point i at k*lanes+i; nil: sparse
	// transposed, unless nil, also stores the dense entries by point: feature k of point i at
	// i*width+k. width is the padded number of features.
	transposed []float64

	ends   []int // the entries of feature k are ends[k] to ends[k+1]-1
	of     []int32
	value  []float64
	starts []int   // the places of point i are starts[i] to starts[i+1]-1
	places []int32 // places of entries, by point, in order of features
	owner  []int32 // the feature of each entry
}

// An entry is feature k of point i.
type entry struct {
	k, i  int32
	value float64
}

// newDense returns points at 0 with the given number of features.
func newDense(count, features int) *points {
	lanes := columns.Padded(count)
	return &points{count: count, lanes: lanes, dense: make([]float64, lanes*features)}
}

// set sets point i. The points must be dense.
func (p *points) set(i int, x []float64) {
	for k, v := range x {
		p.dense[k*p.lanes+i] = v
	}
}

// newSparse returns points with the given number of features. Entries are in order of points.
func newSparse(count, features int, entries []entry) *points {
	p := &points{count: count, lanes: columns.Padded(count)}
	p.ends, p.starts = make([]int, features+1), make([]int, count+1)
	for _, e := range entries {
		p.ends[e.k+1]++
		p.starts[e.i+1]++
	}
	for k := range features {
		p.ends[k+1] += p.ends[k]
	}
	for i := range count {
		p.starts[i+1] += p.starts[i]
	}
	n := len(entries)
	p.of, p.value, p.owner, p.places = make([]int32, n), make([]float64, n), make([]int32, n), make([]int32, n)
	next := slices.Clone(p.ends)
	for _, e := range entries {
		at := next[e.k]
		p.of[at], p.value[at], p.owner[at] = e.i, e.value, e.k
		next[e.k]++
	}
	next = slices.Clone(p.starts)
	for at, i := range p.of {
		p.places[next[i]] = int32(at)
		next[i]++
	}
	return p
}

// addTo adds to dots the dot products of the points with z. z[0] is the value of feature from.
func (p *points) addTo(dots, z []float64, from int) {
	if p.dense != nil {
		columns.AddOneTo(dots, z, p.dense[from*p.lanes:(from+len(z))*p.lanes])
		return
	}
	for k, c := range z {
		if c == 0 {
			continue
		}
		at, end := p.ends[from+k], p.ends[from+k+1]
		value := p.value[at:end]
		for n, i := range p.of[at:end] {
			dots[i] += float64(c * value[n])
		}
	}
}

// transpose sets transposed, if the points are dense.
func (p *points) transpose(features int) {
	if p.dense == nil {
		return
	}
	width := columns.Padded(features)
	p.transposed = make([]float64, p.count*width)
	for k := range features {
		for i := range p.count {
			p.transposed[i*width+k] = p.dense[k*p.lanes+i]
		}
	}
}

// sumsTo sets dst[k] to the sum over points of coef times feature k. The capacity of dst is padded.
// With transposed, the order of the sums differs from that of sum.
func (p *points) sumsTo(dst, coef []float64) {
	if p.transposed != nil {
		clear(dst[:cap(dst)])
		columns.AddOneTo(dst[:cap(dst)], coef[:p.count], p.transposed)
		return
	}
	for k := range dst {
		dst[k] = p.sum(k, coef)
	}
}

// sum returns the sum over points of coef times feature k, in the order of columns.Dot.
func (p *points) sum(k int, coef []float64) float64 {
	if p.dense != nil {
		return columns.Dot(p.dense[k*p.lanes:(k+1)*p.lanes], coef)
	}
	var s [4]float64
	at, end := p.ends[k], p.ends[k+1]
	value := p.value[at:end]
	for n, i := range p.of[at:end] {
		s[i&3] += float64(value[n] * coef[i])
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// feature returns the stored values of feature k. whole reports whether there is one for each
// point.
func (p *points) feature(k int) (values []float64, whole bool) {
	if p.dense != nil {
		return p.dense[k*p.lanes:][:p.count], true
	}
	values = p.value[p.ends[k]:p.ends[k+1]]
	return values, len(values) == p.count
}

// addSquares adds the squares of feature k to the points' norms.
func (p *points) addSquares(norms []float64, k int) {
	values, _ := p.feature(k)
	for n, v := range values {
		i := n
		if p.dense == nil {
			i = int(p.of[p.ends[k]+n])
		}
		norms[i] += float64(v * v)
	}
}

// row sets x to point i.
func (p *points) row(x []float64, i int) {
	if p.dense != nil {
		for k := range x {
			x[k] = p.dense[k*p.lanes+i]
		}
		return
	}
	clear(x)
	for _, at := range p.places[p.starts[i]:p.starts[i+1]] {
		x[p.owner[at]] = p.value[at]
	}
}

// divide divides all values by a power of two.
func (p *points) divide(unit float64) {
	for _, values := range [][]float64{p.dense, p.value} {
		for i := range values {
			values[i] /= unit
		}
	}
}
