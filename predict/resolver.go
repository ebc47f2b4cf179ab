package predict

import (
	"math/bits"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict/internal/pairs"
)

// Problem: find the answers for rows from machine values with bounds on their errors.
//
// Method: the votes of a machine for 64 rows are two words of bits: for which rows the vote is
// certain for its first class, and for which it is certain for its second. Votes for a class are
// counted for all 64 rows at once, binary digit by digit, and classes are compared in the same way.
// A machine that is not certain for a row is open. Rows with open machines are then treated one by
// one.

// A resolver finds answers from filtered values. The zero resolver is ready.
type resolver struct {
	certain voteCounts
	open    voteCounts // possible votes of open machines, for both of their classes
	some    uint64     // rows that have open machines

	machines [filterRows][fewMachines]int32 // for each row, its first open machines
	number   [filterRows]int                // for each row, the number of its open machines
	singly   bool                           // computing open machines one by one is faster
	row      struct {
		votes, open []int // votes and open votes of one row, for each class
	}
}

// begin prepares for the votes of k classes.
func (s *resolver) begin(k int) {
	s.certain.begin(k)
	s.open.begin(k)
	s.some = 0
	clear(s.number[:])
}

// prepare prepares to resolve xs, at most filterRows rows.
func (s *resolver) prepare(f *filter, v *filtered, xs []vec.Vector) {
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
		s.certain.findBest()
		s.chooseSingly(len(m.Labels))
	}
}

// chooseSingly decides whether computing open machines one by one is faster, with k classes.
func (s *resolver) chooseSingly(k int) {
	machines := 0
	for _, n := range s.number {
		machines += n
	}
	// a machine has the vectors of two of the k classes
	s.singly = 2*batchSpeedup*machines <= k*max(bits.OnesCount64(s.some), batchSpeedup)
}

// count counts the votes of the machines whose values v has.
func (s *resolver) count(f *filter, v *filtered) {
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

// batchSpeedup is about how many rows, computed side by side, take as long as one row alone.
const batchSpeedup = 8

// resolve returns the answer for row r, which is x. It returns false if the answer needs the values
// of all machines.
func (s *resolver) resolve(p *Predictor, f *filter, v *filtered, x vec.Vector, r int) (answer float64, sure bool) {
	m := f.model
	switch {
	case m.Task == models.OneClass:
		x, bound := v.value(f, 0, r), v.bound(f, 0, r)
		if x > bound {
			return 1, true
		}
		return -1, x < -bound
	case m.Vote == models.OneVsRest:
		return s.resolveRest(f, v, r)
	}
	if s.number[r] == 0 {
		return float64(m.Labels[s.certain.best[r]]), true
	}
	return s.resolveVotes(p, m, x, r)
}

// resolveRest answers for a model with Vote OneVsRest. It is sure if one value is larger than all
// others whatever the errors are.
func (s *resolver) resolveRest(f *filter, v *filtered, r int) (float64, bool) {
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

// resolveVotes answers for a row with open machines: it computes their values until the remaining
// ones cannot change the answer.
func (s *resolver) resolveVotes(p *Predictor, m *models.Model, x vec.Vector, r int) (float64, bool) {
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

// fewMachines is the number of open machines of a row up to which computing them one by one may
// pay. For more, all machines are computed, side by side with other rows.
const fewMachines = 4
