package datafile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// Weights say where the weights of a file's rows stand, if not at their ends as in ARFF. The zero
// Weights: nowhere.
type Weights struct {
	Column string      // of declared columns, as encode.FindColumn has it; "": none
	List   *WeightList // nil: none

	Optional bool // there may be no such column, whose name this is: then there are no weights
}

// A WeightList is a file of weights, one a line.
type WeightList struct {
	Path    string
	Weights []float64
}

// weightReader gives the rows of a file their weights.
type weightReader struct {
	Weights
	class   string // which column has the label, as the options say it
	ctx     context.Context
	columns *format.Header // nil: not read
	at      int32          // of the column
	texts   *csvfmt.Reader // tells the cells of the column; nil: values are all there is
	comma   bool           // fractions begin with one
	rows    int
	fault   func(error)
}

// OnWeight sets what is called for weights that no row can have: reading goes on behind their rows. Without
// it reading ends there.
func (f *File) OnWeight(fault func(error)) {
	if w, ok := f.weigher.(*weightReader); ok {
		w.fault = fault
	}
}

// WeightColumn returns the column of the rows' weights, once Header has returned; -1: there is none.
func (f *File) WeightColumn() int {
	w, ok := f.weigher.(*weightReader)
	if !ok || w.Column == "" || w.columns == nil {
		return -1
	}
	return int(w.at)
}

// header returns what File.Header does.
func (w *weightReader) header(f *File) (*format.Header, error) {
	if w.Column == "" {
		return f.Reader.Header()
	}
	if w.columns != nil {
		return w.columns, nil
	}
	h, err := f.Reader.Header()
	if err != nil {
		return nil, err
	}
	at, err := encode.FindColumn(h, w.Column)
	if w.Optional && !hasColumn(h, w.Column) {
		f.weigher = nil
		return h, nil
	}
	if err != nil {
		return nil, err
	}
	a := &h.Attributes[at]
	class, err := encode.FindClass(h, w.class)
	switch {
	case err != nil || class != at: // which column has the label is reported later
	case w.class != "" || len(h.Attributes) == 1:
		return nil, fmt.Errorf("column %q has the weights of rows, and cannot have their labels", a.Name)
	default:
		other := *h
		if other.Class = at - 1; at == 0 {
			other.Class = 1
		}
		h = &other
	}
	if w.texts = f.Texts(); w.texts != nil {
		w.texts.KeepTexts([]int32{int32(at)})
		w.comma = w.texts.Decimal() == ','
	} else if a.Type != format.Numeric {
		return nil, fmt.Errorf("column %q is not numeric, and cannot hold the weights of rows", a.Name)
	}
	w.columns, w.at = h, int32(at)
	return h, nil
}

// hasColumn reports whether a column has a name.
func hasColumn(h *format.Header, name string) bool {
	return slices.ContainsFunc(h.Attributes, func(a format.Attribute) bool { return a.Name == name })
}

// read returns the next row with its weight.
func (w *weightReader) read(f *File) (format.Instance, error) {
	if _, err := w.header(f); err != nil {
		return format.Instance{}, err
	}
	if f.weigher == nil { // there is no such column
		return f.Reader.Read()
	}
	for {
		row, err := f.Reader.Read()
		again := false
		switch {
		case err == io.EOF:
			err = w.end()
		case err == nil:
			again, err = w.setWeight(f, &row)
		}
		if !again {
			return row, err
		}
	}
}

// setWeight sets the weight of the row that was read last; again says that there is a fault, that it was
// passed on, and that the next row may be read.
func (w *weightReader) setWeight(f *File, row *format.Instance) (again bool, err error) {
	w.rows++
	if w.List != nil && w.rows > len(w.List.Weights) {
		return false, w.countRest(f)
	}
	own, where := row.Weight, ""
	if w.List != nil {
		row.Weight, where = w.List.Weights[w.rows-1], w.List.Path
	} else {
		row.Weight, err = w.cell(row)
		where = fmt.Sprintf("column %q", w.columns.Attributes[w.at].Name)
	}
	if err == nil && own != 1 {
		err = fmt.Errorf("the row has a weight of its own, %v, beside that of %s", own, where)
	}
	if err == nil {
		return false, nil
	}
	err = w.here(f, err)
	if w.fault != nil {
		w.fault(err)
	}
	return w.fault != nil, err
}

// cell returns the weight in the column of a row, or an error at its place.
func (w *weightReader) cell(row *format.Instance) (v float64, err error) {
	v = row.X.At(w.at)
	if math.IsNaN(v) {
		err = errors.New("the weight is missing")
	} else if w.texts != nil { // what counts as labels, or may be an invalid number, has a text
		text, _, _ := w.texts.Text(w.at)
		number := csvfmt.Number
		if w.comma {
			number = csvfmt.CommaNumber
		}
		if v, err = number(text); errors.As(err, new(*csvfmt.NotNumberError)) {
			err = fmt.Errorf("expected a weight, found %q", text)
		}
	}
	if err == nil {
		err = format.CheckWeight(v)
	}
	if err != nil {
		err = fmt.Errorf("column %q: %w", w.columns.Attributes[w.at].Name, err)
	}
	return v, err
}

// here puts the place of the last row's weight into an error of it.
func (w *weightReader) here(f *File, err error) error {
	if w.texts != nil {
		_, line, column := w.texts.Text(w.at)
		return &format.Error{Line: line, Column: column, Err: err}
	}
	if line := f.Line(); line > 0 {
		return &format.Error{Line: line, Err: err}
	}
	return fmt.Errorf("row %d: %w", w.rows, err)
}

// countRest reads the rows for which there are no weights, and returns the error that says how many
// rows and weights there are.
func (w *weightReader) countRest(f *File) error {
	for ; ; w.rows++ {
		if w.rows&1023 == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if _, err := f.Reader.Read(); err == io.EOF {
			return w.miscount()
		} else if err != nil {
			return err
		}
	}
}

// end returns the error of a file whose rows have all been read, io.EOF unless there are more weights.
func (w *weightReader) end() error {
	if w.List != nil && w.rows != len(w.List.Weights) {
		return w.miscount()
	}
	return io.EOF
}

func (w *weightReader) miscount() error {
	rows, weights := fmt.Sprintf("are %d rows", w.rows), fmt.Sprintf("%d weights", len(w.List.Weights))
	if w.rows == 1 {
		rows = "is 1 row"
	}
	if len(w.List.Weights) == 1 {
		weights = "1 weight"
	}
	return fmt.Errorf("there %s, but %s in %s", rows, weights, w.List.Path)
}

// ReadWeights reads a file of weights, one a line; path is what errors call it. Empty lines may follow.
func ReadWeights(ctx context.Context, r io.Reader, path string) (*WeightList, error) {
	list := &WeightList{Path: path}
	lines := bufio.NewReader(r)
	empty := 0 // number of the first empty line; 0: none
	for n := 1; ; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text, err := lines.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			return nil, &format.Error{Path: path, Line: n, Err: errors.New("the line is too long, expected a weight")}
		case err != nil && err != io.EOF:
			return nil, format.WithPath(err, path)
		}
		if n == 1 {
			text = bytes.TrimPrefix(text, byteOrderMark)
		}
		line := string(bytes.TrimSpace(text))
		switch {
		case line == "" && empty == 0:
			empty = n
		case line != "" && empty > 0:
			return nil, &format.Error{Path: path, Line: empty, Err: errors.New("the line is empty, expected a weight")}
		case line != "":
			v, wrong := textscan.Number(line)
			if wrong != nil {
				wrong = fmt.Errorf("expected a weight, found %q", line)
			} else {
				wrong = format.CheckWeight(v)
			}
			if wrong != nil {
				return nil, &format.Error{Path: path, Line: n, Err: wrong}
			}
			list.Weights = append(list.Weights, v)
		}
		if err == io.EOF {
			return list, nil
		}
	}
}
