package csource_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/internal/plantest"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// TestFar: features far from the others take no extra time, else each of these rows would take
// seconds.
func TestFar(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(9, 10))
	trials := plantest.Far(rng)
	agree(t, cc, trials)
}

// onStack answers for one row with no more stack than the file claims.
const onStack = `
#include "model.c"
#include <stdio.h>
int main(void)
{
	double x[] = {0.5, -0.25};
#ifdef PROBABILITIES
	static double p[m_CLASSES];
	printf("%d\n", m_probabilities(x, 2, p));
#else
	printf("%d\n", m_predict(x, 2));
#endif
	return 0;
}
`

// TestStack: answers take the stack that the file claims, and none for the values of all machines.
func TestStack(t *testing.T) {
	cc := compiler(t)
	const classes = 400 // the values of their pairs take 638 KB, and so do those of coupling
	rng := rand.New(rand.NewPCG(11, 12))
	pairs := plantest.Shape{Kernel: kernel.Linear{}, Classes: classes, Vectors: classes, First: 1, Width: 2, Density: 1, Grouped: true}.Model(rng)
	informed := *pairs
	informed.Machines = slices.Clone(pairs.Machines)
	sigmoids(rng, &informed)
	const vectors = " * There has to be room on the stack for m_VECTORS numbers"
	for _, c := range []struct {
		m        *models.Model
		kilobyte int
		option   string
		want     string
	}{
		{pairs, 256, "", vectors + " and m_CLASSES integers.\n"},
		{&informed, 256, "", vectors + " and m_CLASSES integers,\n" +
			" * and for m_CLASSES * (m_CLASSES + 3) / 2 of double where probabilities are asked for.\n"},
		{&informed, 896, "-DPROBABILITIES", vectors},
		{plantest.Shape{Vote: models.OneVsRest, Kernel: kernel.Linear{}, Classes: classes, Vectors: classes, First: 1, Width: 2, Density: 1}.Model(rng), 256, "", vectors + ".\n"},
		{ensemble(rng, models.ByCount, classes, make([]int, 2000)...), 256, "", " * There has to be room on the stack for m_CLASSES numbers of double.\n"},
		{ensemble(rng, models.ByCount, classes, slices.Repeat([]int{20}, 20)...), 256, "",
			" * There has to be room on the stack for m_MOST integers and m_CLASSES + 2 * m_PLANES\n * + 3 * m_MOST numbers of double.\n"},
	} {
		folder := t.TempDir()
		var b bytes.Buffer
		if err := csource.Write(&b, c.m, "m"); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("the file does not say %q", c.want)
		}
		program := build(t, cc, folder, map[string]string{"model.c": b.String(), "main.c": onStack}, []string{"main.c"}, "-O2", c.option)
		out, err := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -s %d && exec "$0"`, c.kilobyte), program).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", c.m.Vote, err, out)
		}
		p, err := predict.New(c.m)
		if err != nil {
			t.Fatal(err)
		}
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{0.5, -0.25}}
		want := p.Predict(x)
		if c.option != "" {
			want, _ = p.Probabilities(make([]float64, classes), x)
		}
		if string(out) != fmt.Sprintln(want) {
			t.Errorf("%v: %s, want %v", c.m.Vote, out, want)
		}
	}
}

// places prints the places of labels, and the other names that files may use.
const places = `
#include <stdio.h>
int m_place(int column, const char *label);
extern const int m_classes[];
extern const char *const m_labels[];
int main(void)
{
	static const char *const labels[] = {"x", "z", "", "p", "n?", "\316\261"};
	size_t i;
	int c;
	for (i = 0; i < sizeof labels / sizeof *labels; i++)
		for (c = -1; c < 5; c++)
			printf("%d%c", m_place(c, labels[i]), c == 4 ? '\n' : ' ');
	printf("%s %s\n", m_labels[m_classes[0]], m_labels[m_classes[1]]);
	return 0;
}
`

// TestPlaces: the places of texts are those in the declarations of columns.
func TestPlaces(t *testing.T) {
	cc := compiler(t)
	const inputs = `{"relation":"r","class":2,"columns":5}
{"name":"a","type":"nominal","labels":["x","","z"],"fill":0,"feature":1}
{"name":"y","type":"nominal","labels":["q","p"],"fill":0,"feature":4}
{"name":"b","type":"numeric","fill":0,"feature":5}
{"name":"c","type":"nominal","labels":["p"],"fill":0,"feature":6}
{"name":"d","type":"nominal","labels":["α","n?"],"fill":0,"feature":7}
`
	m := plantest.Shape{Kernel: kernel.Linear{}, Classes: 2, Vectors: 3, First: 1, Width: 7, Density: 1}.Model(rand.New(rand.NewPCG(27, 28)))
	m.Labels, m.Inputs = []int{1, 0}, []byte(inputs)
	var b bytes.Buffer
	if err := csource.Write(&b, m, "m"); err != nil {
		t.Fatal(err)
	}
	program := build(t, cc, t.TempDir(), map[string]string{"model.c": b.String(), "main.c": places}, []string{"main.c", "model.c"}, "-std=c99")
	out, err := exec.Command(program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const want = `-1 0 -1 -1 -1 -1
-1 2 -1 -1 -1 -1
-1 1 -1 -1 -1 -1
-1 -1 -1 0 -1 -1
-1 -1 -1 -1 1 -1
-1 -1 -1 -1 0 -1
p q
`
	if string(out) != want {
		t.Errorf("%s, want %s", out, want)
	}
}

// TestManyLabels: if a column has many labels, the comment lists some, the table all.
func TestManyLabels(t *testing.T) {
	labels := make([]string, 3000)
	for i := range labels {
		labels[i] = fmt.Sprintf(`"v%d"`, i)
	}
	inputs := fmt.Sprintf(`{"relation":"r","class":2,"columns":2}
{"name":"a","type":"nominal","labels":[%s],"fill":0,"feature":1}
{"name":"y","type":"nominal","labels":["q","p"],"fill":0,"feature":3001}
`, strings.Join(labels, ","))
	m := plantest.Shape{Kernel: kernel.Linear{}, Classes: 2, Vectors: 3, First: 1, Width: 9, Density: 1}.Model(rand.New(rand.NewPCG(29, 30)))
	m.Labels, m.Inputs = []int{1, 0}, []byte(inputs)
	var b bytes.Buffer
	if err := csource.Write(&b, m, "m"); err != nil {
		t.Fatal(err)
	}
	const want = `columns[0] "a": the place of its label: "v0" "v1" "v2" "v3" "v4" "v5" "v6" "v7" "v8" "v9" "v10" "v11" and 2988 more` + "\n"
	if text := b.String(); !strings.Contains(text, want) || strings.Count(text, `"v2999"`) != 1 {
		t.Errorf("%.2000s", text)
	}
}

// TestForeignInputs: a model whose labels or features are not those of its inputs is refused.
func TestForeignInputs(t *testing.T) {
	const inputs = `{"relation":"r","class":2,"columns":2}
{"name":"n","type":"numeric","fill":0,"feature":1}
{"name":"y","type":"nominal","labels":["p","q"],"fill":0,"feature":2}
`
	rng := rand.New(rand.NewPCG(13, 14))
	for _, c := range []struct {
		labels []int
		first  int
		want   string
	}{
		{[]int{0, 1}, 1, "<nil>"},
		{[]int{7, 9}, 1, `label 7 is no place among the 2 labels of column "y"`},
		{[]int{0, -1}, 1, `label -1 is no place among the 2 labels of column "y"`},
		{[]int{0, 1}, -1, "the model's columns are not the values of a precomputed kernel"},
		{[]int{0, 1}, 0, "a vector has feature 0, and the features of the model's columns are numbered from 1"},
	} {
		m := plantest.Shape{Kernel: kernel.Linear{}, Classes: 2, Vectors: 3, First: max(c.first, 0), Width: 2, Density: 1}.Model(rng)
		if c.first < 0 {
			m = plantest.Shape{Kernel: kernel.Precomputed{}, Classes: 2, Width: 2, Density: 1}.Model(rng)
		}
		m.Labels, m.Inputs = c.labels, []byte(inputs)
		var b bytes.Buffer
		if err := csource.Write(&b, m, "m"); fmt.Sprint(err) != c.want || err != nil && b.Len() > 0 {
			t.Errorf("labels %v, features from %d: %v, want %s", c.labels, c.first, err, c.want)
		}
	}
}

// TestLabelWithEnd: a label with a zero byte, which C would take for the part before it, possibly
// another label, is refused.
func TestLabelWithEnd(t *testing.T) {
	m := plantest.Shape{Kernel: kernel.Linear{}, Classes: 2, Vectors: 3, First: 1, Width: 2, Density: 1}.Model(rand.New(rand.NewPCG(15, 16)))
	m.Labels, m.Inputs = []int{0, 1}, []byte(`{"relation":"r","class":2,"columns":2}
{"name":"n","type":"numeric","fill":0,"feature":1}
{"name":"y","type":"nominal","labels":["p\u0000q","p"],"fill":0,"feature":2}
`)
	var b bytes.Buffer
	const want = `label "p\x00q" of column "y" has the character U+0000, with which texts end in C`
	if err := csource.Write(&b, m, "m"); fmt.Sprint(err) != want || b.Len() > 0 {
		t.Errorf("%v, want %s", err, want)
	}
}
