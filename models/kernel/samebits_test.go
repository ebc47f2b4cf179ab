package kernel

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// samePoints are arguments of all sizes.
func samePoints() []float64 {
	r := rand.New(rand.NewPCG(11, 12))
	x := make([]float64, 12000)
	for i := range x {
		switch i % 4 {
		case 0:
			x[i] = Exp(-50 * r.Float64())
		case 1:
			x[i] = 2*r.Float64() - 1
		case 2:
			x[i] = math.Ldexp(r.Float64()-0.5, -r.IntN(70))
		case 3:
			x[i] = math.Ldexp(1+r.Float64(), r.IntN(120))
		}
	}
	return x
}

// TestSameBits: exponentials and logarithms have these bits on every processor.
func TestSameBits(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(float64) float64
		want uint64
	}{
		{"exp", Exp, 0x9ab66f746021d8c4}, {"log", Log, 0xc0407ccf2f1083e3},
		{"log1p", Log1p, 0x2bf5bbe63fc4eca2}, {"tanh", tanh, 0x139437c0b747e6cb},
	} {
		sum := fnv.New64a()
		for _, x := range samePoints() {
			if c.name == "log" {
				x = math.Abs(x)
			}
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(c.f(x)))
			sum.Write(b[:])
		}
		if got := sum.Sum64(); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}
