package cs

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: in the end each of many machines may select from the points of all machines: LP(Y, Z)
// with thousands of points Z for hundreds of machines, each of which uses few.
//
// Method: column generation (Dantzig and Wolfe, 1960). It starts with the machine's own points,
// which are nearly the solution. The solution over some of the points is the solution over all if
// the dual's constraint holds for each of the others, |sum_i d_i t_i K(x_i, z)| <= 1. The points
// that violate it most are added. Few rows have a multiplier, so most of the matrix K(Y,Z) is never
// computed.

// Variables for tests.
var (
	wideShare = 512 // number of points from which machines begin with their own
	addedMost = 100 // at once, or a quarter of the points in use if that is more
)

// How much a constraint of the dual may be violated, as in train/internal/lp: an amount, and a
// share of the sum of the terms' sizes.
const (
	slopeViolation = 1e-9
	slopeRounding  = 4e-15
)

// share lets every machine choose from the points of all machines. It returns these points, the
// places among them of each machine's own, and the classifiers over the latter. Together, the
// machines then have no more vectors than before. pivots is the number of pivots reported so far.
func (t *Trainer) share(ctx context.Context, problems []*train.Problem, found []Result, nu []float64, pivots int) ([]vec.Vector, [][]int32, []Result, error) {
	list, own := distinct(found)
	if len(list) == 0 {
		return nil, nil, found, nil
	}
	over := &points{zs: matrixOf(list), list: list}
	if t.Form == Programme {
		over.basis = kernel.NewBasis(t.Kernel, over.zs)
	}
	shared, places := make([]Result, len(problems)), make([][]int32, len(problems))
	tell := newProgressReporter(t.Report, len(problems), pivots)
	err := team.Try(ctx, len(problems), func(ctx context.Context, k int) error {
		progress := func(n int) { tell.progress(k, n) }
		var r *Result
		var of []int32
		var err error
		if t.Form == Programme && len(list) >= wideShare {
			r, of, err = t.choose(ctx, problems[k], over, own[k], nu[k], progress)
		} else {
			r, err = t.all(ctx, problems[k], over, nu[k], progress)
		}
		if err != nil {
			return err
		}
		shared[k] = *r
		shared[k].Classifier = r.used() // with many machines, the other points would be very many zeros
		for j, u := range r.Coef {
			switch {
			case u == 0:
			case of != nil:
				places[k] = append(places[k], of[j])
			default:
				places[k] = append(places[k], int32(j))
			}
		}
		tell.finished(k)
		return nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	return list, places, shared, nil
}

// all returns a machine's classifier over all points.
func (t *Trainer) all(ctx context.Context, p *train.Problem, over *points, nu float64, progress func(int)) (*Result, error) {
	c, err := newChunkOver(ctx, p, allRows(len(p.Y)), over, &t.Steps, progress)
	if err != nil {
		return nil, err
	}
	return c.solve(ctx, nu)
}

// choose returns a machine's classifier over all points, as a classifier over some of them, and the
// places of these. It begins with the machine's own points.
func (t *Trainer) choose(ctx context.Context, p *train.Problem, over *points, own []int32, nu float64, progress func(int)) (*Result, []int32, error) {
	is := make([]bool, len(over.list))
	some := own
	pivots := 0
	for {
		list := make([]vec.Vector, len(some))
		for n, j := range some {
			list[n], is[j] = over.list[j], true
		}
		c, err := newChunkOver(ctx, p, allRows(len(p.Y)), &points{zs: matrixOf(list), list: list}, &t.Steps, func(n int) { progress(pivots + n) })
		if err != nil {
			return nil, nil, err
		}
		r, err := c.solve(ctx, nu)
		if err != nil {
			return nil, nil, err
		}
		pivots += r.Pivots
		more, err := c.violated(ctx, over, is, max(addedMost, len(some)/4))
		if err != nil {
			return nil, nil, err
		}
		if len(more) == 0 {
			r.Pivots = pivots
			return r, some, nil
		}
		some = slices.Concat(some, more)
		slices.Sort(some)
	}
}

// violated returns the places of points, except those marked in is, at which the chunk's last
// solution violates the dual's constraint: at most the given number, those with the largest
// violations.
func (c *chunk) violated(ctx context.Context, over *points, is []bool, most int) ([]int32, error) {
	const block = 256 // points at once
	n := len(over.list)
	slope, terms := make([]float64, n), make([]float64, n)
	var rows []int
	var coef []float64
	for k, t := range c.multipliers {
		if t != 0 {
			rows, coef = append(rows, c.rows[k]), append(coef, c.y[k]*t)
		}
	}
	w := works.Get().(*work)
	defer works.Put(w)
	for from := 0; from < len(rows); from += kernel.BatchRows {
		part := rows[from:min(from+kernel.BatchRows, len(rows))]
		w.pack(over.basis, &c.p.X, part)
		lanes := w.batch.Lanes()
		for first := 0; first < n; first += block {
			if err := ended.Err(ctx); err != nil {
				return nil, err
			}
			last := min(first+block, n)
			values := room(&w.values, (last-first)*lanes)
			w.batch.EvaluateTo(values, first, last)
			for j := first; j < last; j++ {
				of := values[(j-first)*lanes:][:len(part)]
				sum, size := slope[j], terms[j]
				for r, v := range of {
					term := float64(coef[from+r] * v)
					sum += term
					size += math.Abs(term)
				}
				slope[j], terms[j] = sum, size
			}
		}
	}
	type candidate struct {
		j  int32
		by float64
	}
	var all []candidate
	for j, v := range slope {
		if by := math.Abs(v) - 1; !is[j] && !(by <= slopeViolation+float64(slopeRounding*terms[j])) {
			all = append(all, candidate{int32(j), by})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if by := cmp.Compare(b.by, a.by); by != 0 {
			return by
		}
		return cmp.Compare(a.j, b.j)
	})
	var more []int32
	for _, v := range all[:min(len(all), most)] {
		more = append(more, v.j)
	}
	return more, nil
}

// distinct returns the points of classifiers, each point once, and the places of each classifier's
// points: machines of small classes begin and end with the same rows.
func distinct(found []Result) (points []vec.Vector, own [][]int32) {
	var all vec.Distinct
	own = make([][]int32, len(found))
	for k := range found {
		for _, z := range found[k].Points {
			own[k] = append(own[k], int32(all.Number(z)))
		}
		slices.Sort(own[k])
		own[k] = slices.Compact(own[k])
	}
	return all.Vectors(), own
}
