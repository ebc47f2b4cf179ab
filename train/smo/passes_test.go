package smo

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/train/internal/scan"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestPasses: passes in parts find and change the same as package scan does in one go, with ties
// across parts, parts without candidates and all lengths around cuts, whether variables are there once
// or, as in a regression, twice.
func TestPasses(t *testing.T) {
	smallParts(t)
	for _, threads := range []int{2, 3, 8} {
		ctx, stop := team.With(context.Background(), threads)
		p := &passes{helpers: team.NewHelpers(ctx)}
		rng := rand.New(rand.NewPCG(1, uint64(threads)))
		split := 0
		help := func() bool { return p.helpers.Parts(1<<20, 1) > 1 }
		for round := range 2000 {
			n := 1 + rng.IntN(700)
			if round%10 == 0 {
				n = 128 * (1 + round%7)
			}
			if split < 100 { // on a busy machine too
				waitFor(t, help)
			}
			if p.helpers.Parts(n, scanPart) > 1 {
				split++
			}
			half := max(0, rng.IntN(2*n)-n) / splitColumns * splitColumns
			if p.half = half; p.args != nil {
				p.args.half = half
			}
			testPasses(t, rng, p, n)
			if t.Failed() {
				t.Fatalf("%d threads, round %d: %d variables, the second half from %d on", threads, round, n, half)
			}
		}
		if split < 100 {
			t.Errorf("%d threads: only %d of 2000 rounds had help", threads, split)
		}
		p.helpers.End()
		stop()
	}
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, holds func() bool) {
	for range 100_000 {
		if holds() {
			return
		}
		time.Sleep(100 * time.Microsecond)
	}
	t.Fatal("waited in vain")
}

// smallParts makes small problems worth several threads, eight of which run at the same time, until
// the test ends.
func smallParts(t *testing.T) {
	before := runtime.GOMAXPROCS(8)
	scanPart, exchangePart, mostActive = 64, 2, 64 // only larger active sets are shared
	t.Cleanup(func() {
		runtime.GOMAXPROCS(before)
		scanPart, exchangePart, mostActive = usualPart, usualExchanges, usualMostActive
	})
}

// SmallParts is smallParts for tests outside of the package.
func SmallParts(t *testing.T) { smallParts(t) }

// y64 returns the values of a row as float64.
func y64(row []float32) []float64 {
	values := make([]float64, len(row))
	for i, v := range row {
		values[i] = float64(v)
	}
	return values
}

func testPasses(t *testing.T, rng *rand.Rand, p *passes, n int) {
	values := 1 + rng.IntN(9) // few values make many ties
	f, x, y, diag := make([]float64, n), make([]float32, n), make([]float32, n), make([]float64, n)
	for i := range f {
		f[i] = float64(rng.IntN(values)) - 2
		x[i], y[i] = float32(rng.IntN(values))/16, float32(rng.IntN(values))/16
		diag[i] = 1
	}
	up, low := scan.NewSet(n), scan.NewSet(n)
	density, from := 1+rng.IntN(4), rng.IntN(n) // some parts may have no candidates
	for i := from; i < n; i++ {
		up.Put(i, rng.IntN(density) == 0)
		low.Put(i, rng.IntN(density) == 0)
	}
	again := slices.Clone(f)
	if got, want := p.look(f, up, low), scan.FindExtremes(again, up, low); got != want {
		t.Errorf("look: %v, want %v", got, want)
	}
	if rng.IntN(2) == 0 {
		diag = nil
	}
	wantPartner := partner{Partner: scan.Second(again, x, diag, 1, -1.5, low)}
	if j := wantPartner.J; j >= 0 {
		wantPartner.f, wantPartner.k = f[j], x[j]
	}
	of := [2]second{{x, diag, 1, -1.5, 0}, {y, diag, 1, 0.25, 0}}
	for _, share := range []float64{0, 0.5, 1, 1 + 0x1p-52, 2, 1e9, math.Inf(1)} { // of the gain; a caller may expect too much
		if of[0].least = share * wantPartner.Gain; share == 0 {
			of[0].least = 0
		}
		if got := p.second(f, &of[0], low); got != wantPartner {
			t.Errorf("second, at least %v: %v, want %v", of[0].least, got, wantPartner)
		}
	}
	of[0].least, of[1].least = rng.Float64(), 100*rng.Float64()
	if got, want := p.secondBoth(f, &of, [2]scan.Set{low, up}), [2]partner{wantPartner, of[1].in(again, up)}; got != want {
		t.Errorf("second, in both groups: %v, want %v", got, want)
	}
	var moved places
	wantUp, wantLow := slices.Clone(up), slices.Clone(low)
	for k := range 2 {
		if rng.IntN(2) == 0 {
			i, where := rng.IntN(n), uint8(rng.IntN(3))
			moved.add(k, i, where)
			wantUp.Put(i, where != atUpper)
			wantLow.Put(i, where != atLower)
		}
	}
	if got, want := p.step(f, x, y, 0.5, -0.25, up, low, moved), scan.Step(again, x, y, 0.5, -0.25, wantUp, wantLow); got != want || !slices.Equal(f, again) {
		t.Errorf("step: %v, want %v", got, want)
	}
	wantEnds := [2]scan.Extremes{scan.Step(again, x, y, 0.25, 0.5, wantUp, wantLow), scan.FindExtremes(again, wantLow, wantUp)}
	if got := p.stepBoth(f, x, y, 0.25, 0.5, [2]scan.Set{up, low}, [2]scan.Set{low, up}); got != wantEnds || !slices.Equal(f, again) {
		t.Errorf("step, in both groups: %v, want %v", got, wantEnds)
	}
	if !slices.Equal(up, wantUp) || !slices.Equal(low, wantLow) {
		t.Errorf("step: the sets differ after %v", moved)
	}
	for _, rows := range [][][]float32{{x}, {y, x}} {
		coefs := []float64{-0.5, 1.0 / 3}[:len(rows)]
		p.sum(summing{to: [][]float64{f}, rows: rows, coefs: coefs, active: rng.IntN(n + 1)})
		for r, row := range rows {
			scan.Add(again, row, coefs[r])
		}
		if !slices.Equal(f, again) {
			t.Errorf("sum of %d rows: it differs", len(rows))
		}
	}
	sum := slices.Clone(y64(y))
	wantSum := slices.Clone(sum)
	p.sum(summing{to: [][]float64{f, sum}, rows: [][]float32{x, y}, coefs: []float64{0.75, 1.0 / 3}})
	for _, to := range [][]float64{again, wantSum} {
		scan.Add(to, x, 0.75)
		scan.Add(to, y, 1.0/3)
	}
	if !slices.Equal(f, again) || !slices.Equal(sum, wantSum) {
		t.Error("sum: the sums differ")
	}
	at := make([]int32, n)
	for i := range at {
		at[i] = int32(rng.IntN(n))
	}
	dst, want := make([]float32, n), make([]float32, n)
	p.move(gathering{to: dst, row: x, of: at})
	if scan.Gather(want, x, at); !slices.Equal(dst, want) {
		t.Error("gather: the values differ")
	}
	dst = make([]float32, n+rng.IntN(n+1))
	if p.move(gathering{to: dst, row: x}); !slices.Equal(dst, append(slices.Clone(x), x...)[:len(dst)]) {
		t.Error("double: the values differ")
	}
}

// TestEdge: parts adjoin and cover all positions, are cut between words of sets, and the owner's is
// the longest, by no more than its head start and the effect of these cuts.
func TestEdge(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 129, 1000, 4096, 5000, 100_000} {
		for parts := 1; parts <= 31; parts++ {
			for _, from := range []int{0, 17} {
				last := from
				for k := range parts {
					begin, end := edge(from, from+n, k, parts), edge(from, from+n, k+1, parts)
					if begin != last || end < begin || (begin-from)%splitColumns != 0 && begin != from+n {
						t.Fatalf("part %d of %d, of %d positions from %d: %d to %d, behind %d", k, parts, n, from, begin, end, last)
					}
					first := edge(from, from+n, 1, parts) - from
					if size := end - begin; size > first+2*splitColumns || k > 0 && k+1 < parts && first > size+ownerExtra+2*splitColumns {
						t.Errorf("part %d of %d, of %d positions: %d, the owner's %d", k, parts, n, size, first)
					}
					last = end
				}
				if last != from+n {
					t.Errorf("%d parts of %d positions end at %d", parts, n, last-from)
				}
			}
		}
	}
}

// TestSpans: the parts of variables of which most are there twice cover each position once, are cut
// between words of sets, have the same rows in both halves, and are about as large as those of variables
// that are there once.
func TestSpans(t *testing.T) {
	for _, rows := range []int{64, 100, 1000, 4096, 8192, 10_007} {
		half := rows / splitColumns * splitColumns
		for _, n := range []int{1, rows / 2, rows, rows + 1, rows + 63, rows + 64, rows + 65, rows + rows/3, rows + rows/2 + 7, 2*rows - 1, 2 * rows} {
			for parts := 1; parts <= 31; parts++ {
				times := make([]int, n)
				for k := range parts {
					pair := spans(n, half, k, parts)
					size := 0
					for _, s := range pair {
						size += s.end - s.begin
						if s.end < s.begin || s.begin < s.end && s.begin%splitColumns != 0 {
							t.Fatalf("%d rows, %d positions, part %d of %d: %v", rows, n, k, parts, pair)
						}
						for i := s.begin; i < s.end; i++ {
							times[i]++
						}
					}
					if a, b := pair[0], pair[1]; b.begin < b.end && b.begin != half+a.begin {
						t.Errorf("%d rows, %d positions, part %d of %d: %v, not the same rows", rows, n, k, parts, pair)
					}
					if want := edge(0, n, k+1, parts) - edge(0, n, k, parts); size < want-6*splitColumns || size > want+6*splitColumns {
						t.Errorf("%d rows, %d positions, part %d of %d: %v, %d positions, usually %d", rows, n, k, parts, pair, size, want)
					}
				}
				for i, count := range times {
					if count != 1 {
						t.Fatalf("%d rows, %d positions, %d parts: position %d is in %d parts", rows, n, parts, i, count)
					}
				}
			}
		}
	}
	if got, want := spans(1000, 0, 1, 2), [2]span{{edge(0, 1000, 1, 2), 1000}}; got != want {
		t.Errorf("positions that are there once: %v, want %v", got, want)
	}
}
