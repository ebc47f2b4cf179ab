package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
)

// Sigmoid is K(x, z) = tanh(Gamma x.z + Coef0). It is not positive definite.
type Sigmoid struct {
	Gamma, Coef0 float64
}

// RowTo implements Kernel.
func (k Sigmoid) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	zs.DotTo(dst, x)
	k.mapDots(dst)
}

// DiagTo implements Kernel.
func (k Sigmoid) DiagTo(dst []float64, zs *vec.Matrix) {
	Linear{}.DiagTo(dst, zs)
	k.mapDots(dst)
}

// EvaluateTo implements Kernel.
func (k Sigmoid) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) { k.RowTo(dst, x, zs) }

func (k Sigmoid) mapDots(dst []float64) {
	for i, dot := range dst {
		dst[i] = tanh(float64(k.Gamma*dot) + k.Coef0)
	}
}

// tanh returns the hyperbolic tangent by the identities
//
//	tanh x = 1 - 2/(expm1(2x) + 2)                for x >= 1
//	tanh x = -expm1(-2x) / (expm1(-2x) + 2)       for 0 <= x < 1
//
// which the C library uses too, so that few values differ in the last bit.
func tanh(x float64) float64 {
	switch a := math.Abs(x); {
	case a < 0x1p-55 || math.IsNaN(x):
		return x
	case a >= 22:
		return math.Copysign(1, x)
	case a >= 1:
		return math.Copysign(1-2/(math.Expm1(2*a)+2), x)
	default:
		e := math.Expm1(-2 * a)
		return math.Copysign(-e/(e+2), x)
	}
}
