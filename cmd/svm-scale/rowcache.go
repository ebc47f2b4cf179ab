package main

import (
	"io"
	"runtime"
	"sync"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// A rowCache has the rows of a text that is not long, so that it need not be read again.
type rowCache struct {
	batches []*scale.Packed
	packer  scale.Packer
	bytes   int
	read    int64        // bytes of text that were read, with them and without
	arena   *pages.Arena // that they are in; nil: none
	buffer  scale.Rows   // memory for those that are read

	mu     sync.Mutex     // guards
	arenas []*pages.Arena // of several goroutines
}

// cacheBytes is how many bytes of rows are cached.
var cacheBytes = 32 << 20

// longText is how long a text is at least whose rows are not put into large pages where these may be late: shorter
// ones, of which many may be scaled one after the other, need one or two.
const longText = 8 << 20

// newArena returns memory for the rows of a text of so many bytes, 0 if it is not known.
func newArena(size int64) *pages.Arena {
	switch {
	case size >= longText && pages.FreePageReporting():
		return &pages.Arena{SmallOnly: true}
	case size >= pages.Size/8: // a good part of a large page
		return &pages.Arena{LargeFirst: true}
	}
	return &pages.Arena{}
}

// begin makes k ready for a text of so many bytes, 0 if it is not known. Memory is given back when
// k is no longer reachable: that takes time, and a process that ends need not do it.
func (k *rowCache) begin(size int64) {
	k.arena = newArena(size)
	runtime.AddCleanup(k, (*pages.Arena).Release, k.arena)
	k.buffer = scale.Rows{
		Labels: take[float64](k, bufferRows), Lists: take[int32](k, bufferRows), Starts: take[int32](k, bufferRows+1),
		Index: take[int32](k, bufferPairs), Value: take[float64](k, bufferPairs),
	}
}

// For how many rows and pairs of a block there is room before more is made, a copy: more rows than most
// have, and as many pairs as there can be in plain ones. What is not used is not touched.
const (
	bufferRows  = blockSize / 16
	bufferPairs = blockSize/4 + 512
)

// take returns an empty slice for n numbers. They are in the arena, if there is one, as its first page
// is large and taken as a whole.
func take[T pages.Number](k *rowCache, n int) []T {
	if k.arena == nil {
		return make([]T, 0, n)
	}
	return pages.Alloc[T](k.arena, n)[:0:n]
}

// sampleBytes is how many bytes of text show how much memory the rows of all will take.
const sampleBytes = 1 << 20

// tooLarge reports whether the rows of a text of a size, 0 if it is not known, would by far not
// be kept if they are as those of its first part. To keep some of them takes time in vain.
func (k *rowCache) tooLarge(size int64) bool {
	return k.read >= sampleBytes && float64(k.bytes)*float64(size) > 1.1*float64(cacheBytes)*float64(k.read)
}

// oversized reports whether b is for sure too much to be kept: a line.
func (b *batch) oversized() bool { return (8+4)*len(b.value) > cacheBytes }

// drop gives the memory of pairs back that were oversized. Nothing may use them any more.
func (b *batch) drop() {
	if (8+4)*cap(b.value) > cacheBytes {
		pages.Drop(b.index[:cap(b.index)])
		pages.Drop(b.value[:cap(b.value)])
	}
}

// add keeps the rows of b and reports whether there was room for them.
func (k *rowCache) add(b *batch) bool {
	if b.oversized() {
		return false
	}
	p := b.packed
	if p == nil {
		p = k.packer.Pack(b.all(), k.arena)
	}
	k.batches = append(k.batches, p)
	k.bytes += p.Bytes()
	return k.bytes <= cacheBytes
}

// rows returns the rows from the start.
func (k *rowCache) rows() *cachedRows {
	r := &cachedRows{left: k.batches}
	r.batch.useMemory(k.buffer)
	return r
}

// useMemory makes b, which is empty, use the memory of buffer.
func (b *batch) useMemory(buffer scale.Rows) {
	b.labels, b.lists, b.starts, b.index, b.value = buffer.Labels, buffer.Lists, buffer.Starts, buffer.Index, buffer.Value
}

// cachedRows reads cached batches.
type cachedRows struct {
	left   []*scale.Packed
	batch  batch
	isView bool      // the values of batch are those of the cache
	value  []float64 // its own memory for values then
	ones   bool      // of which all are 1
}

func (r *cachedRows) next() (*batch, error) {
	if len(r.left) == 0 {
		return nil, io.EOF
	}
	b, p := &r.batch, r.left[0]
	b.number += b.len()
	if r.isView {
		b.value, b.ones, r.isView = r.value, r.ones, false
	}
	if rows := b.all(); p.View(rows) {
		r.value, r.ones, r.isView = b.value, b.ones, true
		b.useMemory(*rows)
		b.ones = false
	} else {
		b.unpack(p)
	}
	r.left = r.left[1:]
	return b, nil
}

// unpack sets the rows of b to those that were packed.
func (b *batch) unpack(p *scale.Packed) {
	rows := b.all()
	p.Rows(rows)
	b.labels, b.lists, b.starts, b.index, b.value, b.ones = rows.Labels, rows.Lists, rows.Starts, rows.Index, rows.Value, rows.Ones
}

func (r *cachedRows) place(b *batch, row int, err error) error { return placeInText(b, row, err) }

// drop gives the memory back, but for that of several goroutines, which may still be at it.
func (k *rowCache) drop() {
	if k.arena != nil {
		k.arena.Release()
	}
	k.batches, k.arena, k.buffer = nil, nil, scale.Rows{}
}

// clear gives the memory of several goroutines back if nothing is kept.
func (k *rowCache) clear() {
	if len(k.batches) == 0 {
		for _, arena := range k.arenas {
			arena.Release()
		}
	}
}
