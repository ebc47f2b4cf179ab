package psvm

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestRestoreMembers: the remaining members answer no fewer training rows rightly than all did, even if
// classes overlap so much that members abstain on most rows. Most of the removed members stay
// removed.
func TestRestoreMembers(t *testing.T) {
	for seed, least := range map[uint64]int{5: 1, 48: 1, 11: 0, 30: 0} {
		r := rand.New(rand.NewPCG(seed, 9))
		d := new(format.Dataset)
		n, classes := 40+r.IntN(100), 2+r.IntN(4)
		for range n {
			y := r.IntN(classes)
			x := vec.Vector{Index: []int32{1, 2}, Value: []float64{r.NormFloat64() + float64(y)*.5, r.NormFloat64()}}
			d.Append(format.Instance{X: x, Y: float64(y), Weight: 1})
		}
		right := map[bool]int{}
		for _, unpruned := range []bool{false, true} {
			s := Default()
			s.EqualCosts, s.HardNegatives, s.Cost, s.Unpruned = true, thesisHard, 0.01, unpruned
			m, err := s.Train(t.Context(), d, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := predictorOf(t, m)
			for i, y := range d.Y {
				if p.Predict(d.X.Row(i)) == y {
					right[unpruned]++
				}
			}
			if !unpruned && m.CountMembers() < least {
				t.Errorf("seed %d: %d members", seed, m.CountMembers())
			}
		}
		if right[false] < right[true] {
			t.Errorf("seed %d: %d of %d rows are answered rightly, %d by all members", seed, right[false], n, right[true])
		}
	}
}
