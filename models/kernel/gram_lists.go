package kernel

import "github.com/slimsvm/slimsvm/format/vec"

// Problem: dot products of one sparse vector with many.
//
// Method: for each column, a list of the vectors that have it. Going through the
// columns of x in ascending order, x_k z_k is added to the sum of each z on the
// list of k: every sum gets its products in order, and nothing else is touched.
// Where few of the vectors are asked for, their own entries are fewer than those on
// the lists, and x is spread to be gathered from.
type lists struct {
	column []int32 // of indices, the store's
	start  []int   // where the list of each column begins, and the last ends
	slot   []int32 // of the vectors on all lists
	value  []float64
	slotOf []int32 // by position; vectors keep their slots
}

// build makes the lists of the rows of x, slots being positions.
func (l *lists) build(x *vec.Matrix, c *columns) {
	n := x.Len()
	l.column = c.of
	l.slotOf = room(&l.slotOf, n)
	l.start = room(&l.start, c.count+1)
	clear(l.start)
	for i := range n {
		l.slotOf[i] = int32(i)
		row := x.Row(i)
		for k, index := range row.Index {
			if row.Value[k] != 0 {
				l.start[l.column[index]]++
			}
		}
	}
	entries := 0
	for k, count := range l.start {
		l.start[k] = entries
		entries += count
	}
	l.slot, l.value = room(&l.slot, entries), room(&l.value, entries)
	for i := range n {
		row := x.Row(i)
		for k, index := range row.Index {
			if v := row.Value[k]; v != 0 {
				at := &l.start[l.column[index]]
				l.slot[*at], l.value[*at] = int32(i), v
				*at++
			}
		}
	}
	// each list's start has moved to its end, the next one's start
	copy(l.start[1:], l.start)
	l.start[0] = 0
}

func (l *lists) swap(i, j int) { l.slotOf[i], l.slotOf[j] = l.slotOf[j], l.slotOf[i] }

func (l *lists) bytes() int {
	return 8*cap(l.start) + 4*cap(l.slot) + 8*cap(l.value) + 4*cap(l.slotOf)
}

// length returns the number of entries on the lists of x's columns.
func (l *lists) length(x vec.Vector) int {
	n := 0
	for k, index := range x.Index {
		if x.Value[k] != 0 {
			c := l.column[index]
			n += l.start[c+1] - l.start[c]
		}
	}
	return n
}

// dotsTo sets dst, by slot, to the dot products with x.
func (l *lists) dotsTo(dst []float64, x vec.Vector) {
	clear(dst)
	for k, index := range x.Index {
		v := x.Value[k]
		if v == 0 {
			continue
		}
		c := l.column[index]
		slots := l.slot[l.start[c]:l.start[c+1]]
		values := l.value[l.start[c]:l.start[c+1]][:len(slots)]
		for at, slot := range slots {
			dst[slot] += float64(v * values[at])
		}
	}
}

func (g *Gram) listsTo(s *scratch, dst [][]float32, rows []int, from, to int) {
	values := room(&s.values, g.n+to-from)
	bySlot, dots := values[:g.n], values[g.n:]
	part := g.x.Slice(from, to)
	gathered := g.store.columns.entries / g.store.Len() * (to - from)
	for r, i := range rows {
		x := g.x.Row(i)
		if gathered < g.lists.length(x)+g.n/2 {
			part.DotTo(dots, x)
		} else {
			g.lists.dotsTo(bySlot, x)
			for t, slot := range g.lists.slotOf[from:to] {
				dots[t] = bySlot[slot]
			}
		}
		g.round(dst[r], dots, i, from)
	}
}
