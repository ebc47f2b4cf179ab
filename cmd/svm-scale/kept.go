package main

import (
	"io"

	"github.com/slimsvm/slimsvm/format"
)

// keptBytes is about how much memory is used to keep rows of the first reading for
// the second, so that short files are read once.
const keptBytes = 16 << 20

// What an entry and a row of a matrix take.
const (
	entryBytes = 4 + 8
	rowBytes   = 64
)

// keeping reads rows for the first time and keeps the first of them.
type keeping struct {
	*rows
	room  int // bytes
	kept  format.Dataset
	whole bool // all rows were kept
}

func (k *keeping) Read() (format.Instance, error) {
	in, err := k.rows.Read()
	if err == nil && k.room > 0 {
		if k.room -= rowBytes + entryBytes*len(in.X.Index); k.room > 0 {
			k.kept.Append(in)
		}
	}
	k.whole = err == io.EOF && k.room > 0
	return in, err
}

// rereading gives the rows that were kept, and reads the others again.
type rereading struct {
	*rows
	first *keeping
	next  int // row, from 0
}

func (r *rereading) Read() (format.Instance, error) {
	kept := &r.first.kept
	i := r.next
	r.next++
	switch {
	case i < kept.Len():
		return format.Instance{X: kept.X.Row(i), Y: kept.Y[i], Weight: 1}, nil
	case r.first.whole:
		return format.Instance{}, io.EOF
	case i == kept.Len():
		// every line is a row
		for range i {
			if _, err := r.lines.Next(); err != nil {
				return format.Instance{}, err
			}
		}
	}
	return r.rows.Read()
}

func (r *rereading) place(err error) error {
	return &format.Error{Line: r.next, Err: err}
}

var (
	_ reader = (*keeping)(nil)
	_ reader = (*rereading)(nil)
)

// newKeeping returns a reader of the text in that keeps what room, in bytes, allows.
func newKeeping(in io.Reader, room int) *keeping {
	return &keeping{rows: newRows(in), room: room}
}
