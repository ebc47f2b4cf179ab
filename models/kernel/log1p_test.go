package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigLog1p returns log(1+x): from the float64 value by a step of Halley's method, which cubes the
// error.
func bigLog1p(x float64) *big.Float {
	y := math.Log1p(x)
	e, sum := bigExp(y), new(big.Float).Add(exact(1), exact(x))
	up, down := new(big.Float).Sub(sum, e), new(big.Float).Add(sum, e)
	up.Quo(up, down)
	return up.Add(up, up).Add(up, exact(y))
}

func TestLog1pError(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	worst := 0.0
	for i := range 16000 {
		x := r.Float64()
		switch i % 4 {
		case 0:
			x = math.Exp2(-60 * r.Float64())
		case 1:
			x = -math.Exp2(-60 * r.Float64())
		case 2:
			x = math.Exp2(60 * r.Float64())
		}
		d := ulps(Log1p(x), bigLog1p(x))
		worst = max(worst, d)
		if d > 1.5 {
			t.Errorf("Log1p(%v) is off by %.3f units of the last place", x, d)
		}
	}
	t.Logf("largest error %.4f", worst)
	if worst < 0.49 {
		t.Errorf("no error above %.3f: the measure is broken", worst)
	}
}

func TestLog1pSpecialValues(t *testing.T) {
	inf, zero, nan := math.Inf(1), math.Copysign(0, -1), math.NaN()
	for _, c := range []struct{ x, want float64 }{
		{0, 0}, {zero, zero}, {5e-324, 5e-324}, {-1e-300, -1e-300}, {0x1p-53, 0x1p-53},
		{-1, -inf}, {-1.5, nan}, {-inf, nan}, {inf, inf}, {nan, nan},
		{math.MaxFloat64, 0x1.62e42fefa39efp+09}, {1, 0x1.62e42fefa39efp-01},
	} {
		if got := Log1p(c.x); math.Float64bits(got) != math.Float64bits(c.want) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Log1p(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}
