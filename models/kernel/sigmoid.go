package kernel

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Sigmoid is K(x, z) = tanh(Gamma x.z + Coef0). It is not positive definite. Set Gamma: 0 makes all
// values the same.
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
	tanhTo(simd.Current(), dst, k.Gamma, k.Coef0)
}
