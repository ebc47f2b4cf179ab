package scan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// The reasons for which a walk stops.
const (
	enough = iota
	optimal
	noPartner
	faintGain
	noRow
	left
	full
	reasons
)

// plainWalk is Iterate by its definition, except that it changes the sets. With estimates it ends
// where these would be infinite.
func plainWalk(w *Walk, diag []float64, rows [][]float32, most int, estimates bool) (s Stop, why int) {
	s = Stop{J: -1, Need: -1}
	n := len(w.B)
	w.Moved = nil
	for ; s.Done < most; s.Done++ {
		if len(w.Moved) == 64 {
			s.Full = true
			return s, full
		}
		violated := false
		var ends []Extremes
		for g := range w.Up {
			e := plainExtremes(w.F[:n], w.Up[g], w.Low[g])
			ends = append(ends, e)
			violated = violated || e.Highest-e.Lowest >= w.Tolerance
		}
		for _, e := range ends {
			if e.I < 0 {
				return s, noPartner
			}
			if w.Row(e.I) == nil {
				s.Need = e.I
				return s, noRow
			}
		}
		if !violated {
			return s, optimal
		}
		i, group, best := -1, 0, Partner{-1, math.Inf(-1)}
		for g, e := range ends {
			p := plainSecond(w.F[:n], rows[e.I], diag, diag[e.I], e.Lowest, w.Low[g])
			if p.J >= 0 && (best.J < 0 || p.Gain > best.Gain || p.Gain == best.Gain && p.J > best.J) {
				i, group, best = e.I, g, p
			}
		}
		j := best.J
		if j < 0 {
			return s, noPartner
		}
		for g, e := range ends {
			for t := range n {
				if gap := w.F[t] - e.Lowest; estimates && w.Low[g].Has(t) && gap > 0 && gap*gap > 0 {
					if a := diag[e.I] + diag[t] - 2*float64(rows[e.I][t]); a > 0x1p126 || a > 0 && math.IsInf(float64(float32(1/a)), 1) {
						return s, faintGain
					}
				}
			}
		}
		if !(best.Gain > 1e-260 && best.Gain < 1e260) {
			return s, faintGain
		}
		if w.Row(j) == nil {
			s.Need = j
			return s, noRow
		}
		a := diag[i] + diag[j] - 2*float64(rows[i][j])
		if a <= 0 {
			a = 1e-12
		}
		step := (w.F[j] - w.F[i]) / a
		p := Pair{[2]float64{w.B[i] + step, w.B[j] - step}, [2]Box{{w.Lower[i], w.Upper[i]}, {w.Lower[j], w.Upper[j]}}}
		free := w.Low[group].Has(i) && w.Up[group].Has(j)
		for k, x := range p.Boxes {
			free = free && x.Lower < p.B[k] && p.B[k] < x.Upper
		}
		if !free {
			number := p.B[0] == p.B[0] && p.B[1] == p.B[1]
			p.Clip(w.B[i] + w.B[j])
			for k, x := range p.Boxes {
				number = number && (x.Lower < p.B[k] || p.B[k] < x.Upper)
			}
			if !number || math.Float64bits(p.B[1]) == 1<<63 {
				s.I, s.J = i, j
				return s, left
			}
			m := Moved{I: int32(i), J: int32(j), AtI: int32(p.Boxes[0].Place(p.B[0])), AtJ: int32(p.Boxes[1].Place(p.B[1]))}
			w.Moved = append(w.Moved, m)
			follow(w, m)
		}
		plainStep(w.F[:n], rows[i], rows[j], p.B[0]-w.B[i], p.B[1]-w.B[j])
		w.B[i], w.B[j] = p.B[0], p.B[1]
	}
	return s, enough
}

// follow updates the sets for a move.
func follow(w *Walk, m Moved) {
	for _, v := range [][2]int32{{m.I, m.AtI}, {m.J, m.AtJ}} {
		for g, up := range w.Up {
			if t := int(v[0]); up.Has(t) || w.Low[g].Has(t) {
				up.Put(t, v[1] != AtUpper)
				w.Low[g].Put(t, v[1] != AtLower)
			}
		}
	}
}

// randomWalk returns a walk of n variables out of more, with numbers of a source, and most of the
// rows of a kernel matrix.
func randomWalk(r *rand.Rand, n, groups int, source func(*rand.Rand) float64) (*Walk, [][]float32) {
	all := n + r.IntN(20)
	w := &Walk{
		F: make([]float64, n, PaddedLen(n)), Diag: make([]float64, n), B: make([]float64, n), Lower: make([]float64, n), Upper: make([]float64, n),
		Tolerance: 1e-3,
	}
	if r.IntN(2) == 0 {
		w.Begin(all + r.IntN(9)) // memory with arbitrary contents
	}
	w.Begin(all)
	d := 1 + r.IntN(6)
	points := make([]float64, n*d)
	for k := range points {
		points[k] = source(r)
	}
	for i := range n { // some are repeated, and have the same gain
		if i > 0 && r.IntN(8) == 0 {
			copy(points[i*d:][:d], points[r.IntN(i)*d:])
		}
	}
	wide, boxes := math.Pow(10, float64(r.IntN(6))), r.IntN(3) > 0
	rows := make([][]float32, n)
	for i := range n {
		rows[i] = make([]float32, n)
		for j := range n {
			sum := 0.0
			for k := range d {
				sum += points[i*d+k] * points[j*d+k]
			}
			rows[i][j] = float32(sum)
			if i == j {
				w.Diag[i] = sum
			}
		}
		w.F[i], w.B[i] = source(r), r.NormFloat64()
		if i > 0 && r.IntN(4) == 0 {
			w.F[i] = w.F[r.IntN(i)]
		}
		w.Lower[i], w.Upper[i] = w.B[i]-wide*r.Float64(), w.B[i]+wide*r.Float64()
		if boxes { // boxes as in programmes
			c := float64(1 + r.IntN(2))
			w.Lower[i], w.Upper[i] = 0, c
			if r.IntN(2) == 0 {
				w.Lower[i], w.Upper[i] = -c, 0
			}
			w.B[i] = w.Lower[i] + c*float64(r.IntN(5))/4
			if r.IntN(40) == 0 {
				w.Upper[i] = w.Lower[i]
			}
		}
	}
	for i := range rows {
		if r.IntN(60) > 0 {
			copy(w.Place(i), rows[i])
			w.Put(i, w.Diag)
		}
	}
	for range groups {
		w.Up, w.Low = append(w.Up, NewSet(n+64)), append(w.Low, NewSet(n+64)) // with room, whose bits have no meaning
	}
	full := r.IntN(3) > 0
	for t := range n + 64 {
		g := r.IntN(groups)
		up, low := full || r.IntN(4) > 0, full || r.IntN(4) > 0
		if boxes && t < n {
			at := Box{w.Lower[t], w.Upper[t]}.Place(w.B[t])
			up, low = at != AtUpper, at != AtLower
		}
		w.Up[g].Put(t, up)
		w.Low[g].Put(t, low || !up)
	}
	return w, rows
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
			for _, n := range lengths()[1:] {
				if n > 1100 {
					continue
				}
				for trial := range max(2, min(8, 2000/n)) {
					steps += compareWalk(t, r, n, 1+trial%2, source, &stops)
				}
				if t.Failed() {
					t.Fatalf("%v, %s, %d variables", level, name, n)
				}
			}
		}
		t.Logf("%v: %d steps, stops for the reasons %v", level, steps, stops)
		if slices.Contains(stops[:], 0) || steps < 2000 {
			t.Error("few steps or reasons")
		}
	}
}

func compareWalk(t *testing.T, r *rand.Rand, n, groups int, source func(*rand.Rand) float64, stops *[reasons]int) (steps int) {
	t.Helper()
	w, rows := randomWalk(r, n, groups, source)
	most := r.IntN(40)
	if r.IntN(8) == 0 {
		most = r.IntN(300)
	}
	want := *w
	want.F, want.B = slices.Clone(w.F), slices.Clone(w.B)
	want.Up, want.Low = nil, nil
	for g := range w.Up {
		want.Up, want.Low = append(want.Up, slices.Clone(w.Up[g])), append(want.Low, slices.Clone(w.Low[g]))
	}
	skip := r.IntN(9)
	wide := PaddedLen(n)
	var allF, allB []float64
	w.F, allF = guarded(append(w.F, make([]float64, wide-n)...), skip)
	w.F = w.F[:n:wide]
	w.B, allB = guarded(w.B, skip)
	before := *w
	before.Diag, before.Lower, before.Upper = slices.Clone(w.Diag), slices.Clone(w.Lower), slices.Clone(w.Upper)

	free := func() Stop { return w.Iterate(most) }
	for moved := 0; ; {
		done, why := plainWalk(&want, w.Diag, rows, most-moved, simd.Current() > simd.Portable)
		done.Done += moved
		steps += done.Done
		stops[why]++
		got := free()
		if got.Done != done.Done || got.J != done.J || got.Need != done.Need || got.Full != done.Full || got.J >= 0 && got.I != done.I {
			t.Errorf("%+v, want %+v, which end for reason %d", got, done, why)
		}
		if !slices.EqualFunc(w.F, want.F, same) || !slices.EqualFunc(w.B, want.B, same) {
			t.Errorf("after %d steps f = %v, want %v; b = %v, want %v", done.Done, w.F, want.F, w.B, want.B)
		}
		if !slices.Equal(w.Moved, want.Moved) {
			t.Errorf("moved %v, want %v", w.Moved, want.Moved)
		}
		for _, m := range w.Moved {
			follow(w, m)
		}
		if most -= got.Done; most <= 0 || t.Failed() {
			break
		}
		switch why {
		case noRow:
			copy(w.Place(got.Need), rows[got.Need])
			w.Put(got.Need, w.Diag)
			moved = 0
			free = func() Stop { return w.Iterate(most) }
			continue
		case full:
			moved = 0
			free = func() Stop { return w.Iterate(most) }
			continue
		case left:
			di, dj := source(r), source(r)
			plainStep(want.F, rows[got.I], rows[got.J], di, dj)
			for _, k := range []int{got.I, got.J} {
				w.B[k] = r.NormFloat64()
				want.B[k] = w.B[k]
				for g := range w.Up {
					if w.Up[g].Has(k) || w.Low[g].Has(k) {
						up := r.IntN(4) > 0
						low := !up || r.IntN(2) > 0
						for _, x := range []*Walk{w, &want} {
							x.Up[g].Put(k, up)
							x.Low[g].Put(k, low)
						}
					}
				}
			}
			moved = 1
			free = func() Stop { return w.Resume(di, dj, most) }
			continue
		}
		break
	}
	if !intact(allF, wide, skip) || !intact(allB, n, skip) ||
		!slices.EqualFunc(w.Diag, before.Diag, same) || !slices.EqualFunc(w.Lower, before.Lower, same) || !slices.EqualFunc(w.Upper, before.Upper, same) {
		t.Error("written where it must not be")
	}
	for i, row := range rows {
		if kept := w.Row(i); kept != nil && !slices.EqualFunc(kept[:n], row, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
			t.Errorf("row %d is not what was kept", i)
		}
	}
	return steps
}

// TestInverses compares every implementation with the definition, to the last bit.
func TestInverses(t *testing.T) {
	defer simd.Use(simd.Current())
	steep, overflowed := 0, 0
	for level := simd.AVX2; level <= simd.Best(); level++ {
		simd.Use(level)
		for name, source := range sources {
			r := rand.New(rand.NewPCG(3, uint64(len(name))))
			for _, n := range lengths() {
				if n == 0 || n > 300 {
					continue
				}
				w := new(Walk)
				w.Begin(n)
				i, diag := r.IntN(n), make([]float64, n)
				row := w.Place(i)
				for k := range diag {
					diag[k], row[k] = source(r), float32(source(r))
					switch r.IntN(8) {
					case 0:
						diag[k] *= 1e-305
						row[k] = 0
					case 1:
						diag[k] *= 1e38
					}
				}
				w.Put(i, diag)
				inverses := w.inverses(i)
				for k, got := range inverses {
					if k >= n {
						if got != 0 {
							t.Fatalf("%v, %s: %v behind %d inverses", level, name, got, n)
						}
						continue
					}
					a := diag[i] + diag[k] - 2*float64(row[k])
					if a <= 0 {
						a = 1e-12
					}
					want := float32(1 / a)
					if a > 0x1p126 {
						want = float32(math.Inf(1))
						steep++
					} else if math.IsInf(float64(want), 1) {
						overflowed++
					}
					if !same(float64(got), float64(want)) {
						t.Fatalf("%v, %s, %d variables: 1/(%v + %v - 2 x %v) is %v, want %v", level, name, n, diag[i], diag[k], row[k], got, want)
					}
				}
			}
		}
	}
	if (steep == 0 || overflowed == 0) && simd.Best() > simd.Portable {
		t.Errorf("%d derivatives are very large, %d nearly 0", steep, overflowed)
	}
}

// TestWalkShapes: slices that do not fit are the programmer's error.
func TestWalkShapes(t *testing.T) {
	for name, spoil := range map[string]func(*Walk){
		"B":     func(w *Walk) { w.B = w.B[1:] },
		"Diag":  func(w *Walk) { w.Diag = nil },
		"Upper": func(w *Walk) { w.Upper = w.Upper[1:] },
		"Lower": func(w *Walk) { w.Lower = w.Lower[1:] },
		"F":     func(w *Walk) { w.F = w.F[:70:70] },
		"rows":  func(w *Walk) { w.Begin(69) },
		"Up":    func(w *Walk) { w.Up[0] = w.Up[0][:1] },
		"Low":   func(w *Walk) { w.Low = nil },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "scan: ") {
					t.Errorf("panic %q", r)
				}
			}()
			w, _ := randomWalk(rand.New(rand.NewPCG(1, 1)), 70, 1, sources["normal"])
			spoil(w)
			w.Iterate(1)
		})
	}
	t.Run("too many variables", func(t *testing.T) {
		defer func() {
			if recover() != "scan: a walk of 4097 variables, 4096 at most" {
				t.Error("no panic")
			}
		}()
		new(Walk).Begin(4097)
	})
	t.Run("nothing to follow", func(t *testing.T) {
		defer func() {
			if recover() != "scan: no pair to follow, or no iteration" {
				t.Error("no panic")
			}
		}()
		w, _ := randomWalk(rand.New(rand.NewPCG(1, 1)), 70, 1, sources["normal"])
		w.Resume(1, 1, 1)
	})
}

// BenchmarkWalk measures one of many iterations.
func BenchmarkWalk(b *testing.B) {
	for _, groups := range []int{1, 2} {
		for _, n := range []int{16, 29, 44, 64, 94, 206} {
			b.Run(fmt.Sprintf("%d groups/%d", groups, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 1))
				w := &Walk{F: make([]float64, n, PaddedLen(n)), Diag: make([]float64, n), B: make([]float64, n), Lower: make([]float64, n), Upper: make([]float64, n)}
				w.Begin(n)
				for range groups {
					w.Up = append(w.Up, NewSet(n))
				}
				points := make([][8]float64, n) // of columns that differ widely, so that the walk does not end
				for i := range points {
					for k := range points[i] {
						points[i][k] = r.NormFloat64() * math.Pow(4, float64(k))
					}
				}
				rows := make([][]float32, n)
				for i, x := range points {
					w.F[i], w.Lower[i], w.Upper[i] = float64(2*r.IntN(2)-1), math.Inf(-1), math.Inf(1)
					w.Up[i%groups].Put(i, true)
					for _, y := range points {
						sum := 0.0
						for k := range x {
							sum += x[k] * y[k]
						}
						rows[i] = append(rows[i], float32(sum))
					}
					w.Diag[i] = float64(rows[i][i])
				}
				for i, row := range rows {
					copy(w.Place(i), row)
					w.Put(i, w.Diag)
				}
				w.Low = w.Up
				w.Tolerance = 1e-300
				b.ResetTimer()
				if s := w.Iterate(b.N); s.Done != b.N {
					b.Fatalf("%d iterations: %+v", b.N, s)
				}
			})
		}
	}
}
