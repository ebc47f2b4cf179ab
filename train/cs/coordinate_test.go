package cs_test

import (
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/cs"
)

// TestCoordinate: the next stage has the points of all runs, and starts from the approximation of
// the run whose step (c), not step (d), has the largest share of right answers, by the costs of the
// held-out rows, or without these of the sample; of equal ones the first.
func TestCoordinate(t *testing.T) {
	// right answers and all, counted and by cost
	share := func(right, of int, weight, all float64) cs.Metrics {
		return cs.Metrics{HeldRight: right, HeldOut: of, HeldRightWeight: weight, HeldOutWeight: all, Right: 1, Of: 1, RightWeight: 1, OfWeight: 1}
	}
	sample := func(right, of int, weight, all float64) cs.Metrics {
		return cs.Metrics{Right: right, Of: of, RightWeight: weight, OfWeight: all}
	}
	for _, c := range []struct {
		name string
		c, d [3]cs.Metrics
		want int
	}{
		{"by cost", [3]cs.Metrics{share(9, 10, 3, 20), share(5, 10, 15, 20), share(7, 10, 9, 20)}, [3]cs.Metrics{}, 1},
		{"by share", [3]cs.Metrics{share(0, 0, 8, 20), share(0, 0, 9, 30), share(0, 0, 7, 10)}, [3]cs.Metrics{}, 2},
		{"step (c)", [3]cs.Metrics{share(1, 2, 1, 2), share(2, 2, 2, 2), share(0, 2, 0, 2)}, [3]cs.Metrics{share(2, 2, 2, 2), {}, share(2, 2, 2, 2)}, 1},
		{"equal", [3]cs.Metrics{share(0, 2, 0, 2), share(1, 2, 1, 2), share(1, 2, 1, 2)}, [3]cs.Metrics{}, 1},
		{"costs unknown", [3]cs.Metrics{share(1, 4, 0, 0), share(2, 4, 0, 0), share(3, 4, 0, 0)}, [3]cs.Metrics{}, 2},
		{"sample", [3]cs.Metrics{sample(9, 10, 3, 20), sample(5, 10, 15, 20), sample(7, 10, 9, 20)}, [3]cs.Metrics{}, 1},
	} {
		var runs []*cs.Outcome
		for r := range c.c {
			o := &cs.Outcome{Run: r}
			o.C = cs.Result{Classifier: cs.Classifier{Rho: float64(r)}, Metrics: c.c[r]}
			o.D = cs.Result{Classifier: cs.Classifier{Rho: 9}, Metrics: c.d[r]}
			for k := range r + 1 {
				o.Z = append(o.Z, vec.Vector{Index: []int32{1}, Value: []float64{float64(10*r + k)}})
			}
			runs = append(runs, o)
		}
		centres, start := cs.Coordinate(runs)
		var values []float64
		for _, z := range centres {
			values = append(values, z.Value[0])
		}
		if start.Rho != float64(c.want) || !slices.Equal(values, []float64{0, 10, 11, 20, 21, 22}) {
			t.Errorf("%s: starts from run %v with points %v, want run %d", c.name, start.Rho, values, c.want)
		}
	}
}
