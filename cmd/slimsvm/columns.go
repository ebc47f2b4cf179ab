package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// flat shows rows with declared columns as numbered features and a label.
type flat struct {
	*input
	class int
	row   int
	out   format.Instance
}

// flatten returns in as numbered features, and the text of its .names file.
func flatten(in *input, className string) (format.Reader, []byte, error) {
	class, err := encode.FindClass(in.header, className)
	if err != nil {
		return nil, nil, in.at(err)
	}
	for _, a := range in.header.Attributes {
		if a.Type == format.String || a.Type == format.Relational {
			return nil, nil, hinted{in.at(fmt.Errorf("column %q holds no numbers", a.Name)), "remove it, or declare its values as nominal"}
		}
	}
	names, err := namesText(in.header, class)
	return &flat{input: in, class: class}, names, err
}

// Header returns an empty header.
func (f *flat) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

// Read returns the next row. A missing value is an error.
func (f *flat) Read() (format.Instance, error) {
	in, err := f.input.Read()
	if err != nil {
		return in, err
	}
	f.row++
	x := &f.out.X
	x.Index, x.Value = x.Index[:0], x.Value[:0]
	f.out.Y, f.out.Weight = 0, in.Weight
	for k, i := range in.X.Index {
		v := in.X.Value[k]
		switch {
		case math.IsNaN(v):
			return in, hinted{fmt.Errorf("row %d: column %q is missing, which the format cannot say", f.row, f.header.Attributes[i].Name),
				"slimsvm encode replaces missing values"}
		case int(i) == f.class:
			f.out.Y = v
		case v != 0:
			x.Index, x.Value = append(x.Index, i+1), append(x.Value, v)
		}
	}
	return f.out, nil
}

// raised shows numbered features and a label as rows with declared columns.
type raised struct {
	format.Reader
	path   string
	header *format.Header
	labels map[float64]int // place of each label; nil: the label is the value
	first  int32           // feature that column 0 is
	row    int
	out    format.Instance
}

// Header returns the declared columns.
func (r *raised) Header() (*format.Header, error) { return r.header, nil }

// Read returns the next row.
func (r *raised) Read() (format.Instance, error) {
	in, err := r.Reader.Read()
	if err != nil {
		return in, err
	}
	r.row++
	x := &r.out.X
	x.Index, x.Value = x.Index[:0], x.Value[:0]
	r.out.Weight, r.out.Sparse = in.Weight, true
	class := int32(r.header.Class)
	label := in.Y
	if r.labels != nil {
		label = float64(r.labels[in.Y])
	}
	put := func(i int32, v float64) error {
		if int(i) >= len(r.header.Attributes) || i < 0 {
			return fmt.Errorf("row %d: there is no column for feature %d", r.row, i+r.first)
		}
		if a := &r.header.Attributes[i]; a.Type == format.Nominal && (v != math.Trunc(v) || v < 0 || int(v) >= len(a.Labels)) {
			return fmt.Errorf("row %d: column %q has no label number %v", r.row, a.Name, v)
		}
		x.Index, x.Value = append(x.Index, i), append(x.Value, v)
		return nil
	}
	done := false
	for k, feature := range in.X.Index {
		i := feature - r.first
		if i == class {
			return in, fmt.Errorf("row %d: feature %d is the label's column", r.row, feature)
		}
		if i > class && !done {
			done = true
			if err := put(class, label); err != nil {
				return in, err
			}
		}
		if err := put(i, in.X.Value[k]); err != nil {
			return in, err
		}
	}
	if !done {
		err = put(class, label)
	}
	return r.out, err
}

// manyLabels is the number of integer labels up to which they are classes.
const manyLabels = 100

// restore returns in as rows with declared columns: those of its .names file if
// there is one; otherwise numeric columns att_1, att_2, ... and class, nominal if
// all labels are integers and not many. Then the file is read twice.
func (e *env) restore(c *cli.Context, in *input, path string) (format.Reader, error) {
	h, err := readNames(namesFile(c, path))
	if err == nil {
		return &raised{Reader: in.Reader, path: in.path, header: h, first: 1}, nil
	}
	if c.IsSet("names") || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if path == "-" {
		return nil, hinted{errors.New("standard input cannot be read twice to find its columns"), "give a file of columns and labels with --names"}
	}
	first, err := e.open(c, path)
	if err != nil {
		return nil, err
	}
	defer first.close()
	low, high := int32(1), int32(0)
	var labels []float64
	integers := true
	for n := 0; ; n++ {
		row, err := first.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, in.at(err)
		}
		if n&1023 == 0 && c.Context.Err() != nil {
			return nil, c.Context.Err()
		}
		if k := len(row.X.Index); k > 0 {
			low, high = min(low, row.X.Index[0]), max(high, row.X.Index[k-1])
		}
		integers = integers && row.Y == math.Trunc(row.Y) && math.Abs(row.Y) < 1<<53
		if integers && len(labels) <= manyLabels && !slices.Contains(labels, row.Y) {
			labels = append(labels, row.Y)
		}
	}
	if int(high)-int(low) > maxColumns {
		return nil, in.at(fmt.Errorf("features %d to %d are too many columns to declare", low, high))
	}
	r := &raised{Reader: in.Reader, path: in.path, first: low, header: &format.Header{Relation: path}}
	for i := low; i <= high; i++ {
		r.header.Attributes = append(r.header.Attributes, format.Attribute{Name: "att_" + strconv.Itoa(int(i))})
	}
	class := format.Attribute{Name: "class"}
	if integers && len(labels) <= manyLabels {
		class.Type = format.Nominal
		r.labels = map[float64]int{}
		for i, y := range labels {
			r.labels[y] = i
			class.Labels = append(class.Labels, strconv.FormatFloat(y, 'f', -1, 64))
		}
	}
	r.header.Class = len(r.header.Attributes)
	r.header.Attributes = append(r.header.Attributes, class)
	return r, nil
}

// maxColumns bounds the columns that are declared because of a mere index.
const maxColumns = 1 << 24
