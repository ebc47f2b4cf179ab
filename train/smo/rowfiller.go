package smo

import (
	"context"
	"runtime"
	"unsafe"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A goroutine yields its processor to others after computing this many values, which take some
// tenths of a millisecond in new memory, or after this many microseconds. If there are spare
// processors, it does so less often.
const (
	yieldValues = 1 << 14
	yieldTime   = 1000
)

// A rowFiller computes columns from to to-1 of kernel rows. Several threads may share it.
type rowFiller struct {
	gram       *kernel.Gram
	helpers    *team.Helpers
	alone      bool // no other thread takes part
	yieldAfter int  // after this many values the processor is yielded to others
	since      int  // values computed since the last yield
	least      int  // number of values that make another thread worthwhile
	each       int  // how many microseconds these values take
	from, to   int
	dst        [][]float32
	rows       []int

	task  *task        // what the threads read of all this
	query kernel.Query // the query for the rows, if the way is byQuery

	run     func(k int, _ *team.Result) // computes part k of the columns
	sumPart func(k int, _ *team.Result) // computes part k of the sums
	room    []float64                   // memory for sums
}

// A task is the part of a computation that threads read. Fetching a cache line that another thread
// has changed takes as long as dozens or hundreds of values, so all that changes from one
// computation of one or two rows to the next is in one line.
type task struct {
	gram  *kernel.Gram
	query *kernel.Query // of the rows, if the way is byQuery
	_     [128 - 2*8]byte

	from, to int32
	count    int32 // number of rows
	way      way
	parts    int32
	rows     [PartRows]int32
	dst      [PartRows]*float32
	sums     []float64 // from which the only row is made, if the way is bySums
	_        [128 - 24 - 12*PartRows - 24]byte
}

// way is how values are computed.
type way int32

const (
	byRows way = iota
	byQuery
	bySums // one row only
)

// use makes f compute rows of a gram. About moment values take a microsecond.
func (f *rowFiller) use(ctx context.Context, g *kernel.Gram, helpers *team.Helpers, least, each, moment int) {
	f.gram, f.helpers, f.least, f.each = g, helpers, least, each
	f.yieldAfter = min(yieldValues, max(moment, 1)*yieldTime)
	var spare bool
	if f.alone, spare = team.Alone(ctx); spare {
		f.yieldAfter *= team.YieldFactor
	}
	if f.task == nil {
		f.task = &task{query: &f.query}
		f.run, f.sumPart = f.task.part, f.task.sum
	}
	f.task.gram = g
}

// reset makes f empty. It keeps f's memory and functions.
func (f *rowFiller) reset() {
	if f.task != nil {
		f.task.gram = nil
	}
	*f = rowFiller{run: f.run, sumPart: f.sumPart, task: f.task, room: f.room, query: f.query}
}

// set sets what is to be computed.
func (f *rowFiller) set(dst [][]float32, rows []int, from, to int) {
	f.dst, f.rows, f.from, f.to = dst, rows, from, to
	t := f.task
	t.from, t.to, t.count, t.way = int32(from), int32(to), int32(len(rows)), byRows
	for r, i := range rows {
		t.dst[r], t.rows[r] = unsafe.SliceData(dst[r]), int32(i)
	}
}

// all computes all columns.
func (f *rowFiller) all() {
	if len(f.rows) == 0 {
		return
	}
	// rows that are made from sums are computed one at a time
	if f.helpers != nil && len(f.rows) > 1 && f.bySums(f.rows, f.from, f.to) {
		dst, rows := f.dst, f.rows
		for r := range rows {
			f.set(dst[r:r+1], rows[r:r+1], f.from, f.to)
			f.all()
		}
		return
	}
	parts := f.cut(0)
	if parts == 1 {
		f.task.columns(f.from, f.to)
		if f.since += len(f.rows) * (f.to - f.from); f.alone && f.since >= f.yieldAfter {
			f.since = 0
			runtime.Gosched() // for the same reason as in team.Do
		}
		return
	}
	f.task.parts = int32(parts)
	f.helpers.Do(parts, f.run)
}

// bySums reports whether the first of some rows is made from sums.
func (f *rowFiller) bySums(rows []int, from, to int) bool {
	n, _, _ := f.gram.SumsLen(rows[0], from, to)
	return n > 0
}

// cut returns into how many parts to cut the columns, if the pass that computes them also goes
// through this many elements. It first prepares what all parts need: the elements of a row in a
// panel are in different cache lines, and collecting them takes as long as dozens of values.
func (f *rowFiller) cut(elements int) int {
	if f.helpers != nil && len(f.rows) == 1 {
		f.prepare()
	}
	if f.helpers != nil && f.task.way != bySums { // before helpers are called, which would have to wait
		if f.gram.PrepareQuery(&f.query, f.rows) {
			f.task.way = byQuery
		}
	}
	columns := f.to - f.from
	parts := f.helpers.LongParts(passWork(columns*len(f.rows), elements, f.least, f.each), f.least, f.each)
	return min(parts, max(columns/splitColumns, 1))
}

// passWork returns the number of values whose computation takes as long as computing the given
// number of values and then going through the given number of elements. least values are worth a
// thread and take each microseconds. In the shorter passes an element takes half the usual time.
func passWork(values, elements, least, each int) int {
	return values + elements/2*least/(each*scanPart)
}

// cutBeside returns into how many parts to cut a pass through this many elements that also computes
// this many values.
func (f *rowFiller) cutBeside(values, elements int) int {
	parts := f.helpers.LongParts(passWork(values, elements, f.least, f.each), f.least, f.each)
	return min(parts, max(f.gram.Len()/splitColumns, 1))
}

// prepare computes the sums from which the row is made, if it is made from sums. An addition takes
// about as long as making a value from the sums.
func (f *rowFiller) prepare() {
	n, most, additions := f.gram.SumsLen(f.rows[0], f.from, f.to)
	if n == 0 {
		return
	}
	if len(f.room) < n {
		f.room = make([]float64, n)
	}
	t := f.task
	t.sums, t.way = f.room[:n], bySums
	parts := min(f.helpers.LongParts(additions, f.least, 1), most)
	if parts == 1 {
		f.gram.SumTo(t.sums, f.rows[0], 0, 1)
		return
	}
	t.parts = int32(parts)
	f.helpers.Do(parts, f.sumPart)
}

func (t *task) sum(k int, _ *team.Result) {
	t.gram.SumTo(t.sums, int(t.rows[0]), k, int(t.parts))
}

func (t *task) part(k int, _ *team.Result) {
	from, to, parts := int(t.from), int(t.to), int(t.parts)
	t.columns(edge(from, to, k, parts), edge(from, to, k+1, parts))
}

// piece computes columns begin to end-1, counted from the task's first column.
func (t *task) piece(begin, end int) {
	from := int(t.from)
	t.columns(from+begin, from+end)
}

// columns computes columns begin to end-1.
func (t *task) columns(begin, end int) {
	var room [PartRows][]float32
	var which [PartRows]int
	from, to := int(t.from), int(t.to)
	dst, rows := room[:t.count], which[:t.count]
	for r := range dst {
		dst[r], rows[r] = unsafe.Slice(t.dst[r], to-from)[begin-from:end-from], int(t.rows[r])
	}
	switch t.way {
	case bySums:
		t.gram.SummedTo(dst[0], t.sums, rows[0], begin)
	case byQuery:
		t.gram.QueryRowsTo(dst, t.query, begin, end)
	default:
		t.gram.RowsTo(dst, rows, begin, end)
	}
}
