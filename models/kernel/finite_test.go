package kernel

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestFinite: kernels with values that are not finite are never called finite, and ordinary ones
// are.
func TestFinite(t *testing.T) {
	inf := math.Inf(1)
	sizes := []float64{0, 1, -3, 30, 1e10, 1e75, 1e78, -1e149, 1e150, 1e154, -1e200, math.MaxFloat64, inf, -inf, math.NaN()}
	kernels := []Kernel{
		Linear{}, RBF{Gamma: 0.5}, RBF{Gamma: 0}, RBF{Gamma: -0.5}, RBF{Gamma: 1e250}, Sigmoid{Gamma: 0.5, Coef0: 1}, Sigmoid{Gamma: 1e250},
		Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, Poly{Degree: 1, Gamma: 1e200}, Poly{Degree: 100, Gamma: 1, Coef0: 2}, Poly{Degree: 0, Gamma: 1}, Poly{Degree: 2, Gamma: 1}, Poly{Degree: 2, Gamma: 1, Coef0: inf},
	}
	everyLevel(t, func(t *testing.T) {
		var batch Batch
		finite, not := 0, 0
		for _, k := range kernels {
			for _, size := range sizes {
				for _, other := range sizes {
					var zs vec.Matrix
					zs.Append(vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{1, -0.5, 2}})
					zs.Append(vec.Vector{Index: []int32{2, 3}, Value: []float64{size, size / 2}})
					zs.Append(vec.Vector{})
					xs := []vec.Vector{{Index: []int32{1, 2}, Value: []float64{0.5, 1}}, {Index: []int32{2, 3}, Value: []float64{other, other}}}
					batch.Pack(NewBasis(k, &zs), xs)
					values, all := make([]float64, zs.Len()), true
					for _, x := range xs {
						k.EvaluateTo(values, x, &zs)
						for _, v := range values {
							all = all && v-v == 0
						}
					}
					got := batch.Finite()
					if got && !all {
						t.Fatalf("%#v, numbers of %g and %g: finite, but values are not", k, size, other)
					}
					ordinary := math.Abs(size) <= 3 && math.Abs(other) <= 3
					switch k := k.(type) {
					case RBF:
						ordinary = ordinary && k.Gamma >= 0 && k.Gamma <= 1
					case Sigmoid:
						ordinary = ordinary && k.Gamma <= 1
					case Poly:
						ordinary = ordinary && k.Gamma <= 1 && k.Coef0 <= 1
					}
					if ordinary && !got {
						t.Fatalf("%#v, numbers of %g and %g: not known to be finite", k, size, other)
					}
					if got {
						finite++
					} else if !all {
						not++
					}
				}
			}
		}
		if finite < 100 || not < 100 {
			t.Errorf("finite %d times, not %d times", finite, not)
		}
	})
}
