package plan_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/scale"
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

// own is a kernel that is not of package kernel.
type own struct{ kernel.RBF }

// TestOwnKernel: a model with a kernel of the caller's own makes no file. It made one of a linear kernel in Java and
// Python, and a panic in C.
func TestOwnKernel(t *testing.T) {
	m := &models.Model{Task: models.OneClass, Kernel: own{kernel.RBF{Gamma: 1}}, Machines: []models.Machine{{}}}
	const want = "source files cannot have the kernel plan_test.own, which is not of package kernel"
	if _, err := plan.New(m, nil, "C"); fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestFaultyInputs: a fault of inputs has the line of the model's file.
func TestFaultyInputs(t *testing.T) {
	m := &models.Model{Task: models.OneClass, Kernel: kernel.Linear{}, Machines: []models.Machine{{}}, Inputs: []byte("x\n"), InputsLine: 9}
	const want = "9:1: inputs: data set: invalid character 'x' looking for beginning of value"
	if _, err := plan.New(m, nil, "C"); fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestZeroFeature: a vector that lists feature 0, even with the value 0, has rows begin with that feature, which scaled
// ones do not: files said both, and answered for rows one place off.
func TestZeroFeature(t *testing.T) {
	ranges := &scale.Ranges{X: &scale.Features{
		Limits: scale.Limits{Lower: -1, Upper: 1}, Ranges: []scale.Feature{{Index: 1, Range: scale.Range{Max: 4}}},
	}}
	for _, c := range []struct {
		row  vec.Vector
		want string
	}{
		{vec.Vector{Index: []int32{1}, Value: []float64{0.5}}, "<nil>"},
		{vec.Vector{Index: []int32{0, 1}, Value: []float64{0, 0.5}}, plan.ErrRanges.Error() + ": vectors have feature 0, and in C features are numbered from 1 where they are scaled"},
		{vec.Vector{Index: []int32{0, 1}, Value: []float64{2, 0.5}}, plan.ErrRanges.Error() + ": vector 1 has feature 0, which by them is 0 in all rows"},
	} {
		m := &models.Model{Task: models.OneClass, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{1}}}}
		m.Vectors.Append(c.row)
		if _, err := plan.New(m, ranges, "C"); fmt.Sprint(err) != c.want {
			t.Errorf("%v: %v, want %s", c.row, err, c.want)
		}
	}
}

// TestWidest: vectors with the first feature that there is and the last have more than 32 bits count, and are lists. Where
// an int has no more, writers of all languages took them for a table of one column, and panicked.
func TestWidest(t *testing.T) {
	m := &models.Model{Task: models.OneClass, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{0, math.MaxInt32}, Value: []float64{1, 2}})
	p, err := plan.New(m, nil, "C")
	if err != nil || p.Width != 1<<31 || p.Dense {
		t.Errorf("%+v, %v", p, err)
	}
}
