package psvm

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// TestPrune: members are removed as by the definition, which computes all sums again for each, and
// the result is a model that can be written.
func TestPrune(t *testing.T) {
	ctx := context.Background()
	left := 0
	for _, c := range []struct {
		set      string
		rows     int
		sampling int
		ballot   models.Ballot
	}{
		{"striated", 200, 0, models.ByProbability}, {"gauss5", 120, 0, models.ByProbability}, {"gauss5", 150, 2, models.ByCount}, {"isolated", 150, 0, models.ByDecision},
	} {
		d := set(t, c.set, c.rows)
		s := Default()
		s.Iterations, s.Sampling, s.Ballot, s.Form = 3, c.sampling, c.ballot, OthersLikely
		r, err := newRun(s, d)
		if err != nil {
			t.Fatal(err)
		}
		o, err := r.ensemble(ctx)
		if err != nil {
			t.Fatal(err)
		}
		whole := o.ensemble.model()
		pruned, err := r.prune(ctx, whole, o)
		if err != nil {
			t.Fatal(err)
		}
		if o.unpruned != whole.CountMembers() {
			t.Errorf("%+v: %d members before, it says %d", c, whole.CountMembers(), o.unpruned)
		}
		// the same step by step
		b := predictorOf(t, whole).NewBatch()
		n := whole.CountMembers()
		given := make([][]float64, len(o.rows)) // to row k by each member; -1: it abstains
		for k, i := range o.rows {
			b.DecideVotes([]vec.Vector{d.X.Row(i)})
			b.EachVote(func(_ int, rows []int32, parts []float64) {
				v := -1.0
				if len(rows) > 0 {
					v = parts[0]
				}
				given[k] = append(given[k], v)
			})
		}
		own := func(m int) int {
			planes, _ := whole.Member(m)
			return whole.Machines[planes.From].Pos
		}
		in := make([]bool, n)
		for m := range in {
			in[m] = true
		}
		right := func(k int) bool {
			sums := make([]float64, len(whole.Labels))
			for m, v := range given[k] {
				if in[m] && v >= 0 {
					sums[own(m)] += v
				}
			}
			best := 0
			for class, sum := range sums {
				if sum > sums[best]+nothing {
					best = class
				}
			}
			return sums[best] > nothing && best == r.class[o.rows[k]]
		}
		order := r.stream(pruneStream, 0).Perm(n)
		slices.SortStableFunc(order, func(a, b int) int { return o.positives[a] - o.positives[b] })
		for _, m := range order {
			before := make([]bool, len(o.rows))
			count := 0
			for k := range before {
				if before[k] = right(k); before[k] {
					count++
				}
			}
			in[m] = false
			for k := range before {
				last := before[k] && given[k][m] >= 0 && own(m) == r.class[o.rows[k]]
				for other, v := range given[k] {
					last = last && !(in[other] && v >= 0 && own(other) == own(m))
				}
				if last {
					in[m] = true
				}
				if right(k) {
					count--
				}
			}
			if count > 0 {
				in[m] = true
			}
		}
		var kept []int
		for m, stays := range in {
			if stays {
				kept = append(kept, m)
			}
		}
		if !bytes.Equal(bytesOf(t, pruned), bytesOf(t, whole.SelectMembers(kept))) {
			t.Errorf("%+v: %d of %d members stay, other than the %d of the definition", c, pruned.CountMembers(), n, len(kept))
		}
		left += pruned.CountMembers()
		if len(kept) == n {
			t.Errorf("%+v: none of %d members has gone", c, n)
		}
	}
	if left == 0 {
		t.Error("no member is left of any ensemble")
	}
}

// TestThreads: models have the same bytes with any number of threads, for all forms, pruned, and
// with samples.
func TestThreads(t *testing.T) {
	d := set(t, "gauss5", 200)
	var want []byte
	for _, threads := range []int{1, 2, 5} {
		s := Default()
		s.Threads, s.Sampling, s.Iterations = threads, 2, 3
		m, err := s.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := models.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = b.Bytes()
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("another model with %d threads", threads)
		}
		again, err := models.Read(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		var c bytes.Buffer
		if err := models.Write(&c, again); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), c.Bytes()) {
			t.Error("the model read is written otherwise")
		}
	}
}
