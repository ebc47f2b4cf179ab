package smo

import (
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// Problem: how much memory to use for keeping rows. The system takes as long to provide new memory
// as a cheap kernel takes for the row, and much longer if the system itself must obtain it.
// Regressions need most rows a few times in short succession and then never again: they do as well
// with a fifth of the allowed memory. So, nearly, do classifications whose rows take less time than
// the memory for them.
//
// Method: as long as nothing is known, renting costs at most a share of buying (A. R. Karlin et
// al., "Competitive snoopy caching", 1988). The memory starts with a first size, in which the least
// recently used row is given up. For each value of such a row that is computed again, the memory
// grows by some values, or by a part of one.

// thrift says how much memory a cache may have. The zero thrift allows any.
type thrift struct {
	values int64    // that are allowed; 0: any number
	growth int64    // eighths of a value, for each that is computed again
	lost   scan.Set // rows that were given up, by position
}

// firstValues and firstRows are the first size, eight megabytes and no fewer rows.
var (
	firstValues int64 = usualValues // others in tests
	firstRows   int64 = usualRows
)

const (
	usualValues = 1 << 21
	usualRows   = 64

	// leastGrowth is where a value takes no time beside that for its memory. dearValues is how many
	// values, if so many take a microsecond, have a growth of one more.
	leastGrowth = 4
	dearValues  = 1 << 12

	// slowGrowth, in eighths, is where the memory takes some times as long as the value.
	slowGrowth = 1
)

// memoryIsDear reports whether new memory takes longer than cheap rows.
var memoryIsDear = pages.TakenBack // another in tests

// usualGrowth returns the growth where so many values take a microsecond.
func usualGrowth(microsecond int) int64 {
	return 8 * (leastGrowth + dearValues/int64(max(microsecond, 1)))
}

// begin makes the thrift one for rows of n columns.
func (t *thrift) begin(n int, growth int64) {
	t.values = max(firstValues, firstRows*int64(n), 1)
	t.growth = growth
	t.lost = emptied(t.lost, n)
}

// allows reports whether there may be so many values.
func (t *thrift) allows(values int64) bool { return t.values == 0 || values <= t.values }

// miss says that n values of row i have to be computed.
func (t *thrift) miss(i, n int) {
	if t.values > 0 && t.lost.Has(i) {
		t.values += t.growth * int64(n) / 8
	}
}

// lose says that row i is given up.
func (t *thrift) lose(i int) {
	if t.values > 0 {
		t.lost.Put(i, true)
	}
}

// swap exchanges two rows.
func (t *thrift) swap(i, j int) {
	if t.values > 0 {
		t.lost.Swap(i, j)
	}
}
