package models_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// goldens returns models written by LIBSVM, by file name.
func goldens(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "golden", "*.model"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatal("no models in testdata/golden")
	}
	all := map[string]string{}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(p)] = string(b)
	}
	return all
}

func read(text string) (*models.Model, error) { return models.Read(strings.NewReader(text)) }

// mustRead reads a text that is a model.
func mustRead(t testing.TB, text string) *models.Model {
	t.Helper()
	m, err := read(text)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return m
}

func mustWrite(t testing.TB, m *models.Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := models.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wantSameText reports the first line that differs.
func wantSameText(t testing.TB, name, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
	for i := range max(len(g), len(w)) {
		line := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return ""
		}
		if line(g) != line(w) {
			t.Errorf("%s: line %d is\n%q, want\n%q", name, i+1, line(g), line(w))
			return
		}
	}
}

func TestGoldens(t *testing.T) {
	tasks, kernels := map[models.Task]int{}, map[kernel.Kernel]int{}
	for name, text := range goldens(t) {
		m := mustRead(t, text)
		wantSameText(t, name, mustWrite(t, m), text)
		tasks[m.Task]++
		switch k := m.Kernel.(type) {
		case kernel.Poly:
			kernels[kernel.Poly{}]++
		case kernel.RBF:
			kernels[kernel.RBF{}]++
		case kernel.Sigmoid:
			kernels[kernel.Sigmoid{}]++
		default:
			kernels[k]++
		}
	}
	if len(tasks) != 5 || len(kernels) != 5 {
		t.Errorf("only tasks %v and kernels %v are among the models", tasks, kernels)
	}
}

// TestAllGoldens reads every model among the recorded outputs of LIBSVM, also those that cannot be
// copied.
func TestAllGoldens(t *testing.T) {
	root := testenv.Shared(t, "golden")
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(b, []byte("svm_type ")) {
			return err
		}
		n++
		m, err := models.Read(bytes.NewReader(b))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		wantSameText(t, path, mustWrite(t, m), string(b))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 100 {
		t.Errorf("only %d models below %s", n, root)
	}
	t.Logf("%d models", n)
}

// TestMeaning: the columns of a vector of class g belong to the other classes in order.
func TestMeaning(t *testing.T) {
	const text = `svm_type nu_svc
kernel_type sigmoid
gamma 0.5
coef0 -1
nr_class 4
total_sv 6
rho 12 13 14 23 24 34
label 7 -1 0 5
probA 1 2 3 4 5 6
probB -1 -2 -3 -4 -5 -6
nr_sv 2 1 0 3
SV
1 2 3 1:1.5 3:-2 
4 5 6 2:1 
11 12 13 
31 32 33 1:1 
34 35 36 0:0 7:-0 
37 38 -0 1:3 
`
	m := mustRead(t, text)
	if m.Task != models.NuSVC || m.Kernel != (kernel.Sigmoid{Gamma: 0.5, Coef0: -1}) || !m.Probability || m.Origin != nil || m.Inputs != nil {
		t.Errorf("%v, %v, probability %t, origin %v, inputs %q", m.Task, m.Kernel, m.Probability, m.Origin, m.Inputs)
	}
	want := []struct {
		pos, neg int
		rho      float64
		a, b     float64
		coef     []float64
	}{
		{0, 1, 12, 1, -1, []float64{1, 4, 11}},
		{0, 2, 13, 2, -2, []float64{2, 5}},
		{0, 3, 14, 3, -3, []float64{3, 6, 31, 34, 37}},
		{1, 2, 23, 4, -4, []float64{12}},
		{1, 3, 24, 5, -5, []float64{13, 32, 35, 38}},
		{2, 3, 34, 6, -6, []float64{33, 36, 0}},
	}
	for p, w := range want {
		c := m.Machines[p]
		if c.Pos != w.pos || c.Neg != w.neg || c.Rho != w.rho || *c.Sigmoid != (models.Sigmoid{A: w.a, B: w.b}) || c.Index != nil || !equal(c.Coef, w.coef) {
			t.Errorf("machine %d is %+v, want %+v", p, c, w)
		}
	}
	if got, want := m.GroupStart(), []int{0, 2, 3, 3, 6}; !equal(got, want) {
		t.Errorf("classes begin at %v, want %v", got, want)
	}
	if got, want := m.Machines[4].Spans(m.GroupStart()), [2]models.Span{{From: 2, To: 3}, {From: 3, To: 6}}; got != want {
		t.Errorf("spans %v, want %v", got, want)
	}
	if v := m.Vectors.Row(4); !equal(v.Index, []int32{0, 7}) || v.Value[0] != 0 {
		t.Errorf("vector 4 is %v", v)
	}
	wantSameText(t, "written", mustWrite(t, m), text)
}

func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
