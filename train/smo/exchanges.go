package smo

import "github.com/slimsvm/slimsvm/train/internal/team"

// Problem: shrinking exchanges columns. Cached rows must follow, though many are never used again.
//
// Method: a row applies the exchanges when it is used again. Shrinking goes through the variables
// from both ends, so its exchanges come in runs, each exchange inside the one before. No position
// occurs twice in a run, so threads may share the run. If several rows have exchanges to apply,
// each row applies its own independently.

// An exchange is two columns, i < j.
type exchange struct{ i, j int32 }

// exchanges is a log of recent exchanges, in runs.
type exchanges struct {
	all  []exchange
	runs []int // where each run begins
	row  *rowShare
	rows *rowsShare
}

// exchangePart is the number of exchanges for which a thread pays: a microsecond's work.
var exchangePart = usualExchanges // another one in tests

const usualExchanges = 256

// rowShare shares the exchanges of one row among threads.
type rowShare struct {
	helpers *team.Helpers
	row     []float32
	run     []exchange
	parts   int
	part    func(k int, _ *team.Result)
}

// rowsShare shares rows among threads.
type rowsShare struct {
	helpers *team.Helpers
	log     *exchanges
	entries []*entry
	slots   [][]float32
	part    func(k int, _ *team.Result)
	parts   int
}

// sharedBy lets helpers share the work.
func (x *exchanges) sharedBy(helpers *team.Helpers) {
	if helpers == nil {
		return
	}
	r := &rowShare{helpers: helpers}
	r.part = func(k int, _ *team.Result) {
		n := len(r.run)
		exchangeIn(r.row, r.run[k*n/r.parts:(k+1)*n/r.parts])
	}
	s := &rowsShare{helpers: helpers, log: x}
	s.part = func(k int, _ *team.Result) {
		for at := k; at < len(s.entries); at += s.parts {
			s.log.applyShared(nil, s.entries[at], s.slots)
		}
	}
	x.row, x.rows = r, s
}

// begin starts a run. The exchanges until the next call belong together.
func (x *exchanges) begin() {
	if n := len(x.all); len(x.runs) == 0 || x.runs[len(x.runs)-1] < n {
		x.runs = append(x.runs, n)
	}
}

// add notes an exchange of the columns at two positions.
func (x *exchanges) add(i, j int) {
	e := exchange{int32(min(i, j)), int32(max(i, j))}
	if n := len(x.all); n > x.runs[len(x.runs)-1] {
		if last := x.all[n-1]; e.i <= last.i || e.j >= last.j {
			x.runs = append(x.runs, n)
		}
	}
	x.all = append(x.all, e)
}

// made returns the number of complete runs: what a row has as applied when it has applied all
// exchanges so far.
func (x *exchanges) made() int {
	n := len(x.runs)
	if n > 0 && x.runs[n-1] == len(x.all) {
		n--
	}
	return n
}

// clear forgets the exchanges, after all rows have applied them.
func (x *exchanges) clear() { x.all, x.runs = x.all[:0], x.runs[:0] }

// of returns the exchanges of run k.
func (x *exchanges) of(k int) []exchange {
	if k+1 < len(x.runs) {
		return x.all[x.runs[k]:x.runs[k+1]]
	}
	return x.all[x.runs[k]:]
}

// apply applies to row e the exchanges that it has not applied yet. The row is in its slot of
// slots.
func (x *exchanges) apply(e *entry, slots [][]float32) { x.applyShared(x.row, e, slots) }

func (x *exchanges) applyShared(share *rowShare, e *entry, slots [][]float32) {
	for made := int32(x.made()); e.applied < made; e.applied++ {
		run := x.of(int(e.applied))
		switch first := run[0]; {
		case e.valid > first.j: // all positions of the run are valid, as the first exchange is the outermost
			share.make(slots[e.slot], run)
		case e.valid > first.i:
			e.valid = first.i // this column now belongs to a variable that the row lacks
		}
	}
}

// make applies a run's exchanges to a row.
func (s *rowShare) make(row []float32, run []exchange) {
	if s != nil {
		if s.parts = s.helpers.Parts(len(run), exchangePart); s.parts > 1 {
			s.row, s.run = row, run
			s.helpers.Do(s.parts, s.part)
			return
		}
	}
	exchangeIn(row, run)
}

func exchangeIn(row []float32, run []exchange) {
	for _, p := range run {
		row[p.i], row[p.j] = row[p.j], row[p.i]
	}
}

// applyAll applies the exchanges to several different rows.
func (x *exchanges) applyAll(entries []*entry, slots [][]float32) {
	if x.rows != nil && len(entries) > 1 {
		work, made := 0, x.made()
		for _, e := range entries {
			if int(e.applied) < made {
				work += len(x.all) - x.runs[e.applied]
			}
		}
		if x.rows.parts = min(x.rows.helpers.Parts(work, exchangePart), len(entries)); x.rows.parts > 1 {
			x.rows.entries, x.rows.slots = entries, slots
			x.rows.helpers.Do(x.rows.parts, x.rows.part)
			x.rows.entries, x.rows.slots = nil, nil
			return
		}
	}
	for _, e := range entries {
		x.apply(e, slots)
	}
}
