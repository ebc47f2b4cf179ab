package kernel

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Poly is K(x, z) = (Gamma x.z + Coef0)^Degree, Degree >= 0. Set Degree and Gamma: if either is 0,
// all values are the same.
type Poly struct {
	Degree       int
	Gamma, Coef0 float64
}

// RowTo implements Kernel.
func (k Poly) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	zs.DotTo(dst, x)
	k.mapDots(dst)
}

// DiagTo implements Kernel.
func (k Poly) DiagTo(dst []float64, zs *vec.Matrix) {
	Linear{}.DiagTo(dst, zs)
	k.mapDots(dst)
}

// EvaluateTo implements Kernel.
func (k Poly) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) { k.RowTo(dst, x, zs) }

func (k Poly) mapDots(dst []float64) {
	powerTo(simd.Current(), dst, k.Gamma, k.Coef0, k.Degree)
}

// powerPortable sets x[i] = Power(scale x[i] + offset, degree).
func powerPortable(x []float64, scale, offset float64, degree int) {
	for i, v := range x {
		x[i] = Power(float64(scale*v)+offset, degree)
	}
}

// Power returns x^n for n >= 0 by repeated squaring, starting with the lowest bit of n. The values
// of Poly have these bits.
func Power(x float64, n int) float64 {
	result := 1.0
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			result *= x
		}
		x *= x
	}
	return result
}
