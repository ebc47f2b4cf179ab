package predict

import (
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Problem: give all values of the k(k-1)/2 machines of k classes, or of an ensemble, for the rows of
// a batch, in memory for a few rows: 1000 classes have 4 MB of values for each row.
//
// Method: the batch keeps the rows. Values are computed for a few consecutive rows when one of
// these is asked for, and take the place of those computed before.

// mostSums is the largest number of sums that a batch keeps if its machines can be processed in
// blocks: 16 MB.
const mostSums = 1 << 21

// valuesLater reports whether values for n rows are computed when they are asked for.
func (b *Batch) valuesLater(n int) bool {
	l := layout{b.p.model, b.p.start}
	lanes := (n + vec.PanelRows - 1) / vec.PanelRows * vec.PanelRows
	return (l.manyClasses() || l.model.Vote == models.Ensemble) && len(l.model.Machines) > mostSums/max(lanes, 1)
}

// decideLater fills the batch with copies of xs, whose values are computed when they are asked for.
func (b *Batch) decideLater(xs []vec.Vector) {
	b.kept.empty()
	b.copies = b.copies[:0]
	for _, x := range xs {
		b.copies = append(b.copies, b.kept.copy(x))
	}
	b.begin(b.copies)
}

// begin fills the batch with xs, which it keeps, and has none of their values.
func (b *Batch) begin(xs []vec.Vector) {
	b.dropValues()
	b.membership, b.coupled.known, b.answered = noMembers, false, false
	b.n, b.each, b.state = len(xs), xs, stateDecided
}

// A someValues has the values of all machines for consecutive rows, row by row.
type someValues struct {
	from, to int
	of       []float64
}

// valuesPool holds unused values.
var valuesPool = sync.Pool{New: func() any { return new(someValues) }}

// dropValues forgets the values that were computed for some rows.
func (b *Batch) dropValues() {
	if b.some != nil {
		valuesPool.Put(b.some)
		b.some = nil
	}
}

// valuesOf returns the values for row r of those in each.
func (b *Batch) valuesOf(r int) []float64 {
	machines := len(b.p.model.Machines)
	if b.some == nil {
		b.some = valuesPool.Get().(*someValues)
		b.some.from, b.some.to = 0, 0
	}
	v := b.some
	if r < v.from || r >= v.to {
		bank := b.p.bank()
		v.from, v.to = r, min(r+rowsAtOnce(b.p.model.Vote, machines), b.n)
		v.of = room(v.of, (v.to-v.from)*machines)
		b.rows.Pack(&bank.basis, b.each[v.from:v.to])
		bank.values(v.of, &b.rows)
	}
	at := (r - v.from) * machines
	return v.of[at : at+machines]
}

// rowsAtOnce is the number of rows whose values are in memory at a time.
func rowsAtOnce(vote models.Vote, machines int) int {
	values := blockValues
	if vote == models.Ensemble {
		values = ensembleValues
	}
	return max(fewRows, min(values/machines, blockRows))
}
