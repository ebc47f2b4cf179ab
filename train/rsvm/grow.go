package rsvm

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: find a reduced set of few informative rows.
//
// Method: algorithm 3.1 of Chang and Lee.
//
//	1. Abar is a few rows drawn at random.
//	2. Fit the machines, from where they were.
//	3. Of the training rows that are not in Abar, nor equal to one there, take those
//	   answered wrongly, for each class (for a regression: outside of the tube, above
//	   and below).
//	4. Sort each list by |f|, by |e| in a regression.
//	5. Cut each into k parts of nearly equal size and add a row of each to Abar.
//	6. Repeat from 2.
//
// Rounds are judged on held-out rows. In the end, the machines of the best round are fitted to the
// held-out rows as well. With few held-out rows, many rounds answer the same share rightly: all, or
// all but those of a rare class. The best of these is the one with the least loss.
//
// With more than two classes, |f| is that of the pair's machine that decided for the wrong class,
// or the difference between the values of the wrong class and of the right one.

// grow trains a job by adding rows to the reduced set.
func grow(ctx context.Context, j *Job, s Systematic, d *format.Dataset, groups [][]int) (*models.Model, error) {
	held := holdOut(groups, s.Validation, j.o.Seed)
	rest := without(groups, held)
	trained, judged := order(rest), order(held)
	if len(judged) == 0 {
		judged = trained
	}
	if err := j.fits(min(s.MaxVectors, len(trained))); err != nil {
		return nil, err
	}
	g := &growth{Job: j, s: s, d: d, rng: random(j.o.Seed, forParts), in: map[int]bool{}, number: make([]int, d.Len())}
	g.counts, g.all = sizes(rest), sizes(groups)
	g.rows = memorySource{batches: j.label.batches(d, trained), keep: j.keeps(d.Len(), s.MaxVectors)}
	g.held = memorySource{batches: j.label.batches(d, judged), keep: g.rows.keep}
	g.trained = trained
	var distinct vec.Distinct
	for _, row := range trained {
		g.number[row] = distinct.Number(d.X.Row(row))
	}

	for c, chosen := range draw(g.counts, s.Initial, random(j.o.Seed, forSet)) {
		for _, k := range chosen {
			g.append(rest[c][k], int32(c))
		}
	}
	return g.run(ctx)
}

// A growth is the state of a growing reduced set.
type growth struct {
	*Job
	s       Systematic
	d       *format.Dataset
	rng     *rand.Rand
	rows    memorySource // rows to train on
	held    memorySource // rows to judge by
	trained []int        // their places in d
	counts  []int        // their number in each class
	all     []int        // the number of all rows in each class
	number  []int        // of each training row of d; equal rows have the same
	in      map[int]bool // the numbers of the rows of the reduced set
}

// sizes returns the number of rows of each group.
func sizes(groups [][]int) []int {
	n := make([]int, len(groups))
	for c, rows := range groups {
		n[c] = len(rows)
	}
	return n
}

// append adds a row to the reduced set, unless one that is equal to it is there: it would add
// nothing to what the machines can represent.
func (g *growth) append(row int, class int32) {
	if g.in[g.number[row]] {
		return
	}
	g.in[g.number[row]] = true
	g.origin = append(g.origin, row)
	g.of = append(g.of, class)
}

func (g *growth) run(ctx context.Context) (*models.Model, error) {
	best, since := score{right: math.Inf(-1)}, 0
	var start, kept [][]float64 // solutions of the last round, and of the round to keep
	vectors := 0                // number of vectors of the round to keep: the first of the last round's
	for round := 1; ; round++ {
		if err := g.setBasis(g.d.X.Select(g.origin), g.of, false, start); err != nil {
			return nil, err
		}
		if err := g.Job.run(ctx, &g.rows, g.rows.keep, g.counts); err != nil {
			return nil, err
		}
		start = g.Job.best()
		now, err := g.score(ctx)
		if err != nil {
			return nil, err
		}
		g.o.Report.Send(train.RoundDone{Round: round, Vectors: len(g.of), Score: now.right, Loss: now.loss})
		since++
		better := now.above(best)
		if better || g.s.Last {
			kept, vectors = start, len(g.of)
		}
		if better {
			best, since = now, 0
		}
		if now.perfect() && !g.s.Last || g.s.Threshold > 0 && now.right >= g.s.Threshold || since >= g.s.Patience {
			break
		}
		wrong, err := g.wrong(ctx)
		if err != nil {
			return nil, err
		}
		added := pick(wrong, g.s, g.rng, g.s.MaxVectors-len(g.of))
		if len(added) == 0 {
			break
		}
		for _, w := range added {
			g.append(w.row, w.class)
		}
	}
	return g.finish(ctx, vectors, kept)
}

// finish fits the machines over the first vectors to all rows, held-out rows included, beginning
// from start.
func (g *growth) finish(ctx context.Context, vectors int, start [][]float64) (*models.Model, error) {
	g.rows.forget()
	g.held.forget()
	g.origin, g.of = g.origin[:vectors], g.of[:vectors]
	if err := g.setBasis(g.d.X.Select(g.origin), g.of, false, start); err != nil {
		return nil, err
	}
	all := memorySource{batches: g.label.batches(g.d, nil), keep: g.rows.keep}
	if err := g.Job.run(ctx, &all, all.keep, g.all); err != nil {
		return nil, err
	}
	g.solved()
	return g.Model(), ended.Err(ctx)
}

// A wrongRow is a training row that is answered wrongly, with the list in which it belongs, and
// off, by how much it is wrong.
type wrongRow struct {
	row   int
	class int32
	list  int
	off   float64
}

// each calls f with every row of a source and the values of all machines for it.
func (g *growth) each(ctx context.Context, from *memorySource, f func(k int, b *batch, r int, values []float64)) error {
	k := 0
	n := len(g.machines)
	values := make([]float64, n)
	all := make([]float64, n*kernel.BatchRows)
	return from.chunks(ctx, chunkOf(g.vectors.Len()), func(chunk []*batch) error {
		filled := g.pass.fill(ctx, chunk, from.keep)
		for i, kernelValues := range filled {
			if err := ended.Err(ctx); err != nil {
				return err
			}
			b := chunk[i]
			team.Do(ctx, (n+machinesATask-1)/machinesATask, func(_ context.Context, part int) {
				for c := part * machinesATask; c < min(n, (part+1)*machinesATask); c++ {
					m := g.machines[c]
					m.valuesTo(all[c*b.lanes:][:b.lanes], m.search.Best(), kernelValues)
				}
			})
			for r := range b.xs {
				for c := range values {
					values[c] = all[c*b.lanes+r]
				}
				f(k, b, r, values)
				k++
			}
		}
		return ended.Err(ctx)
	})
}

// machinesATask is the number of machines whose values of a batch a task computes.
const machinesATask = 32

// A score says how well the machines of a round answer the held-out rows.
type score struct {
	right float64 // share of right answers; for a regression, 1 - MSE/variance
	loss  float64 // for classifiers, the mean loss of a row, summed over the machines that it belongs to
}

// above reports whether a score is better than another.
func (s score) above(other score) bool {
	return s.right > other.right || s.right == other.right && s.loss < other.loss
}

// perfect reports whether there is no better score.
func (s score) perfect() bool { return s.right == 1 && s.loss == 0 }

// score judges the current machines on the held-out rows, weighted by their costs of errors.
func (g *growth) score(ctx context.Context) (score, error) {
	right, loss, n := 0.0, 0.0, 0.0
	var targets predict.Scores
	err := g.each(ctx, &g.held, func(_ int, b *batch, r int, values []float64) {
		w := b.cost(r)
		n += w
		if b.y != nil {
			targets.AddWeighted(values[0], b.y[r], w)
			return
		}
		if class, _ := g.answer(values, b.class[r]); class == b.class[r] {
			right += w
		}
		for c, m := range g.machines {
			if y, ok := m.target(b, r); ok {
				phi, _, _ := g.pass.loss.at(values[c], y)
				loss += float64(w * phi)
			}
		}
	})
	if g.classes != nil {
		return score{right / n, loss / n}, err
	}
	if r2 := targets.R2(); !math.IsNaN(r2) {
		return score{right: r2}, err
	}
	return score{right: -targets.MeanSquaredError()}, err // a single row, or constant targets
}

// answer returns the class that the machines decide for. If that is not the true class, off is how
// far the value that decides against it is on the wrong side.
func (g *growth) answer(values []float64, truth int32) (class int32, off float64) {
	k := len(g.classes)
	if g.rest && k > 2 {
		best := 0
		for c, v := range values {
			if v > values[best] {
				best = c
			}
		}
		return int32(best), values[best] - values[truth]
	}
	votes := make([]int, k)
	for c, m := range g.machines {
		if values[c] > 0 {
			votes[m.pos]++
		} else {
			votes[m.neg]++
		}
	}
	best := int32(slices.Index(votes, slices.Max(votes)))
	for c, m := range g.machines {
		if m.pos == min(best, truth) && m.neg == max(best, truth) {
			off = math.Abs(values[c])
		}
	}
	return best, off
}

// wrong returns the training rows that are answered wrongly and equal to none of the reduced set.
func (g *growth) wrong(ctx context.Context) ([]wrongRow, error) {
	var all []wrongRow
	err := g.each(ctx, &g.rows, func(k int, b *batch, r int, values []float64) {
		row := g.trained[k]
		if g.in[g.number[row]] {
			return
		}
		if b.y != nil {
			e := values[0] - b.y[r]
			if math.Abs(e) > g.pass.loss.epsilon {
				s := wrongRow{row: row, off: math.Abs(e)}
				if e > 0 {
					s.list = 1
				}
				all = append(all, s)
			}
			return
		}
		if class, off := g.answer(values, b.class[r]); class != b.class[r] {
			all = append(all, wrongRow{row, b.class[r], int(b.class[r]), off})
		}
	})
	return all, err
}

// pick chooses rows to add, at most most: one from each part of each list.
func pick(all []wrongRow, s Systematic, rng *rand.Rand, most int) []wrongRow {
	lists := map[int][]wrongRow{}
	last := 0
	for _, w := range all {
		lists[w.list] = append(lists[w.list], w)
		last = max(last, w.list)
	}
	var rounds [][]wrongRow // the first parts of all lists, the second, ...
	for l := 0; l <= last; l++ {
		list := lists[l]
		slices.SortStableFunc(list, func(a, b wrongRow) int { return cmp.Compare(a.off, b.off) })
		parts := min(s.Parts, len(list))
		for p := range parts {
			from, to := p*len(list)/parts, (p+1)*len(list)/parts
			at := from
			if !s.First {
				at += rng.IntN(to - from)
			}
			if p == len(rounds) {
				rounds = append(rounds, nil)
			}
			rounds[p] = append(rounds[p], list[at])
		}
	}
	chosen := slices.Concat(rounds...)
	return chosen[:max(0, min(most, len(chosen)))]
}

// holdOut draws the rows of each group that are held out: the given share. Each group keeps at
// least one row.
func holdOut(groups [][]int, share float64, seed uint64) [][]int {
	total := 0
	counts := make([]int, len(groups))
	for c, rows := range groups {
		total += len(rows)
		counts[c] = len(rows) - 1
	}
	held := make([][]int, len(groups))
	rng := random(seed, forValidation)
	for c, chosen := range draw(counts, portion(share, total), rng) {
		for _, k := range chosen {
			held[c] = append(held[c], groups[c][k])
		}
	}
	return held
}

// without returns the rows of groups that are not in other, whose rows ascend.
func without(groups, other [][]int) [][]int {
	rest := make([][]int, len(groups))
	for c, rows := range groups {
		for _, i := range rows {
			if _, out := slices.BinarySearch(other[c], i); !out {
				rest[c] = append(rest[c], i)
			}
		}
	}
	return rest
}
