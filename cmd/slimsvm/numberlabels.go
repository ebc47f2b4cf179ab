package main

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/train"
)

// rowsHave says how many rows have something.
func rowsHave(n int) string {
	if n == 1 {
		return "1 row has"
	}
	return fmt.Sprintf("%d rows have", n)
}

// numberLabels are the labels of data that declare no columns, as far as a method that
// classifies may misread them.
type numberLabels struct {
	cut    float64 // the first that is no whole number
	row    int     // that has it
	cuts   int     // rows with such
	zeros  int
	signs  [2]bool // 1 and -1 are there
	others bool
}

// add takes the label of a row.
func (l *numberLabels) add(row int, y float64) {
	switch {
	case y != math.Trunc(y):
		if l.cuts++; l.cuts == 1 {
			l.cut, l.row = y, row
		}
	case y == 0:
		l.zeros++
	case y == 1:
		l.signs[0] = true
	case y == -1:
		l.signs[1] = true
	default:
		l.others = true
	}
}

// warn tells what a problem's method does to them. The places of its rows are known.
func (l *numberLabels) warn(w *warner, p *problem) {
	if !p.method.Task.Classifies() {
		return
	}
	if !p.method.WholeLabels {
		l.warnTruncated(w, p.in.path, p.places, "; for numbers to be predicted say --method "+forNumbers)
	}
	if l.zeros > 0 && l.signs[0] && l.signs[1] && !l.others && p.in.Codec.Name == libsvmfmt.SVMLight.Name {
		w.warn("%s: 0 is the target of %s, which marks those without a class in SVMlight; here they are a class of their own: take them out", p.in.path, phrase.Count(l.zeros, "row"))
	}
}

// warnTruncated tells of labels that are cut to whole numbers, and what else is to say of them.
func (l *numberLabels) warnTruncated(w *warner, path string, places *rowPlaces, also string) {
	if l.cuts > 0 {
		w.warn("%v", places.fault(path, &train.RowError{Row: l.row, Err: fmt.Errorf(
			"label %v counts as class %d, since classes are whole numbers (%s not)%s", l.cut, int(l.cut),
			phrase.Agree(l.cuts, "the label of 1 row is", fmt.Sprintf("the labels of %d rows are", l.cuts)), also)}))
	}
}

// wholeLabels cuts the labels of rows for classes to whole numbers, as training does, and
// warns of those that were none.
func wholeLabels(d *format.Dataset, w *warner, path string, places *rowPlaces) {
	var labels numberLabels
	for i, y := range d.Y {
		labels.add(i, y)
		d.Y[i] = math.Trunc(y) + 0 // not -0
	}
	labels.warnTruncated(w, path, places, "")
}
