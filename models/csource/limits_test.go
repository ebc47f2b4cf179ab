package csource_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// TestFar: features far from the others take no time of their own: each of these rows would take seconds.
func TestFar(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(9, 10))
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.5}, kernel.Linear{}} {
		m := random(rng, models.CSVC, models.OneVsOne, k, 3, 0, 1, 1, 1, false)
		for i := range 12 {
			m.Vectors.Append(vec.Vector{Index: []int32{int32(1 + i), 2_000_000_000}, Value: []float64{rng.NormFloat64(), rng.NormFloat64() / 4}})
		}
		for i := range m.Machines {
			c := &m.Machines[i]
			for v := range 12 {
				c.Index, c.Coef = append(c.Index, int32(v)), append(c.Coef, rng.NormFloat64())
			}
		}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		var rows []vec.Vector
		for width := range 20 {
			rows = append(rows, row(rng, 1, width, 0.8))
		}
		values := make([]float64, len(m.Machines))
		for i, got := range answers(t, compiled(t, cc, m), rows, 1) {
			p.Decisions(values, rows[i])
			if fmt.Sprint(got[1:]) != fmt.Sprint(values) || got[0] != p.Predict(rows[i]) {
				t.Errorf("%T, row %d: %v, want %v", k, i, got, values)
			}
		}
	}
}

// onStack answers for one row with no more stack than is said to do.
const onStack = `
#include "model.c"
#include <stdio.h>
int main(void)
{
	double x[] = {0.5, -0.25};
	printf("%d\n", m_predict(x, 2));
	return 0;
}
`

// TestStack: the answer takes the stack that the file says, and none for the values of all machines.
func TestStack(t *testing.T) {
	cc := compiler(t)
	const classes = 400 // the values of their pairs take 638 KB
	rng := rand.New(rand.NewPCG(11, 12))
	for _, c := range []struct {
		vote  models.Vote
		group bool
		want  string
	}{
		{models.OneVsOne, true, " * There has to be room on the stack for m_VECTORS numbers and m_CLASSES integers.\n"},
		{models.OneVsRest, false, " * There has to be room on the stack for m_VECTORS numbers.\n"},
	} {
		m := random(rng, models.CSVC, c.vote, kernel.Linear{}, classes, classes, 1, 2, 1, c.group)
		folder := t.TempDir()
		var b bytes.Buffer
		if err := csource.Write(&b, m, "m"); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("the file does not say %q", c.want)
		}
		for name, text := range map[string]string{"model.c": b.String(), "main.c": onStack} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program := filepath.Join(folder, "program")
		if out, err := exec.Command(cc, "-O2", "-ffp-contract=off", "-o", program, filepath.Join(folder, "main.c"), "-lm").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command("sh", "-c", `ulimit -s 256 && exec "$0"`, program).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", c.vote, err, out)
		}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{0.5, -0.25}}
		if want := fmt.Sprintln(p.Predict(x)); string(out) != want {
			t.Errorf("%v: %s, want %s", c.vote, out, want)
		}
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
		{[]int{0, 1}, 0, "a vector has feature 0, and the features of the model's columns are numbered from 1"},
	} {
		m := random(rng, models.CSVC, models.OneVsOne, kernel.Linear{}, 2, 3, c.first, 2, 1, false)
		m.Labels, m.Inputs = c.labels, []byte(inputs)
		var b bytes.Buffer
		if err := csource.Write(&b, m, "m"); fmt.Sprint(err) != c.want || err != nil && b.Len() > 0 {
			t.Errorf("labels %v, features from %d: %v, want %s", c.labels, c.first, err, c.want)
		}
	}
}
