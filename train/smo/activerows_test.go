package smo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// keepActive sets the largest number of active variables whose rows are kept, and has them kept
// from the first iterations on, until the test ends.
func keepActive(t *testing.T, most int) {
	mostActive, activeWorth, smallMost = most, 1000, most
	t.Cleanup(func() { mostActive, activeWorth, smallMost = usualMostActive, usualWorth, usualSmall })
}

// TestActiveRows: whether rows of few active variables are kept never shows in results or reports,
// for problems of all kinds that take many iterations.
func TestActiveRows(t *testing.T) {
	kept, walked, small := 0, 0, 0
	for seed := range seeds(200) {
		s := newSetting(seed)
		n := 2 + s.IntN(300)
		s.k = []kernel.Kernel{kernel.Linear{}, kernel.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}, kernel.RBF{Gamma: 0.125}}[s.IntN(3)]
		s.x = randomRows(s.Rand, n, 1+s.IntN(8))
		s.c, s.opt.Tolerance = math.Pow(10, float64(s.IntN(3)-1)), 1e-3
		nu, doubled := s.IntN(3) == 0, s.IntN(3) == 0
		whole := s.IntN(2) == 0
		source := func() Source {
			rows := newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), s.opt.CacheMB)
			if whole {
				rows.work.pool.record([]float64{1}, 1) // as of an earlier problem that needed all its rows
			}
			if doubled {
				return newDoubledSource(rows)
			}
			return rows
		}
		q := s.randomQP(source(), nu)
		solve := func(most int) (*Result, string) {
			keepActive(t, most)
			s.log = nil
			of := q.clone(source())
			st, err := newState(context.Background(), of, s.opt)
			if err != nil {
				t.Fatal(err)
			}
			if err := st.run(context.Background()); err != nil {
				t.Fatal(err)
			}
			if most == 0 && st.activeRows.walk.Len() > 0 {
				t.Fatal("rows are kept")
			}
			if st.activeRows.walk.Len() > 0 {
				kept++
				walked += st.iterations
			}
			if st.activeRows.whole {
				small++
			}
			r, err := st.result(nil)
			if err != nil {
				t.Fatal(err)
			}
			return r, fmt.Sprint(s.log)
		}
		want, events := solve(0)
		for _, most := range []int{1 + s.IntN(n), usualMostActive, 1000} {
			if got, log := solve(most); !sameResult(got, want) || log != events {
				t.Fatalf("seed %d, %d variables, nu %t, doubled %t, shrinking %t: with rows of up to %d kept it is another result", seed, n, nu, doubled, s.opt.Shrinking, most)
			}
		}
	}
	t.Logf("%d solutions kept rows, %d all from the start, of %d iterations", kept, small, walked)
	if least := seeds(200) / 4; kept < least || small < least || walked < 30_000 {
		t.Error("few solutions keep rows")
	}
}

// TestActiveRowsCancelled: a training that could iterate for minutes ends soon after it is
// cancelled.
func TestActiveRowsCancelled(t *testing.T) {
	s := newSetting(1)
	s.k, s.x = kernel.Linear{}, randomRows(s.Rand, 60, 12)
	q := s.randomQP(newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), 100), false)
	for i := range q.Upper { // wide boxes, for which the tolerance is never reached
		q.Upper[i] *= 1e9
		q.Lower[i] *= 1e9
	}
	ctx, cancel := context.WithCancel(context.Background())
	reports := 0
	st, err := newState(ctx, q, Options{Tolerance: 1e-300, CacheMB: 100, Report: func(e train.Event) {
		if p, ok := e.(train.Progress); ok && p.Iterations > 5000 {
			reports++
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if st.iterations < 5000 || reports > 3 {
		t.Errorf("%d iterations, %d reports after it was cancelled", st.iterations, reports-1)
	}
}

// TestActiveRowValues: the values that are kept are those of the rows, also after each exchange and
// return of variables.
func TestActiveRowValues(t *testing.T) {
	looked := 0
	for seed := range seeds(100) {
		s := newSetting(seed)
		s.x = randomRows(s.Rand, 10+s.IntN(150), 3)
		s.k, s.opt.Shrinking = kernel.RBF{Gamma: 0.5}, true
		src := newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), 100)
		if seed%2 == 0 {
			src.work.pool.record([]float64{1}, 1)
		}
		var st *state
		s.opt.Report = func(train.Event) {
			if st == nil || st.activeRows.n == 0 {
				return
			}
			for i := range st.active {
				if st.activeRows.walk.Row(i) == nil {
					continue
				}
				looked++
				if want := src.Row(i, st.active); !slices.Equal(st.keptRow(i)[:st.active], want) {
					t.Fatalf("seed %d, iteration %d: row %d is %v, want %v", seed, st.iterations, i, st.keptRow(i)[:st.active], want)
				}
			}
		}
		st, err := newState(context.Background(), s.randomQP(src, false), s.opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := st.run(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if looked < 1000 {
		t.Errorf("only %d rows were looked at", looked)
	}
}

// TestDense: all rows of a small problem are computed if many variables of the problem before
// became vectors, or if it took many iterations in relation to the time of a value.
func TestDense(t *testing.T) {
	b := make([]float64, 100)
	for vectors := range 100 {
		for _, iterations := range []int{0, 200} {
			for _, moment := range []int{100, 1000} {
				var s memoryPool
				s.record(b, iterations)
				many := iterations == 200 && moment == 1000 // values of 10 us each, for iterations that save some 17 us
				if got, want := s.dense(false, moment), many || 3*vectors > len(b); got != want {
					t.Errorf("%d vectors, %d iterations, %d values a microsecond: %v", vectors, iterations, moment, got)
				}
				if got, want := s.dense(true, moment), many || 10*vectors > 9*len(b); got != want {
					t.Errorf("%d vectors, %d iterations, %d values a microsecond, dear: %v", vectors, iterations, moment, got)
				}
			}
		}
		b[vectors] = 1
	}
}
