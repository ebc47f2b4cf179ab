package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/models"
)

// A search cross-validates a problem at each point of a grid. Each point has the folds and
// random numbers that cv has with the same seed, so that results depend neither on the other
// points nor on the order in which they are done. The work is shared out fold by fold,
// and points with high costs, which take longest, come first.
type search struct {
	*problem
	c      *cli.Context
	whole  *prepared
	axes   []axis
	points []point
	rows   []int // of all validations

	mu      sync.Mutex
	next    int          // how many points, from the last on, were begun
	current *validation  // of the one begun last; nil: none
	tried   []*tried     // by point
	folds   int          // with rows, of a point
	done    atomic.Int64 // folds
}

// tried is what came of a point.
type tried struct {
	sums  sums
	v     *validation
	taken int // folds that were begun; those behind one that failed are not
	err   error
}

func newSearch(p *problem, c *cli.Context, whole *prepared, axes []axis) *search {
	s := &search{problem: p, c: c, whole: whole, axes: axes, points: points(axes)}
	s.tried = make([]*tried, len(s.points))
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

// begin makes the next point the current one, the last of the list first.
func (s *search) begin(w *watcher) error {
	s.next++
	k := len(s.points) - s.next
	p := *s.problem
	p.with = at(s.axes, s.points[k])
	v, err := newValidation(&p, s.c, s.whole, w)
	if err != nil {
		return err
	}
	if s.rows == nil {
		s.rows = v.rows
	}
	s.current, v.rows = v, s.rows // the same numbers, once
	s.tried[k] = &tried{v: v, sums: sums{tally: newTally(p.method.Task, v.labels(s.whole.encoding), false), warner: warner{kept: true}}}
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
		now := s.tried[len(s.points)-s.next]
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

// giveUp counts the folds of a point that nobody will begin, since one failed, as done.
func (s *search) giveUp(t *tried) {
	if left := s.folds*s.c.Int("repeat") - t.taken; left > 0 {
		t.taken += left
		s.done.Add(int64(left))
	}
}

// run does all points on the given number of threads. That a point fails is kept with it.
func (s *search) run(ctx context.Context, threads int) error {
	var wait sync.WaitGroup
	for _, share := range shares(threads, int(min(s.total(), int64(threads)))) {
		wait.Go(func() {
			for tried, t := s.take(ctx); t != nil; tried, t = s.take(ctx) {
				err := tried.v.train(t.ctx, t, share)
				tried.v.end(t, err, tried.sums.add)
				s.done.Add(1)
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
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
	Seed    uint64      `json:"seed"`
	Measure string      `json:"measure"` // "accuracy" or "mean_squared_error"
	Best    gridPoint   `json:"best"`
	Points  []gridPoint `json:"points"`
	Trained *summary    `json:"trained,omitempty"` // the model of all rows
}

// A gridPoint says how well a method does with the parameters of a point.
type gridPoint struct {
	Cost      *number `json:"cost,omitempty"`
	Gamma     *number `json:"gamma,omitempty"`
	Epsilon   *number `json:"epsilon,omitempty"`
	Deviation *number `json:"deviation,omitempty"` // between folds
	Error     string  `json:"error,omitempty"`     // why there is no score
	rate              // of all predictions together
}

// result says what all points come to, and which is the best. It passes on the warnings of that one.
func (s *search) result(w *watcher) (r *searched, best point, err error) {
	r = &searched{
		Method: s.method.Name, Rows: len(s.current.rows), Folds: s.folds, Repeat: s.c.Int("repeat"), Seed: s.c.Uint64("seed"),
		Measure: "accuracy",
	}
	if s.method.Task.Regresses() {
		r.Measure = "mean_squared_error"
	}
	chosen, failed := -1, 0
	for k, t := range s.tried {
		r.Points = append(r.Points, s.told(k))
		switch {
		case t.err != nil:
			if failed++; failed == 1 {
				err = t.err
			}
		case chosen < 0 || better(s.method.Task, t, s.tried[chosen]):
			chosen = k
		}
	}
	if chosen < 0 {
		return nil, nil, err
	}
	if failed > 0 {
		w.warn("%d of %d points failed, the first with: %v", failed, len(s.points), err)
	}
	w.pass(&s.tried[chosen].sums.warner)
	r.Best = r.Points[chosen]
	return r, s.points[chosen], nil
}

// told returns a point in JSON.
func (s *search) told(k int) (g gridPoint) {
	for i, a := range s.axes {
		v := number(s.points[k][i])
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
	_, deviation := spread(t.sums.values)
	g.Deviation, g.rate = (*number)(&deviation), rateOf(&t.sums.scores, s.method.Task)
	return g
}

// better reports whether one point is better than another. A mean squared error that is no
// number is the worst.
func better(task models.Task, a, b *tried) bool {
	if !task.Regresses() {
		return a.sums.scores.Accuracy() > b.sums.scores.Accuracy()
	}
	x, y := a.sums.scores.MeanSquaredError(), b.sums.scores.MeanSquaredError()
	return x < y || math.IsNaN(y) && !math.IsNaN(x)
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

func (r *searched) print(w io.Writer, axes []axis) error {
	var at []string
	for _, a := range axes {
		v := map[string]*number{"cost": r.Best.Cost, "gamma": r.Best.Gamma, "epsilon": r.Best.Epsilon}[a.name]
		at = append(at, fmt.Sprintf("%s %v", a.name, float64(*v)))
	}
	how := ""
	if r.Best.Accuracy != nil {
		how = fmt.Sprintf("accuracy %.6g%%, standard deviation %.6g", 100*float64(*r.Best.Accuracy), 100*float64(*r.Best.Deviation))
	} else {
		how = fmt.Sprintf("mean squared error %.6g, standard deviation %.6g", float64(*r.Best.MeanSquaredError), float64(*r.Best.Deviation))
	}
	_, err := fmt.Fprintf(w, "%s: %s over %s; the best of %d; seed %d\n", strings.Join(at, ", "), how, foldsText(r.Folds, r.Repeat), len(r.Points), r.Seed)
	return err
}
