package main

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
)

// classTexts are the texts of a column of CSV whose numbers stand for classes: a number
// that cannot is an error, and texts that are the same number are warned of.
type classTexts struct {
	*warner
	path   string
	reader *csvfmt.Reader
	column int32
	name   string
	first  map[int]string // text of each class
	told   bool
}

// watchClasses makes the input look at the labels of its rows if their numbers stand for
// classes.
func (p *problem) watchClasses(w *warner) {
	if !p.classNumbers() {
		return
	}
	class, _ := encode.FindClass(p.in.header, p.encode.Class)
	t := &classTexts{
		warner: w, path: p.in.path, reader: p.in.Texts(), column: int32(class),
		name: p.in.header.Attributes[class].Name, first: map[int]string{},
	}
	t.reader.KeepTexts([]int32{t.column})
	p.in.labels = t
}

// take takes the row that was read last.
func (t *classTexts) take(x vec.Vector) error {
	v := x.At(t.column)
	if math.IsNaN(v) {
		return nil
	}
	text, line, at := t.reader.Text(t.column)
	place := func(err error) error { return &format.Error{Path: t.path, Line: line, Column: at, Err: err} }
	if !isClass(v) {
		return hinted{
			place(fmt.Errorf("column %q: label %q is not a class, expected a whole number of 32 bits", t.name, text)),
			fmt.Sprintf("%s; for numbers to be predicted say --method %s", t.hint(), forNumbers),
		}
	}
	first, seen := t.first[int(v)]
	switch {
	case !seen:
		t.first[int(v)] = string(text)
	case !t.told && first != string(text):
		t.told = true
		t.warn("%v; %s", place(fmt.Errorf("column %q: labels %q and %q are both class %d", t.name, first, text, int(v))), t.hint())
	}
	return nil
}

// hint says how numbers are told apart by their texts.
func (t *classTexts) hint() string {
	return fmt.Sprintf("--%s %s keeps the texts as labels", nominal, phrase.Word(t.name))
}

// isClass reports whether a number can stand for a class.
func isClass(v float64) bool {
	return v == math.Trunc(v) && v >= math.MinInt32 && v <= math.MaxInt32
}
