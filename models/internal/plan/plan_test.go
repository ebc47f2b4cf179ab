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
