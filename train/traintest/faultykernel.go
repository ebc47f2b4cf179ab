package traintest

import (
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A FaultyKernel is a kernel of a caller's own, of one feature, that has Value for the numbers From
// and To, in either order, From the smaller one. Otherwise it is Cauchy's, 1 / (1 + (a - b)^2).
type FaultyKernel struct{ Value, From, To float64 }

// RowTo implements kernel.Kernel.
func (k FaultyKernel) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	for i := range dst {
		a, b := x.Value[0], zs.Row(i).Value[0]
		if dst[i] = 1 / (1 + float64((a-b)*(a-b))); min(a, b) == k.From && max(a, b) == k.To {
			dst[i] = k.Value
		}
	}
}

// DiagTo implements kernel.Kernel.
func (k FaultyKernel) DiagTo(dst []float64, zs *vec.Matrix) {
	for i := range dst {
		dst[i] = 1
	}
}

// EvaluateTo implements kernel.Kernel.
func (k FaultyKernel) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) { k.RowTo(dst, x, zs) }

// RowsOfOne returns rows of one feature, from 1 to n, of three classes.
func RowsOfOne(n int) *format.Dataset {
	d := new(format.Dataset)
	for i := range n {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i + 1)}}, Y: float64(i / 2 % 3), Weight: 1})
	}
	return d
}
