package smo

import (
	"runtime"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// manyColumns is the number of columns of rows that take so long that dozens are some
// milliseconds' work.
const manyColumns = 4096

// fills is a computation of columns from to to-1 of kernel rows, which threads may
// share.
type fills struct {
	gram     *kernel.Gram
	crew     *team.Crew
	alone    bool // no other thread is there
	least    int  // values that are worth a thread
	each     int  // microseconds that these take
	from, to int
	dst      [][]float32
	rows     []int
	parts    int
	run      func(k int, _ *team.Found) // part

	asked bool
	query kernel.Query // of the rows, if asked

	sums    []float64                  // of the only row, if it has some
	sumPart func(k int, _ *team.Found) // of sums
	room    []float64                  // for sums
}

// use makes f compute rows of a gram.
func (f *fills) use(g *kernel.Gram, crew *team.Crew, alone bool, least, each int) {
	f.gram, f.crew, f.alone, f.least, f.each = g, crew, alone, least, each
	if f.run == nil {
		f.run, f.sumPart = f.part, f.sum
	}
}

// reset makes f empty, with the memory that it has and the functions that it is called by.
func (f *fills) reset() { *f = fills{run: f.run, sumPart: f.sumPart, room: f.room, query: f.query} }

// of names what is to be computed.
func (f *fills) of(dst [][]float32, rows []int, from, to int) {
	f.dst, f.rows, f.from, f.to, f.sums, f.asked = dst, rows, from, to, nil, false
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
		if f.alone && f.to-f.from >= manyColumns {
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
		f.gram.Ask(&f.query, f.rows)
		f.asked = true
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
	f.sums = f.room[:n]
	if f.parts = min(f.crew.Cut(additions, f.least, 1), most); f.parts == 1 {
		f.gram.SumTo(f.sums, f.rows[0], 0, 1)
		return
	}
	f.crew.Do(f.parts, f.sumPart)
}

func (f *fills) sum(k int, _ *team.Found) { f.gram.SumTo(f.sums, f.rows[0], k, f.parts) }

func (f *fills) part(k int, _ *team.Found) {
	f.columns(edge(f.from, f.to, k, f.parts), edge(f.from, f.to, k+1, f.parts))
}

// columns computes columns begin to end-1.
func (f *fills) columns(begin, end int) {
	var dst [PartRows][]float32
	for r, d := range f.dst {
		dst[r] = d[begin-f.from : end-f.from]
	}
	if f.sums != nil {
		f.gram.SummedTo(dst[0], f.sums, f.rows[0], begin)
		return
	}
	if f.asked {
		f.gram.AnswerTo(dst[:len(f.dst)], &f.query, begin, end)
		return
	}
	f.gram.RowsTo(dst[:len(f.dst)], f.rows, begin, end)
}
