package main

import (
	"io"
	"runtime"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// kept are the rows of a text that is not long, so that it need not be read again.
type kept struct {
	batches []batch
	bytes   int
	ones    []float64 // the values of batches that have no others
	wide    room[float64]
	narrow  room[int32]
	maps    *maps // that batches are in; nil: none
}

// maps are what gives memory back. That takes time, and a process that ends need not do
// it, so it is left to the collector.
type maps struct{ releases []func() }

func (m *maps) release() {
	for _, release := range m.releases {
		release()
	}
	m.releases = nil
}

// keepRows is how many bytes of rows are kept.
var keepRows = 32 << 20

// add keeps a copy of b and reports whether there was room for it.
func (k *kept) add(b *batch) bool {
	if k.maps == nil {
		k.maps = new(maps)
		k.wide.maps, k.narrow.maps = k.maps, k.maps
		runtime.AddCleanup(k, (*maps).release, k.maps)
	}
	binary := allOne(b.value)
	k.bytes += 8*len(b.labels) + 4*(len(b.lists)+len(b.starts)+len(b.index))
	if !binary {
		k.bytes += 8 * len(b.value)
	}
	if k.bytes > keepRows {
		return false
	}
	c := batch{
		number: b.number,
		labels: k.wide.copy(b.labels), lists: k.narrow.copy(b.lists), starts: k.narrow.copy(b.starts),
		index: k.narrow.copy(b.index),
	}
	if binary {
		c.value = k.someOnes(len(b.value))
	} else {
		c.value = k.wide.copy(b.value)
	}
	k.batches = append(k.batches, c)
	return true
}

func allOne(values []float64) bool {
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
	k.maps.release()
	k.wide.free, k.narrow.free, k.batches = nil, nil, nil
}

// room is memory for copies.
type room[T pages.Number] struct {
	free []T
	maps *maps
}

// roomAtOnce is how many numbers room is made for. Little of it may be used.
const roomAtOnce = 2 << 20

func (r *room[T]) copy(s []T) []T {
	if len(s) > len(r.free) {
		var release func()
		r.free, release = pages.Map[T](max(roomAtOnce, len(s)))
		r.maps.releases = append(r.maps.releases, release)
	}
	c := r.free[:len(s):len(s)]
	r.free = r.free[len(s):]
	copy(c, s)
	return c
}
