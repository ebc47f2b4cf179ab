package scan

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Why a walk stops.
const (
	enough = iota
	optimal
	noPartner
	noRow
	bound
	leaves
	reasons
)

// plainWalk is Free by its definition.
func plainWalk(w *Walk, ends []Extremes, most int) (done, why int) {
	for ; done < most; done++ {
		violated := false
		for _, e := range ends {
			violated = violated || e.Highest-e.Lowest >= w.Tolerance
		}
		if !violated {
			return done, optimal
		}
		row := func(i int) []float32 { return w.Rows[i*w.Stride:][:len(w.F)] }
		i, group, best := -1, 0, Partner{-1, math.Inf(-1)}
		for g, e := range ends {
			if e.I < 0 {
				continue
			}
			if !w.Have.Has(e.I) {
				return done, noRow
			}
			p := plainSecond(w.F, row(e.I), w.Diag, w.Diag[e.I], e.Lowest, w.Low[g])
			if p.J >= 0 && (best.J < 0 || p.Gain > best.Gain || p.Gain == best.Gain && p.J > best.J) {
				i, group, best = e.I, g, p
			}
		}
		j := best.J
		switch {
		case j < 0:
			return done, noPartner
		case !w.Have.Has(j):
			return done, noRow
		case !w.Low[group].Has(i) || !w.Up[group].Has(j):
			return done, bound
		}
		a := w.Diag[i] + w.Diag[j] - 2*float64(row(i)[j])
		if a <= 0 {
			a = 1e-12
		}
		step := (w.F[j] - w.F[i]) / a
		bi, bj := w.B[i]+step, w.B[j]-step
		within := func(t int, b float64) bool { return w.Lower[t] < b && b < w.Upper[t] }
		if !within(i, bi) || !within(j, bj) {
			return done, leaves
		}
		plainStep(w.F, row(i), row(j), bi-w.B[i], bj-w.B[j])
		w.B[i], w.B[j] = bi, bj
		for g := range ends {
			ends[g] = plainExtremes(w.F, w.Up[g], w.Low[g])
			ends[g].Lowest += 0
			ends[g].Highest += 0
		}
	}
	return done, enough
}

// randomWalk returns a walk of n variables with numbers of a source, and most of a kernel
// matrix's rows.
func randomWalk(r *rand.Rand, n, groups int, source func(*rand.Rand) float64) *Walk {
	w := &Walk{
		F: make([]float64, n), Diag: make([]float64, n), B: make([]float64, n), Lower: make([]float64, n), Upper: make([]float64, n),
		Stride: n + r.IntN(3), Have: NewSet(n + 64), Tolerance: 1e-3,
	}
	w.Rows = make([]float32, n*w.Stride)
	d := 1 + r.IntN(6)
	points := make([]float64, n*d)
	for k := range points {
		points[k] = source(r)
	}
	wide := math.Pow(10, float64(r.IntN(6)))
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := range d {
				sum += points[i*d+k] * points[j*d+k]
			}
			w.Rows[i*w.Stride+j] = float32(sum)
			if i == j {
				w.Diag[i] = sum
			}
		}
		w.F[i], w.B[i] = source(r), r.NormFloat64()
		w.Lower[i], w.Upper[i] = w.B[i]-wide*r.Float64(), w.B[i]+wide*r.Float64()
		w.Have.Put(i, r.IntN(40) > 0)
	}
	for range groups {
		w.Up, w.Low = append(w.Up, NewSet(n+64)), append(w.Low, NewSet(n+64)) // with room, whose bits mean nothing
	}
	full := r.IntN(2) == 0
	for t := range n + 64 {
		g := r.IntN(groups)
		w.Up[g].Put(t, full || r.IntN(4) > 0)
		w.Low[g].Put(t, full || r.IntN(4) > 0)
	}
	return w
}

// TestWalk compares every implementation with the definition, to the last bit, for all short
// lengths, one group and two, and every reason to stop.
func TestWalk(t *testing.T) {
	defer simd.Use(simd.Current())
	for level := simd.Portable; level <= simd.Best(); level++ {
		simd.Use(level)
		steps, stops := 0, [reasons]int{}
		for name, source := range sources {
			r := rand.New(rand.NewPCG(11, uint64(len(name))))
			for _, n := range lengths() {
				if n == 0 || n > 300 {
					continue
				}
				for trial := range 4 {
					done, why := compareWalk(t, r, n, 1+trial%2, source)
					steps += done
					stops[why]++
				}
				if t.Failed() {
					t.Fatalf("%v, %s, %d variables", level, name, n)
				}
			}
		}
		if slices.Contains(stops[:], 0) || steps < 2000 {
			t.Errorf("%v: %d steps, stops for the reasons %v", level, steps, stops)
		}
	}
}

func compareWalk(t *testing.T, r *rand.Rand, n, groups int, source func(*rand.Rand) float64) (done, why int) {
	t.Helper()
	w := randomWalk(r, n, groups, source)
	var ends []Extremes
	for g := range groups {
		ends = append(ends, Look(w.F, w.Up[g], w.Low[g]))
	}
	most := r.IntN(40)
	want, wantEnds := *w, slices.Clone(ends)
	want.F, want.B = slices.Clone(w.F), slices.Clone(w.B)
	skip := r.IntN(9)
	var allF, allB []float64
	w.F, allF = guarded(w.F, skip)
	w.B, allB = guarded(w.B, skip)
	before := *w
	before.Rows, before.Diag, before.Lower, before.Upper = slices.Clone(w.Rows), slices.Clone(w.Diag), slices.Clone(w.Lower), slices.Clone(w.Upper)

	done, why = plainWalk(&want, wantEnds, most)
	if got := w.Free(ends, most); got != done {
		t.Errorf("%d steps, want %d, which end for reason %d", got, done, why)
	}
	if !slices.EqualFunc(w.F, want.F, same) || !slices.EqualFunc(w.B, want.B, same) {
		t.Errorf("after %d steps f = %v, want %v; b = %v, want %v", done, w.F, want.F, w.B, want.B)
	}
	for g := range ends {
		if e, want := ends[g], wantEnds[g]; e.I != want.I || !same(e.Lowest, want.Lowest) || !same(e.Highest, want.Highest) {
			t.Errorf("after %d steps ends %+v, want %+v", done, e, want)
		}
	}
	if !intact(allF, n, skip) || !intact(allB, n, skip) ||
		!slices.EqualFunc(w.Diag, before.Diag, same) || !slices.EqualFunc(w.Lower, before.Lower, same) || !slices.EqualFunc(w.Upper, before.Upper, same) ||
		!slices.EqualFunc(w.Rows, before.Rows, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
		t.Error("written where it must not be")
	}
	return done, why
}

// TestWalkShapes: what does not fit is the programmer's error.
func TestWalkShapes(t *testing.T) {
	for name, spoil := range map[string]func(*Walk){
		"B":      func(w *Walk) { w.B = w.B[1:] },
		"Diag":   func(w *Walk) { w.Diag = nil },
		"Upper":  func(w *Walk) { w.Upper = w.Upper[1:] },
		"Lower":  func(w *Walk) { w.Lower = w.Lower[1:] },
		"Rows":   func(w *Walk) { w.Rows = w.Rows[:len(w.Rows)-w.Stride] },
		"Stride": func(w *Walk) { w.Stride = len(w.F) - 1 },
		"Have":   func(w *Walk) { w.Have = w.Have[:1] },
		"Up":     func(w *Walk) { w.Up[0] = w.Up[0][:1] },
		"Low":    func(w *Walk) { w.Low = nil },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "scan: ") {
					t.Errorf("panic %q", r)
				}
			}()
			w := randomWalk(rand.New(rand.NewPCG(1, 1)), 70, 1, sources["normal"])
			spoil(w)
			w.Free(make([]Extremes, 1), 1)
		})
	}
}
