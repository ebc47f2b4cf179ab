package generate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The stream that everything rests on, as other implementations of PCG-DXSM
// give it, so a change in the generator is told apart from one in a set.
func TestSource(t *testing.T) {
	g := rand.NewPCG(1, 2)
	for i, want := range []uint64{
		0xc4f5a58656eef510,
		0x9dcec3ad077dec6c,
		0xc8d04605312f8088,
	} {
		if got := g.Uint64(); got != want {
			t.Errorf("number %d of PCG(1,2): %#x, want %#x", i, got, want)
		}
	}
}

// The distribution function of normal against the error function: by Kolmogorov
// the largest distance of n samples is above 1.95/sqrt(n) once in a thousand.
func TestNormal(t *testing.T) {
	const n = 200_000
	r := newRandom(1, "test")
	const cells = 400 // of width 1/50 from -4
	var count [cells]int
	below, sum2, sum4 := 0, 0.0, 0.0
	for range n {
		x := r.normal()
		sum2 += x * x
		sum4 += x * x * x * x
		switch c := math.Floor((x + 4) * 50); {
		case c < 0:
			below++
		case c < cells:
			count[int(c)]++
		}
	}
	worst := 0.0
	for c := range cells {
		at := -4 + float64(c)/50
		phi := math.Erfc(-at/math.Sqrt2) / 2
		worst = max(worst, math.Abs(float64(below)/n-phi))
		below += count[c]
	}
	if limit := 1.95 / math.Sqrt(n); !(worst <= limit) {
		t.Errorf("distance from the normal distribution %v, limit %v", worst, limit)
	}
	// standard errors sqrt(2/n) and sqrt(96/n)
	if v := sum2 / n; !(math.Abs(v-1) <= 4*math.Sqrt(2.0/n)) {
		t.Errorf("variance %v", v)
	}
	if v := sum4 / n; !(math.Abs(v-3) <= 4*math.Sqrt(96.0/n)) {
		t.Errorf("fourth moment %v", v)
	}
}

// Neighbouring seeds must not give neighbouring samples.
func TestSeedsAreIndependent(t *testing.T) {
	const n = 20_000
	var first [n]float64
	mean, lag := 0.0, 0.0
	for seed := range n {
		first[seed] = newRandom(uint64(seed), "test").uniform() - 0.5
		mean += first[seed] / n
	}
	for i := 1; i < n; i++ {
		lag += 12 * first[i] * first[i-1] / n
	}
	if limit := 4 / math.Sqrt(12*n); !(math.Abs(mean) <= limit) {
		t.Errorf("mean of first numbers %v, limit %v", mean, limit)
	}
	if limit := 4 / math.Sqrt(n); !(math.Abs(lag) <= limit) {
		t.Errorf("correlation of neighbouring seeds %v, limit %v", lag, limit)
	}
}

func TestBelow(t *testing.T) {
	r := newRandom(1, "test")
	var count [6]int
	const n = 60_000
	for range n {
		count[r.below(6)]++
	}
	for k, c := range count {
		if !(math.Abs(float64(c)-n/6) <= 5*math.Sqrt(n/6)) {
			t.Errorf("%d drawn %d times of %d", k, c, n)
		}
	}
}

func TestAngle(t *testing.T) {
	for i := range 20_000 {
		x := float64(i) / 61
		cos, sin := angle(x)
		ws, wc := math.Sincos(x * math.Pi / 16)
		if !(math.Abs(cos-wc) <= 3e-13) || !(math.Abs(sin-ws) <= 3e-13) { // the argument itself is rounded: 64 * 2^-53 * 20
			t.Fatalf("angle(%v) = %v, %v, want %v, %v", x, cos, sin, wc, ws)
		}
	}
	for j := range 320 {
		cos, sin := angle(float64(j) / 10)
		if d := cos*cos + sin*sin - 1; !(math.Abs(d) <= 1e-15) {
			t.Errorf("angle(%v/10) is off the unit circle by %v", j, d)
		}
	}
}

func TestRound(t *testing.T) {
	for x, want := range map[float64]float64{
		0.12345649: 0.123456, -0.1234565001: -0.123457, -1e-9: 0, 9007199254: 9007199254, 1e300: 1e300, -1e305: -1e305,
	} {
		if got := round(x, 1e6); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("round(%v) = %v, want %v", x, got, want)
		}
	}
}
