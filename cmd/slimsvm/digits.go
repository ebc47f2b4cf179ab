package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// keepDigits finds the columns of CSV that have cells with more digits than their numbers, such as
// 007, before the first row is read, but those that are left out. Of a table their texts are kept,
// for the table to be written with them: columns are those, by their places in the data. Other
// formats hold numbers, and w warns of the digits that are lost. only is the one column that is
// looked at, -1: all are.
func keepDigits(in *input, out format.Writer, w *warner, only int) (columns []int32, table *csvfmt.Writer) {
	texts := in.Texts()
	if texts == nil {
		return nil, nil
	}
	table, _ = out.(*csvfmt.Writer)
	for _, l := range texts.Lossy() {
		at := l.Attribute
		if only >= 0 && at != only {
			continue
		}
		if in.dropped.dropping != nil {
			left, ok := in.dropped.dropping.To(at)
			if !ok {
				continue
			}
			at = left
		}
		if columns = append(columns, int32(l.Attribute)); table == nil {
			w.warn("%v", &format.Error{Path: in.path, Line: l.Line, Column: l.Column, Err: lostDigits(in.header.Attributes[at].Name, l)})
		}
	}
	if table == nil || columns == nil {
		return nil, nil
	}
	texts.KeepTexts(columns)
	return columns, table
}

// lostDigits says what gets lost of a column.
func lostDigits(column string, l csvfmt.Lossy) error {
	return fmt.Errorf("column %q becomes numbers, which lose digits of its cells, such as those of %s; CSV keeps them",
		column, l.Text)
}

// copyDigits makes a table that is written row by row, as they are read from in, keep the
// digits of its cells, in all columns or one as in keepDigits.
func copyDigits(in *input, out format.Writer, w *warner, only int) {
	columns, table := keepDigits(in, out, w, only)
	if table == nil {
		return
	}
	table.Text = func(column int) []byte {
		if in.dropped.dropping != nil {
			column = in.dropped.dropping.From(column)
		}
		if _, ok := slices.BinarySearch(columns, int32(column)); !ok {
			return nil
		}
		return keptText(in, int32(column))
	}
}

// keptText returns the text of a cell that is written as it stands: none where it is a number with
// a decimal comma, as the other numbers of its file, which are written with points.
func keptText(in *input, column int32) []byte {
	text, _, _ := in.Texts().Text(column)
	if in.DecimalComma() && bytes.IndexByte(text, ',') >= 0 {
		if _, err := csvfmt.CommaNumber(text); err == nil {
			return nil
		}
	}
	return text
}
