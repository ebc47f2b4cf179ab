// Package format defines what every data format of the project reads and
// writes: data sets of numeric rows with a label each.
//
// A format is a Codec, a struct of functions; the codecs live in packages of
// their own (libsvmfmt), know this package and not each other, and are listed
// by the commands.
package format

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A Dataset is a data set in memory: row i of X has the label or target Y[i]. Append and the
// readers of this project make it so; of one that was put together by other means, from JSON or gob
// for one, Check tells.
type Dataset struct {
	Header *Header
	X      vec.Matrix
	Y      []float64
	Weight []float64 // one a row; nil: all 1
}

// Append adds a copy of one row. It panics where vec.Matrix.Append does.
func (d *Dataset) Append(in Instance) {
	if in.Weight != 1 && d.Weight == nil {
		d.Weight = make([]float64, len(d.Y), len(d.Y)+1)
		for i := range d.Weight {
			d.Weight[i] = 1
		}
	}
	d.X.Append(in.X)
	if len(d.Y) == cap(d.Y) {
		d.Y = slices.Grow(d.Y, len(d.Y)+1) // doubled, as the room for rows is
	}
	d.Y = append(d.Y, in.Y)
	if d.Weight != nil {
		d.Weight = append(d.Weight, in.Weight)
	}
}

// CheckWeight returns an error unless w is a weight that a row may have: a finite number
// from 0 on.
func CheckWeight(w float64) error {
	if !(w >= 0) || math.IsInf(w, 0) {
		return fmt.Errorf("weight %v is not a positive number", w)
	}
	return nil
}

// Weights returns the weights of some rows, or nil where all are 1.
func (d *Dataset) Weights(rows []int) []float64 {
	if d.Weight == nil {
		return nil
	}
	w := make([]float64, len(rows))
	for k, i := range rows {
		w[k] = d.Weight[i]
	}
	return w
}

// Check returns an error unless there is a data set, one label and, if there are weights, one weight
// for each row. It does not look at rows.
func (d *Dataset) Check() error {
	if d == nil {
		return errors.New("no data set")
	}
	n := d.X.Len()
	switch {
	case len(d.Y) != n:
		return fmt.Errorf("%d rows but %d labels", n, len(d.Y))
	case d.Weight != nil && len(d.Weight) != n:
		return fmt.Errorf("%d rows but %d weights", n, len(d.Weight))
	}
	return nil
}

// Len returns the number of rows.
func (d *Dataset) Len() int { return len(d.Y) }

// A Header describes the columns.
//
// Formats that declare columns, ARFF for one, list them all in Attributes, and
// their rows hold every column in X, the label's too. Formats that do not,
// LIBSVM's for one, have no Attributes: columns are numbered features, and the
// label stands in Y.
type Header struct {
	Relation   string
	Attributes []Attribute
	Class      int // position in Attributes of the label's column; -1: not known
}

// ErrColumns: rows under declared columns, which hold their label among the values and whose numbers
// may stand for words, were given where features are wanted. Package encode makes these of them.
var ErrColumns = errors.New("the data declare columns, expected numbered features and a label: encode them first, as package encode does")

// CheckFeatures returns ErrColumns if h declares columns. A nil Header does not.
func (h *Header) CheckFeatures() error {
	if h != nil && len(h.Attributes) > 0 {
		return ErrColumns
	}
	return nil
}

// A Type is the type of a declared column.
type Type int

// The types.
const (
	Numeric    Type = iota
	Nominal         // one of a list of labels
	String          // any text
	Date            // milliseconds since 1970-01-01T00:00 UTC
	Relational      // a table of its own
)

// An Attribute describes one declared column.
type Attribute struct {
	Name       string
	Type       Type
	Labels     []string    // of a Nominal
	Pattern    string      // of a Date, in Java's SimpleDateFormat notation
	Attributes []Attribute // of a Relational: its columns
	Weight     float64     // 0 stands for 1
}

// An Instance is one row. What Read returns is valid until the next Read.
type Instance struct {
	// X holds the values. Under declared columns an index is a position in
	// Header.Attributes, NaN stands for a missing value, and the value of a
	// column that is not Numeric is
	//
	//	Nominal     the position of the label
	//	String      a position in Strings
	//	Date        milliseconds
	//	Relational  a position in Tables
	//
	// Columns that X does not list are 0.
	X vec.Vector
	Y float64 // label or target, where no columns are declared
	// Weight is 1 for a row like others: rows of your own need it too. A row of weight 0 teaches nothing;
	// trainers refuse it, and train.Weighted leaves it out.
	Weight  float64
	Sparse  bool // written in a form that leaves zeros out
	Strings []string
	Tables  [][]Instance
}

// A Reader reads a data set row by row.
type Reader interface {
	// Header returns the description of the columns.
	Header() (*Header, error)
	// Read returns the next row, or io.EOF after the last.
	Read() (Instance, error)
}

// A Writer writes a data set row by row.
type Writer interface {
	WriteHeader(*Header) error
	Write(Instance) error
	Flush() error
}

// A Codec is a data format.
type Codec struct {
	Name       string
	Extensions []string               // with the dot, lower case
	Sniff      func(head []byte) bool // whether a file that begins so may be of this format
	// Resembles tells, of a file that begins so and that no Sniff accepts, whether it is meant to be of
	// this format: its reader then says what is wrong. nil: that cannot be told.
	Resembles func(head []byte) bool
	NewReader func(io.Reader) Reader
	NewWriter func(io.Writer) Writer
	// Parse reads a whole data set. It returns what NewReader's rows add up to. ctx is
	// looked at between two readings of the input, as in ReadAll.
	Parse func(ctx context.Context, r io.Reader) (*Dataset, error)
}

// Copy writes all of src to dst, flushes it and returns the number of rows.
func Copy(dst Writer, src Reader) (n int, err error) {
	h, err := src.Header()
	if err != nil {
		return 0, err
	}
	if err := dst.WriteHeader(h); err != nil {
		return 0, err
	}
	for {
		in, err := src.Read()
		if err == io.EOF {
			return n, dst.Flush()
		}
		if err != nil {
			return n, err
		}
		if err := dst.Write(in); err != nil {
			return n, err
		}
		n++
	}
}

// checkEvery is the number of rows between two looks at the context.
const checkEvery = 1 << 10

// ReadAll reads all rows of src into a data set. It is a Codec's Parse for
// formats that have no faster one. When ctx ends, it returns before the next rows are
// read; who may wait for those without end, at a pipe for one, closes what src reads.
func ReadAll(ctx context.Context, src Reader) (*Dataset, error) {
	h, err := src.Header()
	if err != nil {
		return nil, err
	}
	d := &Dataset{Header: h}
	for {
		if d.Len()%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		in, err := src.Read()
		if err == io.EOF {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		d.Append(in)
	}
}

// An Error is a fault in a file: where it is and what it is.
type Error = textscan.Error

// WithPath returns err with path put into an *Error that has none, and any
// other error as an *Error of that file. It returns nil for nil.
func WithPath(err error, path string) error { return textscan.WithPath(err, path) }
