package kernel

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute Gaussian kernel values, and sums of them, when the vectors have few different
// numbers in some columns, such as codes, counts and measurements of few digits. The squared
// differences of these numbers from a row would be computed again and again.
//
// Method: the squared differences of all these numbers are put in a table, for the rows of one
// panel at a time. Each vector says where in the table its numbers are. The terms of a distance are
// added in the same order as before, so no bit changes. Finding the different numbers takes as long
// as some rows do, so it begins after these.

// repeated is what columns of a basis' pairs have tables.
type repeated struct {
	tabled  uint64 // a bit for each column
	columns []tabledColumn
	numbers []float64 // of one of these after the other
	queries []float64 // as those of the pairs, but in such columns, as a whole number, where in a table of 16 rows
}

// A tabledColumn has a range of the numbers.
type tabledColumn struct{ column, from, to int }

const (
	// mostNumbers is how many there are at most: their squared differences from 32 rows are 512 KB. Processors
	// without AVX-512 may have a second cache of half as much. For these there are half as many, from 16 rows.
	mostNumbers = 2048

	// repeats is how many vectors there are at least for each number. A number takes as long as it saves
	// with three vectors, or so.
	repeats = 8

	entryBytes = 8 * vec.PanelRows / 2 // of a number in a table of 16 rows
)

// repeatsAfter is the number of panels whose values are taken before it is looked for numbers that repeat.
var repeatsAfter = 16 // another one in tests

// newRepeated returns nil if there are no such columns. z has pairs.
func newRepeated(z *Basis) *repeated {
	s := z.summed.value
	if 8*len(s.queries) > mostBlocks {
		return nil // queries take as much memory again
	}
	most := mostNumbers
	if simd.Current() != simd.AVX512 {
		most = mostNumbers / 2
	}
	most = min(most, len(s.queries)/vec.PanelRows) // tables take no more memory than queries
	t := newNumbering(min(len(s.queries)/s.columns/repeats, most))
	r := new(repeated)
	for k := range s.columns {
		if s.number(t, k, func(int, int) {}) {
			r.columns = append(r.columns, tabledColumn{column: k, to: len(t.numbers)})
		}
	}
	slices.SortStableFunc(r.columns, func(a, b tabledColumn) int { return cmp.Compare(a.to, b.to) })
	total, some := 0, 0
	for ; some < len(r.columns) && total+r.columns[some].to <= most; some++ {
		total += r.columns[some].to
	}
	if some == 0 {
		return nil
	}
	r.columns = r.columns[:some]
	z.packed[2] = newPacking(len(s.queries)+total, 0, 0)
	r.queries, r.numbers = z.packed[2].wide[:len(s.queries)], z.packed[2].wide[len(s.queries):][:0:total]
	copy(r.queries, s.queries)
	for i := range r.columns {
		c := &r.columns[i]
		c.from = len(r.numbers)
		s.number(t, c.column, func(at, place int) {
			r.queries[at] = math.Float64frombits(uint64((c.from + place) * entryBytes))
		})
		r.numbers = append(r.numbers, t.numbers...)
		c.to = len(r.numbers)
		r.tabled |= 1 << c.column
	}
	return r
}

// pays reports whether so many vectors save more than the tables take.
func (r *repeated) pays(vectors int) bool {
	return r != nil && len(r.numbers)*repeats <= vectors*len(r.columns)
}

// room returns how many numbers the tables for a panel are.
func (r *repeated) room() int {
	if r == nil {
		return 0
	}
	return len(r.numbers) * vec.PanelRows
}

// number numbers what the vectors have in column k, and calls each with the place of a number in the queries and
// among those numbered. It stops and returns false when there are too many.
func (s *summed) number(t *numbering, k int, each func(at, place int)) bool {
	t.reset()
	for pair := 2 * k; pair < len(s.queries); pair += 2 * s.columns {
		for at := pair; at < pair+2; at++ {
			place := t.place(s.queries[at])
			if place < 0 {
				return false
			}
			each(at, place)
		}
	}
	return true
}

// numbering gives different numbers places, from 0 on.
type numbering struct {
	numbers []float64
	most    int
	table   []int32 // one more than a place; 0: free
}

// newNumbering returns one for up to most numbers.
func newNumbering(most int) *numbering {
	return &numbering{most: most, table: make([]int32, 4<<bits.Len(uint(most)))}
}

func (t *numbering) reset() {
	t.numbers = t.numbers[:0]
	clear(t.table)
}

// place returns -1 if there is none left for v.
func (t *numbering) place(v float64) int {
	const golden = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio: its products' first bits differ where bits of factors do
	key := math.Float64bits(v)
	at := int(key * golden >> (1 + bits.LeadingZeros64(uint64(len(t.table)))))
	for ; t.table[at] != 0; at = (at + 1) & (len(t.table) - 1) {
		if place := int(t.table[at]) - 1; math.Float64bits(t.numbers[place]) == key {
			return place
		}
	}
	if len(t.numbers) == t.most {
		return -1
	}
	t.numbers = append(t.numbers, v)
	t.table[at] = int32(len(t.numbers))
	return len(t.numbers) - 1
}
