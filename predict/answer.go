package predict

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Answer makes the batch answer for xs as Decide does, but by Predict only, which for
// classifiers and one-class models is sooner done: their answers are found without
// the machines' values where the signs are certain.
func (b *Batch) Answer(xs []vec.Vector) {
	b.answers = b.answers[:0]
	b.n = len(xs)
	if len(xs) < fewRows {
		for _, x := range xs {
			b.answers = append(b.answers, b.p.Predict(x))
		}
		return
	}
	if b.p.model.Vote == models.Ensemble {
		b.answerEnsemble(xs)
		return
	}
	f := b.p.filter()
	if f == nil || b.rest > 0 {
		b.rest = max(b.rest-1, 0)
		b.decide(xs)
		return
	}
	b.doubts, b.at = b.doubts[:0], b.at[:0]
	for from := 0; from < len(xs); from += filterRows {
		part := xs[from:min(from+filterRows, len(xs))]
		b.filtered.values(f, part)
		b.settler.count(f, &b.filtered, len(part))
		for r, x := range part {
			answer, sure := b.settler.settle(b.p, f, &b.filtered, x, r)
			if !sure {
				b.doubts, b.at = append(b.doubts, x), append(b.at, from+r)
			}
			b.answers = append(b.answers, answer)
		}
	}
	if len(b.doubts) > 0 && 2*len(b.doubts) > len(xs) {
		b.rest = restBatches
	}
	b.answerDoubts()
	b.n = len(xs)
}

// answerDoubts puts the answers for b.doubts at their places.
func (b *Batch) answerDoubts() {
	if len(b.doubts) < fewRows {
		for k, x := range b.doubts {
			b.answers[b.at[k]] = b.p.Predict(x)
		}
		return
	}
	answers := b.answers
	b.decide(b.doubts)
	b.answers = b.answers[:0]
	for k, at := range b.at {
		answers[at] = b.Predict(k)
	}
	b.answers = answers
}

// fewRows is the number of rows from which they are sooner computed side by side;
// restBatches that of batches without a filter after one in which it was of no use.
const (
	fewRows     = 4
	restBatches = 15
)

// A settler makes answers of filtered values. The zero settler is ready.
type settler struct {
	votes []int32           // certain votes of row r for class c, at [filterRows*c+r]
	open  [filterRows]int32 // machines whose votes are not certain
	row   struct {
		votes, open []int // of one row, for each class
		machines    []int // that are open
	}
}

// count counts the votes of n rows.
func (s *settler) count(f *filter, v *filtered, n int) {
	m := f.model
	if !m.Task.Classifies() || m.Vote == models.OneVsRest {
		return
	}
	k := len(m.Labels)
	if len(s.votes) != k*filterRows {
		s.votes = make([]int32, k*filterRows)
	}
	clear(s.votes)
	for r := range n {
		s.open[r] = int32(len(m.Machines))
	}
	for i := range m.Machines {
		c := &m.Machines[i]
		pos, neg := s.votes[c.Pos*filterRows:][:filterRows], s.votes[c.Neg*filterRows:][:filterRows]
		sums, sizes := v.sums[i*filterRows:][:filterRows], v.sizes[i*filterRows:][:filterRows]
		for r := range n {
			x := sums[r] - c.Rho
			bound := (v.errors[r]+f.relative[i])*1.05*sizes[r] + f.absolute[i]
			var yes, no int32
			if x > bound {
				yes = 1
			}
			if x < -bound {
				no = 1
			}
			pos[r] += yes
			neg[r] += no
			s.open[r] -= yes + no
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
	k := len(m.Labels)
	if s.open[r] == 0 {
		best := 0
		for c := 1; c < k; c++ {
			if s.votes[c*filterRows+r] > s.votes[best*filterRows+r] {
				best = c
			}
		}
		return float64(m.Labels[best]), true
	}
	return s.settleVotes(p, f, v, x, r)
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
func (s *settler) settleVotes(p *Predictor, f *filter, v *filtered, x vec.Vector, r int) (float64, bool) {
	m := f.model
	k := len(m.Labels)
	row := &s.row
	if len(row.votes) != k {
		row.votes, row.open = make([]int, k), make([]int, k)
	}
	clear(row.open)
	row.machines = row.machines[:0]
	for c := range k {
		row.votes[c] = int(s.votes[c*filterRows+r])
	}
	for i := range m.Machines {
		x, bound := v.sums[i*filterRows+r]-m.Machines[i].Rho, v.bound(f, i, r)
		if x > bound || x < -bound {
			continue
		}
		row.machines = append(row.machines, i)
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
		if len(row.machines) > fewMachines || k == 2 || m.Group == nil {
			return 0, false
		}
		i := row.machines[0]
		row.machines = row.machines[1:]
		c := &m.Machines[i]
		if one == nil {
			one = p.scratch.Get().(*scratch)
			defer p.scratch.Put(one)
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
