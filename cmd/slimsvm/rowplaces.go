package main

import (
	"errors"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/train"
)

// rowPlaces are the places of rows in a file: lines, or where the reader tells none the
// numbers of its rows. Of rows that stand place after place only the first is kept.
type rowPlaces struct {
	lines bool
	runs  []rowRun
	n     int // rows
}

// A rowRun is rows from a first one on, which stand from a place on.
type rowRun struct{ row, place int }

// add adds the place of the next row.
func (r *rowPlaces) add(place int) {
	if k := len(r.runs) - 1; k < 0 || r.runs[k].at(r.n) != place {
		r.runs = append(r.runs, rowRun{r.n, place})
	}
	r.n++
}

func (r rowRun) at(row int) int { return r.place + row - r.row }

// of returns the place of a row.
func (r *rowPlaces) of(row int) int {
	low, high := 0, len(r.runs) // the last run that begins at the row or before
	for high-low > 1 {
		if middle := (low + high) / 2; r.runs[middle].row <= row {
			low = middle
		} else {
			high = middle
		}
	}
	return r.runs[low].at(row)
}

// selected returns the places of some of the rows; nil stands for all.
func (r *rowPlaces) selected(rows []int) *rowPlaces {
	if rows == nil {
		return r
	}
	s := &rowPlaces{lines: r.lines}
	for _, i := range rows {
		s.add(r.of(i))
	}
	return s
}

// rowFault is fault for a *train.RowError, and leaves other errors alone.
func (r *rowPlaces) rowFault(path string, err error) error {
	if row := (*train.RowError)(nil); errors.As(err, &row) {
		return r.fault(path, err)
	}
	return err
}

// fault puts the file's name, and the place of the row if err is a *train.RowError or an
// *encode.RowError, into err. Wrong usage is no fault of the file.
func (r *rowPlaces) fault(path string, err error) error {
	if wrong := (usageError{}); errors.As(err, &wrong) {
		return err
	}
	var row *train.RowError
	if learned := (*encode.RowError)(nil); errors.As(err, &learned) {
		err = &train.RowError{Row: learned.Row, Err: learned.Err}
	}
	switch {
	case !errors.As(err, &row) || row.Row >= r.n:
		return format.WithPath(err, path)
	case r.lines:
		return &format.Error{Path: path, Line: r.of(row.Row), Err: row.Err}
	}
	return format.WithPath(&train.RowError{Row: r.of(row.Row) - 1, Err: row.Err}, path)
}
