// Package format defines what all data formats share: the data set in memory ([Dataset], rows of
// [Instance]), the interfaces for reading and writing rows ([Reader], [Writer]), and the [Codec]
// that describes one format. It also opens and creates files, compressed or not.
//
// To read a file, pass what [Open] returns to the Parse function of a format's package:
//
//	f, err := format.Open("heart.libsvm.gz")
//	...
//	defer f.Close()
//	d, err := libsvmfmt.Parse(ctx, f)
//
// The formats are in packages libsvmfmt (LIBSVM and SVMlight), arff and format/csvfmt. [Detect]
// chooses the codec by a file's name and first bytes: see its example. ARFF and CSV declare
// columns; package format/encode turns their rows into numeric features for training. LIBSVM rows
// are features already. A program that has its rows in slices needs no file: it calls
// [Dataset.Append] for each, as the example of package train does.
//
// A format's package depends on this package only; the formats do not know each other.
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
	"github.com/slimsvm/slimsvm/internal/ended"
)

// A Dataset is a data set in memory. Row i has the features X.Row(i), the label or target Y[i], and
// the weight Weight[i]. It has no texts of String columns and no tables of Relational ones, which only
// the rows of a [Reader] have: there X has their positions alone.
//
// [Dataset.Append] and the readers of this module keep the three lengths equal. Call
// [Dataset.Check] for a data set that comes from elsewhere, such as JSON or gob. Several goroutines
// may use a data set at once, for trainings for example, while none changes it.
type Dataset struct {
	Header *Header    // description of the columns; nil: none are declared
	X      vec.Matrix // row i has the features, or columns, of row i
	Y      []float64  // labels or targets, one for each row
	Weight []float64  // one for each row; nil: all 1
}

// Append adds a copy of a row, without its texts and tables. It panics if in.X has not as many
// indices as values.
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

// CheckWeight returns an error unless w can be the weight of a row: a finite number, 0 or more.
func CheckWeight(w float64) error {
	if !(w >= 0) || math.IsInf(w, 0) {
		return fmt.Errorf("weight %v: expected a finite number, 0 or more", w)
	}
	return nil
}

// Weights returns the weights of the given rows, or nil if all rows of d have weight 1.
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

// Check returns an error if d is nil, or if it has not exactly one label, and one weight if there
// are weights, for each row. It does not examine the rows.
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

// A Header describes the columns of a data set.
//
// Formats that declare columns (ARFF, CSV) list all of them in Attributes. Their rows hold every
// column in X, the label's included. Other formats (LIBSVM) have no Attributes: the columns are
// numbered features, and the label is in Y. A program that makes a header sets Class: 0 is the first
// column.
type Header struct {
	Relation   string // name of the data set, in ARFF
	Attributes []Attribute
	Class      int // position of the label's column in Attributes, from 0; -1: not known
}

// ErrColumns reports rows with declared columns where numeric features are required. Such rows hold
// their label among the values, and a number may stand for a nominal label or a text. Package
// encode makes features of them.
var ErrColumns = errors.New("the data declare columns, expected numbered features and a label: encode them first, as package encode does")

// CheckFeatures returns [ErrColumns] if h declares columns. h may be nil: then it declares none.
func (h *Header) CheckFeatures() error {
	if h != nil && len(h.Attributes) > 0 {
		return ErrColumns
	}
	return nil
}

// A Type is the type of a declared column. See [Instance] for the values of each type.
type Type int

// The types of columns.
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
	Labels     []string    // of a Nominal column
	Pattern    string      // of a Date column, in the notation of Java's SimpleDateFormat
	Attributes []Attribute // of a Relational column: its own columns
	Weight     float64     // 0 means 1
}

// An Instance is one row. What [Reader.Read] returns is valid until the next Read; [Instance.Clone]
// lasts.
type Instance struct {
	// X holds the values. Columns that X does not list are 0.
	//
	// Where no columns are declared, an index is the number of a feature. Under declared columns it
	// is a position in Header.Attributes, NaN is a missing value, and the value of a column that is
	// not Numeric means
	//
	//	Nominal     the position of the label in Attribute.Labels
	//	String      a position in Strings
	//	Date        milliseconds since 1970-01-01T00:00 UTC
	//	Relational  a position in Tables
	X vec.Vector
	Y float64 // label or target, where no columns are declared
	// Weight is 1 for an ordinary row: set it in rows that your program makes. Trainers refuse rows
	// of weight 0, which have no effect on a model; train.DropZeroWeights leaves them out.
	Weight  float64
	Sparse  bool         // written in a form that leaves out zeros
	Strings []string     // texts of String columns
	Tables  [][]Instance // rows of Relational columns
}

// Clone returns a copy of the row that shares no memory with it.
func (in Instance) Clone() Instance {
	in.X = in.X.Clone()
	in.Strings = slices.Clone(in.Strings)
	in.Tables = slices.Clone(in.Tables)
	for i, table := range in.Tables {
		in.Tables[i] = slices.Clone(table)
		for k, row := range table {
			in.Tables[i][k] = row.Clone()
		}
	}
	return in
}

// A Reader reads a data set row by row.
type Reader interface {
	// Header returns the description of the columns.
	Header() (*Header, error)
	// Read returns the next row, which is valid until the next call, or io.EOF after the last row.
	Read() (Instance, error)
}

// A Writer writes a data set: WriteHeader once, then Write for each row, then Flush.
type Writer interface {
	// WriteHeader writes what the format says of the columns. Call it once, first.
	WriteHeader(*Header) error
	// Write writes a row. It returns an error for a row that the format cannot hold.
	Write(Instance) error
	// Flush writes what is buffered. Call it at the end.
	Flush() error
}

// A Codec describes a data format: its name, how to recognise it, and how to read and write it.
type Codec struct {
	Name       string                 // a word, such as arff
	Extensions []string               // with the dot, in lower case
	Sniff      func(head []byte) bool // whether a file that begins with head may be of this format
	// Resembles reports whether a file that begins with head, which no codec's Sniff accepts, is
	// meant to be of this format but has a fault, so that this format's reader gives the most
	// useful message. nil means that the format cannot tell.
	Resembles func(head []byte) bool
	NewReader func(io.Reader) Reader // reads row by row
	NewWriter func(io.Writer) Writer // its output must be flushed
	// Parse reads a whole data set: the rows that a Reader of NewReader gives. It checks ctx now
	// and then while it reads, as ReadAll does.
	Parse func(ctx context.Context, r io.Reader) (*Dataset, error)
}

// Copy writes the header and all rows of src to dst, flushes dst and returns the number of rows.
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

// ReadAll reads all rows of src into a data set. It serves as the Parse of formats that have no
// faster one. It checks ctx every 1024 rows. A read that blocks, at a pipe for example, is not
// interrupted: close the input of src to end it.
func ReadAll(ctx context.Context, src Reader) (*Dataset, error) {
	h, err := src.Header()
	if err != nil {
		return nil, err
	}
	d := &Dataset{Header: h}
	for {
		if d.Len()%checkEvery == 0 {
			if err := ended.Err(ctx); err != nil {
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

// WithPath adds path to an [*Error] that has none. Any other error becomes an *Error of that file.
// It returns nil for nil.
func WithPath(err error, path string) error { return textscan.WithPath(err, path) }
