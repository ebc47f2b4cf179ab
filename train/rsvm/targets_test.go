package rsvm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// TestFarTargets: targets so far from 0 that answers become worse are reported, in memory and
// streamed, and others are not.
func TestFarTargets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	near := new(format.Dataset)
	for range 200 {
		a, b := 2*rng.Float64()-1, 2*rng.Float64()-1
		near.Append(format.Instance{
			X: vec.Vector{Index: []int32{1, 2}, Value: []float64{a, b}},
			Y: 3*a + b*b + 0.1*rng.NormFloat64(), Weight: 1,
		})
	}
	squared := map[float64]float64{}
	for _, c := range []struct {
		from float64
		far  bool
	}{{0, false}, {-20, false}, {1000, true}, {-1e6, true}, {1e150, true}} {
		d := &format.Dataset{X: near.X}
		for _, y := range near.Y {
			d.Y = append(d.Y, c.from+y*max(1, math.Abs(c.from)/1e10))
		}
		told := 0
		g := Regression{Options: DefaultOptions(), Epsilon: 0.1}
		g.Kernel, g.Cost = kernel.RBF{Gamma: 1}, 100
		g.Report = func(e train.Event) {
			if _, is := e.(train.FarTargets); is {
				told++
			}
		}
		m, err := g.Train(t.Context(), d, nil)
		if err != nil {
			if math.Abs(c.from) < 1e100 {
				t.Fatal(err)
			}
			continue // the sums overflow
		}
		if _, err := g.TrainStream(t.Context(), rowsOf(d, 0, d.Len())); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 2}[c.far]; told != want {
			t.Errorf("targets from %v: told %d times, want %d", c.from, told, want)
		}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.Len() {
			e := p.Predict(d.X.Row(i)) - d.Y[i]
			squared[c.from] += e * e
		}
	}
	if !(squared[-20] < 2*squared[0]) || !(squared[1000] > 4*squared[0]) {
		t.Errorf("squared errors %v: the warning is not true", squared)
	}
}
