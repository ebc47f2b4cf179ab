// Package encode turns rows with declared columns, such as those of ARFF and CSV files, into
// numeric feature vectors and labels, as Weka's filters do. It keeps what it learned from the
// training rows and applies it to every later row.
//
// Call [Fit] with the training data and [Encoding.Encode] to get features to train on. For later
// data call [Encoding.Mapper] with their header, then [Mapper.ReadAll] or [Mapper.Row]; for a row
// that is no part of a data set, such as a form or JSON, call [Encoding.Row].
// [Encoding.MarshalText] is what models.Model.Inputs holds, so that a model file carries its
// encoding. The package example shows all of it; that of [Fit] trains on rows that a program makes
// itself, and the example of predict.Predictor.Check answers for rows by the names of columns.
//
// # Features
//
// A column becomes one or more features:
//
//	numeric, date    one feature, the number (dates: milliseconds)
//	nominal          of more than two labels: one feature a label, 1 or 0;
//	                 of two: one feature, 0 for the first, 1 for the second;
//	                 of one or none: one feature, 0
//	string           refused
//	relational       refused
//
// Columns that [Options.Drop] names are left out first, whatever they hold, as if the data did not
// have them.
//
// Features are numbered from 1 over all columns in order. The label's column is included: it takes
// one number and has no feature.
//
// # Missing values and scaling
//
// A missing value is replaced by the mean of the training rows, or by the most frequent label (the
// first of equally frequent ones). Then features may be scaled:
//
//   - Normalize maps the range of the training rows to [0,1], and a constant feature to 0. Later
//     values are not clipped.
//   - Standardize subtracts the mean and divides by the standard deviation (with n-1), unless that
//     is 0.
//
// A label that the training rows did not declare makes all features of its column 0. With more than
// two labels this means none of them; with two it means the first, as in scikit-learn's
// OneHotEncoder with drop="if_binary" and handle_unknown="ignore". (Weka has no such values: its
// InputMappedClassifier makes them missing.)
//
// These are the filters ReplaceMissingValues, NominalToBinary, Normalize and Standardize of Weka
// 3.8, in the orders in which its SMO and LibSVM classifiers use them.
package encode

import (
	"errors"
	"fmt"
	"sort"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
)

// A Scaling says how features are scaled.
type Scaling string

// The scalings.
const (
	None        Scaling = ""
	Normalize   Scaling = "normalize"
	Standardize Scaling = "standardize"
)

// check returns an error for what is no scaling.
func (s Scaling) check() error {
	switch s {
	case None, Normalize, Standardize:
		return nil
	}
	return fmt.Errorf("no scaling %q: there are %q and %q", string(s), Normalize, Standardize)
}

// Options select an encoding.
type Options struct {
	// Class is the label's column: a name, "first", "last", or a number from 1, tried in this
	// order. Empty: the header's own class, else the last column. One of the columns is always the
	// label's and no feature. For a one-class model, whose rows have no label, add one that is 1 in
	// each training row, as the example of Options does; later rows need not have it.
	Class string
	// Drop names columns to leave out, as Class does. The encoding does not know them: later data
	// may or may not have them.
	Drop    []string
	Scaling Scaling // of the features
	// DecimalComma is copied to the Encoding.
	DecimalComma bool
	// ColumnsFirst scales numeric columns, and a numeric label, before nominal columns become
	// features. Those then stay 0 and 1.
	ColumnsFirst bool
	// ScaleLabel scales a numeric label too. ColumnsFirst does so anyway. Both are for regressions:
	// trainers of classifiers cut labels to integers, and scaled ones to others. Classes that are
	// numbers stay as they are in a Nominal column, see csvfmt.Reader.Nominal.
	ScaleLabel bool
}

// An Encoding is what was learned from the training rows: [Fit] or UnmarshalText makes it. The zero
// Encoding has no columns: its methods may panic. It does not change, and several goroutines may
// use it at once. A program that wants other columns, labels or scales changes copies of these, in
// an Encoding of its own.
type Encoding struct {
	Relation string // name of the training data
	Columns  []Column
	Class    int // position of the label's column in Columns

	// DecimalComma says that the text of the training data has decimal commas. This package does
	// not use it; a reader of later data then knows what 1,234 may be.
	DecimalComma bool

	forRows *rowIndex // nil: a program made the encoding
}

// A Column is a declared column and its features.
type Column struct {
	Name    string
	Type    format.Type
	Labels  []string // of a nominal column
	Pattern string   // of a date column
	// Fill replaces missing values: a number, or the position of a label.
	Fill float64
	// First is the number of the first feature, or for the label's column the number that it takes.
	First int32
	// Scales has one element for each feature, or one for the label's column if the label is
	// scaled. nil: not scaled.
	Scales []Scale
}

// A Scale maps x to (x - Shift) / Width, or to 0 if Width is 0.
type Scale struct{ Shift, Width float64 }

func (s Scale) apply(x float64) float64 {
	if s.Width == 0 {
		return 0
	}
	return (x - s.Shift) / s.Width
}

// Errors of data that do not fit an encoding.
var (
	// ErrMissingColumn reports that a column of the training data is missing.
	ErrMissingColumn = errors.New("column is missing")
	// ErrColumnType reports that a column has another type than in training.
	ErrColumnType = errors.New("the column is of another type than in training")
)

// ClassColumn returns the label's column.
func (e *Encoding) ClassColumn() *Column {
	if e.Class < 0 || e.Class >= len(e.Columns) {
		panic(fmt.Sprintf("encode: class %d of an encoding of %d columns", e.Class, len(e.Columns)))
	}
	return &e.Columns[e.Class]
}

// Nominal reports whether labels are text.
func (e *Encoding) Nominal() bool { return e.ClassColumn().Type == format.Nominal }

// LabelText returns the text of a label or target that the encoding gave.
func (e *Encoding) LabelText(y float64) string {
	c := e.ClassColumn()
	if i := int(y); c.Type == format.Nominal && i >= 0 && i < len(c.Labels) && float64(i) == y {
		return c.Labels[i]
	}
	return strconv.FormatFloat(e.Target(y), 'g', -1, 64)
}

// Target undoes the scaling of a numeric label.
func (e *Encoding) Target(y float64) float64 {
	if s := e.ClassColumn().Scales; s != nil {
		return float64(y*s[0].Width) + s[0].Shift
	}
	return y
}

// Difference undoes the scaling of a difference of two numeric labels: it multiplies but does not
// shift.
func (e *Encoding) Difference(d float64) float64 {
	if s := e.ClassColumn().Scales; s != nil {
		return d * s[0].Width
	}
	return d
}

// features returns the number of features of a column that is not the label's.
func (c *Column) features() int {
	if c.Type == format.Nominal && len(c.Labels) > 2 {
		return len(c.Labels)
	}
	return 1
}

// UnknownCountsAs returns the label that a label not declared in training counts as. ok is false if
// it counts as none.
func (c *Column) UnknownCountsAs() (label string, ok bool) {
	if c.Type != format.Nominal || len(c.Labels) == 0 || len(c.Labels) > 2 {
		return "", false
	}
	return c.Labels[0], true
}

// Features returns the number of the last feature, 0 if there is none.
func (e *Encoding) Features() int {
	if len(e.Columns) == 0 {
		return 0
	}
	last := &e.Columns[len(e.Columns)-1]
	if e.Class == len(e.Columns)-1 {
		return int(last.First) - 1
	}
	return int(last.First) + last.features() - 1
}

// Scale returns how a feature is scaled. Features that are not scaled, or that the encoding does not
// have, have shift 0 and width 1.
func (e *Encoding) Scale(feature int32) Scale {
	i := sort.Search(len(e.Columns), func(i int) bool { return e.Columns[i].First > feature }) - 1
	if i >= 0 && i != e.Class {
		if k := int(feature - e.Columns[i].First); k < len(e.Columns[i].Scales) {
			return e.Columns[i].Scales[k]
		}
	}
	return Scale{0, 1}
}

// Names returns the names of the features from number 1: the column's name, or column=label for a
// label of a nominal column. The label's own number has the name "CLASS column".
func (e *Encoding) Names() []string {
	var names []string
	for i := range e.Columns {
		c := &e.Columns[i]
		name := c.Name
		var labels []string
		switch {
		case i == e.Class:
			name = "CLASS " + name
		case c.Type == format.Nominal && len(c.Labels) > 2:
			labels = c.Labels
		case c.Type == format.Nominal && len(c.Labels) == 2:
			labels = c.Labels[1:]
		}
		if labels == nil {
			names = append(names, name)
		}
		for _, label := range labels {
			names = append(names, name+"="+label)
		}
	}
	return names
}

// FindClass returns the position of the label's column, by the rules of [Options.Class].
func FindClass(h *format.Header, class string) (int, error) {
	if h == nil {
		return 0, errNoColumns
	}
	n := len(h.Attributes)
	if class == "" && n > 0 {
		if h.Class >= 0 && h.Class < n {
			return h.Class, nil
		}
		return n - 1, nil
	}
	return FindColumn(h, class)
}

// FindColumn returns the position of a column that is given by its name, by first or last, or by
// its number from 1, in this order.
func FindColumn(h *format.Header, column string) (int, error) {
	if h == nil {
		return 0, errNoColumns
	}
	for i := range h.Attributes {
		if h.Attributes[i].Name == column {
			return i, nil
		}
	}
	return unnamedColumn(h, column)
}

// ColumnFinder returns [FindColumn] for a header of many columns. It indexes the names once.
func ColumnFinder(h *format.Header) func(column string) (int, error) {
	const few = 4 // columns that are sooner found each for itself
	var places map[string]int
	asked := 0
	return func(column string) (int, error) {
		if asked++; asked <= few {
			return FindColumn(h, column)
		}
		if places == nil {
			places = make(map[string]int, len(h.Attributes))
			for i := range h.Attributes {
				if _, ok := places[h.Attributes[i].Name]; !ok {
					places[h.Attributes[i].Name] = i
				}
			}
		}
		if i, ok := places[column]; ok {
			return i, nil
		}
		return unnamedColumn(h, column)
	}
}

// unnamedColumn is FindColumn for what is no name.
func unnamedColumn(h *format.Header, column string) (int, error) {
	n := len(h.Attributes)
	if n == 0 {
		return 0, errNoColumns
	}
	switch column {
	case "first":
		return 0, nil
	case "last":
		return n - 1, nil
	}
	if i, err := strconv.Atoi(column); err == nil {
		if i < 1 || i > n {
			are := "are"
			if n == 1 {
				are = "is"
			}
			return 0, fmt.Errorf("no column %d: there %s %d", i, are, n)
		}
		return i - 1, nil
	}
	e := &format.NoColumnError{Column: column}
	for i := range h.Attributes {
		e.Names = append(e.Names, h.Attributes[i].Name)
	}
	return 0, e
}
