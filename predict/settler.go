package predict

import (
	"math/bits"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict/internal/pairs"
)

// Problem: the answers for rows, of the values of machines with bounds on their errors.
//
// Method: what is certain of a machine's votes for 64 rows are the bits of two words. A class's
// votes are counted for all of them at once, digit by digit, and so are classes compared.
// Rows for which machines are open, that is, not certain, are then looked at one by one.

// A settler makes answers of filtered values. The zero settler is ready.
type settler struct {
	counts []uint64 // of certain votes: digit d for class c is a word at [c*digits+d]
	digits int
	open   [filterRows][]int32 // machines whose votes are not certain, of each row
	singly bool                // open machines are sooner computed one by one
	best   [filterRows]int32   // class with most certain votes, of equal ones the first
	row    struct {
		votes, open []int // of one row, for each class
	}
}

// The rows of a filter are the bits of a word.
var _ [64]struct{} = [filterRows]struct{}{}

// count counts the votes of n rows.
func (s *settler) count(f *filter, v *filtered, n int) {
	m := f.model
	if !m.Task.Classifies() || m.Vote == models.OneVsRest {
		return
	}
	k := len(m.Labels)
	s.digits = bits.Len(uint(k - 1))
	if len(s.counts) != k*s.digits {
		s.counts = make([]uint64, k*s.digits)
	}
	clear(s.counts)
	for r := range s.open {
		s.open[r] = s.open[r][:0]
	}
	rows := ^uint64(0) >> (filterRows - n)
	for i := range m.Machines {
		c := &m.Machines[i]
		at := i * filterRows
		above, below := pairs.Certain((*[filterRows]float64)(v.sums[at:]), (*[filterRows]float64)(v.sizes[at:]), &v.errors, c.Rho, f.relative[i], f.absolute[i])
		count(s.of(c.Pos), above)
		count(s.of(c.Neg), below)
		for open := rows &^ (above | below); open != 0; open &= open - 1 {
			r := bits.TrailingZeros64(open)
			s.open[r] = append(s.open[r], int32(i))
		}
	}
	open, machines := 0, 0
	for r := range n {
		machines += len(s.open[r])
		open += min(len(s.open[r]), 1)
	}
	// a machine has two of the k classes' vectors
	s.singly = 2*besideLanes*machines <= k*max(open, besideLanes)
	clear(s.best[:])
	if k > 1 {
		s.elect(k)
	}
}

// besideLanes is how many rows side by side take about as long as one by itself.
const besideLanes = 8

// of returns the count of class c.
func (s *settler) of(c int) []uint64 { return s.counts[c*s.digits : (c+1)*s.digits] }

// elect finds the classes with most votes, of k.
func (s *settler) elect(k int) {
	var most [bits.UintSize]uint64
	copy(most[:], s.of(0))
	for c := 1; c < k; c++ {
		more, equal := uint64(0), ^uint64(0)
		votes := s.of(c)
		for d := len(votes) - 1; d >= 0; d-- {
			more |= equal & votes[d] &^ most[d]
			equal &^= votes[d] ^ most[d]
		}
		for d, digit := range votes {
			most[d] = most[d]&^more | digit&more
		}
		for ; more != 0; more &= more - 1 {
			s.best[bits.TrailingZeros64(more)] = int32(c)
		}
	}
}

// settle returns the answer for row r, which is x, or false if it takes the values of
// all machines.
func (s *settler) settle(p *Predictor, f *filter, v *filtered, x vec.Vector, r int) (answer float64, sure bool) {
	m := f.model
	switch {
	case m.Task == models.OneClass:
		x, bound := v.sums[r]-m.Machines[0].Rho, v.bound(f, 0, r)
		if x > bound {
			return 1, true
		}
		return -1, x < -bound
	case m.Vote == models.OneVsRest:
		return s.settleRest(f, v, r)
	}
	if len(s.open[r]) == 0 {
		return float64(m.Labels[s.best[r]]), true
	}
	return s.settleVotes(p, m, x, r)
}

// settleRest answers for a model that votes OneVsRest: if one value is larger than all
// others whatever the errors are.
func (s *settler) settleRest(f *filter, v *filtered, r int) (float64, bool) {
	m := f.model
	value := func(i int) float64 { return v.sums[i*filterRows+r] - m.Machines[i].Rho }
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
	clear(row.open)
	for c := range k {
		votes := 0
		for d, digit := range s.of(c) {
			votes |= int(digit>>r&1) << d
		}
		row.votes[c] = votes
	}
	machines := s.open[r]
	for _, i := range machines {
		row.open[m.Machines[i].Pos]++
		row.open[m.Machines[i].Neg]++
	}
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
		if !s.singly || len(machines) > fewMachines || k == 2 || m.Group == nil {
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
