package predict

import (
	"math/bits"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict/internal/pairs"
)

// Problem: find the answers for rows from machine values with bounds on their errors.
//
// Method: which votes of a machine for 64 rows are certain, and for which class, are the bits of
// two words. A class's votes are counted for all 64 rows at once, binary digit by digit, and
// classes are compared in the same way. Rows for which some machine is open, that is, not certain,
// are then treated one by one.

// A settler makes answers of filtered values. The zero settler is ready.
type settler struct {
	certain ballot
	open    ballot // of machines that are not certain, for both of their classes
	some    uint64 // rows that such machines have

	machines [filterRows][fewMachines]int32 // the first of them, of each row
	number   [filterRows]int                // how many there are
	singly   bool                           // they are sooner computed one by one
	row      struct {
		votes, open []int // of one row, for each class
	}
}

// begin makes ready for the votes of k classes.
func (s *settler) begin(k int) {
	s.certain.begin(k)
	s.open.begin(k)
	s.some = 0
	clear(s.number[:])
}

// sift makes ready to settle xs, at most filterRows rows.
func (s *settler) sift(f *filter, v *filtered, xs []vec.Vector) {
	m := f.model
	votes := m.Task.Classifies() && m.Vote == models.OneVsOne
	if votes {
		s.begin(len(m.Labels))
	}
	v.begin(f, xs)
	for n := range f.blocks {
		v.values(f, xs, n)
		if votes {
			s.count(f, v)
		}
	}
	if votes {
		s.certain.elect()
		s.weigh(len(m.Labels))
	}
}

// weigh finds out whether open machines are sooner computed one by one, with k classes.
func (s *settler) weigh(k int) {
	machines := 0
	for _, n := range s.number {
		machines += n
	}
	// a machine has two of the k classes' vectors
	s.singly = 2*besideLanes*machines <= k*max(bits.OnesCount64(s.some), besideLanes)
}

// count counts the votes of the machines that v has values of.
func (s *settler) count(f *filter, v *filtered) {
	rows := ^uint64(0) >> (filterRows - v.rows)
	certain := pairs.Certain
	if f.plain {
		certain = pairs.CertainOfTwo
	}
	for slot, i := range v.machines {
		c := &f.model.Machines[i]
		sums, sizes := v.of(slot)
		above, below := certain(sums, sizes, &v.errors, c.Rho, f.relative(int(i)), f.absolute[i])
		s.certain.count(c.Pos, above)
		s.certain.count(c.Neg, below)
		open := rows &^ (above | below)
		if open == 0 {
			continue
		}
		s.some |= open
		s.open.count(c.Pos, open)
		s.open.count(c.Neg, open)
		for ; open != 0; open &= open - 1 {
			r := bits.TrailingZeros64(open)
			if n := s.number[r]; n < fewMachines {
				s.machines[r][n] = i
			}
			s.number[r]++
		}
	}
}

// besideLanes is how many rows side by side take about as long as one by itself.
const besideLanes = 8

// settle returns the answer for row r, which is x, or false if it takes the values of
// all machines.
func (s *settler) settle(p *Predictor, f *filter, v *filtered, x vec.Vector, r int) (answer float64, sure bool) {
	m := f.model
	switch {
	case m.Task == models.OneClass:
		x, bound := v.value(f, 0, r), v.bound(f, 0, r)
		if x > bound {
			return 1, true
		}
		return -1, x < -bound
	case m.Vote == models.OneVsRest:
		return s.settleRest(f, v, r)
	}
	if s.number[r] == 0 {
		return float64(m.Labels[s.certain.best[r]]), true
	}
	return s.settleVotes(p, m, x, r)
}

// settleRest answers for a model that votes OneVsRest: if one value is larger than all
// others whatever the errors are.
func (s *settler) settleRest(f *filter, v *filtered, r int) (float64, bool) {
	m := f.model
	value := func(i int) float64 { return v.value(f, i, r) }
	best := 0
	for i := range m.Machines {
		if value(i) > value(best) {
			best = i
		}
	}
	least := value(best) - v.bound(f, best, r)
	for i := range m.Machines {
		if i != best && !(value(i)+v.bound(f, i, r) < least) {
			return 0, false
		}
	}
	return float64(m.Labels[best]), least-least == 0
}

// settleVotes answers for a row some of whose machines are open: these are computed
// until the others could not change the answer.
func (s *settler) settleVotes(p *Predictor, m *models.Model, x vec.Vector, r int) (float64, bool) {
	k := len(m.Labels)
	row := &s.row
	if len(row.votes) != k {
		row.votes, row.open = make([]int, k), make([]int, k)
	}
	for c := range k {
		row.votes[c], row.open[c] = s.certain.number(c, r), s.open.number(c, r)
	}
	machines := s.machines[r][:min(s.number[r], fewMachines)]
	var one *scratch
	for {
		best := argMax(row.votes)
		sure := true
		for c, votes := range row.votes {
			if most := votes + row.open[c]; c != best && (most > row.votes[best] || most == row.votes[best] && c < best) {
				sure = false
			}
		}
		if sure {
			return float64(m.Labels[best]), true
		}
		if !s.singly || s.number[r] > fewMachines || k == 2 || m.Group == nil {
			return 0, false
		}
		i := int(machines[0])
		machines = machines[1:]
		c := &m.Machines[i]
		if one == nil {
			one = p.scratch()
			defer scratches.Put(one)
			one.kernel = room(one.kernel, m.Vectors.Len())
		}
		for _, span := range c.Spans(p.start) {
			part := m.Vectors.Slice(span.From, span.To)
			m.Kernel.EvaluateTo(one.kernel[span.From:span.To], x, &part)
		}
		row.open[c.Pos]--
		row.open[c.Neg]--
		if p.combine(one, i) > 0 {
			row.votes[c.Pos]++
		} else {
			row.votes[c.Neg]++
		}
	}
}

// fewMachines is the number of open machines from which all are sooner computed, with
// other rows side by side.
const fewMachines = 4
