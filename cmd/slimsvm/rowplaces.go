package main

import (
	"errors"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/train"
)

// rowPlaces are the places of rows in a file: lines, or where the reader tells none the
// numbers of its rows.
type rowPlaces struct {
	datafile.Places
	lines bool
}

// selected returns the places of some of the rows; nil stands for all.
func (r *rowPlaces) selected(rows []int) *rowPlaces {
	if rows == nil {
		return r
	}
	s := &rowPlaces{lines: r.lines}
	for _, i := range rows {
		s.Add(r.Of(i))
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
	case !errors.As(err, &row) || row.Row >= r.Len():
		return format.WithPath(err, path)
	case r.lines:
		return &format.Error{Path: path, Line: r.Of(row.Row), Err: row.Err}
	}
	return format.WithPath(&train.RowError{Row: r.Of(row.Row) - 1, Err: row.Err}, path)
}
