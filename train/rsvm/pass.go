package rsvm

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/rank"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: compute the sums over rows of one Newton step, for every machine that needs one:
//
//	loss      sum_i c_i phi_i
//	gradient  sum_i c_i phi'_i e_i       e_i = (K(A_i, Abar'), -1)
//	Hessian   sum_i c_i phi''_i e_i e_i'
//
// Method: rows come in batches, and batches in chunks. For each chunk the kernel values are
// computed once. Then, for each machine, values and first and second derivatives of the batches are
// computed in parallel, and then bands of the Hessian. If there are many machines, some are worked
// on in parallel. Each number of the sums receives the shares of the batches in order, whichever
// thread computes them, so that neither threads nor the size of chunks change a bit. Rows of other
// classes, and rows with zero slope, would add 0 and are left out.

// chunkBytes is the size of a chunk's kernel values, about what caches hold.
const chunkBytes = 4 << 20

// chunkOf returns the number of batches in a chunk, given the number of vectors.
func chunkOf(vectors int) int {
	return min(max(chunkBytes/(8*kernel.BatchRows*max(vectors, 1)), 4), 64)
}

// hessianParts is the largest number of parts into which a Hessian is cut, usually more than there
// are threads.
const hessianParts = 16

// A pass computes sums over rows. It can be used for several passes.
type pass struct {
	basis   *kernel.Basis
	loss    loss
	packers sync.Pool   // of *kernel.Batch
	spare   [][]float64 // memory for the kernel values of a chunk whose batches do not keep them
	parts   []part      // one for each batch of a chunk
	scratch sync.Pool   // of *part
	// foreign says that the kernel is a caller's own, and faulty that it had a value that is not
	// finite.
	foreign bool
	faulty  atomic.Bool
}

// A part is what one batch adds to the sums of a machine.
type part struct {
	loss     float64
	gradient []float64
	// z holds the e_i times the square root of c_i phi''_i, rank.Stride apart. Those that are 0 are
	// left out. The padding has arbitrary numbers.
	z []float64

	own             []int32   // the rows that belong to the machine
	y               []float64 // their targets
	nonzeroSlope    []int32   // the rows whose slope is not 0
	rows            []int32   // the rows in z
	f, slope, curve []float64
}

func newPass(k kernel.Kernel, basis *kernel.Basis, l loss) *pass {
	_, own := kernel.FileName(k)
	return &pass{
		basis: basis, loss: l, foreign: !own,
		packers: sync.Pool{New: func() any { return new(kernel.Batch) }},
		scratch: sync.Pool{New: func() any { return new(part) }},
	}
}

// fill returns the kernel values of a chunk. It computes those that its batches do not have. If ctx
// is cancelled, some are missing.
func (p *pass) fill(ctx context.Context, chunk []*batch, keep bool) [][]float64 {
	n := p.basis.Len()
	values := make([][]float64, len(chunk))
	for len(p.spare) < len(chunk) {
		p.spare = append(p.spare, nil)
	}
	team.Do(ctx, len(chunk), func(ctx context.Context, i int) {
		if ctx.Err() != nil {
			return
		}
		b := chunk[i]
		if b.lanes > 0 && len(b.values) == n*b.lanes {
			values[i] = b.values
			return
		}
		packer := p.packers.Get().(*kernel.Batch)
		defer p.packers.Put(packer)
		packer.Pack(p.basis, b.xs)
		b.lanes = packer.Lanes()
		have := len(b.values) / b.lanes
		var all []float64
		if keep {
			all = make([]float64, n*b.lanes)
			copy(all, b.values)
			b.values = all
		} else {
			all, have = room(&p.spare[i], n*b.lanes), 0
		}
		packer.EvaluateTo(all[have*b.lanes:], have, n)
		if p.foreign {
			p.judge(all[have*b.lanes:], b)
		}
		values[i] = all
	})
	return values
}

// judge notes whether kernel values of a batch are finite.
func (p *pass) judge(values []float64, b *batch) {
	for from := 0; from < len(values); from += b.lanes {
		for _, v := range values[from : from+len(b.xs)] {
			if v-v != 0 {
				p.faulty.Store(true)
				return
			}
		}
	}
}

// room returns n numbers with undefined contents, in the memory of s if that is enough.
func room(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n)
	}
	*s = (*s)[:n]
	return *s
}

// add adds the sums over a chunk of rows to the sum of each machine. Sums of machines that are done
// are nil. It ends early if ctx is cancelled.
func (p *pass) add(ctx context.Context, chunk []*batch, values [][]float64, machines []*machine, sums []*Sum) {
	var running []int
	for k, sum := range sums {
		if sum != nil {
			running = append(running, k)
		}
	}
	if len(running) >= manyMachines*team.Size(ctx) {
		team.Do(ctx, len(running), func(ctx context.Context, i int) {
			p.addOne(ctx, chunk, values, machines[running[i]], sums[running[i]])
		})
		return
	}
	for len(p.parts) < len(chunk) {
		p.parts = append(p.parts, part{})
	}
	for _, k := range running {
		m, sum := machines[k], sums[k]
		if ctx.Err() != nil {
			return
		}
		team.Do(ctx, len(chunk), func(_ context.Context, i int) {
			p.parts[i].z = p.parts[i].z[:0]
			p.parts[i].compute(p.loss, m, chunk[i], values[i])
		})
		for i := range chunk {
			p.parts[i].addTo(sum)
		}
		n := m.unknowns()
		cut := bands(n, hessianParts)
		team.Do(ctx, len(cut)-1, func(ctx context.Context, band int) {
			for i := range chunk {
				if ctx.Err() != nil {
					return
				}
				rank.Add(sum.wide, p.parts[i].z, n, cut[band], cut[band+1])
			}
		})
	}
}

// manyMachines is the number of machines for each thread from which threads take whole machines.
const manyMachines = 2

// addOne is add for one machine, by one goroutine.
func (p *pass) addOne(ctx context.Context, chunk []*batch, values [][]float64, m *machine, sum *Sum) {
	q := p.scratch.Get().(*part)
	defer p.scratch.Put(q)
	q.z = q.z[:0]
	n := m.unknowns()
	for i, b := range chunk {
		if ctx.Err() != nil {
			return
		}
		q.compute(p.loss, m, b, values[i])
		q.addTo(sum)
		// with many classes, a batch has few rows of any two
		if len(q.z) >= kernel.BatchRows*rank.Stride(n) || i == len(chunk)-1 {
			rank.Add(sum.wide, q.z, n, 0, n)
			q.z = q.z[:0]
		}
	}
}

// addTo adds loss and gradient to a sum.
func (q *part) addTo(sum *Sum) {
	if len(q.own) == 0 {
		return
	}
	sum.Loss += q.loss
	for j, g := range q.gradient {
		sum.Gradient[j] += g
	}
}

// compute sets q to what a batch adds to the sums of m at its point. It appends to z.
func (q *part) compute(l loss, m *machine, b *batch, values []float64) {
	q.own, q.y = q.own[:0], q.y[:0]
	for r := range b.xs {
		if y, ok := m.target(b, r); ok {
			q.own, q.y = append(q.own, int32(r)), append(q.y, y)
		}
	}
	if len(q.own) == 0 {
		return
	}
	w := m.search.Point()
	n := len(w)
	lanes := b.lanes
	f := room(&q.f, lanes)
	if 2*len(q.own) > len(b.xs) {
		m.valuesTo(f, w, values)
	} else {
		m.someValuesTo(f, q.own, w, values)
	}

	slope, curve := room(&q.slope, lanes), room(&q.curve, lanes)
	q.loss, q.rows, q.nonzeroSlope = 0, q.rows[:0], q.nonzeroSlope[:0]
	total := 0.0 // of the slopes
	for t, r := range q.own {
		c := b.cost(int(r))
		value, s, h := l.at(f[r], q.y[t])
		q.loss += float64(c * value)
		slope[r] = float64(c * s)
		total += slope[r]
		if slope[r] != 0 {
			q.nonzeroSlope = append(q.nonzeroSlope, r)
		}
		if h *= c; h > 0 {
			curve[r] = math.Sqrt(h)
			q.rows = append(q.rows, r)
		}
	}

	gradient := room(&q.gradient, n)
	k := 0
	for ; k+4 <= n-1; k += 4 {
		l0, l1 := values[m.column(k)*lanes:][:lanes], values[m.column(k+1)*lanes:][:lanes]
		l2, l3 := values[m.column(k+2)*lanes:][:lanes], values[m.column(k+3)*lanes:][:lanes]
		g0, g1, g2, g3 := 0.0, 0.0, 0.0, 0.0
		for _, r := range q.nonzeroSlope {
			s := slope[r]
			g0 += float64(s * l0[r])
			g1 += float64(s * l1[r])
			g2 += float64(s * l2[r])
			g3 += float64(s * l3[r])
		}
		gradient[k], gradient[k+1], gradient[k+2], gradient[k+3] = g0, g1, g2, g3
	}
	for ; k < n-1; k++ {
		line := values[m.column(k)*lanes:][:lanes]
		gradient[k] = 0
		for _, r := range q.nonzeroSlope {
			gradient[k] += float64(slope[r] * line[r])
		}
	}
	gradient[n-1] = -total
	q.transpose(m, values, lanes, n)
}

// transposedAtOnce is the number of unknowns that are transposed into rows at a time: those in one
// cache line.
const transposedAtOnce = 8

// transpose appends the rows to z.
func (q *part) transpose(m *machine, values []float64, lanes, n int) {
	s := rank.Stride(n)
	before := len(q.z)
	all := before + len(q.rows)*s
	if cap(q.z) < all { // new memory holds zeros, so that the padding has numbers
		q.z = append(make([]float64, 0, max(all, 2*cap(q.z))), q.z...)
	}
	q.z = q.z[:all]
	z := q.z[before:]
	for from := 0; from < n-1; from += transposedAtOnce {
		var lines [transposedAtOnce][]float64
		some := lines[:min(transposedAtOnce, n-1-from)]
		for k := range some {
			some[k] = values[m.column(from+k)*lanes:][:lanes]
		}
		for t, r := range q.rows {
			to, c := z[t*s+from:][:len(some)], q.curve[r]
			for k, line := range some {
				to[k] = line[r] * c
			}
		}
	}
	for t, r := range q.rows {
		z[t*s+n-1] = -q.curve[r]
	}
}

// bands cuts the lines of a triangle of n lines into parts of nearly equal area: part p has the
// lines cut[p] to cut[p+1]-1.
func bands(n, parts int) []int {
	cut := []int{0}
	for p := 1; p < parts; p++ {
		// the lines above line a have the share 1 - (1 - a/n)^2 of the upper triangle
		a := int(float64(n) * (1 - math.Sqrt(1-float64(float64(p)/float64(parts)))))
		if a = a / bandLines * bandLines; a > cut[len(cut)-1] {
			cut = append(cut, a)
		}
	}
	return append(cut, n)
}

// bandLines divides the ends of parts, so that rank.Add has several lines to work on.
const bandLines = 12
