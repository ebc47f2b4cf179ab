package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
)

// rows gives the rows of a data set as a model wants them, columns declared or not.
type rows struct {
	in    *input
	named *datafile.Rows // nil: as they are
	raw   *format.Instance
	// columnsFromNames says that the data declare no columns, and raw is a row with those that
	// their names have.
	columnsFromNames bool
	// strictLabels says that a label which is a text, where numbers are wanted, is one that the
	// model does not know, and not only warned of; noNumber is that of the last row.
	strictLabels bool
	noNumber     string
}

// wants says that data which are opened from now on are for a model with an encoding, nil if
// it has none: its columns, but for the label's, tell whether the first line of CSV has names.
func (e *env) wants(encoding *encode.Encoding) {
	e.names, e.comma = nil, encoding != nil && encoding.DecimalComma
	if encoding == nil {
		return
	}
	for i := range encoding.Columns {
		if i != encoding.Class {
			e.names = append(e.names, encoding.Columns[i].Name)
		}
	}
}

// rowsFor returns the rows of in for a model with the given encoding. class is the
// label's column as --class has it; "": the one that is called as in training.
func (e *env) rowsFor(in *input, class string, encoding *encode.Encoding, w *warner) (*rows, error) {
	r := &rows{in: in, raw: new(format.Instance)}
	src := datafile.Source(in)
	switch {
	case !in.declared():
		columns, err := columnsFor(in, encoding)
		if columns == nil {
			w.warnFormat(in, false)
			return r, err
		}
		src, r.columnsFromNames = columns, true
	case encoding == nil:
		return nil, hinted{in.at(datafile.ErrNoInputs),
			"train it with slimsvm train on data that declare their columns, or encode the data"}
	}
	w.warnFormat(in, r.columnsFromNames)
	from, err := labelledBy(src, class, encoding)
	if err != nil {
		return nil, err
	}
	r.named, err = datafile.NewLenientRows(from, encoding, func(text string) { w.warn("%s: %s", in.path, text) })
	if errors.Is(err, datafile.ErrNoColumns) {
		return nil, hinted{err, "the model wants columns with these names: " + namesOf(encoding)}
	}
	if err != nil {
		return nil, err
	}
	r.raw = r.named.Raw()
	likeness, counts := datafile.NewLabelMatcher(encoding), countAs(encoding)
	r.named.Unknown = func(column, label string) {
		switch {
		case column == encoding.ClassColumn().Name && !encoding.Nominal() && r.strictLabels:
			r.noNumber = label
		case column == encoding.ClassColumn().Name && !encoding.Nominal():
			w.warn("%s: label %q is not a number; its rows are not scored", in.path, label)
		case column != encoding.ClassColumn().Name: // of labels answers tells
			w.warn("%s: label %q of column %q does not occur in the training data%s; it counts as %s", in.path, label, column, likeness.Hint(column, label), cmp.Or(counts[column], "none of its labels"))
		}
	}
	return r, nil
}

// relabelled is a file with another name for the label's column.
type relabelled struct {
	datafile.Source
	header *format.Header
}

// Header returns the columns.
func (r *relabelled) Header() (*format.Header, error) { return r.header, nil }

// Line is that of the file.
func (r *relabelled) Line() int {
	if l, ok := r.Source.(liner); ok {
		return l.Line()
	}
	return 0
}

// labelledBy returns in with the column that class tells as the encoding's label.
func labelledBy(in datafile.Source, class string, e *encode.Encoding) (datafile.Source, error) {
	was, err := in.Header()
	if err != nil {
		return nil, in.At(err)
	}
	at, err := labelColumn(was, class, e)
	if class == "" || err != nil {
		return in, in.At(err)
	}
	label := e.ClassColumn()
	if a := was.Attributes[at]; !datafile.FitsLabel(a, label, in.Texts() != nil) {
		return nil, in.At(fmt.Errorf("column %q does not hold labels, as column %q of the training data does", a.Name, label.Name))
	}
	h := *was
	h.Attributes = slices.Clone(h.Attributes)
	for i := range h.Attributes {
		if a := &h.Attributes[i]; i == at {
			a.Name = label.Name
		} else if a.Name == label.Name {
			a.Name += "\x00" // which no column is called
		}
	}
	return &relabelled{in, &h}, nil
}

// labelColumn returns the column of h that has the labels for an encoding, -1: none.
func labelColumn(h *format.Header, class string, e *encode.Encoding) (int, error) {
	if class != "" {
		return encode.FindClass(h, class)
	}
	return slices.IndexFunc(h.Attributes, func(a format.Attribute) bool { return a.Name == e.ClassColumn().Name }), nil
}

// countAs says as what labels count that training did not have, of each column where that is one of its labels.
func countAs(e *encode.Encoding) map[string]string {
	counts := map[string]string{}
	for i := range e.Columns {
		c := &e.Columns[i]
		if label, ok := c.UnknownCountsAs(); ok {
			counts[c.Name] = fmt.Sprintf("%q, the first of its labels, since two are one feature, 0 or 1", label)
		}
	}
	return counts
}

// columnsFor returns the rows of a file that declares no columns with those that its
// names have, or nil if its features are what a model with the given encoding wants:
// where there are no names, numbers stand for themselves.
func columnsFor(in *input, encoding *encode.Encoding) (*declaredRows, error) {
	path := namesOfInput(in.from)
	if encoding == nil || path == "" {
		return nil, nil
	}
	switch kept, err := datafile.ReadNames(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case kept.EncodedAs(encoding):
		return nil, nil
	case kept.Has(datafile.Scaled):
		how := "scaled"
		if kept.Has(datafile.Encoded) {
			how = "encoded and scaled"
		}
		return nil, hinted{in.at(fmt.Errorf("%s says that the features were %s, but not as the model does it", path, how)),
			"encode the data with --like MODEL, or predict the data themselves"}
	}
	n, err := readNames(path)
	if err != nil {
		return nil, err
	}
	return declareNamed(in, n)
}

// namesOf lists the columns that become features.
func namesOf(e *encode.Encoding) string {
	const most = 10
	text, n := "", 0
	for i := range e.Columns {
		if i == e.Class {
			continue
		}
		if n++; n > most {
			return text + ", ..."
		}
		if n > 1 {
			text += ", "
		}
		text += strconv.Quote(e.Columns[i].Name)
	}
	return text
}

// next returns the next row's features and label, which is NaN where there is
// none, or io.EOF. unknown is the text of a label that the model does not know;
// then y is NaN too.
func (r *rows) next() (x vec.Vector, y float64, unknown string, err error) {
	if r.named == nil {
		if *r.raw, err = r.in.Read(); err != nil {
			if err != io.EOF {
				err = r.in.at(err)
			}
			return x, 0, "", err
		}
		return r.raw.X, r.raw.Y, "", nil
	}
	r.noNumber = ""
	if x, y, err = r.named.Next(); r.named.UnknownText() != "" {
		y = math.NaN()
	}
	return x, y, cmp.Or(r.named.UnknownText(), r.noNumber), err
}

// leftOut counts rows that are left out for their labels.
type leftOut struct {
	rows    int
	first   string // label
	without int    // rows that have none
}

func (l *leftOut) add(label string) {
	if l.rows++; l.rows == 1 {
		l.first = label
	}
}

func (l *leftOut) warn(w *warner, path string, e *encode.Encoding) {
	w.warnWithout(path, l.without)
	if l.rows > 0 {
		unknown := "the model does not know"
		if e != nil && !e.Nominal() {
			unknown = "is not a number"
		}
		w.warn("%s: %s a label that %s, %s, and %s left out", path, rowsHave(l.rows), unknown, unknownLabelExample(l.first, e), phrase.Agree(l.rows, "is", "are"))
	}
}

// warnWithout tells of rows that have no label, and are left out.
func (w *warner) warnWithout(path string, rows int) {
	if rows > 0 {
		w.warn(datafile.LeftOut, path, rows)
	}
}

// unknownLabelExample tells one of the labels that a model does not know, and what it knows in its place.
func unknownLabelExample(label string, e *encode.Encoding) string {
	text := "such as " + phrase.Word(label)
	if e != nil {
		if like, ok := datafile.NewLabelMatcher(e).Match(e.ClassColumn().Name, label); ok && like != label { // which is declared, but was no row's
			text += ", though it knows " + phrase.Word(like)
		}
	}
	return text
}
