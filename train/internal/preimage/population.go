package preimage

import (
	"context"

	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/de"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// population is a target as the function of differential evolution. It keeps the dot products of
// members and points, so that a trial costs only the entries in which it differs from its member:
// about twenty features with the usual crossover, however many features there are.
type population struct {
	*Target
	ctx     context.Context
	members [][]float64
	dots    []float64 // lanes for each member; nil: there would be too many
	used    []blocks  // where each member is not 0; nil: members are not sparse, or dots is nil
	trials  []de.Trial
	workers []*function
	count   int // number of evaluations
}

var _ de.Function = (*population)(nil)

// mostKept is the largest number of dot products that are kept. Beyond it, each trial is computed
// in full.
const mostKept = 1 << 25

// share is the number of members that a task evaluates.
const share = 32

// each calls f for members 0 to n-1, in parallel.
func (s *population) each(n int, f func(w *function, i int)) {
	s.count += n
	tasks := (n + share - 1) / share
	for len(s.workers) < tasks {
		s.workers = append(s.workers, newFunction(s.Target))
	}
	team.Do(s.ctx, tasks, func(_ context.Context, t int) {
		for i := t * share; i < min((t+1)*share, n); i++ {
			f(s.workers[t], i)
		}
	})
}

// Evaluate implements de.Function.
func (s *population) Evaluate(dst []float64, xs [][]float64) {
	s.members = xs
	if n := len(xs) * s.lanes; n <= mostKept {
		s.dots = make([]float64, n)
		if s.points.dense == nil {
			s.used = make([]blocks, len(xs))
		}
	}
	s.each(len(xs), func(w *function, i int) {
		dst[i] = rho(w.at(xs[i]))
		if s.dots != nil {
			copy(s.dots[i*s.lanes:], w.dots)
		}
		if s.used != nil {
			s.used[i] = blocksOf(xs[i])
		}
	})
}

// EvaluateTrial implements de.Function.
func (s *population) EvaluateTrial(dst []float64, trials []de.Trial) {
	s.trials = trials
	s.each(len(trials), func(w *function, i int) {
		t, z := &trials[i], s.members[i] // no other task uses this member
		if s.dots != nil {
			copy(w.dots, s.dots[i*s.lanes:])
			s.move(w.dots, w.gradG, i)
		}
		if s.used != nil {
			w.used = append(w.used[:0], s.used[i]...)
			w.used.add(t, len(z))
		}
		t.Swap(z)
		switch {
		case s.dots == nil:
			dst[i] = rho(w.at(z))
		case s.used == nil:
			dst[i] = rho(w.combine(w.dots, columns.Dot(z, z)))
		default:
			dst[i] = rho(w.combine(w.dots, w.used.squaredNorm(z)))
		}
		t.Swap(z)
	})
}

// move changes the dot products of member i into those of its trial. change is scratch memory.
func (s *population) move(dots, change []float64, i int) {
	t, z := &s.trials[i], s.members[i]
	first := min(len(t.Entries), len(z)-t.From)
	for _, part := range []struct {
		from    int
		entries []float64
	}{{t.From, t.Entries[:first]}, {0, t.Entries[first:]}} {
		change := change[:len(part.entries)]
		for k, v := range part.entries {
			change[k] = v - z[part.from+k]
		}
		s.points.addTo(dots, change, part.from)
	}
}

// Accept implements de.Function.
func (s *population) Accept(i int) {
	if s.dots != nil {
		s.move(s.dots[i*s.lanes:(i+1)*s.lanes], s.workers[0].gradG, i)
	}
	if s.used != nil {
		s.used[i].add(&s.trials[i], len(s.members[i]))
	}
}
