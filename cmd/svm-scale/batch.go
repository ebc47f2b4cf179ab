package main

import (
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A batch is rows side by side. What one of them costs beside its values is little,
// and they can be kept as they are.
type batch struct {
	number int // of rows in the batches before
	labels []float64
	lists  []int32 // where in index each row's indices begin; rows may share them
	starts []int32 // where in value each row begins, and the end of the last
	index  []int32
	value  []float64
	ones   bool    // all values are 1
	shared *shared // nil: a copy, without more rows
}

// errTooLong reports a line that is longer than any that can be.
var errTooLong = errors.New("more than 2147483647 pairs")

// blockSize is how much text becomes a batch: it and its values fit into a
// processor's second cache.
const blockSize = 64 << 10

func (b *batch) len() int { return len(b.labels) }

// all returns the rows.
func (b *batch) all() *scale.Rows {
	return &scale.Rows{Labels: b.labels, Lists: b.lists, Starts: b.starts, Index: b.index, Value: b.value, Ones: b.ones}
}

// reset makes b an empty batch behind so many rows.
func (b *batch) reset(number int) {
	b.number = number
	b.labels, b.lists, b.starts = b.labels[:0], b.lists[:0], append(b.starts[:0], 0)
	b.index, b.value = b.index[:0], b.value[:0]
	if b.shared == nil {
		b.shared = new(shared)
	}
	clear(b.shared.list[:])
}

// end makes a row of y and of what is in index and value behind the last row, where
// its indices begin at list.
func (b *batch) end(y float64, list int32) {
	b.labels = append(b.labels, y)
	index := b.index[list:]
	if k := len(b.lists) - 1; k >= 0 {
		last := b.lists[k]
		if n := b.starts[k+1] - b.starts[k]; vec.EqualIndices(b.index[last:last+n], index) {
			b.index = b.index[:list]
			list = last
		} else if b.shared.gain > -mostMisses && len(index) <= longShared {
			list = b.share(list, index)
		}
	}
	b.lists = append(b.lists, list)
	b.starts = append(b.starts, int32(len(b.value)))
}

// shared are lists of indices that rows of a batch may share, by a hash.
type shared struct {
	list [manyShared]struct {
		hash     uint64
		start, n int32 // n is 0 if there is none
	}
	turn int // whose place is taken next
	gain int // how many more were found than not, in all batches
}

const (
	manyShared = 1 << 6
	fewPlaces  = 4       // where a list may be
	longShared = 1 << 8  // indices
	mostMisses = 1 << 10 // before it is no longer tried
)

// share returns where the indices of the last row, at list, begin: there, or where an
// earlier row has the same.
func (b *batch) share(list int32, index []int32) int32 {
	if len(index) == 0 {
		return list
	}
	hash := vec.HashIndices(index)
	at := hash / (1 << 64 / manyShared) &^ (fewPlaces - 1)
	places := b.shared.list[at : at+fewPlaces]
	for k := range places {
		if s := &places[k]; s.hash == hash && vec.EqualIndices(b.index[s.start:s.start+s.n], index) {
			b.shared.gain = min(b.shared.gain+1, mostMisses)
			b.index = b.index[:list]
			return s.start
		}
	}
	b.shared.gain--
	b.shared.turn++
	s := &places[b.shared.turn%fewPlaces]
	for k := range places {
		if places[k].n == 0 {
			s = &places[k]
		}
	}
	s.hash, s.start, s.n = hash, list, int32(len(index))
	return list
}

// parse appends the rows of a text.
func (b *batch) parse(text []byte) error {
	if b.number == 0 {
		text = bytes.TrimPrefix(text, byteOrderMark)
	}
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		list := int32(len(b.index))
		y, index, value, f := parseLine(line, b.index, b.value)
		// other white space than blanks is rare: only what is refused is read again
		if f != nil && blankOut(line) {
			var again *textscan.Fault
			if y, index, value, again = parseLine(line, index[:list], value[:len(b.value)]); again == nil {
				f = nil
			}
		}
		if f != nil {
			return f.Locate(b.number + b.len() + 1) // every line is a row
		}
		if len(value) > math.MaxInt32 {
			return (&textscan.Fault{Err: errTooLong}).Locate(b.number + b.len() + 1)
		}
		b.index, b.value = index, value
		b.end(y, list)
	}
	return nil
}

// A batchReader gives the rows to scale, in batches that are valid until the next
// one is read; behind the last it returns io.EOF.
type batchReader interface {
	next() (*batch, error)
	place(b *batch, row int, err error) error // puts a row's place into an error
}

// textRows reads batches from a LIBSVM text.
type textRows struct {
	blocks *textscan.Blocks
	text   []byte
	batch  batch
	kept   *kept // that lends memory to batches; nil: none
}

func newTextRows(r io.Reader) *textRows { return &textRows{blocks: textscan.NewBlocks(r)} }

func (r *textRows) next() (*batch, error) {
	r.batch.reset(r.batch.number + r.batch.len())
	if r.kept != nil {
		r.kept.lend(&r.batch)
	}
	var err error
	if r.text, err = r.blocks.Next(r.text, blockSize); err != nil {
		return nil, err
	}
	if err = r.batch.parse(r.text); err != nil {
		return nil, err
	}
	r.batch.ones = allOne(r.batch.value)
	return &r.batch, nil
}

// borrow makes batches lie in what k lends, or no longer if k is nil.
func (r *textRows) borrow(k *kept) {
	r.kept, r.batch.index, r.batch.value = k, nil, nil
}

func (r *textRows) place(b *batch, row int, err error) error { return placeInText(b, row, err) }

func placeInText(b *batch, row int, err error) error {
	return &format.Error{Line: b.number + row + 1, Err: err}
}
