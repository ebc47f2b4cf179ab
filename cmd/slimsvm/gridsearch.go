package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/partition"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/train"
)

// A search cross-validates a problem at each point of a grid. Each point has the folds and random
// numbers that cv has with the same seed, so that results depend neither on the other points nor on
// the order in which they are done. The work is shared out fold by fold, kernel by kernel, since
// trainings with one kernel have values in common. Of the points with one kernel, those with high
// costs, which take longest, come first.
type search struct {
	*problem
	c      *cli.Context
	whole  *prepared
	axes   []axis
	points []point
	*chosenBy
	order []int      // in which points are begun: those of one kernel together
	rows  []int      // of all validations
	cache *foldCache // of all validations

	mu      sync.Mutex
	next    int          // how many points, in their order, were begun
	current *validation  // of the one begun last; nil: none
	tried   []*tried     // by point
	folds   int          // with rows, of a point
	done    atomic.Int64 // folds
}

// tried is what came of a point.
type tried struct {
	sums  sums
	score float64 // of all predictions together, when all folds are done
	v     *validation
	taken int // folds that were begun; those behind one that failed are not
	err   error
}

func newSearch(p *problem, c *cli.Context, whole *prepared, axes []axis, by *chosenBy) *search {
	s := &search{problem: p, c: c, whole: whole, axes: axes, points: points(axes), chosenBy: by}
	s.tried = make([]*tried, len(s.points))
	s.order = upTo(len(s.points))
	slices.Reverse(s.order)
	if at := slices.IndexFunc(axes, func(a axis) bool { return a.name == "gamma" }); at >= 0 {
		slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(s.points[b][at], s.points[a][at]) })
	}
	return s
}

// start begins the first point; what is wrong with all of them is found here.
func (s *search) start(w *watcher) error {
	err := s.begin(w)
	if err == nil {
		s.folds = s.current.folds
	}
	return err
}

// begin makes the next point the current one.
func (s *search) begin(w *watcher) error {
	s.next++
	k := s.order[s.next-1]
	p := *s.problem
	p.with = at(s.axes, s.points[k])
	v, err := newValidation(&p, s.c, s.whole, w)
	if err != nil {
		return err
	}
	if s.rows == nil {
		s.rows, s.cache = v.rows, newFoldCache(v, s.whole, len(s.points))
	}
	s.current, v.rows, v.cache = v, s.rows, s.cache // the same numbers, once
	v.ranked = s.Ranks
	s.tried[k] = &tried{v: v, sums: newSums(p.method.Task, v.labels(s.whole.encoding), &s.Measure, false)}
	s.tried[k].sums.Probabilities = s.Probabilities
	return nil
}

// total returns the number of folds of all points, if as many have rows at each.
func (s *search) total() int64 {
	return int64(len(s.points)) * int64(s.folds) * int64(s.c.Int("repeat"))
}

// take returns a part that nobody has begun and what its point comes to, or nil: there is none.
func (s *search) take(ctx context.Context) (*tried, *part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ctx.Err() == nil {
		now := s.tried[s.order[s.next-1]]
		if t := s.current.take(ctx); t != nil {
			now.taken++
			return now, t
		}
		s.giveUp(now)
		if s.next == len(s.points) || ctx.Err() != nil {
			break
		}
		if err := s.begin(&watcher{warner: warner{kept: true}}); err != nil { // it was right for the first
			panic(fmt.Sprintf("slimsvm: folds of a later point: %v", err))
		}
	}
	return nil, nil
}

// sum returns what sums up the folds of a point.
func (s *search) sum(t *tried) func(*part) {
	return func(fold *part) {
		t.sums.add(fold)
		if len(t.sums.values) == s.folds*s.c.Int("repeat") {
			t.score = s.Value(t.sums.Tally)
			t.sums.DropScores() // of which all points together may have too much
		}
	}
}

// giveUp counts the folds of a point that nobody will begin, since one failed, as done.
func (s *search) giveUp(t *tried) {
	if left := s.folds*s.c.Int("repeat") - t.taken; left > 0 {
		t.taken += left
		s.done.Add(int64(left))
	}
}

// run does all points on the given number of threads. That a point fails is kept with it; that
// labels cannot be ranked, where they have to be, ends the search.
func (s *search) run(all context.Context, threads int) error {
	ctx, stop := context.WithCancelCause(all)
	defer stop(nil)
	var wait sync.WaitGroup
	for _, share := range shares(threads, int(min(s.total(), int64(threads)))) {
		wait.Go(func() {
			ctx, end := train.WithThreads(ctx, share) // memory goes from fold to fold
			defer end()
			for tried, t := s.take(ctx); t != nil; tried, t = s.take(ctx) {
				err := tried.v.train(t.ctx, t, share)
				if err == nil && s.Ranks && t.scores == nil {
					stop(s.unranked(s.method))
				}
				tried.v.end(t, err, s.sum(tried))
				s.done.Add(1)
			}
		})
	}
	wait.Wait()
	if all.Err() != nil {
		return all.Err()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, t := range s.tried {
		t.err = t.v.queue.err()
	}
	return nil
}

// A searched is a grid in JSON.
type searched struct {
	Method  string      `json:"method"`
	Rows    int         `json:"rows"`
	Folds   int         `json:"folds"`
	Repeat  int         `json:"repeat"`
	Groups  int         `json:"groups,omitempty"`
	Seed    uint64      `json:"seed"`
	Measure string      `json:"measure"`          // "accuracy" or "mean_squared_error", or by --score
	Better  string      `json:"better,omitempty"` // "higher" or "lower", with --score
	Best    gridPoint   `json:"best"`
	Points  []gridPoint `json:"points"`
	Trained *summary    `json:"trained,omitempty"` // the model of all rows
}

// A gridPoint says how well a method does with the parameters of a point.
type gridPoint struct {
	Cost      *jsonline.Number `json:"cost,omitempty"`
	Gamma     *jsonline.Number `json:"gamma,omitempty"`
	Epsilon   *jsonline.Number `json:"epsilon,omitempty"`
	Score     *jsonline.Number `json:"score,omitempty"`           // with --score: the measure, of all predictions together
	Deviation *jsonline.Number `json:"deviation,omitempty"`       // between folds
	Undefined int              `json:"undefined_folds,omitempty"` // with --score: folds that have none
	Error     string           `json:"error,omitempty"`           // why there is no score
	// of all predictions together:
	tally.Rate
}

// result says what all points come to, and which is the best. It passes on the warnings of that one.
func (s *search) result(w *watcher) (r *searched, best point, err error) {
	r = &searched{
		Method: s.method.Name, Rows: len(s.current.rows), Folds: s.folds, Repeat: s.c.Int("repeat"), Seed: s.c.Uint64("seed"),
		Groups: partition.CountGroups(s.current.groups), Measure: s.Key,
	}
	if s.asked {
		r.Better = s.Direction()
	}
	chosen, failed, undefined := -1, 0, 0
	for k, t := range s.tried {
		r.Points = append(r.Points, s.told(k))
		switch {
		case t.err != nil:
			if failed++; failed == 1 {
				err = t.err
			}
			continue
		case math.IsNaN(t.score):
			undefined++
		}
		if chosen < 0 || s.Better(t.score, s.tried[chosen].score) {
			chosen = k
		}
	}
	if chosen < 0 {
		return nil, nil, err
	}
	if failed > 0 {
		w.warn("%d of %d points failed, the first with: %v", failed, len(s.points), err)
	}
	if s.asked && undefined > 0 {
		if math.IsNaN(s.tried[chosen].score) {
			return nil, nil, s.in.at(fmt.Errorf("the %s is defined at no point of the grid: it is not %s", s.Text, s.Undefined))
		}
		w.warn("the %s is not defined at %d of %d points, which %s left out: it is not %s", s.Text, undefined, len(s.points), phrase.Agree(undefined, "is", "are"), s.Undefined)
	}
	w.pass(&s.tried[chosen].sums.warner)
	r.Best = r.Points[chosen]
	return r, s.points[chosen], nil
}

// told returns a point in JSON.
func (s *search) told(k int) (g gridPoint) {
	for i, a := range s.axes {
		v := jsonline.Number(s.points[k][i])
		switch a.name {
		case "cost":
			g.Cost = &v
		case "gamma":
			g.Gamma = &v
		case "epsilon":
			g.Epsilon = &v
		}
	}
	t := s.tried[k]
	if t.err != nil {
		g.Error = t.err.Error()
		return g
	}
	values := t.sums.values
	if s.asked {
		values = slices.DeleteFunc(slices.Clone(values), math.IsNaN)
		g.Score, g.Undefined = jsonline.New(t.score), len(t.sums.values)-len(values)
	}
	_, deviation := spread(values)
	if s.asked && len(values) < 2 {
		deviation = math.NaN()
	}
	g.Deviation, g.Rate = jsonline.New(deviation), t.sums.Tally.Rate()
	return g
}

// warnBorder warns if a point is at an end of an axis, behind which a better one may be.
func (s *search) warnBorder(w *watcher, p point) {
	for i, a := range s.axes {
		switch n := len(a.values); {
		case n == 1:
		case p[i] == a.values[n-1]:
			w.warn("the best %s is the highest of the grid: a higher one may be better, see --%s", a.name, a.option)
		case p[i] == a.values[0]:
			w.warn("the best %s is the lowest of the grid: a lower one may be as good or better, see --%s", a.name, a.option)
		}
	}
}

func (r *searched) print(w io.Writer, axes []axis, by *chosenBy) error {
	var at []string
	for _, a := range axes {
		v := map[string]*jsonline.Number{"cost": r.Best.Cost, "gamma": r.Best.Gamma, "epsilon": r.Best.Epsilon}[a.name]
		at = append(at, fmt.Sprintf("%s %v", a.name, float64(*v)))
	}
	_, err := fmt.Fprintf(w, "%s: %s; the %s of %d; seed %d\n", strings.Join(at, ", "), by.best(r), by.superlative(), len(r.Points), r.Seed)
	return err
}
