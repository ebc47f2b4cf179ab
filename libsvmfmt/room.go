package libsvmfmt

import (
	"bytes"
	"io"
	"math"
	"os"
	"slices"

	"github.com/slimsvm/slimsvm/format"
)

// Problem: allocate room for the rows of a text of which only the size is known. Copying them to
// larger and larger room takes as long as reading them. Room for rows that do not come takes no
// memory, but it may not be available at all: a file of gigabytes may have few rows, or holes.
//
// Method: a first part of the text shows how many rows the rest has. That estimate is trusted as
// far as such room is available anywhere. Beyond that, parts of the text from all over it must show
// the same, or so many rows must have been read that it is likely.

const (
	// fewRows is for how many there is room whatever is read of the text: 40 MB.
	fewRows = 1 << 20

	// sampledRows is for how many there is room if parts of the text bear that out.
	sampledRows = 1 << 24

	// believedShare is for how many times the rows that were read there is room for more.
	believedShare = 3

	// samples parts of sampleSize bytes are read of a text: in a fraction of a millisecond,
	// where a million rows take hundreds.
	samples    = 32
	sampleSize = 4 << 10

	// sampleErrors is by how many standard deviations the mean length of all rows may be below
	// that of those read, if the standard deviation of one length is as large as the mean.
	sampleErrors = 3
)

// rowRoom makes room in a data set for the rows of a text.
type rowRoom struct {
	text  io.Reader
	size  int64 // of the text, 0 if it is not known
	block int   // about how much of it is read at a time
	read  int64 // of it
}

// reserve makes room in d for the rows of b, which follow those that it has, and for those that are
// believed to follow them, unless there is room for another such block, or for all that are likely
// to come. It is called for each block.
func (t *rowRoom) reserve(d *format.Dataset, b *block) {
	t.read += int64(len(b.text))
	if t.read < int64(t.block/2) { // what is much shorter than a block has a long line behind it
		return
	}
	rows := d.Len() + len(b.labels)
	n := float64(rows)
	left := n / float64(t.read) * float64(t.size-t.read)
	if room := cap(d.Y) - rows; room >= len(b.labels) || left <= float64(max(room, 0)) {
		return
	}
	left = atMost(left, n)
	switch most := max(fewRows, believedShare*n); {
	case left <= most:
	case d.Len() == 0: // there is nothing to copy yet
		left = max(fewRows, min(left, t.sampled(), sampledRows))
	default:
		left = most
	}
	rows += int(left)
	d.X.Reserve(rows - d.X.Len())
	d.Y = slices.Grow(d.Y, rows-d.Len())
}

// atMost returns how many rows there may be where n rows make that many likely: rows vary in
// length, and the fewer were read, the less is their mean length to be relied on.
func atMost(rows, n float64) float64 { return rows * (1 + sampleErrors/math.Sqrt(n)) }

// sampled returns how many rows there may be by parts from all over the text, 0 if no row ends in
// them.
func (t *rowRoom) sampled() float64 {
	r, ok := t.text.(io.ReaderAt)
	if !ok {
		return 0
	}
	part := make([]byte, sampleSize)
	ends := 0
	for i := range int64(samples) {
		n, _ := r.ReadAt(part, t.size/samples*i) // what cannot be read has no rows
		ends += bytes.Count(part[:n], []byte{'\n'})
	}
	if ends == 0 {
		return 0
	}
	return atMost(float64(ends)/(samples*sampleSize)*float64(t.size), float64(ends))
}

// sizeOf returns the size of a file, or of what is left to read of another text, 0 if it is
// not known.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	case interface{ Len() int }:
		return int64(r.Len())
	}
	return 0
}
