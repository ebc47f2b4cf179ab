package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// declaredRows shows numbered features and a label as rows with declared columns.
type declaredRows struct {
	*input
	to     *format.Header
	labels map[float64]int // place of each label; nil: the label is the value
	first  int32           // feature that column 0 is
	empty  []int32         // columns but the label's without labels, missing in every row
	hot    *oneHotDecoder  // nil: each column is one feature
	dense  bool
	out    format.Instance
}

// declareNamed returns in as rows with the columns that names has.
func declareNamed(in *input, n *names) (*declaredRows, error) {
	r := &declaredRows{input: in, to: n.header, first: 1, dense: n.dense}
	if n.scaled {
		return nil, hinted{in.at(fmt.Errorf("the features were scaled: the columns' own values do not come back to the last bit")),
			"encode without --scale and without slimsvm scale, or convert the data themselves"}
	}
	if n.encoded {
		r.hot = newOneHotDecoder(n.header)
	}
	how := byIndex
	if n.number {
		how = byNumber
	} else if n.sign {
		how = bySign
	}
	for i, a := range n.header.Attributes {
		if i != n.header.Class && a.Type == format.Nominal && len(a.Labels) == 0 {
			r.empty = append(r.empty, int32(i))
		}
	}
	values, err := how.values(&n.header.Attributes[n.header.Class])
	for i, v := range values {
		if r.labels == nil {
			r.labels = map[float64]int{}
		}
		r.labels[v] = i
	}
	return r, err
}

// Header returns the declared columns.
func (r *declaredRows) Header() (*format.Header, error) { return r.to, nil }

// Read returns the next row.
func (r *declaredRows) Read() (format.Instance, error) {
	in, err := r.input.Read()
	if err != nil {
		return in, err
	}
	out, err := r.row(&in)
	return out, r.here(err)
}

// row returns a row with declared columns.
func (r *declaredRows) row(in *format.Instance) (format.Instance, error) {
	x := &r.out.X
	x.Index, x.Value = x.Index[:0], x.Value[:0]
	r.out.Weight, r.out.Sparse = in.Weight, !r.dense
	class, label := int32(r.to.Class), in.Y
	if r.labels != nil {
		place, ok := r.labels[in.Y]
		if !ok {
			return r.out, fmt.Errorf("label %v is none of column %q", in.Y, r.to.Attributes[class].Name)
		}
		label = float64(place)
	}
	if r.hot != nil {
		if err := r.hot.columns(x, in.X); err != nil {
			return r.out, err
		}
	} else {
		for k, feature := range in.X.Index {
			i := feature - r.first
			if i < 0 || int(i) >= len(r.to.Attributes) {
				return r.out, fmt.Errorf("there is no column for feature %d", feature)
			}
			if i == class {
				return r.out, fmt.Errorf("feature %d is the label's column", feature)
			}
			x.Index, x.Value = append(x.Index, i), append(x.Value, in.X.Value[k])
		}
	}
	if r.hot != nil && label == datafile.UnknownLabel && r.to.Attributes[class].Type == format.Nominal {
		label = math.NaN() // as encode --like says it
	}
	addMissing(x, class, label)
	for _, i := range r.empty {
		addMissing(x, i, math.NaN())
	}
	for k, i := range x.Index {
		if a := &r.to.Attributes[i]; a.Type == format.Nominal && !isPlace(x.Value[k], len(a.Labels)) && !math.IsNaN(x.Value[k]) {
			return r.out, fmt.Errorf("column %q has no label number %v: there are %d, from 0", a.Name, x.Value[k], len(a.Labels))
		}
	}
	return r.out, nil
}

// addMissing adds a value to those of a row, unless the column has one.
func addMissing(x *vec.Vector, i int32, v float64) {
	if at, there := slices.BinarySearch(x.Index, i); !there {
		x.Index, x.Value = slices.Insert(x.Index, at, i), slices.Insert(x.Value, at, v)
	}
}

// isPlace reports whether v is one of the numbers 0 to n-1.
func isPlace(v float64, n int) bool { return v == math.Trunc(v) && v >= 0 && v < float64(n) }
