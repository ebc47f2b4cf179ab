package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Problem: compute the dot products of one sparse vector with many.
//
// Method: for each column there is a list of the vectors that have an entry in it. The columns k of
// x are visited in ascending order, and x_k z_k is added to the sum of each z on the list of k.
// Every sum receives its products in order, and nothing else is touched. If only few vectors are
// needed, their own entries are fewer than those on the lists. Then x is written into a dense
// buffer from which these vectors gather.
type columnLists struct {
	column   []int32 // the column of each index; shared with the store
	segments int     // each list has this many segments, by slot, so that several goroutines can share it
	start    []int32 // where each segment of each column's list begins, and the end of the last one
	lengths  []int32 // length of each column's list
	slot     []int32 // the slots of the vectors on all lists; or, if they fit into 16 bits, short
	short    []uint16
	value    []float64
	slotOf   []int32 // slot of each position; Swap does not move slots

	none  bool    // there are no lists, because few vectors share few columns
	small []int32 // memory for small tables
}

const (
	mostSegments  = 8
	segmentedFrom = 2048    // number of vectors from which lists have segments
	wideFrom      = 1 << 18 // all lists together have at most half as many segments as entries, or as this number if that is larger
	mostShort     = math.MaxUint16 + 1
	smallTables   = 1 << 14 // size of tables that are kept for the next build
	listedFrom    = 64      // number of vectors; with fewer, and fewer entries than columns, lists cost more time than they save
)

// build makes the lists of the rows of x. Slots are the positions at this time. Each worker counts
// the entries of some segments and then lists them. Each segment has a table of its own, small
// enough for a core's first-level cache, to which no other worker writes.
func (l *columnLists) build(by packers, x *vec.Matrix, c *columns) {
	n := x.Len()
	l.column, l.segments = c.of, 1
	if n >= segmentedFrom {
		l.segments = max(1, min(mostSegments, max(c.entries, wideFrom)/2/c.count))
	}
	l.slotOf = room(&l.slotOf, n)
	for i := range l.slotOf {
		l.slotOf[i] = int32(i)
	}
	if l.none = n < listedFrom && x.NNZ() < c.count; l.none {
		return
	}
	var tables []int32
	if size := l.segments * c.count; size <= smallTables {
		tables = room(&l.small, size)
		clear(tables)
	} else {
		tables = make([]int32, size)
		defer pages.Drop(tables)
	}
	table := func(segment int) []int32 { return tables[segment*c.count:][:c.count] }
	parts := by.parts(c.entries, l.segments)
	each := func(f func(segment int)) {
		by.do(parts, func(part int) {
			for segment := part * l.segments / parts; segment < (part+1)*l.segments/parts; segment++ {
				f(segment)
			}
		})
	}
	each(func(segment int) { l.count(table(segment), x, segment) })
	l.start, l.lengths = room(&l.start, c.count*l.segments+1), room(&l.lengths, c.count)
	entries := int32(0)
	for k := range c.count {
		before := entries
		for segment := range l.segments {
			at := &table(segment)[k]
			l.start[k*l.segments+segment] = entries
			*at, entries = entries, entries+*at
		}
		l.lengths[k] = entries - before
	}
	l.start[c.count*l.segments] = entries
	l.value = room(&l.value, int(entries))
	if n <= mostShort {
		l.slot, l.short = nil, room(&l.short, int(entries))
		each(func(segment int) { fillSegment(l, l.short, table(segment), x, segment) })
	} else {
		l.slot, l.short = room(&l.slot, int(entries)), nil
		each(func(segment int) { fillSegment(l, l.slot, table(segment), x, segment) })
	}
}

// count adds to table, by column, the number of entries of a segment's vectors.
func (l *columnLists) count(table []int32, x *vec.Matrix, segment int) {
	for i := l.slots(segment, x.Len()); i < l.slots(segment+1, x.Len()); i++ {
		row := x.Row(i)
		for k, index := range row.Index {
			if row.Value[k] != 0 {
				table[l.column[index]]++
			}
		}
	}
}

// fillSegment writes the entries of a segment's vectors to the places given by the table.
func fillSegment[S uint16 | int32](l *columnLists, slots []S, table []int32, x *vec.Matrix, segment int) {
	for i := l.slots(segment, x.Len()); i < l.slots(segment+1, x.Len()); i++ {
		row := x.Row(i)
		for k, index := range row.Index {
			if v := row.Value[k]; v != 0 {
				at := &table[l.column[index]]
				slots[*at], l.value[*at] = S(i), v
				*at++
			}
		}
	}
}

func (l *columnLists) swap(i, j int) { l.slotOf[i], l.slotOf[j] = l.slotOf[j], l.slotOf[i] }

func (l *columnLists) bytes() int {
	return 4*cap(l.start) + 4*cap(l.lengths) + 4*cap(l.slot) + 2*cap(l.short) + 8*cap(l.value) + 4*cap(l.slotOf)
}

// length returns the total length of the lists of x's columns.
func (l *columnLists) length(x vec.Vector) int {
	n := 0
	for k, index := range x.Index {
		if x.Value[k] != 0 {
			n += int(l.lengths[l.column[index]])
		}
	}
	return n
}

// dotsTo adds to sums, by slot, the dot products of x with the vectors in segments first to last-1.
func (l *columnLists) dotsTo(sums []float64, x vec.Vector, first, last int) {
	if l.slot == nil {
		addLists(l, l.short, sums, x, first, last)
	} else {
		addLists(l, l.slot, sums, x, first, last)
	}
}

func addLists[S uint16 | int32](l *columnLists, all []S, sums []float64, x vec.Vector, first, last int) {
	for k, index := range x.Index {
		v := x.Value[k]
		if v == 0 {
			continue
		}
		c := int(l.column[index]) * l.segments
		begin, end := l.start[c+first], l.start[c+last]
		slots := all[begin:end]
		values := l.value[begin:end][:len(slots)]
		for at, slot := range slots {
			sums[slot] += float64(v * values[at])
		}
	}
}

// onLists reports whether columns from to to-1 of row i are computed fastest from lists.
func (g *Gram) onLists(i, from, to int) bool {
	return !g.lists.none && g.listsPay(g.lists.length(g.x.Row(i)), from, to)
}

// listsPay is onLists for a row whose lists have this total length.
func (g *Gram) listsPay(length, from, to int) bool {
	gathered := g.store.columns.entries / g.store.Len() * (to - from)
	return gathered >= length+g.n/2
}

func (g *Gram) listsTo(s *scratch, dst [][]float32, rows []int, from, to int) {
	values := room(&s.values, g.n+to-from)
	bySlot, dots := values[:g.n], values[g.n:]
	for r, i := range rows {
		x := g.x.Row(i)
		if g.onLists(i, from, to) {
			clear(bySlot)
			g.lists.dotsTo(bySlot, x, 0, g.lists.segments)
			g.lists.gather(dots, bySlot, from)
		} else {
			part := g.x.Slice(from, to)
			part.DotTo(dots, x)
		}
		g.round(dst[r], dots, i, from)
	}
}

// gather sets dst to the sums of the vectors from position from on. sums is by slot.
func (l *columnLists) gather(dst, sums []float64, from int) {
	for t, slot := range l.slotOf[from : from+len(dst)] {
		dst[t] = sums[slot]
	}
}
