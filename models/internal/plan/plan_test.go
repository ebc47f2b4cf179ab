package plan_test

import (
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestSerials: a vector that does not say which training row it is makes no file, and no panic.
func TestSerials(t *testing.T) {
	for _, c := range []struct {
		row  vec.Vector
		want string
	}{
		{vec.Vector{Index: []int32{0}, Value: []float64{3}}, "<nil>"},
		{vec.Vector{}, "vector 1: "},
		{vec.Vector{Index: []int32{0}, Value: []float64{0.5}}, "vector 1: "},
	} {
		m := &models.Model{Task: models.OneClass, Kernel: kernel.Precomputed{}, Machines: []models.Machine{{Coef: []float64{1}}}}
		m.Vectors.Append(c.row)
		if _, err := plan.New(m, nil, "C"); fmt.Sprintf("%.10s", fmt.Sprint(err)) != c.want {
			t.Errorf("%v: %v, want %s...", c.row, err, c.want)
		}
	}
}
