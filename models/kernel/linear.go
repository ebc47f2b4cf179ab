package kernel

import "github.com/slimsvm/slimsvm/format/vec"

// Linear is K(x, z) = x.z.
type Linear struct{}

// RowTo implements Kernel.
func (Linear) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) { zs.DotTo(dst, x) }

// DiagTo implements Kernel.
func (Linear) DiagTo(dst []float64, zs *vec.Matrix) {
	for i := range dst {
		dst[i] = zs.SquaredNorm(i)
	}
}

// EvaluateTo implements Kernel.
func (Linear) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) { zs.DotTo(dst, x) }
