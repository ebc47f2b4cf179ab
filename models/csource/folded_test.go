package csource_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// TestNothingFolded: a compiler may know that a row has no features, and therefore the arguments of
// exp and tanh. It must leave these to the C library, whose last bits differ from the compiler's.
func TestNothingFolded(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(11, 12))
	var program, calls bytes.Buffer
	fmt.Fprintln(&program, "#include <stdio.h>")
	var want strings.Builder
	for i := range 240 {
		m := &models.Model{Task: models.OneClass, Machines: []models.Machine{{Index: []int32{0}, Coef: []float64{1}}}}
		m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{3 * rng.NormFloat64()}})
		switch i % 3 {
		case 0:
			m.Kernel = kernel.Sigmoid{Gamma: 1, Coef0: 2 * rng.NormFloat64()}
		case 1:
			m.Kernel = kernel.RBF{Gamma: rng.Float64()}
		case 2: // probabilities of a machine whose value is constant
			m.Kernel, m.Task, m.Labels, m.Group, m.Probability = kernel.Linear{}, models.CSVC, []int{1, 2}, []int{1, 0}, true
			m.Machines[0].Neg = 1
			m.Machines[0].Sigmoid = &models.Sigmoid{A: rng.NormFloat64(), B: 2 * rng.NormFloat64()}
		}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("m%d", i)
		if err := csource.Write(&program, m, name); err != nil {
			t.Fatal(err)
		}
		values := make([]float64, 2)
		if m.Probability {
			p.Probabilities(values, vec.Vector{})
			fmt.Fprintf(&calls, "\t%s_probabilities(values, 0, values);\n", name)
		} else {
			p.Decisions(values[:1], vec.Vector{})
			fmt.Fprintf(&calls, "\t%s_decisions(values, 0, values);\n", name)
		}
		fmt.Fprintf(&calls, "\tprintf(\"%%.16e\\n\", values[0]);\n")
		fmt.Fprintf(&want, "%.16e\n", values[0])
	}
	fmt.Fprintf(&program, "int main(void)\n{\n\tdouble values[2] = {0, 0};\n%s\treturn 0;\n}\n", &calls)
	path := build(t, cc, t.TempDir(), map[string]string{"main.c": program.String()}, []string{"main.c"}, strict...)
	out, err := exec.Command(path).Output()
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := strings.Fields(string(out)), strings.Fields(want.String())
	if len(got) != len(wanted) {
		t.Fatalf("%d numbers, want %d", len(got), len(wanted))
	}
	for i := range wanted {
		if got[i] != wanted[i] {
			t.Errorf("model %d: %s in C, want %s", i, got[i], wanted[i])
		}
	}
}
