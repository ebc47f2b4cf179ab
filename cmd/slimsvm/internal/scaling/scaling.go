// Package scaling scales the columns of data that declare them, as package scale does numbered features.
package scaling

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Columns scales declared columns. Column i from 0 is feature i+1 to package scale,
// which sees numeric columns only, without what is missing.
type Columns struct {
	header *format.Header
	class  int
	weight int  // column of the rows' weights; -1: none
	labels bool // scale the label
	found  []extent
	rows   int
	x, y   vec.Vector // of package scale: before and after
}

// extent is the range of a numeric column.
type extent struct {
	scale.Range
	numeric bool
	listed  int // rows that list the column
	some    bool
}

// New returns the columns of a header, with those of the label and of the rows' weights, of which the latter is -1 if there is
// none. labels says that the label is scaled too, which is an error where it is no number.
func New(h *format.Header, class, weight int, labels bool) (*Columns, error) {
	t := &Columns{header: h, class: class, weight: weight, found: make([]extent, len(h.Attributes))}
	for i, a := range h.Attributes {
		t.found[i].numeric = a.Type == format.Numeric
	}
	if labels {
		return t, t.ScaleLabel()
	}
	return t, nil
}

// Label returns the label's column, -1 if there is none.
func (t *Columns) Label() int { return t.class }

// ScalesLabel reports whether the label is scaled.
func (t *Columns) ScalesLabel() bool { return t.labels }

// Scales reports whether column i is scaled as a feature.
func (t *Columns) Scales(i int) bool { return i != t.class && i != t.weight && t.found[i].numeric }

// Measure takes in one row. It is an error if a value that is to be scaled is not finite.
func (t *Columns) Measure(x vec.Vector) error {
	t.rows++
	for k, i := range x.Index {
		f := &t.found[i]
		if !f.numeric {
			continue
		}
		f.listed++
		v := x.Value[k]
		if math.IsInf(v, 0) && (int(i) != t.class || t.labels) {
			return fmt.Errorf("column %q: %w: %v", t.header.Attributes[i].Name, errNotFinite, v)
		}
		if !math.IsNaN(v) {
			f.include(v)
		}
	}
	return nil
}

func (f *extent) include(v float64) {
	if !f.some {
		f.some, f.Min, f.Max = true, v, v
	}
	f.Min, f.Max = min(f.Min, v), max(f.Max, v)
}

// Ranges returns how the columns are scaled.
func (t *Columns) Ranges(x scale.Limits, y *scale.Limits) *scale.Ranges {
	r := &scale.Ranges{X: &scale.Features{Limits: x}}
	for i := range t.found {
		f := &t.found[i]
		if f.numeric && f.listed < t.rows { // rows that leave it out have 0
			f.include(0)
		}
		switch {
		case i == t.class && y != nil && f.some:
			r.Y = &scale.Labels{Limits: *y, Range: f.Range}
		case t.Scales(i) && f.some && !f.Constant():
			r.X.Ranges = append(r.X.Ranges, scale.Feature{Index: int32(i + 1), Range: f.Range})
		}
	}
	return r
}

// Row sets dst to a row with its numeric columns scaled. Missing values stay.
func (t *Columns) Row(dst *vec.Vector, in vec.Vector, s *scale.Scaler) error {
	t.x.Index, t.x.Value = t.x.Index[:0], t.x.Value[:0]
	for k, i := range in.Index {
		if v := in.Value[k]; t.Scales(int(i)) && !math.IsNaN(v) {
			if math.IsInf(v, 0) {
				return fmt.Errorf("column %q: %w: %v", t.header.Attributes[i].Name, errNotFinite, v)
			}
			t.x.Index, t.x.Value = append(t.x.Index, i+1), append(t.x.Value, v)
		}
	}
	if err := s.RowTo(&t.y, t.x); err != nil {
		return err
	}
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	put := func(i int32, v float64) { dst.Index, dst.Value = append(dst.Index, i), append(dst.Value, v) }
	scaled := t.y
	for k, i := range in.Index {
		for len(scaled.Index) > 0 && scaled.Index[0] <= i { // zeros that became something else
			put(scaled.Index[0]-1, scaled.Value[0])
			scaled.Index, scaled.Value = scaled.Index[1:], scaled.Value[1:]
		}
		v := in.Value[k]
		switch {
		case int(i) == t.class && t.labels && !math.IsNaN(v):
			y, err := s.Label(v)
			if err != nil {
				return err
			}
			v = y
		case t.Scales(int(i)) && !math.IsNaN(v):
			if len(scaled.Index) > 0 && scaled.Index[0] == i+1 {
				v = scaled.Value[0]
			} else {
				v = 0
			}
		}
		if len(scaled.Index) > 0 && scaled.Index[0] == i+1 { // of a missing value: what 0 would become
			scaled.Index, scaled.Value = scaled.Index[1:], scaled.Value[1:]
		}
		put(i, v)
	}
	for k, i := range scaled.Index {
		put(i-1, scaled.Value[k])
	}
	return nil
}

// known returns which columns a range file knows: by names, if it has some, or else by the numbers of its ranges.
func (t *Columns) known(file *scale.Ranges, names map[int32]string) []bool {
	known := make([]bool, len(t.found))
	if names == nil {
		for _, f := range file.X.Ranges {
			if f.Index >= 1 && int(f.Index) <= len(known) {
				known[f.Index-1] = true
			}
		}
		return known
	}
	is := map[string]bool{}
	for _, name := range names {
		is[name] = true
	}
	for i, a := range t.header.Attributes {
		known[i] = is[a.Name]
	}
	return known
}

// Relabel takes for the label, where nobody said which column that is, none that was a feature of
// the data whose ranges are restored from a file, with the names of its features, nil for none:
// data to predict may have no label. Names tell of all features, numbers only of those that have a
// range, so that by numbers no other column is it.
func (t *Columns) Relabel(file *scale.Ranges, names map[int32]string) {
	known, named := t.known(file, names), names != nil
	if !known[t.class] {
		return
	}
	t.class = -1
	for i := range known {
		if named && !known[i] && i != t.weight {
			t.class = i
		}
	}
}

// SetRanges makes the ranges of a file, with the names of its features, nil for none, be of this data set's columns that are
// scaled: by the names, or else by the numbers. A number that no column has is an error.
func (t *Columns) SetRanges(file *scale.Ranges, names map[int32]string) error {
	if names == nil {
		return t.limit(file)
	}
	t.renumber(file, names)
	return nil
}

// renumber gives the ranges of a file, which are numbered as its own columns, the
// numbers of this data set's columns.
func (t *Columns) renumber(file *scale.Ranges, names map[int32]string) {
	from := map[string]scale.Feature{}
	for _, f := range file.X.Ranges {
		if name, ok := names[f.Index]; ok {
			from[name] = f
		}
	}
	file.X.Ranges = nil
	for i, a := range t.header.Attributes {
		if f, ok := from[a.Name]; ok && t.Scales(i) {
			f.Index = int32(i + 1)
			file.X.Ranges = append(file.X.Ranges, f)
		}
	}
}

// limit leaves of the ranges of a file, which are numbered as the columns, those of the
// columns that are scaled. A number that no column has is an error.
func (t *Columns) limit(file *scale.Ranges) error {
	var scaled []scale.Feature
	for _, f := range file.X.Ranges {
		if n := len(t.found); f.Index < 1 || int(f.Index) > n {
			return fmt.Errorf("feature %d has a range, but the data have no such column: there are %d", f.Index, n)
		}
		if t.Scales(int(f.Index) - 1) {
			scaled = append(scaled, f)
		}
	}
	file.X.Ranges = scaled
	return nil
}

// ScaleLabel makes the label be scaled too. It is an error if it is no number.
func (t *Columns) ScaleLabel() error {
	a := t.header.Attributes[t.class]
	if a.Type != format.Numeric {
		return fmt.Errorf("the label's column %q is %s, and cannot be scaled", a.Name, phrase.Type(a.Type))
	}
	t.labels = true
	return nil
}

var errNotFinite = errors.New("a value that is not finite cannot be scaled")
