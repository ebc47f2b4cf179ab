package traintest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

// faultyRow: a row that is not a valid vector is named in an error, and never trained on.
func faultyRow(d *format.Dataset, n New, _ Options) error {
	for _, x := range []vec.Vector{
		{Index: []int32{2, 1}, Value: []float64{1, 1}},
		{Index: []int32{1, 1}, Value: []float64{1, 1}},
		{Index: []int32{-1, 1}, Value: []float64{1, 1}},
		{Index: []int32{1, math.MinInt32}, Value: []float64{1, 1}},
		{Index: []int32{1}, Value: []float64{math.NaN()}},
		{Index: []int32{1}, Value: []float64{math.Inf(1)}},
	} {
		faulty := &format.Dataset{Header: d.Header, Y: d.Y}
		const at = 7
		for i := range d.Len() {
			if i == at {
				faulty.X.Append(x)
			} else {
				faulty.X.Append(d.X.Row(i))
			}
		}
		_, err := fit(n, faulty)
		var row *train.RowError
		if want := x.Check(); !errors.As(err, &row) || row.Row != at || row.Err.Error() != want.Error() {
			return fmt.Errorf("the error for %v as row %d is %v, expected %v", x, at+1, err, want)
		}
	}
	return nil
}

// lengths: a data set without a label, or a weight if there are any, for each row is an error.
func lengths(d *format.Dataset, n New, _ Options) error {
	ones := slices.Repeat([]float64{1}, d.Len()+1)
	for _, c := range []struct{ y, weight []float64 }{
		{d.Y[:d.Len()-1], nil},
		{append(slices.Clone(d.Y), d.Y[0]), nil},
		{nil, nil},
		{d.Y, ones},
		{d.Y, ones[:d.Len()-1]},
		{d.Y, []float64{}},
	} {
		s := &format.Dataset{Header: d.Header, X: d.X, Y: c.y, Weight: c.weight}
		_, err := fit(n, s)
		if want := s.Check(); err == nil || err.Error() != want.Error() {
			return fmt.Errorf("the error is %v, expected %v", err, want)
		}
	}
	return nil
}

// declared: data with declared columns, whose values include the labels, are an error.
func declared(d *format.Dataset, n New, _ Options) error {
	h := &format.Header{Class: 1, Attributes: []format.Attribute{{Name: "x"}, {Name: "y"}}}
	_, err := fit(n, &format.Dataset{Header: h, X: d.X, Y: d.Y, Weight: d.Weight})
	if !errors.Is(err, format.ErrColumns) {
		return fmt.Errorf("the error is %v, expected %v", err, format.ErrColumns)
	}
	return nil
}
