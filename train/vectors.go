package train

import (
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// SelectVectors returns rows of a data set as a model's vectors. For a
// precomputed kernel that is their serial numbers only.
func SelectVectors(k kernel.Kernel, d *format.Dataset, rows []int) vec.Matrix {
	if k != (kernel.Precomputed{}) {
		return d.X.Select(rows)
	}
	var m vec.Matrix
	for _, row := range rows {
		v := d.X.Row(row)
		m.Append(vec.Vector{Index: v.Index[:1], Value: v.Value[:1]})
	}
	return m
}
