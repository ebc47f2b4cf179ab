package scan

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A pairStep is a step of two variables in the terms of the paper: multipliers a of rows with
// labels y and costs c.
type pairStep struct{ y, a, c [2]float64 }

// clipped returns the pair after the published update, for a step that changes y_1 a_1 by delta and
// y_2 a_2 by -delta. It asks four questions in turn, two for each of the directions in which the
// pair can leave its square. The pair keeps a_1 - a_2 for rows of two classes, else a_1 + a_2. That
// sum or difference tells which of the two sides that the pair can leave through in one direction
// it reaches first.
func (p pairStep) clipped(delta float64) (a1, a2 float64) {
	a1, a2 = p.a[0], p.a[1]
	c1, c2 := p.c[0], p.c[1]
	if p.y[0] == p.y[1] {
		kept := a1 + a2
		a1 += p.y[0] * delta
		a2 -= p.y[0] * delta
		switch { // towards large a_1
		case kept > c1 && a1 > c1:
			a1, a2 = c1, kept-c1
		case kept <= c1 && a2 < 0:
			a1, a2 = kept, 0
		}
		switch { // towards large a_2
		case kept > c2 && a2 > c2:
			a1, a2 = kept-c2, c2
		case kept <= c2 && a1 < 0:
			a1, a2 = 0, kept
		}
		return a1, a2
	}
	kept := a1 - a2
	a1 += p.y[0] * delta
	a2 += p.y[0] * delta
	switch { // towards small values
	case kept > 0 && a2 < 0:
		a1, a2 = kept, 0
	case kept <= 0 && a1 < 0:
		a1, a2 = 0, -kept
	}
	switch { // towards large values
	case kept > c1-c2 && a1 > c1:
		a1, a2 = c1, c1-kept
	case kept <= c1-c2 && a2 > c2:
		a1, a2 = c2+kept, c2
	}
	return a1, a2
}

// TestClip compares with the published update to the last bit, including the sign of zero for
// variables with a box [0, C]. For the others the sign is lost in b = -a, and set when a solution
// is returned.
func TestClip(t *testing.T) {
	cases := map[string]int{}
	property := func(t *rapid.T) {
		var p pairStep
		costs := rapid.SampledFrom([]float64{1, 1, 0.5, 3, 0.1, 1e6, 0.7, 1e-3})
		for i := range 2 {
			p.y[i] = rapid.SampledFrom([]float64{1, -1}).Draw(t, "y")
			p.c[i] = costs.Draw(t, "C")
			share := rapid.OneOf(rapid.SampledFrom([]float64{0, 0, 1, 0.5, 1.0 / 3}), rapid.Float64Range(0, 1))
			p.a[i] = p.c[i] * share.Draw(t, "share")
			if p.a[i] == 0 && p.y[i] > 0 && rapid.Bool().Draw(t, "-0") {
				p.a[i] = math.Copysign(0, -1)
			}
		}
		if rapid.Bool().Draw(t, "on the diagonal") { // ties of the constraint with an edge
			p.a[1] = min(p.a[0], p.c[1])
		}
		delta := rapid.OneOf(
			rapid.SampledFrom([]float64{0x1p-1074, 1e-12, 0.1, 0.5, 1, 3, 1e300, math.Inf(1)}),
			rapid.Float64Range(0x1p-60, 10),
			rapid.Map(rapid.Float64Range(0, 1), func(x float64) float64 { return x*p.c[0] + 0x1p-1074 }),
		).Draw(t, "delta")

		var s Pair
		for i := range 2 {
			s.B[i] = p.y[i] * p.a[i]
			if p.y[i] > 0 {
				s.Boxes[i].Upper = p.c[i]
			} else {
				s.Boxes[i].Lower = -p.c[i]
			}
		}
		sum := s.B[0] + s.B[1]
		s.B[0] += delta
		s.B[1] -= delta
		free := s.B
		s.Clip(sum)

		a1, a2 := p.clipped(delta)
		for i, a := range []float64{a1, a2} {
			b := p.y[i] * a
			if p.y[i] < 0 && a == 0 {
				if math.Signbit(a) {
					t.Fatalf("%+v: the reference has a = -0 for the second class", p)
				}
				b = s.B[i] // a zero of either sign
			}
			if math.Float64bits(s.B[i]) != math.Float64bits(b) || a == 0 && s.B[i] != 0 {
				t.Fatalf("%+v, delta %v: b[%d] = %v, want %v", p, delta, i, s.B[i], b)
			}
		}
		switch {
		case s.B == free:
			cases["inside"]++
		case s.B[0] == s.Boxes[0].Upper:
			cases["first at its end"]++
		case s.B[1] == s.Boxes[1].Lower:
			cases["second at its end"]++
		}
	}
	for range 100 { // rare ties are found only among thousands of cases
		rapid.Check(t, property)
	}
	for _, name := range []string{"inside", "first at its end", "second at its end"} {
		if cases[name] == 0 {
			t.Errorf("no case %q", name)
		}
	}
}

// TestPlace: a variable in a box without room is at the end that should not be 0.
func TestPlace(t *testing.T) {
	const tiny = math.SmallestNonzeroFloat64
	for _, c := range []struct {
		b, lower, upper float64
		want            uint8
	}{
		{0, 0, 1, AtLower}, {1, 0, 1, AtUpper}, {tiny, 0, 1, Inside}, {1 - 0x1p-53, 0, 1, Inside},
		{0, -1, 0, AtUpper}, {-1, -1, 0, AtLower}, {-tiny, -1, 0, Inside}, {math.Copysign(0, -1), 0, 1, AtLower},
		{-0.5, -0.5, -0.5, AtLower}, {0.5, 0.5, 0.5, AtUpper}, {0, 0, 0, AtLower},
	} {
		if got := (Box{Lower: c.lower, Upper: c.upper}).Place(c.b); got != c.want {
			t.Errorf("%v in [%v,%v]: %d, want %d", c.b, c.lower, c.upper, got, c.want)
		}
	}
}
