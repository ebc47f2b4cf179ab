package kernel

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
)

// studyEntries of a matrix are worth a worker, and so many times the indices there are.
const (
	studyEntries = 1 << 16
	studyTimes   = 8
)

// farApart reports whether the indices of x are too far apart for a table.
func farApart(x *vec.Matrix) bool {
	last := x.MaxIndex()
	return last >= 1<<16 && last >= x.NNZ()
}

// study numbers the columns of x. It returns false if it finds values that are
// not finite, nothing at all, or indices too far apart for a table, which is put into the
// memory of table if that is not nil.
func study(workers int, do func(n int, f func(part int)), x *vec.Matrix, table *[]int32) (c columns, ok bool) {
	nnz, last := x.NNZ(), x.MaxIndex()
	if nnz == 0 || farApart(x) {
		return c, false
	}
	n := x.Len()
	var t tally
	if table != nil {
		t.of = room(table, last+1)
		clear(t.of)
	} else {
		t.of = make([]int32, last+1)
	}
	if parts := min(workers, nnz/studyEntries, nnz/studyTimes/(last+1), n); parts <= 1 { // of thousands of small ones
		t.count(x, 0, n)
	} else {
		t = countBy(parts, do, x, t.of)
	}
	if t.infinite || t.entries == 0 {
		return c, false
	}
	c = columns{of: t.of, entries: t.entries, longest: t.longest, constant: t.constant, aligned: !t.unlike}
	if t.several {
		c.constant = math.NaN()
	}
	if c.aligned {
		for _, i := range x.Row(0).Index {
			c.of[i] = max(c.of[i], 1) // a column of zeros is one too
		}
	}
	for i, rows := range c.of {
		c.of[i] = -1
		if rows > 0 {
			share := float64(rows) / float64(n)
			c.shared += float64(share * share)
			c.of[i] = int32(c.count)
			c.count++
		}
	}
	return c, true
}

// A tally is what some rows tell about the columns.
type tally struct {
	of       []int32 // the number of rows with a value that is not zero, by index
	entries  int     // that are not zero
	longest  int
	constant float64 // the first value that is not zero, if entries > 0
	several  bool    // such values
	unlike   bool    // some row's indices are not those of the matrix's first
	infinite bool    // or no number: a value, and counting has ended
}

// countBy is count of all rows in parts, several at once, the first with a table that is given.
func countBy(parts int, do func(n int, f func(part int)), x *vec.Matrix, table []int32) tally {
	n := x.Len()
	each := make([]tally, parts)
	each[0].of = table
	do(parts, func(k int) {
		if k > 0 {
			each[k].of = make([]int32, len(table))
		}
		each[k].count(x, k*n/parts, (k+1)*n/parts)
	})
	for k := range each[1:] {
		each[0].join(&each[k+1])
	}
	return each[0]
}

// count looks at rows from to to-1. Of neighbours with the same indices, which are
// mostly one list in memory, these are counted once.
func (t *tally) count(x *vec.Matrix, from, to int) {
	first := x.Row(0).Index
	t.unlike = len(first) == 0
	var list []int32
	rows := int32(0) // that have it
	counted := func() {
		for _, i := range list {
			t.of[i] += rows
		}
		t.entries += len(list) * int(rows)
		rows = 0
	}
	for i := from; i < to && !t.infinite; i++ {
		row := x.Row(i)
		if i == from || len(row.Index) != len(list) || len(list) > 0 && &row.Index[0] != &list[0] {
			counted()
			list = row.Index
			t.unlike = t.unlike || !slices.Equal(list, first)
		}
		rows++
		t.longest = max(t.longest, len(list))
		t.values(row)
	}
	counted()
}

// values looks at a row's values. Zeros are taken from what count adds for them.
func (t *tally) values(row vec.Vector) {
	values, k := row.Value, 0
	for ; k < len(values) && !t.several; k++ {
		switch v := values[k]; {
		case v == t.constant && v != 0:
		case v-v != 0:
			t.infinite = true
		case v == 0:
			t.zero(row.Index[k])
		case t.constant == 0:
			t.constant = v
		default:
			t.several = true
		}
	}
	if rest := values[k:]; mostBits(rest) >= finiteBits {
		for r, v := range rest {
			if bits := oddBits(v); bits == math.MaxUint64 {
				t.zero(row.Index[k+r])
			} else if bits >= finiteBits {
				t.infinite = true
			}
		}
	}
}

// oddBits returns the bits of v but for the sign, less 1: those of a zero are the most, and then
// come those of what is not finite, from finiteBits on.
func oddBits(v float64) uint64 { return math.Float64bits(v)<<1 - 1 }

const finiteBits = 0x7ff<<53 - 1

// mostBits returns the largest oddBits of values. Nothing in it waits for the value before.
func mostBits(values []float64) uint64 {
	var a, b, c, d uint64
	for ; len(values) >= 4; values = values[4:] {
		a, b = max(a, oddBits(values[0])), max(b, oddBits(values[1]))
		c, d = max(c, oddBits(values[2])), max(d, oddBits(values[3]))
	}
	for _, v := range values {
		a = max(a, oddBits(v))
	}
	return max(a, b, c, d)
}

func (t *tally) zero(index int32) {
	t.of[index]--
	t.entries--
}

// join adds what other rows tell.
func (t *tally) join(o *tally) {
	for i, rows := range o.of {
		t.of[i] += rows
	}
	switch {
	case t.entries == 0:
		t.constant = o.constant
	case o.entries > 0 && o.constant != t.constant:
		t.several = true
	}
	t.entries += o.entries
	t.longest = max(t.longest, o.longest)
	t.several = t.several || o.several
	t.unlike = t.unlike || o.unlike
	t.infinite = t.infinite || o.infinite
}
