package main

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// flat shows rows with declared columns as numbered features and a label: column
// i from 0 is feature i+1, and a nominal value is its label's place.
type flat struct {
	*input
	class  int
	labels []float64 // number of each label; nil: its place
	names  *names
	out    format.Instance
}

// flatten returns in as numbered features; names is whole when all is read.
func flatten(in *input, className string, labels labelling) (*flat, error) {
	class, err := encode.FindClass(in.header, className)
	if err != nil {
		return nil, in.at(err)
	}
	for _, a := range in.header.Attributes {
		var what, formats string
		switch a.Type {
		case format.String:
			what, formats = "strings", "CSV or ARFF"
		case format.Relational:
			what, formats = "tables", "ARFF"
		default:
			continue
		}
		return nil, hinted{in.at(fmt.Errorf("column %q holds %s, which the format cannot", a.Name, what)),
			fmt.Sprintf("convert to %s, or leave the column out, --%s %s", formats, drop, phrase.Word(a.Name))}
	}
	h := *in.header
	h.Class = class
	f := &flat{input: in, class: class, names: &names{header: &h, dense: true}}
	if f.labels, err = labels.values(&h.Attributes[class]); err != nil {
		return nil, in.at(err)
	}
	f.names.number, f.names.sign = labels == byNumber && f.labels != nil, labels == bySign && f.labels != nil
	return f, nil
}

// Header returns an empty header.
func (f *flat) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

// Read returns the next row. A missing value is an error.
func (f *flat) Read() (format.Instance, error) {
	in, err := f.input.Read()
	if err != nil {
		return in, err
	}
	if in.Sparse {
		f.names.dense = false
	}
	x := &f.out.X
	x.Index, x.Value = x.Index[:0], x.Value[:0]
	f.out.Y, f.out.Weight = f.label(0), in.Weight
	for k, i := range in.X.Index {
		v := in.X.Value[k]
		switch {
		case math.IsNaN(v):
			return in, hinted{f.here(fmt.Errorf("column %q is missing, which the format cannot say", f.header.Attributes[i].Name)),
				"slimsvm encode replaces missing values"}
		case int(i) == f.class:
			f.out.Y = f.label(v)
		case v != 0 || math.Signbit(v):
			x.Index, x.Value = append(x.Index, i+1), append(x.Value, v)
		}
	}
	return f.out, nil
}

// label returns the number that stands for a label's place.
func (f *flat) label(v float64) float64 {
	if f.labels == nil || math.IsNaN(v) {
		return v
	}
	return f.labels[int(v)]
}
