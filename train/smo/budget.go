package smo

import (
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// Problem: how much memory to use for keeping rows. Providing new memory takes the system about as
// long as a cheap kernel takes to compute the row, and much longer if the system itself must obtain
// the memory first. Regressions need most rows a few times in short succession and then never
// again: a fifth of the allowed memory serves them as well. The same is nearly true of
// classifications whose rows take less time than the memory for them.
//
// Method: while the future is unknown, spend on renting (computing again) at most a share of the
// price of buying (new memory); A. R. Karlin et al., "Competitive snoopy caching", 1988. The cache
// starts with a first size. When it is full, the least recently used row is dropped. For each value
// of a dropped row that is computed again, the memory grows by a certain number of values or by a
// fraction of one.

// cacheBudget limits how much memory a cache may have. The zero cacheBudget sets no limit.
type cacheBudget struct {
	values  int64    // allowed number of values; 0: any number
	growth  int64    // eighths of a value by which values grows for each value that is computed again
	dropped scan.Set // rows that were dropped, by position
}

// firstValues and firstRows give the first size: eight megabytes, and at least this many rows.
var (
	firstValues int64 = usualValues // other values in tests
	firstRows   int64 = usualRows
)

const (
	usualValues = 1 << 21
	usualRows   = 64

	// leastGrowth is the growth if computing a value takes no time compared with providing its
	// memory. If costlyValues values take a microsecond, the growth is one more.
	leastGrowth  = 4
	costlyValues = 1 << 12

	// slowGrowth, in eighths, is the growth if new memory takes several times as long as computing
	// the values.
	slowGrowth = 1
)

// memoryIsCostly reports whether providing new memory takes longer than computing cheap rows.
var memoryIsCostly = pages.FreePageReporting // another in tests

// usualGrowth returns the growth if this many values take a microsecond.
func usualGrowth(microsecond int) int64 {
	return 8 * (leastGrowth + costlyValues/int64(max(microsecond, 1)))
}

// begin starts limiting a cache whose rows have n columns.
func (t *cacheBudget) begin(n int, growth int64) {
	t.values = max(firstValues, firstRows*int64(n), 1)
	t.growth = growth
	t.dropped = emptied(t.dropped, n)
}

// allows reports whether the cache may have this many values.
func (t *cacheBudget) allows(values int64) bool { return t.values == 0 || values <= t.values }

// miss records that n values of row i have to be computed.
func (t *cacheBudget) miss(i, n int) {
	if t.values > 0 && t.dropped.Has(i) {
		t.values += t.growth * int64(n) / 8
	}
}

// drop records that row i is dropped.
func (t *cacheBudget) drop(i int) {
	if t.values > 0 {
		t.dropped.Put(i, true)
	}
}

// swap exchanges two rows.
func (t *cacheBudget) swap(i, j int) {
	if t.values > 0 {
		t.dropped.Swap(i, j)
	}
}
