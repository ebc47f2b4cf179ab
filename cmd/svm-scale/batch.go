package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// A batch is rows side by side. What one of them costs beside its values is little,
// and they can be kept as they are.
type batch struct {
	number int  // of rows in the batches before
	first  bool // no text is before it
	labels []float64
	lists  []int32 // where in index each row's indices begin; rows may share them
	starts []int32 // where in value each row begins, and the end of the last
	index  []int32
	value  []float64
	ones   bool    // all values are 1
	shared *shared // nil until the batch is reset
	found  *scale.Interner
	packed *scale.Packed // nil: they are not packed yet
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
		b.shared, b.found = new(shared), new(scale.Interner)
	}
	clear(b.shared.list[:])
	b.found.Reset()
}

// end makes a row of y and of what is in index and value behind the last row, where
// its indices begin at list.
func (b *batch) end(y float64, list int32) {
	b.labels = append(b.labels, y)
	b.starts = append(b.starts, int32(len(b.value)))
	n := int32(len(b.index)) - list
	b.index = b.index[:list]
	b.list(len(b.labels)-1, list, n)
}

// list gives row i, behind those that have one, its list: n indices that stand from one on at the
// end of index or behind it. It is an earlier row's list, or becomes the end of index.
func (b *batch) list(i int, from, n int32) {
	list, index := int32(len(b.index)), b.index[from:from+n]
	if i > 0 {
		last := b.lists[i-1]
		if n := b.starts[i] - b.starts[i-1]; vec.EqualIndices(b.index[last:last+n], index) {
			b.lists = append(b.lists, last)
			return
		}
		if b.shared.gain > -mostMisses && len(index) <= longShared {
			list = b.share(list, index)
		}
	}
	b.lists = append(b.lists, list)
	if list == int32(len(b.index)) {
		b.index = b.index[:list+n]
		if from > list {
			copy(b.index[list:], index)
		}
	}
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

// share returns where the indices of the next row begin: at list, where index ends, or where an
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

// parse appends the rows of a text, up to a line with a fault. Those that are not plain are read one
// by one, more and more of them before others are tried again.
func (b *batch) parse(text []byte) *textscan.Fault {
	at := 0
	if b.first && bytes.HasPrefix(text, byteOrderMark) {
		at = len(byteOrderMark)
	}
	for odd, wait := 0, 1; at < len(text); {
		if odd++; odd < wait || at == 0 || text[at-1] != '\n' || len(text) > manyBytes {
			var fault *textscan.Fault
			if at, fault = b.parseLine(text, at); fault != nil {
				return fault
			}
			continue
		}
		end := b.parsePlain(text, at)
		if wait = min(2*wait, mostOdd); end-at > manyPlain {
			wait = 2
		}
		odd, at = 0, end
	}
	return nil
}

const (
	mostOdd   = 1 << 5  // rows that are read one by one until others are tried, and one more
	manyPlain = 1 << 9  // bytes of rows that it takes to forget an odd one
	manyBytes = 1 << 30 // in which there may be more pairs than int32 counts: a line of its own
)

// parsePlain appends the rows of a text from the line at text[at] on as long as they are plain, and
// returns where it stopped.
func (b *batch) parsePlain(text []byte, at int) (end int) {
	from, list := b.len(), int32(len(b.index))
	rows := textscan.PlainRows{Labels: b.labels, Starts: b.starts, Index: b.index, Value: b.value}
	end = rows.AppendText(text, at)
	b.labels, b.starts, b.index, b.value = rows.Labels, rows.Starts, rows.Index, rows.Value
	all := b.index
	b.index, b.lists = b.index[:list], slices.Grow(b.lists, b.len()-from)
	for i := from; i < b.len(); {
		lists := b.lists[i:b.len()]
		done, end := b.found.Intern(all, int(list), len(b.index), b.starts[i:b.len()+1], lists)
		b.index, b.lists = b.index[:end], b.lists[:i+done]
		list += b.starts[i+done] - b.starts[i]
		rest := 1 // its list is long
		if i += done; done == 0 {
			rest = b.len() - i // or all are compared in another way
		}
		for ; rest > 0 && i < b.len(); rest-- {
			n := b.starts[i+1] - b.starts[i]
			b.list(i, list, n)
			list += n
			i++
		}
	}
	return end
}

// parseLine appends the row of the line at text[at] and returns where the next one begins.
func (b *batch) parseLine(text []byte, at int) (end int, fault *textscan.Fault) {
	line, end := text[at:], len(text)
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line, end = line[:i], at+i+1
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
		return 0, f
	}
	if len(value) > math.MaxInt32 {
		return 0, &textscan.Fault{Err: errTooLong}
	}
	b.index, b.value = index, value
	b.end(y, list)
	return end, nil
}

// A batchReader gives the rows to scale, in batches that are valid until the next
// one is read; behind the last it returns io.EOF.
type batchReader interface {
	next() (*batch, error)
	place(b *batch, row int, err error) error // puts a row's place into an error
}

// A textReader reads rows from a text that may be kept.
type textReader interface {
	batchReader
	useCache(k *rowCache)
	read() int
	end()
}

// textRows reads batches from a LIBSVM text.
type textRows struct {
	blocks *textscan.Blocks
	text   []byte
	batch  batch
}

func newTextRows(r io.Reader) *textRows { return &textRows{blocks: textscan.NewBlocks(r)} }

func (r *textRows) next() (*batch, error) {
	r.batch.reset(r.batch.number + r.batch.len())
	var err error
	if r.text, err = r.blocks.Next(r.text, blockSize); err != nil {
		return nil, textscan.AtLine(err, r.batch.number+1)
	}
	r.batch.first = r.batch.number == 0
	if fault := r.batch.parse(r.text); fault != nil {
		return nil, fault.Locate(r.batch.number + r.batch.len() + 1) // every line is a row
	}
	r.batch.ones = scale.AllOne(r.batch.value)
	if r.batch.oversized() {
		pages.Drop(r.text[:cap(r.text)])
	}
	return &r.batch, nil
}

// useCache makes the next batches use the memory of a cache, or memory of their own if k is nil.
func (r *textRows) useCache(k *rowCache) {
	buffer := scale.Rows{}
	r.text = nil
	if k != nil {
		buffer, r.text = k.buffer, take[byte](k, blockSize+textscan.Slack)
	}
	r.batch.number += r.batch.len()
	r.batch.useMemory(buffer)
}

// read returns how many bytes of text the last batch stands in.
func (r *textRows) read() int { return len(r.text) }

// end gives memory back: nobody else is at work.
func (r *textRows) end() { r.batch.drop() }

func (r *textRows) place(b *batch, row int, err error) error { return placeInText(b, row, err) }

func placeInText(b *batch, row int, err error) error {
	return &format.Error{Line: b.number + row + 1, Err: err}
}
