package kernel

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute Gaussian kernel values, and sums of them, when some columns of the vectors have
// few different numbers, such as codes, counts and measurements of few digits. The squared
// difference of such a number from a row would be computed again and again.
//
// Method: the squared differences of all these numbers are put into a table, for the rows of one
// panel at a time. Each vector says where in the table its numbers are. The terms of a distance are
// added in the same order as before, so no bit changes. Finding the different numbers takes as long
// as predicting some rows, so it begins only after some rows. With four units of 512 bits, loads of
// the table take longer than the arithmetic that they save: there it never begins.

// squareTables describes which columns of a basis' pairs have tables.
type squareTables struct {
	tabled  uint64 // a bit for each column
	columns []tabledColumn
	numbers []float64 // the numbers of these columns, column after column
	queries []float64 // like those of the pairs, but these columns have offsets into a table of 16 rows, as whole numbers
}

// A tabledColumn has a range of numbers.
type tabledColumn struct{ column, from, to int }

const (
	// mostNumbers is the largest number of such numbers: their squared differences from 32 rows
	// take 512 KB. Processors without AVX-512 may have a second-level cache of half that size. They
	// get half as many numbers, and tables of 16 rows.
	mostNumbers = 2048

	// repeats is the least number of vectors for each number. Putting a number into the table takes
	// about as long as it saves with three vectors.
	repeats = 8

	entryBytes = 8 * vec.PanelRows / 2 // size of a number's entry in a table of 16 rows
)

// repeatsAfter is the number of panels whose values are computed before repeated numbers are looked
// for.
var repeatsAfter = 16 // another one in tests

// fastLoads reports whether a load from a table in the second-level cache takes less time than a
// subtraction and a multiplication.
var fastLoads = func() bool { return !simd.FourUnits() } // another one in tests

// newSquareTables returns nil if there are no such columns. z must have pairs.
func newSquareTables(z *Basis) *squareTables {
	s := z.pairs.value
	if 8*len(s.queries) > mostBlocks {
		return nil // the new queries would take as much memory again
	}
	most := mostNumbers
	if simd.Current() != simd.AVX512 {
		most = mostNumbers / 2
	}
	most = min(most, len(s.queries)/vec.PanelRows) // tables take no more memory than queries
	t := newNumbering(min(len(s.queries)/s.columns/repeats, most))
	r := new(squareTables)
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

// pays reports whether the tables save time with this many vectors.
func (r *squareTables) pays(vectors int) bool {
	return r != nil && len(r.numbers)*repeats <= vectors*len(r.columns)
}

// room returns how many numbers the tables for a panel have.
func (r *squareTables) room() int {
	if r == nil {
		return 0
	}
	return len(r.numbers) * vec.PanelRows
}

// number numbers the different values in column k. It calls each with the position of every value
// in the queries and the number of that value. It stops and returns false if there are too many.
func (s *vectorPairs) number(t *numbering, k int, each func(at, place int)) bool {
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

// numbering assigns places, from 0 on, to different numbers.
type numbering struct {
	numbers []float64
	most    int
	table   []int32 // a place plus one; 0: free
}

// newNumbering returns a numbering for up to most numbers.
func newNumbering(most int) *numbering {
	return &numbering{most: most, table: make([]int32, 4<<bits.Len(uint(most)))}
}

func (t *numbering) reset() {
	t.numbers = t.numbers[:0]
	clear(t.table)
}

// place returns the place of v, or -1 if v is new and there is no place left.
func (t *numbering) place(v float64) int {
	const golden = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio: any bit of a factor affects the first bits of its product
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
