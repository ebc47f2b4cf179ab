package preimage

import (
	"math"

	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/linear"
)

// Problem: for a small, positive definite A, solve
//
//	min_w  w'A w - 2 g'w   s.t.  -box <= w <= box.
//
// Method: an active set. Each variable is either free or at a bound. The free ones move towards
// their joint minimum. If one of them reaches its bound first, it stays there. At the minimum, the
// bounded variable whose derivative points inwards most is set free (Stark and Parker,
// Bounded-variable least squares, 1995). The value decreases with every minimum, so no set of free
// variables occurs twice.

// boxedQuadratic holds A, of which only the lower half is set, and scratch memory.
type boxedQuadratic struct {
	a    [][]float64
	part [][]float64 // A restricted to the free variables, then its factor
	step []float64
	free []int
	at   []float64 // the bound that a variable is at: -1 or 1; 0 if it is free
}

func newBoxedQuadratic(n int) boxedQuadratic {
	b := boxedQuadratic{step: make([]float64, n), at: make([]float64, n)}
	for range n {
		b.a = append(b.a, make([]float64, columns.Padded(n)))
		b.part = append(b.part, make([]float64, columns.Padded(n)))
	}
	return b
}

// element returns A_jk.
func (b *boxedQuadratic) element(j, k int) float64 {
	if j < k {
		j, k = k, j
	}
	return b.a[j][k]
}

// minimise sets w to the solution, starting from 0. If box is nil, there are no bounds. If rounding
// makes A indefinite, w is the last point reached.
func (b *boxedQuadratic) minimise(w, g, box []float64) {
	for j := range w {
		w[j], b.at[j] = 0, 0
		if box != nil && box[j] == 0 {
			b.at[j] = 1
		}
	}
	for range 10*len(w) + 10 {
		if !b.descend(w, g, box) {
			return
		}
		if box == nil {
			return
		}
		// find the bounded variable whose multiplier has the wrong sign by most
		most, release := 0.0, -1
		for j, at := range b.at {
			if at == 0 || box[j] == 0 {
				continue
			}
			slope, size := -g[j], math.Abs(g[j])
			for k, v := range w {
				p := float64(b.element(j, k) * v)
				slope += p
				size += math.Abs(p)
			}
			if wrong := slope * at; wrong > most+float64(1e-12*size) {
				most, release = wrong, j
			}
		}
		if release < 0 {
			return
		}
		b.at[release] = 0
	}
}

// descend moves the free variables to their minimum. Variables that meet a bound on the way become
// bounded. It reports whether it reached the minimum.
func (b *boxedQuadratic) descend(w, g, box []float64) bool {
	for {
		b.free = b.free[:0]
		for j, at := range b.at {
			if at == 0 {
				b.free = append(b.free, j)
			}
		}
		if len(b.free) == 0 {
			return true
		}
		step := b.step[:len(b.free)]
		for n, j := range b.free {
			step[n] = g[j]
			for k, v := range w {
				if b.at[k] != 0 {
					step[n] -= float64(b.element(j, k) * v)
				}
			}
			for m, k := range b.free[:n+1] {
				b.part[n][m] = b.element(j, k)
			}
		}
		if !linear.Solve(b.part[:len(b.free)], step) {
			return false
		}
		// how far the free variables can go
		length, hit := 1.0, -1
		for n, j := range b.free {
			if box == nil || math.Abs(step[n]) <= box[j] {
				continue
			}
			bound := math.Copysign(box[j], step[n])
			if l := (bound - w[j]) / (step[n] - w[j]); l < length || hit < 0 {
				length, hit = max(0, min(1, l)), j
			}
		}
		for n, j := range b.free {
			switch {
			case hit < 0:
				w[j] = step[n]
			case j == hit:
				b.at[j] = math.Copysign(1, step[n])
				w[j] = math.Copysign(box[j], step[n])
			default:
				w[j] += float64(length * (step[n] - w[j]))
			}
		}
		if hit < 0 {
			return true
		}
	}
}
