package joint

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestPower: powers are those of the kernel, whose derivative they are part of. The largest degree
// that a model file may have takes no longer than others.
func TestPower(t *testing.T) {
	for _, c := range []struct {
		x    float64
		n    int
		want float64
	}{
		{3, -1, 0}, {3, 0, 1}, {0, 0, 1}, {3, 1, 3}, {-3, 5, -243}, {2, 62, 0x1p62}, {-1, math.MaxInt32, -1}, {0.5, math.MaxInt32 - 1, 0},
	} {
		if got := power(c.x, c.n); got != c.want {
			t.Errorf("%v to the %d: %v, want %v", c.x, c.n, got, c.want)
		}
	}
}

// TestLargestDegree: many values of the kernel of the largest degree are soon computed. (One after
// the other the products of a single value take seconds.)
func TestLargestDegree(t *testing.T) {
	c := small(nil)
	c.Kernel = kernel.Poly{Degree: math.MaxInt32, Gamma: 0x1p-6, Coef0: 0.5}
	m, err := c.Train(t.Context(), set(t, "moons", 60, 1), train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
}
