package main

import (
	"io"
	"math"
	"runtime"
	"slices"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// kept are the rows of a text that is not long, so that it need not be read again.
type kept struct {
	batches []batch
	bytes   int
	read    int64       // bytes of text that they stand in
	ones    []float64   // the values of batches that have no others
	room    *pages.Room // that batches are in; nil: none
}

// keepRows is how many bytes of rows are kept.
var keepRows = 32 << 20

// begin makes k ready. Much says that more than little is expected. Memory is given back when
// k is no longer reachable: that takes time, and a process that ends need not do it.
func (k *kept) begin(much bool) {
	k.room = &pages.Room{Much: much}
	runtime.AddCleanup(k, (*pages.Room).Release, k.room)
}

// lentPairs is how many pairs a block of text may have, of four bytes or more each, unless
// it is a longer line, and for how many more there is room.
const lentPairs = blockSize/4 + 256

// lend makes an empty batch be in the room, if there is one, so that add need not copy it.
func (k *kept) lend(b *batch) {
	both := pages.Lend[float64](k.room, lentPairs+lentPairs/2)
	if both == nil {
		return
	}
	b.value = both[:0:lentPairs]
	b.index = unsafe.Slice((*int32)(unsafe.Pointer(&both[lentPairs])), lentPairs)[:0]
}

// judged is how many bytes of text tell how much memory the rows of all will take.
const judged = 1 << 20

// hopeless reports whether the rows of a text of a size, 0 if it is not known, would by far not
// be kept if they are as those of its first part. To keep some of them takes time in vain.
func (k *kept) hopeless(size int64) bool {
	return k.read >= judged && float64(k.bytes)*float64(size) > 1.1*float64(keepRows)*float64(k.read)
}

// add keeps a copy of b, whose own values and indices may be overwritten by it, and reports
// whether there was room for it.
func (k *kept) add(b *batch) bool {
	k.bytes += 8*len(b.labels) + 4*(len(b.lists)+len(b.starts)+len(b.index))
	if !b.ones {
		k.bytes += 8 * len(b.value)
	}
	if k.bytes > keepRows {
		return false
	}
	if len(b.value) > lentPairs {
		b.index = slices.Clone(b.index) // or the values would be copied over it
	}
	c := batch{number: b.number, ones: b.ones}
	if b.ones {
		c.value = k.someOnes(len(b.value))
	} else {
		c.value = keep(k, b.value) // it comes first, as it does in what is lent
	}
	c.index = keep(k, b.index)
	c.labels, c.lists, c.starts = keep(k, b.labels), keep(k, b.lists), keep(k, b.starts)
	k.batches = append(k.batches, c)
	return true
}

// keep returns a copy of s. If s is what would be taken next, it is its own copy.
func keep[T pages.Number](k *kept, s []T) []T {
	c := pages.Take[T](k.room, len(s))
	if len(s) > 0 && &c[0] != &s[0] {
		copy(c, s)
	}
	return c[:len(s):len(s)]
}

func allOne(values []float64) bool {
	const one = 0x3ff << 52
	for ; len(values) >= 8; values = values[8:] { // eight at a time: they take no jumps
		v := (*[8]float64)(values)
		other := uint64(0)
		for k := range v {
			other |= math.Float64bits(v[k]) ^ one
		}
		if other != 0 {
			return false
		}
	}
	for _, v := range values {
		if v != 1 {
			return false
		}
	}
	return true
}

// someOnes returns n ones, which are not to be written to.
func (k *kept) someOnes(n int) []float64 {
	if n > len(k.ones) {
		k.ones = slices.Repeat([]float64{1}, n+n/8)
	}
	return k.ones[:n:n]
}

// rows returns the rows from the start.
func (k *kept) rows() *keptRows { return &keptRows{k.batches} }

// keptRows reads kept batches.
type keptRows struct{ batches []batch }

func (r *keptRows) next() (*batch, error) {
	if len(r.batches) == 0 {
		return nil, io.EOF
	}
	b := &r.batches[0]
	r.batches = r.batches[1:]
	return b, nil
}

func (r *keptRows) place(b *batch, row int, err error) error { return placeInText(b, row, err) }

// drop gives the memory back.
func (k *kept) drop() {
	k.room.Release()
	k.batches = nil
}
