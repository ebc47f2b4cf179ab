package train

import (
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// fewVectors is how many times as many rows as vectors there must be for the vectors to be copied:
// copies then take little compared with the data. More vectors share memory with the data, a large
// part of which they keep in any case.
const fewVectors = 8

// SelectVectors returns the given rows of a data set as a model's vectors. With a precomputed
// kernel it returns only their serial numbers. A few vectors are copied, so that a small model does
// not keep the training data in memory; many share memory with the data.
func SelectVectors(k kernel.Kernel, d *format.Dataset, rows []int) vec.Matrix {
	if k != (kernel.Precomputed{}) {
		if fewVectors*len(rows) <= d.Len() {
			return d.X.Copy(rows)
		}
		return d.X.Select(rows)
	}
	var m vec.Matrix
	for _, row := range rows {
		v := d.X.Row(row)
		m.Append(vec.Vector{Index: v.Index[:1], Value: v.Value[:1]})
	}
	return m
}
