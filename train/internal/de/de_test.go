package de

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func population(rng *rand.Rand, n, d int) [][]float64 {
	zs := make([][]float64, n)
	for i := range zs {
		for range d {
			zs[i] = append(zs[i], 10*rng.Float64()-5)
		}
	}
	return zs
}

// rastrigin has a minimum at every point of integers; the lowest, 0, is at 0.
func rastrigin(dst []float64, xs [][]float64) {
	for i, x := range xs {
		dst[i] = 0
		for _, v := range x {
			dst[i] += v*v + 10 - 10*math.Cos(2*math.Pi*v)
		}
	}
}

// plain is a function that evaluates trials like any other points.
type plain struct {
	t        *testing.T
	evaluate func(dst []float64, xs [][]float64)
	members  [][]float64
	tried    [][]float64 // the trials as points
	taken    []int
}

func (f *plain) Evaluate(dst []float64, xs [][]float64) {
	f.members = xs
	f.evaluate(dst, xs)
}

func (f *plain) EvaluateTrial(dst []float64, trials []Trial) {
	f.tried = nil
	for i, t := range trials {
		x := slices.Clone(f.members[i])
		if n := len(t.Entries); n < 1 || n > len(x) || t.From < 0 || t.From >= len(x) {
			f.t.Fatalf("trial %d has %d entries from %d on, of %d", i, n, t.From, len(x))
		}
		for k, v := range t.Entries {
			x[(t.From+k)%len(x)] = v
		}
		f.tried = append(f.tried, x)
	}
	f.evaluate(dst, f.tried)
}

func (f *plain) Accept(i int) { f.taken = append(f.taken, i) }

func TestMinimize(t *testing.T) {
	s := Default()
	s.Generations = 400
	var results [2][][]float64
	for run := range results {
		rng := rand.New(rand.NewPCG(1, 2))
		zs := population(rng, 60, 3)
		values, err := s.Minimize(t.Context(), rng, zs, &plain{t: t, evaluate: rastrigin})
		if err != nil {
			t.Fatal(err)
		}
		check := make([]float64, len(zs))
		rastrigin(check, zs)
		if !slices.Equal(values, check) {
			t.Error("the values are not those of the members")
		}
		if best := slices.Min(values); best > 1e-3 {
			t.Errorf("the lowest minimum is missed: %v", best)
		}
		results[run] = zs
	}
	for i := range results[0] {
		if !slices.Equal(results[0][i], results[1][i]) {
			t.Fatal("two runs of one seed differ")
		}
	}
}

// TestMonotone: no member gets worse in any generation.
func TestMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	zs := population(rng, 12, 3)
	last := make([]float64, len(zs))
	rastrigin(last, zs)
	s := Default()
	s.Generations = 1
	improved := 0
	for range 50 {
		f := &plain{t: t, evaluate: rastrigin}
		values, err := s.Minimize(t.Context(), rng, zs, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.taken {
			if !slices.Equal(zs[i], f.tried[i]) {
				t.Fatalf("member %d is not the trial that was taken", i)
			}
		}
		for i, v := range values {
			if v > last[i] {
				t.Fatalf("member %d went from %v to %v", i, last[i], v)
			}
			if v < last[i] {
				improved++
			}
		}
		last = values
	}
	if improved < 20 {
		t.Errorf("%d improvements", improved)
	}
}

// TestTrial: the number of entries that a trial takes over is at least k with probability R^(k-1),
// and these entries are adjacent, wrapping round.
func TestTrial(t *testing.T) {
	const d, rounds = 8, 20000
	rng := rand.New(rand.NewPCG(5, 6))
	s := Settings{Scale: 0.5, Crossover: 0.7}
	zs := [][]float64{make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)}
	for k := range d {
		zs[1][k], zs[2][k], zs[3][k] = 100, 10, 1 // v is one of six sums, none of which is 0
	}
	atLeast := make([]int, d+1)
	var trial Trial
	dst := make([]float64, d)
	firsts, sums := map[int]int{}, map[float64]int{}
	for range rounds {
		s.trial(rng, &trial, zs, 0)
		clear(dst)
		for k, v := range trial.Entries {
			dst[(trial.From+k)%d] = v
		}
		length, starts := 0, 0
		for k, v := range dst {
			if v == 0 {
				continue
			}
			length++
			sums[v]++
			if dst[(k+d-1)%d] == 0 {
				starts++
				firsts[k]++
			}
		}
		if length != len(trial.Entries) || dst[trial.From] == 0 || dst[(trial.From+length-1)%d] == 0 {
			t.Fatalf("trial %v: %d entries from %d", dst, len(trial.Entries), trial.From)
		}
		if length == 0 || length < d && starts != 1 {
			t.Fatalf("trial %v", dst)
		}
		for k := 1; k <= length; k++ {
			atLeast[k]++
		}
	}
	for k := 1; k <= d; k++ {
		p := math.Pow(0.7, float64(k-1))
		if got := float64(atLeast[k]) / rounds; !(math.Abs(got-p) <= 4*math.Sqrt(p*(1-p)/rounds)) {
			t.Errorf("%d entries or more: share %v, want %v", k, got, p)
		}
	}
	if len(firsts) != d || len(sums) != 6 {
		t.Errorf("first entries %v, values %v", firsts, sums)
	}
}

// TestSwap: a trial turns its member into the trial's point, and back again.
func TestSwap(t *testing.T) {
	for _, c := range []struct {
		trial   Trial
		x, then []float64
		entries []float64
	}{
		{Trial{1, []float64{8, 9}}, []float64{1, 2, 3, 4}, []float64{1, 8, 9, 4}, []float64{2, 3}},
		{Trial{3, []float64{7, 8, 9}}, []float64{1, 2, 3, 4}, []float64{8, 9, 3, 7}, []float64{4, 1, 2}},
		{Trial{2, []float64{6, 7, 8, 9}}, []float64{1, 2, 3, 4}, []float64{8, 9, 6, 7}, []float64{3, 4, 1, 2}},
	} {
		was, entries := slices.Clone(c.x), slices.Clone(c.trial.Entries)
		c.trial.Swap(c.x)
		if !slices.Equal(c.x, c.then) || !slices.Equal(c.trial.Entries, c.entries) {
			t.Errorf("%v from %d: %v and %v, expected %v and %v", entries, c.trial.From, c.x, c.trial.Entries, c.then, c.entries)
		}
		c.trial.Swap(c.x)
		if !slices.Equal(c.x, was) || !slices.Equal(c.trial.Entries, entries) {
			t.Errorf("%v from %d, twice: %v and %v", entries, c.trial.From, c.x, c.trial.Entries)
		}
	}
}

func TestOdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	s := Default()
	for n := range 4 { // too few members, which are only evaluated
		zs := population(rng, n, 2)
		was := make([][]float64, n)
		for i := range zs {
			was[i] = slices.Clone(zs[i])
		}
		values, err := s.Minimize(t.Context(), rng, zs, &plain{t: t, evaluate: rastrigin})
		if err != nil || len(values) != n {
			t.Errorf("%d members: %v, %v", n, values, err)
		}
		for i := range zs {
			if !slices.Equal(zs[i], was[i]) {
				t.Errorf("%d members: one is changed", n)
			}
		}
	}
	// NaN never wins and always loses.
	zs := population(rng, 20, 2)
	values, _ := s.Minimize(t.Context(), rng, zs, &plain{t: t, evaluate: func(dst []float64, xs [][]float64) {
		rastrigin(dst, xs)
		for i, x := range xs {
			if x[0] < 0 {
				dst[i] = math.NaN()
			}
		}
	}})
	for i, v := range values {
		if math.IsNaN(v) || zs[i][0] < 0 {
			t.Errorf("member %v with value %v", zs[i], v)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	generations := 0
	_, err := s.Minimize(ctx, rng, population(rng, 5, 2), &plain{t: t, evaluate: func(dst []float64, xs [][]float64) {
		if generations++; generations == 4 {
			cancel()
		}
		rastrigin(dst, xs)
	}})
	if err != context.Canceled || generations != 4 {
		t.Errorf("cancelled: %v after %d generations", err, generations)
	}
}

func TestValidate(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
	for _, s := range []Settings{{Scale: 0}, {Scale: math.NaN()}, {Scale: math.Inf(1)}, {Scale: 1, Crossover: -0.1}, {Scale: 1, Crossover: 1.1}, {Scale: 1, Crossover: math.NaN()}, {Scale: 1, Generations: -1}} {
		if s.Validate() == nil {
			t.Errorf("%+v is valid", s)
		}
	}
}
