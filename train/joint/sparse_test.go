package joint

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestSparseRows: rows that are held sparsely give the objective, its gradient, its metric and
// judgements the bits that dense ones give, for shapes around those of lines, panels and chunks,
// with rows and features without values, and for rows far from 0.
func TestSparseRows(t *testing.T) {
	kernels := []kernel.Kernel{
		kernel.RBF{Gamma: 0.4}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 0.3, Coef0: 0.5},
		kernel.Sigmoid{Gamma: 0.1, Coef0: -0.2},
	}
	for _, k := range kernels {
		for _, shape := range [][4]int{{1, 9, 1, 1}, {5, 30, 2, 1}, {270, 63, 7, 3}, {300, 40, 8, 1}, {600, 100, 50, 4}, {1300, 40, 3, 1}, {70, 1100, 2, 1}} {
			for _, far := range []float64{1, 1e5} {
				t.Run(fmt.Sprintf("%T/%v/%v", k, shape, far), func(t *testing.T) {
					rows, inputs, vectors, outputs := shape[0], shape[1], shape[2], shape[3]
					o, p := random(t, k, SquaredHinge, rows, inputs, vectors, outputs)
					r := rand.New(rand.NewPCG(uint64(rows), 8))
					var x vec.Matrix
					var all []int
					y, weight := make([]target, rows), make([]float64, rows)
					for i := range rows {
						v := vec.Vector{}
						for f := 1; f < inputs && i%11 != 3; f++ {
							if r.IntN(12) == 0 || i == 0 && f%10 == 1 {
								v.Index, v.Value = append(v.Index, int32(f)), append(v.Value, r.NormFloat64())
								if i == rows/2 {
									v.Value[len(v.Value)-1] *= far
								}
							}
						}
						x.Append(v)
						all = append(all, i)
						y[i] = target{class: r.IntN(max(2, outputs))}
						weight[i] = r.ExpFloat64()
					}
					dense := *o
					dense.chunks = cut(&x, all, inputs, y, weight, false)
					o.chunks = newChunks(&x, all, inputs, o.vectors, y, weight)
					dense.scratch = make(chan *scratch, strips)
					if !o.sparse() || dense.sparse() {
						t.Fatal("both are held in the same way")
					}
					same := func(what string) {
						t.Helper()
						g, h := gradientOf(p), gradientOf(p)
						if a, b := o.value(t.Context(), p, g), dense.value(t.Context(), p, h); math.Float64bits(a) != math.Float64bits(b) {
							t.Fatalf("%s: %v, dense %v", what, a, b)
						}
						if !slices.Equal(bits(g.z), bits(h.z)) || !slices.Equal(bits(g.b), bits(h.b)) || !slices.Equal(bits(g.rho), bits(h.rho)) ||
							math.Float64bits(g.width) != math.Float64bits(h.width) {
							t.Fatalf("%s: other gradients", what)
						}
						a, b := o.metric(t.Context(), p), dense.metric(t.Context(), p)
						if !slices.Equal(bits(a.u), bits(b.u)) || !slices.Equal(bits(a.z), bits(b.z)) || a.width != b.width {
							t.Fatalf("%s: other metrics", what)
						}
					}
					same("moving")
					for i := range p.z {
						p.z[i] += r.NormFloat64() / 10
					}
					same("moved")
					o.moveVectors, dense.moveVectors = false, false
					o.sums, dense.sums = nil, nil
					o.scratch, dense.scratch = make(chan *scratch, strips), make(chan *scratch, strips)
					same("staying")
					o.widths, dense.widths = false, false
					o.cacheValues(t.Context(), p)
					dense.cacheValues(t.Context(), p)
					same("kept")
				})
			}
		}
	}
}

func bits(x []float64) (b []uint64) {
	for _, v := range x {
		b = append(b, math.Float64bits(v))
	}
	return b
}

// TestSparsePays: rows are held sparsely if few of their values are not 0; how few depends on the
// number of vectors.
func TestSparsePays(t *testing.T) {
	const rows, inputs = 1000, 200
	for _, c := range []struct {
		share   float64
		vectors int
		want    bool
	}{
		{0.01, 1, true}, {0.12, 1, true}, {0.12, 4, true},
		{0.13, 1, false}, {0.25, 4, false}, {0.25, 16, true}, {0.25, 40, true},
		{0.4, 16, false}, {0.4, 40, false}, {1, 8, false}, {1, 1000, false},
	} {
		if got := sparsePays(int(c.share*rows*inputs), rows, inputs, c.vectors); got != c.want {
			t.Errorf("%v of the values, %d vectors: %v, want %v", c.share, c.vectors, got, c.want)
		}
	}
}

// TestNoNumber: if a vector has a NaN, the objective is infinite, also if no row has the feature.
func TestNoNumber(t *testing.T) {
	o, p := random(t, kernel.Sigmoid{Gamma: 0.1}, SquaredHinge, 4, 40, 2, 1)
	var x vec.Matrix
	for range 4 {
		x.Append(vec.Vector{Index: []int32{3}, Value: []float64{1}})
	}
	o.chunks = newChunks(&x, []int{0, 1, 2, 3}, 40, 4, make([]target, 4), []float64{1, 1, 1, 1})
	if !o.sparse() || math.IsInf(o.value(t.Context(), p, gradientOf(p)), 0) {
		t.Fatal("not what this test is for")
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		p.z[7] = v
		if j := o.value(t.Context(), p, gradientOf(p)); !math.IsInf(j, 1) {
			t.Errorf("%v: %v", v, j)
		}
	}
}
