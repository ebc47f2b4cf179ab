package psvm

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// Problem: most members of an ensemble are not needed, because others call their rows positive too,
// and their votes on other rows only do harm. Find those that can go.
//
// Method: backward elimination, which is not in the thesis. Members are tried one after the other,
// those with the fewest positives first. A member is removed if without it the ensemble answers no
// fewer rows of the last sample rightly, held out or not, and no rightly answered row loses the
// last member of its class that calls it positive. A row that no member calls positive counts as a
// wrong answer.
//
// Such a row still gets an answer: the class with the largest probability, given by members that do
// not call it positive. This is no reason to keep one of them. But the remaining ensemble must not
// answer fewer rows rightly than the complete one did; otherwise the members removed last come
// back.

// A tally has the votes that members give the rows of one batch.
type tally struct {
	first int     // place of the batch's first row among all
	from  []int   // the first entry of each member
	rows  []int32 // for each entry, the row within the batch
	given []float64
}

// of returns the entries of a member.
func (t *tally) of(i int) (rows []int32, given []float64) {
	lo, hi := t.from[i], t.from[i+1]
	return t.rows[lo:hi], t.given[lo:hi]
}

// mostEntries is the number of entries of tallies, 400 MB, from which no more rows are tallied.
// tallyRows is the number of rows that are tallied between two checks.
const (
	mostEntries = 1 << 25
	tallyRows   = 32 * predict.BatchRows
)

// prune returns the model m of an outcome without the members that it does not need.
func (r *run) prune(ctx context.Context, m *models.Model, o *outcome) (*models.Model, error) {
	rng := r.stream(pruneStream, 0)
	o.unpruned = m.CountMembers()
	order := rng.Perm(o.unpruned) // members with equally many positives are not in the order of the data
	slices.SortStableFunc(order, func(a, b int) int { return o.positives[a] - o.positives[b] })
	rows := slices.Clone(o.rows)
	rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	p, err := predict.New(m)
	if err != nil {
		return nil, err
	}
	e := &elimination{model: m}
	for _, i := range rows {
		e.class = append(e.class, r.class[i])
	}
	for at := 0; at < len(rows) && e.entries < mostEntries; at += tallyRows {
		if err := e.count(ctx, r, p, at, rows[at:min(at+tallyRows, len(rows))]); err != nil {
			return nil, err
		}
	}
	p.Release()
	gone := e.run(ctx, order)
	rows = rows[:min(len(rows), len(e.tallies)*predict.BatchRows)]
	pruned, err := r.restoreMembers(ctx, m, gone, rows)
	if err == nil {
		err = ended.Err(ctx)
	}
	return pruned, err
}

// restoreMembers returns a model without the members that were removed. If it answers fewer of the
// rows rightly than the whole model, the last 1, 2, 4 and so on of the removed members come back,
// until it does not.
func (r *run) restoreMembers(ctx context.Context, whole *models.Model, gone, rows []int) (*models.Model, error) {
	least, err := r.right(ctx, whole, rows)
	if err != nil {
		return nil, err
	}
	for back := 0; back < len(gone); back += max(1, back) {
		m := without(whole, gone[:len(gone)-back])
		n, err := r.right(ctx, m, rows)
		if err != nil || n >= least {
			return m, err
		}
	}
	return whole, nil
}

// without returns a model without some members.
func without(m *models.Model, gone []int) *models.Model {
	out := make([]bool, m.CountMembers())
	for _, i := range gone {
		out[i] = true
	}
	var kept []int
	for i := range out {
		if !out[i] {
			kept = append(kept, i)
		}
	}
	return m.SelectMembers(kept)
}

// right returns how many rows a model answers rightly.
func (r *run) right(ctx context.Context, m *models.Model, rows []int) (int, error) {
	p, err := predict.New(m)
	if err != nil {
		return 0, err
	}
	defer p.Release()
	var right atomic.Int64
	err = train.Answer(ctx, p, &r.d.X, rows, func(b *predict.Batch, at, k int) {
		if int(b.Predict(at)) == r.classes.Labels[r.class[rows[k]]] {
			right.Add(1)
		}
	})
	return int(right.Load()), err
}

// An elimination is the state of the backward elimination.
type elimination struct {
	model   *models.Model
	class   []int // of each row
	tallies []*tally
	entries int

	sums   []float64 // the sum of what class c is given for row k, at [k*classes+c]
	speaks []int32   // for each row, the number of members of its class that call it positive
}

// count adds the tallies of some rows, the first of which has place first among all.
func (e *elimination) count(ctx context.Context, r *run, p *predict.Predictor, first int, rows []int) error {
	tallies := make([]*tally, (len(rows)+predict.BatchRows-1)/predict.BatchRows)
	var counting sync.Mutex
	err := train.DecideVotes(ctx, p, &r.d.X, rows, func(b *predict.Batch, at, k int) {
		if at > 0 {
			return
		}
		t := &tally{first: first + k}
		b.EachVote(func(_ int, rows []int32, given []float64) {
			t.from = append(t.from, len(t.rows))
			t.rows, t.given = append(t.rows, rows...), append(t.given, given...)
		})
		t.from = append(t.from, len(t.rows))
		counting.Lock()
		defer counting.Unlock()
		tallies[k/predict.BatchRows] = t
		e.entries += len(t.rows)
	})
	e.tallies = append(e.tallies, tallies...)
	return err
}

// run returns the members that are removed, one after the other, if they are tried in the given
// order.
func (e *elimination) run(ctx context.Context, order []int) (gone []int) {
	classes := len(e.model.Labels)
	e.sums, e.speaks = make([]float64, len(e.class)*classes), make([]int32, len(e.class))
	for i := range order {
		e.change(i, 1)
	}
	for _, i := range order {
		if ctx.Err() != nil {
			break
		}
		if !e.needed(i) {
			e.change(i, -1)
			gone = append(gone, i)
		}
	}
	return gone
}

// own returns the class of a member's exemplar.
func (e *elimination) own(i int) int {
	planes, _ := e.model.Member(i)
	return e.model.Machines[planes.From].Pos
}

// change adds a member to the sums, or removes it if sign is -1.
func (e *elimination) change(i int, sign float64) {
	classes, own := len(e.model.Labels), e.own(i)
	for _, t := range e.tallies {
		rows, given := t.of(i)
		for k, r := range rows {
			row := t.first + int(r)
			e.sums[row*classes+own] += float64(sign * given[k])
			if e.class[row] == own {
				e.speaks[row] += int32(sign)
			}
		}
	}
}

// needed reports whether a member cannot be removed.
func (e *elimination) needed(i int) bool {
	classes, own := len(e.model.Labels), e.own(i)
	lost := 0
	for _, t := range e.tallies {
		rows, given := t.of(i)
		for k, r := range rows {
			row := t.first + int(r)
			sums, right := e.sums[row*classes:(row+1)*classes], e.class[row]
			was := answers(sums, right)
			if was && own == right && e.speaks[row] == 1 {
				return true
			}
			sum := sums[own]
			sums[own] -= given[k]
			is := answers(sums, right)
			sums[own] = sum
			switch {
			case was && !is:
				lost++
			case is && !was:
				lost--
			}
		}
	}
	return lost > 0
}

// nothing is the size up to which a sum may be rounding of 0.
const nothing = 1e-12

// answers reports whether a class has the largest sum, the first of equal ones, and the sum is
// above 0.
func answers(sums []float64, class int) bool {
	own := sums[class]
	if !(own > nothing) {
		return false
	}
	for c, sum := range sums {
		if sum > own+nothing || c < class && sum > own-nothing {
			return false
		}
	}
	return true
}
