package pysource_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plantest"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/models/pysource"
)

// Helpers that the tests of other writers use too.
var (
	row = plantest.Row
)

// TestBits: models of all kinds answer as package predict does, to the last bit, for rows in both
// forms.
func TestBits(t *testing.T) {
	python := interpreter(t)
	rng := rand.New(rand.NewPCG(1, 2))
	probable, err := plantest.Probable(rng)
	if err != nil {
		t.Fatal(err)
	}
	n := agree(t, python, slices.Concat(plantest.Kernels(rng), plantest.Smallest(rng), probable, plantest.Levels(),
		plantest.Precomputed(rng), plantest.Scaled(rng), plantest.Functions(rng)))
	if n < 20000 {
		t.Errorf("%d numbers compared", n)
	}
}

// TestEnsembles: so do ensembles.
func TestEnsembles(t *testing.T) {
	python := interpreter(t)
	rng := rand.New(rand.NewPCG(23, 24))
	agree(t, python, slices.Concat(plantest.Ensembles(rng), plantest.Improbable(rng), plantest.Consistent(rng)))
}

// TestColumns: Python makes the same features of columns as format/encode, and labels and targets
// come out as they were declared, whatever characters they have. Invalid rows are refused.
func TestColumns(t *testing.T) {
	python := interpreter(t)
	all, err := plantest.Columns(rand.New(rand.NewPCG(9, 10)))
	if err != nil {
		t.Fatal(err)
	}
	p := &program{folder: t.TempDir()}
	var in, want []string
	for i, c := range all {
		p.add(t, c.Model, nil)
		for k := range c.In {
			in, want = append(in, fmt.Sprint(i, " ", c.In[k])), append(want, c.Want[k])
		}
	}
	if len(in) < 900 {
		t.Errorf("%d rows", len(in))
	}
	rng := rand.New(rand.NewPCG(11, 12))
	one, inf, nan := plantest.Bits(1), plantest.Bits(math.Inf(1)), "7ff8000000000000"
	for i, m := range []*models.Model{
		plantest.Shape{Kernel: kernel.RBF{Gamma: 1}, Classes: 2, Vectors: 5, First: 1, Width: 9, Density: 0.9, Grouped: true}.Model(rng),
		plantest.Shape{Kernel: kernel.RBF{Gamma: 1}, Classes: 2, Vectors: 5, First: 1, Width: 90, Density: 0.1, Grouped: true}.Model(rng),
		plantest.Precomputed(rng)[0].Model,
	} {
		p.add(t, m, nil)
		at := fmt.Sprint(len(all)+i, " ")
		if i == 2 {
			r := m.Vectors.Row(0).Value[0]
			in = append(in, at+"d "+one, at+"s 70 "+one, at+"d"+strings.Repeat(" "+inf, 12))
			want = append(want, "! 1 values of the kernel, expected 12 or more", fmt.Sprintf("! no value of the kernel with row %v", r),
				fmt.Sprintf("! the value of the kernel with row %v is inf", r))
			continue
		}
		in = append(in, at+"d "+one+" "+nan, at+"s 1 "+inf, at+"s 0 "+one, at+"s -1 "+one)
		want = append(want, "! feature 2 is nan", "! feature 1 is inf", "! feature 0: features are numbered from 1", "! feature -1: features are numbered from 1")
	}
	missing := strings.Repeat(" -", 7)
	in = append(in, "0 c -", "0 c "+plantest.Text("1,5")+missing, "0 c "+plantest.Text("1_5")+missing, "0 c "+plantest.Text("1-")+missing, "0 c n"+inf+missing)
	want = append(want, "! expected 8 columns, found 1", `! columns[0]: expected a number, found '1,5'`, `! columns[0]: expected a number, found '1_5'`,
		`! columns[0]: expected a number, found '1-'`, "! feature 1 is inf")
	p.compare(t, python, in, want)
}

// TestLarge: models with large tables, long labels and many of them are read and answer. Features
// far from the others take no extra room.
func TestLarge(t *testing.T) {
	python := interpreter(t)
	rng := rand.New(rand.NewPCG(3, 4))
	large := plantest.Trial{Model: plantest.Shape{Kernel: kernel.RBF{Gamma: 0.01}, Classes: 3, Vectors: 10000, First: 1, Width: 100, Density: 1, Grouped: true}.Model(rng), First: 1}
	wide := plantest.Trial{Model: plantest.Shape{Kernel: kernel.Linear{}, Classes: 60, Vectors: 1000, First: 1, Width: 5000, Density: 0.01, Grouped: true}.Model(rng), First: 1}
	plantest.Sigmoids(rng, wide.Model)
	large.Rows = append(large.Rows, row(rng, 1, 100, 1))
	wide.Rows = append(wide.Rows, row(rng, 1, 5000, 0.01))
	trials := append(plantest.Far(rng), large, wide)
	p := &program{folder: t.TempDir()}
	for _, c := range trials {
		p.add(t, c.Model, nil)
	}
	in, want, err := plantest.Lines(trials)
	if err != nil {
		t.Fatal(err)
	}
	// labels
	var inputs bytes.Buffer
	long := strings.Repeat("é", 40000)
	inputs.WriteString("{\"relation\":\"r\",\"class\":2,\"columns\":2}\n{\"name\":\"c\",\"type\":\"nominal\",\"labels\":[\"" + long + "\"")
	for i := range 70000 {
		fmt.Fprintf(&inputs, ",\"label %d\"", i)
	}
	inputs.WriteString("],\"fill\":0,\"feature\":1}\n{\"name\":\"y\",\"type\":\"nominal\",\"labels\":[\"" + long + "\",\"q\"],\"fill\":0,\"feature\":70002}\n")
	m := &models.Model{Task: models.CSVC, Kernel: kernel.Linear{}, Labels: []int{1, 0}, Inputs: inputs.Bytes(), Machines: []models.Machine{{Neg: 1, Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{70001}, Value: []float64{1}})
	p.add(t, m, nil)
	p.more = fmt.Sprintf("import m%d\nassert m%[1]d.predict(m%[1]d.encode(['label 69999'])) == 'q'\nassert m%[1]d.predict(m%[1]d.encode([chr(0xe9) * 40000])) == chr(0xe9) * 40000\n", p.n-1)
	p.compare(t, python, in, want)
}

// TestFused: the fused operation that is composed of others is exact, also near to half-way between
// two numbers.
func TestFused(t *testing.T) {
	python := interpreter(t)
	p := &program{folder: t.TempDir()}
	p.add(t, plantest.Shape{Task: models.EpsilonSVR, Kernel: kernel.RBF{Gamma: 1}, Vectors: 3, First: 1, Width: 3, Density: 1}.Model(rand.New(rand.NewPCG(7, 8))), nil)
	p.more = "def say(m, words):\n    return [bits(m._fma(*[number(w) for w in words[1:]]))]\n"
	var in, want []string
	for _, c := range plantest.Fused(rand.New(rand.NewPCG(5, 6))) {
		in = append(in, fmt.Sprint("0 d ", plantest.Bits(c[0]), " ", plantest.Bits(c[1]), " ", plantest.Bits(c[2])))
		want = append(want, plantest.Bits(math.FMA(c[0], c[1], c[2])))
	}
	p.compare(t, python, in, want)
}

// TestRefused: invalid names, models, and ranges of other rows are refused, and nothing is written.
func TestRefused(t *testing.T) {
	const no = ` is no name of a module in Python: `
	const expected = no + `expected letters, digits and _, and no digit first`
	if err := plantest.CheckRefused("Python", map[string]string{
		"":       `""` + expected,
		"2x":     `"2x"` + expected,
		"a.b":    `"a.b"` + expected,
		"é":      `"é"` + expected,
		"class":  `"class"` + no + `it is a word of the language`,
		"struct": `"struct" is no name for the module: Python's own struct is used in it`,
		"re":     `"re" is no name for the module: Python's standard library has one of that name`,
		"_json":  `"_json" is no name for the module: Python's standard library has one of that name`,
		"Re":     "<nil>",
		"iris":   "<nil>",
		"_":      "<nil>",
	}, pysource.Write, pysource.WriteScaled); err != nil {
		t.Error(err)
	}
}

// TestStandardModules: no module may have the name of a word or a standard module of the installed
// Python.
func TestStandardModules(t *testing.T) {
	out, err := exec.Command(interpreter(t), "-c", `
import keyword, sys
if sys.version_info >= (3, 10):
    print(*keyword.kwlist, *(n for n in sys.stdlib_module_names if n[0] != "_"))`).Output()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(out))
	if len(names) == 0 {
		t.Skip("Python before 3.10 does not list its modules")
	}
	for _, name := range names {
		if pysource.CheckName(name) == nil {
			t.Errorf("a module may be called %s", name)
		}
	}
}
