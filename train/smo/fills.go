package smo

import (
	"context"
	"runtime"
	"unsafe"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// The processor is offered to others after so many values, which take some tenths of a millisecond in new
// memory, or after so many microseconds. Where there are other processors it is done less often.
const (
	offerValues = 1 << 14
	offerTime   = 1000
)

// fills is a computation of columns from to to-1 of kernel rows, which threads may
// share.
type fills struct {
	gram     *kernel.Gram
	crew     *team.Crew
	alone    bool // no other thread is there
	offer    int  // after so many values the processor is offered to others
	since    int  // values that were computed since
	least    int  // values that are worth a thread
	each     int  // microseconds that these take
	from, to int
	dst      [][]float32
	rows     []int
	parts    int
	run      func(k int, _ *team.Found) // part

	task  *task        // all this as threads read it
	query kernel.Query // of the rows, where the task is done by it

	sums    []float64                  // of the only row, if it has some
	sumPart func(k int, _ *team.Found) // of sums
	room    []float64                  // for sums
}

// A task is what threads read of a computation, in few lines of the cache: to fetch one that another
// has changed takes as long as dozens of values.
type task struct {
	dst      [PartRows]*float32
	rows     [PartRows]int32
	from, to int32
	count    int32 // of rows
	way      way
	_        [128 - 12*PartRows - 16]byte
}

// way is how values are computed.
type way int32

const (
	byRows way = iota
	byQuery
	bySums // of the only row
)

// use makes f compute rows of a gram, of which so many values take a microsecond as moment says.
func (f *fills) use(ctx context.Context, g *kernel.Gram, crew *team.Crew, least, each, moment int) {
	f.gram, f.crew, f.least, f.each = g, crew, least, each
	f.offer = min(offerValues, max(moment, 1)*offerTime)
	var spare bool
	if f.alone, spare = team.Alone(ctx); spare {
		f.offer *= team.Seldom
	}
	if f.run == nil {
		f.run, f.sumPart, f.task = f.part, f.sum, new(task)
	}
}

// reset makes f empty, with the memory that it has and the functions that it is called by.
func (f *fills) reset() {
	*f = fills{run: f.run, sumPart: f.sumPart, task: f.task, room: f.room, query: f.query}
}

// of names what is to be computed.
func (f *fills) of(dst [][]float32, rows []int, from, to int) {
	f.dst, f.rows, f.from, f.to, f.sums = dst, rows, from, to, nil
	t := f.task
	t.from, t.to, t.count, t.way = int32(from), int32(to), int32(len(rows)), byRows
	for r, i := range rows {
		t.dst[r], t.rows[r] = unsafe.SliceData(dst[r]), int32(i)
	}
}

// all computes all columns.
func (f *fills) all() {
	if len(f.rows) == 0 {
		return
	}
	if f.crew != nil && len(f.rows) > 1 && f.bySums(f.rows, f.from, f.to) { // of one row at a time
		dst, rows := f.dst, f.rows
		for r := range rows {
			f.of(dst[r:r+1], rows[r:r+1], f.from, f.to)
			f.all()
		}
		return
	}
	if f.parts = f.cut(0); f.parts == 1 {
		f.columns(f.from, f.to)
		if f.since += len(f.rows) * (f.to - f.from); f.alone && f.since >= f.offer {
			f.since = 0
			runtime.Gosched() // as team.Do
		}
		return
	}
	f.crew.Do(f.parts, f.run)
}

// bySums reports whether the first of some rows has sums that it is made of.
func (f *fills) bySums(rows []int, from, to int) bool {
	n, _, _ := f.gram.SumsLen(rows[0], from, to)
	return n > 0
}

// cut returns into how many parts to cut the columns, with which a pass goes through so
// many elements. It makes ready what all parts need: each element of a panel's row stands in another
// line of memory, and to collect them takes as long as dozens of values.
func (f *fills) cut(elements int) int {
	if f.crew != nil && len(f.rows) == 1 {
		f.prepare()
	}
	if f.crew != nil && f.sums == nil { // before anybody is called, who would wait
		if f.gram.Ask(&f.query, f.rows) {
			f.task.way = byQuery
		}
	}
	columns := f.to - f.from
	parts := f.crew.Cut(passWork(columns*len(f.rows), elements, f.least, f.each), f.least, f.each)
	return min(parts, max(columns/splitColumns, 1))
}

// passWork returns how many values take as long as to compute so many and then go through so many
// elements, where least are worth a thread and take so many microseconds each. An element of the
// shorter passes takes half the time that is reckoned with else.
func passWork(values, elements, least, each int) int {
	return values + elements/2*least/(each*scanPart)
}

// cutBeside returns into how many parts to cut a pass through so many elements with which so many values
// are computed.
func (f *fills) cutBeside(values, elements int) int {
	parts := f.crew.Cut(passWork(values, elements, f.least, f.each), f.least, f.each)
	return min(parts, max(f.gram.Len()/splitColumns, 1))
}

// prepare computes the sums that the row is made of, if it has some. An addition takes
// about as long as a value that is made of them.
func (f *fills) prepare() {
	n, most, additions := f.gram.SumsLen(f.rows[0], f.from, f.to)
	if n == 0 {
		return
	}
	if len(f.room) < n {
		f.room = make([]float64, n)
	}
	f.sums, f.task.way = f.room[:n], bySums
	if f.parts = min(f.crew.Cut(additions, f.least, 1), most); f.parts == 1 {
		f.gram.SumTo(f.sums, f.rows[0], 0, 1)
		return
	}
	f.crew.Do(f.parts, f.sumPart)
}

func (f *fills) sum(k int, _ *team.Found) { f.gram.SumTo(f.sums, f.rows[0], k, f.parts) }

func (f *fills) part(k int, _ *team.Found) {
	t := f.task
	from, to := int(t.from), int(t.to)
	f.columns(edge(from, to, k, f.parts), edge(from, to, k+1, f.parts))
}

// piece computes columns begin to end-1, counted from the first.
func (f *fills) piece(begin, end int) {
	from := int(f.task.from)
	f.columns(from+begin, from+end)
}

// columns computes columns begin to end-1.
func (f *fills) columns(begin, end int) {
	var room [PartRows][]float32
	var which [PartRows]int
	t := f.task
	from, to := int(t.from), int(t.to)
	dst, rows := room[:t.count], which[:t.count]
	for r := range dst {
		dst[r], rows[r] = unsafe.Slice(t.dst[r], to-from)[begin-from:end-from], int(t.rows[r])
	}
	switch t.way {
	case bySums:
		f.gram.SummedTo(dst[0], f.sums, rows[0], begin)
	case byQuery:
		f.gram.AnswerTo(dst, &f.query, begin, end)
	default:
		f.gram.RowsTo(dst, rows, begin, end)
	}
}
