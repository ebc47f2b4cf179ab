package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// prec is the precision, in bits, of the arithmetic that results are compared with.
const prec = 320

func exact(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// bigExp returns e^x from the power series of e^(x/2^24), squared 24 times.
func bigExp(x float64) *big.Float {
	const halvings = 24
	r := exact(x)
	r.SetMantExp(r, -halvings)
	sum, term := exact(1), exact(1)
	for n := 1; n < 40; n++ {
		term.Mul(term, r)
		term.Quo(term, exact(float64(n)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigTanh returns (e^2x - 1)/(e^2x + 1).
func bigTanh(x float64) *big.Float {
	e := bigExp(2 * x)
	up, down := new(big.Float).Sub(e, exact(1)), new(big.Float).Add(e, exact(1))
	return up.Quo(up, down)
}

// bigLog returns log x: from the float64 value by a step of Halley's method, which cubes the error.
func bigLog(x float64) *big.Float {
	y := math.Log(x)
	e := bigExp(y)
	up, down := new(big.Float).Sub(exact(x), e), new(big.Float).Add(exact(x), e)
	up.Quo(up, down)
	return up.Add(up, up).Add(up, exact(y))
}

// ulps returns the distance of got and want in units of the last place of want.
func ulps(got float64, want *big.Float) float64 {
	nearest, _ := want.Float64()
	unit := math.Nextafter(math.Abs(nearest), math.Inf(1)) - math.Abs(nearest)
	d := new(big.Float).Sub(exact(got), want)
	d.Quo(d, exact(unit))
	distance, _ := d.Float64()
	return math.Abs(distance)
}

func TestBigExp(t *testing.T) {
	// e to 70 digits
	e, _, err := big.ParseFloat("2.7182818284590452353602874713526624977572470936999595749669676277240766", 10, prec, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	if d := ulps(math.E, e); d > 0.5 {
		t.Errorf("math.E is off by %v", d)
	}
	d := new(big.Float).Sub(bigExp(1), e)
	if d.Abs(d).Cmp(big.NewFloat(1e-69)) > 0 {
		t.Errorf("bigExp(1) is off by %g", d)
	}
}

func TestExpError(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	worst := 0.0
	for i := range 12000 {
		x := -708 + 1417*r.Float64()
		if i%2 == 0 {
			x = 40*r.Float64() - 20
		}
		d := ulps(Exp(x), bigExp(x))
		worst = max(worst, d)
		limit := 0.52
		if x < -512 {
			limit = 1 // there one more product is rounded
		}
		if d > limit {
			t.Errorf("Exp(%v) is off by %.3f units of the last place", x, d)
		}
	}
	t.Logf("largest error %.4f", worst)
	if worst < 0.49 {
		t.Errorf("no error above %.3f: the measure is broken", worst)
	}
}

func TestTanhError(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	worst := 0.0
	for i := range 8000 {
		x := 46*r.Float64() - 23
		switch i % 3 {
		case 0:
			x /= 10
		case 1:
			x *= math.Exp2(-60 * r.Float64())
		}
		d := ulps(tanh(x), bigTanh(x))
		worst = max(worst, d)
		if d > 2 {
			t.Errorf("tanh(%v) is off by %.3f units of the last place", x, d)
		}
	}
	t.Logf("largest error %.4f", worst)
}

func TestLogError(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	worst := 0.0
	for i := range 12000 {
		x := 1 + r.Float64()
		switch i % 3 {
		case 0:
			x = math.Exp2(1000*r.Float64() - 500)
		case 1:
			x = 0.9 + 0.2*r.Float64()
		}
		d := ulps(Log(x), bigLog(x))
		worst = max(worst, d)
		if d > 0.52 {
			t.Errorf("Log(%v) is off by %.3f units of the last place", x, d)
		}
	}
	t.Logf("largest error %.4f", worst)
	if worst < 0.49 {
		t.Errorf("no error above %.3f: the measure is broken", worst)
	}
}

// TestLogTable: the logarithms of the entries are multiples of 2^-43, as k ln 2 is, and within
// 2^-66 of the truth; products with the reciprocals differ from 1 by no more than half an interval
// and a little.
func TestLogTable(t *testing.T) {
	for i, e := range logTable {
		if m := math.Ldexp(e[1], 43); m != math.Trunc(m) {
			t.Errorf("entry %d: %x is no multiple of 2^-43", i, e[1])
		}
		sum := bigLog(e[0])
		if d, _ := sum.Add(sum, exact(e[1])).Float64(); !(math.Abs(d) <= 0x1p-66) {
			t.Errorf("entry %d: log c is off by %v", i, d)
		}
		for _, at := range []uint64{uint64(i), uint64(i) + 1} {
			z := math.Float64frombits(logFirst + at<<45)
			if at == uint64(i)+1 {
				z = math.Nextafter(z, 0)
			}
			if r := math.FMA(z, e[0], -1); !(math.Abs(r) <= 0x1p-7) {
				t.Errorf("entry %d: z/c - 1 is %v at %v", i, r, z)
			}
		}
	}
}

// TestExpTable: the entries of the table are the numbers nearest to 2^(i/128) and to its remainder.
// The test takes powers instead of roots: no other number has a 128th power nearer to 2^i.
func TestExpTable(t *testing.T) {
	power := func(x *big.Float) *big.Float {
		p := new(big.Float).SetPrec(prec).Set(x)
		for range 7 {
			p.Mul(p, p)
		}
		return p
	}
	between := func(i int, what string, low, high *big.Float) {
		t.Helper()
		want := exact(math.Ldexp(1, i))
		if power(low).Cmp(want) > 0 || power(high).Cmp(want) < 0 {
			t.Errorf("entry %d: %s is not the nearest number", i, what)
		}
	}
	sum := func(a, b float64) *big.Float { return new(big.Float).SetPrec(prec).Add(exact(a), exact(b)) }
	for i, e := range expTable {
		head, tail := e[0], e[1]
		half := 0x1p-53 // half a unit in the last place of numbers from 1 to 2
		between(i, "head", sum(head, -half), sum(head, half))
		times := func(tail float64, half float64) *big.Float {
			f := sum(1, tail)
			f.Add(f, exact(half))
			return f.Mul(f, exact(head))
		}
		unit := (math.Nextafter(math.Abs(tail), 1) - math.Abs(tail)) / 2
		between(i, "tail", times(tail, -unit), times(tail, unit))
	}
	if expTable[0] != [2]float64{1, 0} {
		t.Errorf("entry 0 is %v", expTable[0])
	}
}

// TestPinnedResults compares with results of the GNU C library 2.36 on x86-64 with fused
// multiply-add, for machines whose C library has other results.
func TestPinnedResults(t *testing.T) {
	for _, c := range pinned {
		if got := Exp(c.x); got != c.exp {
			t.Errorf("Exp(%v) = %x, want %x", c.x, got, c.exp)
		}
		if got := tanh(c.x); got != c.tanh {
			t.Errorf("tanh(%v) = %x, want %x", c.x, got, c.tanh)
		}
	}
}

func TestSpecialValues(t *testing.T) {
	inf, zero := math.Inf(1), math.Copysign(0, -1)
	for _, c := range []struct{ x, exp, tanh float64 }{
		{0, 1, 0},
		{zero, 1, zero},
		{inf, inf, 1},
		{-inf, 0, -1},
		{5e-324, 1, 5e-324},
		{-1e-300, 1, -1e-300},
		{1e4, inf, 1},
		{-1e4, 0, -1},
		{math.MaxFloat64, inf, 1},
		{-math.MaxFloat64, 0, -1},
		{709.7827128933841, inf, 1},
		{-746, 0, -1},
	} {
		if got := Exp(c.x); math.Float64bits(got) != math.Float64bits(c.exp) {
			t.Errorf("Exp(%v) = %v, want %v", c.x, got, c.exp)
		}
		if got := tanh(c.x); math.Float64bits(got) != math.Float64bits(c.tanh) {
			t.Errorf("tanh(%v) = %v, want %v", c.x, got, c.tanh)
		}
	}
	if !math.IsNaN(Exp(math.NaN())) || !math.IsNaN(tanh(math.NaN())) {
		t.Errorf("of NaN: %v, %v", Exp(math.NaN()), tanh(math.NaN()))
	}
}
