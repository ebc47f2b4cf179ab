package kernel

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
)

// A worker more pays if it gets at least workerEntries entries, and workerTimes as many entries as
// there are indices.
const (
	workerEntries = 1 << 16
	workerTimes   = 8
)

// farApart reports whether the indices of x are too far apart for a table.
func farApart(x *vec.Matrix) bool {
	last := x.MaxIndex()
	return last >= 1<<16 && last >= x.NNZ()
}

// numberColumns numbers the columns of x. It returns false if a value is not finite, if there are
// no entries, or if indices are too far apart for a table. The table is in the memory of table,
// unless that is nil.
func numberColumns(workers int, do func(n int, f func(part int)), x *vec.Matrix, table *[]int32) (c columns, ok bool) {
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
	if parts := min(workers, nnz/workerEntries, nnz/workerTimes/(last+1), n); parts <= 1 { // there may be thousands of such small matrices
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
			c.of[i] = max(c.of[i], 1) // a column of zeros counts, too
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

// A tally is what some of the rows say about the columns.
type tally struct {
	of       []int32 // by index: the number of rows with a nonzero value
	entries  int     // number of nonzero entries
	longest  int
	constant float64 // the first nonzero value, if entries > 0
	several  bool    // there are different nonzero values
	unlike   bool    // some row has other indices than the first row of the matrix
	infinite bool    // a value is infinite or NaN; counting has stopped
}

// countBy counts all rows in parts, several at once. The first part uses the given table.
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

// count examines rows from to to-1. Neighbouring rows mostly share one list of indices in memory:
// the indices are then counted once for all of them.
func (t *tally) count(x *vec.Matrix, from, to int) {
	first := x.Row(0).Index
	t.unlike = len(first) == 0
	var list []int32
	rows := int32(0) // number of rows with this list
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

// values examines a row's values. count counts zeros as entries; values subtracts them.
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

// oddBits returns the bits of v without the sign, minus 1. This gives the largest number for zeros,
// and numbers from finiteBits on for values that are not finite.
func oddBits(v float64) uint64 { return math.Float64bits(v)<<1 - 1 }

const finiteBits = 0x7ff<<53 - 1

// mostBits returns the largest oddBits of values. It has four independent maxima, so that none
// waits for the value before.
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

// join adds what o says about other rows.
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
