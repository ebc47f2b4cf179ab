package overflow

import (
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// TestRow: a row in whose sums infinities of both signs meet has no answer, others have one, be their values huge.
func TestRow(t *testing.T) {
	m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{1e10, -1e10}})
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	row := New(p, "m")
	for _, c := range []struct {
		x, y float64
		want string
	}{
		{1, 1, ""}, {1e290, 0, ""}, {1e300, 0, ""}, {-1e300, 1e300, ""}, {1e290, 1e290, ""},
		{1e300, 1e300, "the value of m is not a number: kernel values overflow"},
	} {
		got := ""
		if err := row.Row(vec.Vector{Index: []int32{1, 2}, Value: []float64{c.x, c.y}}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.x, c.y, got, c.want)
		}
	}
}
