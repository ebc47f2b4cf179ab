package models_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// shared and rest are sound models in the extended dialect.
const shared = `slimsvm_model 1
svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 3
multiclass one_vs_one
method shared
seed 7
parent_sv 2030
parameters 2 vectors 2 retrain yes
total_sv 2
rho 0.25 0.5 -1
label 4 5 6
SV
1 2 3 1:0.12345678901234566 3:2 
-1 0 0.5 2:4 
`

const rest = `slimsvm_model 1
svm_type nu_svc
kernel_type linear
nr_class 2
multiclass one_vs_rest
total_sv 1
rho 0.25 0.5
label 4 5
probA -1 -2
probB 0.5 0.25
SV
1 2 1:0.1 
`

func TestExtendedReads(t *testing.T) {
	for name, text := range map[string]string{
		"shared":            shared,
		"rest":              rest,
		"no provenance":     strings.NewReplacer("method shared\nseed 7\nparent_sv 2030\nparameters 2 vectors 2 retrain yes\n", "").Replace(shared),
		"method alone":      strings.NewReplacer("seed 7\nparent_sv 2030\nparameters 2 vectors 2 retrain yes\n", "seed 0\n").Replace(shared),
		"of a regression":   "slimsvm_model 1\nsvm_type nu_svr\nkernel_type linear\nnr_class 2\nmethod kmeans\nseed 1\ntotal_sv 1\nrho 3\nprobA 0.5\nSV\n1 1:0.1234567890123 \n",
		"of a single class": "slimsvm_model 1\nsvm_type c_svc\nkernel_type linear\nnr_class 1\nmulticlass one_vs_one\ntotal_sv 0\nrho\nlabel 3\nSV\n",
		"with inputs":       shared + "slimsvm inputs\nx\n",
	} {
		m := mustRead(t, text)
		if !m.Extended() {
			t.Errorf("%s: not extended", name)
		}
		wantSameText(t, name, mustWrite(t, m), text)
	}
	// line ends, order of keys and blanks may differ, as in the plain dialect
	free := strings.NewReplacer("\nseed", " seed", "nr_class 3\n", "", "slimsvm_model 1", " slimsvm_model \r\n1\nnr_class 3").Replace(shared)
	wantSameText(t, "free", mustWrite(t, mustRead(t, free)), shared)
}

// extendedTexts are the models that extendedFaults change.
var extendedTexts = map[string]string{"": shared, "rest": rest, "plain": sound}

// extendedFaults are malformed models: the text that is replaced, its replacement, and the error.
var extendedFaults = []struct{ model, old, new, err string }{
	{"", "slimsvm_model 1", "slimsvm_model 2", `1:15: slimsvm_model is "2", expected 1 to 1`},
	{"", "slimsvm_model 1", "slimsvm_model 0", `1:15: slimsvm_model is "0", expected 1 to 1`},
	{"", "slimsvm_model 1", "slimsvm_model x", `1:15: expected an integer as value of slimsvm_model, found "x"`},
	{"", "slimsvm_model 1\n", "", `5:1: unknown key "multiclass"`},
	{"", "gamma 0.5", "gamma 0.5\nslimsvm_model 1", `5:1: slimsvm_model is not the first key`},
	{"plain", "gamma 0.5", "gamma 0.5\nslimsvm_model 1", `5:1: slimsvm_model is not the first key`},
	{"plain", "gamma 0.5", "gamma 0.5\nmethod shared", `5:1: unknown key "method"`},
	{"", shared[strings.Index(shared, "multiclass"):], "multiclass ", `6: the file ends where a value of multiclass is expected`},
	{"", shared[strings.Index(shared, "seed"):], "seed\n", `8: the file ends where a value of seed is expected`},
	{"", shared[strings.Index(shared, "2 vectors"):], "", `10: the file ends where a value of parameters is expected`},
	{"", "one_vs_one", "one-vs-one", `6:12: multiclass is "one-vs-one", expected one_vs_one, one_vs_rest, ensemble`},
	{"", "one_vs_one", "prototype", `6:12: multiclass is "prototype", expected one_vs_one, one_vs_rest, ensemble`},
	{"", "multiclass one_vs_one\n", "", `11:1: rho stands before multiclass, which gives its length`},
	{"", "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 3\nmulticlass one_vs_one", "nr_class 3\nkernel_type linear", `11: svm_type is missing`},
	{"rest", "multiclass one_vs_rest\n", "", `6:1: rho stands before multiclass, which gives its length`},
	{"rest", "multiclass one_vs_rest\ntotal_sv 1\nrho 0.25 0.5\nlabel 4 5\nprobA -1 -2", "svm_type one_class\nprobA 1\nsvm_type nu_svc\nmulticlass one_vs_rest", `8:1: multiclass stands behind a list whose length it gives`},
	{"rest", "multiclass one_vs_rest\ntotal_sv 1\nrho 0.25 0.5\nlabel 4 5\nprobA -1 -2", "svm_type one_class\nprobB 1\nsvm_type nu_svc\nmulticlass one_vs_rest", `8:1: multiclass stands behind a list whose length it gives`},
	{"", "label 4 5 6", "multiclass one_vs_one\nlabel 4 5 6", `13:1: multiclass stands behind a list whose length it gives`},
	{"", "nr_class 3\nmulticlass one_vs_one", "multiclass one_vs_rest\nnr_class 2", `12:14: unknown key "-1"`},
	{"", "nr_class 3", "nr_class 2", `12:10: unknown key "0.5"`},
	{"", "nr_class 3", "nr_class 4", `13:1: expected a number as value of rho, found "label" (value 4 of 6)`},
	{"", "nr_class 3", "nr_class 2000000000", fmt.Sprintf(`13:1: expected a number as value of rho, found "label" (value 4 of %d)`, models.Pairs(2_000_000_000))},
	{"", "label 4 5 6", "label 4 5 6\nnr_sv 1 1 0", `14:1: nr_sv is no key of the extended dialect, in which vectors belong to no class`},
	{"", "label 4 5 6\n", "", `13: label is missing`},
	{"", "rho 0.25 0.5 -1\n", "", `13: rho is missing`},
	{"", "total_sv 2\n", "", `13: total_sv is missing`},
	{"", "label 4 5 6", "label 4 5 4", `14: label 4 stands for two classes`},
	{"", "method shared\n", "", `13: method is missing`},
	{"", "method shared", "method sha\x7fred", `7:8: method is "sha\x7fred", which is not a word`},
	{"", "seed 7", "seed -7", `8:6: seed is "-7", expected 0 to 18446744073709551615`},
	{"", "seed 7", "seed 18446744073709551616", `8:6: seed is "18446744073709551616", expected 0 to 18446744073709551615`},
	{"", "seed 7", "seed", `9:1: seed is "parent_sv", expected 0 to 18446744073709551615`},
	{"", "parent_sv 2030", "parent_sv -1", `9:11: parent_sv is "-1", expected 0 to 2147483647`},
	{"", "parameters 2", "parameters 1", `10:24: unknown key "retrain"`},
	{"", "parameters 2", "parameters 3", `14: total_sv is missing`},
	{"", "parameters 2", "parameters 2147483647", `16: the file ends where a value of parameters is expected`},
	{"", "parameters 2", "parameters -1", `10:12: parameters is "-1", expected 0 to 2147483647`},
	{"", "svm_type c_svc", "svm_type one_class", `14: multiclass is of no use for svm_type one_class, which has one machine`},
	{"", "seed 7", "seed 7\nvote count", `15: vote is of no use for a model that is no ensemble`},
	{"", "svm_type c_svc", "default 4\nsvm_type c_svc", `15: default is of no use for a model that is no ensemble`},
	{"rest", "probB 0.5 0.25", "probB 0.5 0.25\ncolumns 2 label rho", `12: columns is of no use for a model that is no ensemble`},
	{"", "1 2 3 1:0.1", "1 2 1:0.1", `15:5: expected coefficient 3 of 3, found "1:0.12345678901234566"`},
	{"", "1 2 3 1:0.1", "1 2 nan 1:0.1", `15:5: coefficient "nan" is not finite`},
	{"", "1 2 3 1:0.1", "1 2 3 4 1:0.1", `15:7: expected index:value, found "4"`},
	{"", "-1 0 0.5 2:4 \n", "", `15: the file ends where support vector 2 of 2 is expected`},
	{"", "total_sv 2", "total_sv 1", `16:1: expected the end of the file after 1 support vectors, found "-1"`},
	{"", "total_sv 2", "total_sv 2000000000", `16: the file ends where support vector 3 of 2000000000 is expected`},
	{"rest", "nr_class 2\nmulticlass one_vs_rest\ntotal_sv 1\nrho 0.25 0.5\nlabel 4 5\nprobA -1 -2\nprobB 0.5 0.25\nSV\n1 ",
		"nr_class 1\nmulticlass one_vs_rest\ntotal_sv 1\nrho 0.25\nlabel 4\nSV\n", `9: 1 vectors in a model of one class`},
	{"rest", "probB 0.5 0.25\n", "", `10: probA and probB belong together, one is missing`},
}

func TestExtendedFaults(t *testing.T) {
	for _, c := range extendedFaults {
		m, err := read(change(t, extendedTexts[c.model], c.old, c.new))
		if err == nil || m != nil || !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%q for %q:\n%v, want\n%s", c.new, c.old, err, c.err)
			continue
		}
		wantPlaced(t, err, err.Error())
	}
}

// anyShared draws a classifier with shared vectors of few dimensions, so that decisions can be
// compared.
func anyShared() *rapid.Generator[*models.Model] {
	return rapid.Custom(func(t *rapid.T) *models.Model {
		k := rapid.IntRange(2, 5).Draw(t, "classes")
		m := &models.Model{Vote: models.Vote(rapid.IntRange(0, 1).Draw(t, "vote"))}
		m.Kernel = rapid.SampledFrom([]kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.Poly{Degree: 2, Gamma: 0.1, Coef0: 1}}).Draw(t, "kernel")
		for c := range k {
			m.Labels = append(m.Labels, 10-c)
			if m.Vote == models.OneVsRest {
				m.Machines = append(m.Machines, models.Machine{Pos: c, Neg: models.Rest})
				continue
			}
			for j := c + 1; j < k; j++ {
				m.Machines = append(m.Machines, models.Machine{Pos: c, Neg: j})
			}
		}
		number := rapid.Float64Range(-2, 2)
		n := rapid.IntRange(0, 6).Draw(t, "vectors")
		for range n {
			m.Vectors.Append(point(number.Draw(t, "x"), number.Draw(t, "y")))
		}
		for p := range m.Machines {
			c := &m.Machines[p]
			c.Rho = number.Draw(t, "rho")
			if rapid.Bool().Draw(t, "listed") {
				c.Index = []int32{}
			}
			for i := range n {
				if c.Index == nil || rapid.Bool().Draw(t, "has") {
					c.Coef = append(c.Coef, number.Draw(t, "coefficient"))
					if c.Index != nil {
						c.Index = append(c.Index, int32(i))
					}
				}
			}
		}
		return m
	})
}

func point(values ...float64) vec.Vector {
	v := vec.Vector{Value: values}
	for i := range values {
		v.Index = append(v.Index, int32(i+1))
	}
	return v
}

// decisions returns the machines' values for x and the label, straight from the definitions.
func decisions(m *models.Model, x vec.Vector) (values []float64, label int) {
	k := make([]float64, m.Vectors.Len())
	m.Kernel.EvaluateTo(k, x, &m.Vectors)
	start := m.GroupStart()
	votes := make([]int, len(m.Labels))
	for i := range m.Machines {
		c := &m.Machines[i]
		var of []int
		for _, v := range c.Index {
			of = append(of, int(v))
		}
		if c.Index == nil {
			for _, s := range c.Spans(start) {
				for v := s.From; v < s.To; v++ {
					of = append(of, v)
				}
			}
		}
		sum := 0.0
		for n, v := range of {
			sum += float64(c.Coef[n] * k[v])
		}
		sum -= c.Rho
		values = append(values, sum)
		switch {
		case m.Vote == models.OneVsRest:
		case sum > 0:
			votes[c.Pos]++
		default:
			votes[c.Neg]++
		}
	}
	best := 0
	for c := range m.Labels {
		if m.Vote == models.OneVsRest && values[c] > values[best] || votes[c] > votes[best] {
			best = c
		}
	}
	return values, m.Labels[best]
}

// TestLower: a model that is written in either dialect, and read again, decides as before.
func TestLower(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := anyShared().Draw(rt, "model")
		low, err := models.Lower(m)
		if err != nil {
			rt.Fatal(err)
		}
		if low.Extended() || len(low.Machines) != models.Pairs(len(m.Labels)) {
			rt.Fatalf("%d machines, extended %v", len(low.Machines), low.Extended())
		}
		if len(m.Labels) == 2 && low.Vectors.Len() > m.Vectors.Len() {
			rt.Fatalf("%d vectors for two classes, there were %d", low.Vectors.Len(), m.Vectors.Len())
		}
		if used := coefficients(m); m.Vote == models.OneVsRest && low.Vectors.Len() > used {
			rt.Fatalf("%d vectors, of which machines have %d", low.Vectors.Len(), used)
		}
		again := mustRead(t, mustWrite(t, m))
		plain := mustRead(t, mustWrite(t, low))
		for range 5 {
			x := point(rapid.Float64Range(-3, 3).Draw(rt, "x"), rapid.Float64Range(-3, 3).Draw(rt, "y"))
			want, label := decisions(m, x)
			if got, _ := decisions(again, x); !equal(got, want) {
				rt.Fatalf("read again %v, was %v", got, want)
			}
			got, lowLabel := decisions(plain, x)
			if m.Vote == models.OneVsOne {
				if !equal(got, want) || lowLabel != label {
					rt.Fatalf("plain %v for %v, was %v for %v", got, lowLabel, want, label)
				}
				continue
			}
			slices.Reverse(want) // as the classes are in reverse order
			p, close := 0, false
			for i := range want {
				for j := i + 1; j < len(want); j++ {
					difference := want[i] - want[j]
					if !(math.Abs(got[p]-difference) <= 1e-12*(1+math.Abs(want[i])+math.Abs(want[j]))*1e2) {
						rt.Fatalf("plain %v of values %v", got, want)
					}
					close = close || got[p] != difference && math.Abs(got[p]) < 1e-9
					p++
				}
			}
			if lowLabel != label && !close {
				rt.Fatalf("plain says %v, was %v for %v", lowLabel, label, want)
			}
		}
	})
}

// coefficients returns the number of coefficients of all machines that are not 0.
func coefficients(m *models.Model) (n int) {
	for _, c := range m.Machines {
		for _, v := range c.Coef {
			if v != 0 {
				n++
			}
		}
	}
	return n
}

// TestLowerTies: where values of one-vs-rest machines are equal, as those of machines without
// vectors are, the lowered model answers with the first of their classes.
func TestLowerTies(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &models.Model{Vote: models.OneVsRest, Kernel: kernel.Linear{}}
		m.Vectors.Append(point(1))
		for c := range rapid.IntRange(2, 6).Draw(rt, "classes") {
			m.Labels = append(m.Labels, rapid.IntRange(10*c, 10*c+9).Draw(rt, "label"))
			whole := rapid.IntRange(-1, 1)
			m.Machines = append(m.Machines, models.Machine{Pos: c, Neg: models.Rest, Coef: []float64{float64(whole.Draw(rt, "coefficient"))}, Rho: rapid.SampledFrom([]float64{-1, 0, 1, math.Inf(1), math.Inf(-1)}).Draw(rt, "rho")})
		}
		low, err := models.Lower(m)
		if err != nil {
			rt.Fatal(err)
		}
		plain := mustRead(t, mustWrite(t, low))
		for _, x := range []float64{-2, -1, 0, 1, 2} {
			values, want := decisions(m, point(x))
			if _, got := decisions(plain, point(x)); got != want {
				rt.Fatalf("plain says %v, was %v of values %v for %v", got, want, values, m.Labels)
			}
		}
	})
}

// TestLowerOrigin: vectors that are rows of the training data stay known as such, and keep the digits
// that LIBSVM writes of them; only where nothing says so all are taken for synthetic ones.
func TestLowerOrigin(t *testing.T) {
	for _, c := range []struct {
		origin, want []int
		vectors      string
	}{
		{[]int{3, 0}, []int{3, 0}, "1 1:0.33333333 \n-1 1:0.6666666666666666 \n"},
		{nil, []int{0, 0}, "1 1:0.3333333333333333 \n-1 1:0.6666666666666666 \n"},
	} {
		m := &models.Model{
			Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Origin: c.origin,
			Machines:   []models.Machine{{Coef: []float64{1, -1}}},
			Provenance: &models.Provenance{Method: "joint"},
		}
		m.Vectors.Append(point(1.0 / 3))
		m.Vectors.Append(point(2.0 / 3))
		low, err := models.Lower(m)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(low.Origin, c.want) || low.Extended() {
			t.Errorf("origin %v, extended %t, want %v", low.Origin, low.Extended(), c.want)
		}
		wantSameText(t, "lowered", mustWrite(t, low), "svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nSV\n"+c.vectors)
	}
}

// TestLowerProbability: sigmoids of one-vs-one machines stay.
func TestLowerProbability(t *testing.T) {
	m := mustRead(t, strings.NewReplacer("label 4 5 6\n", "label 4 5 6\nprobA -1 -2 -3\nprobB 0.5 0 1\n").Replace(shared))
	low, err := models.Lower(m)
	if err != nil {
		t.Fatal(err)
	}
	wantSameText(t, "one-vs-one", mustWrite(t, low), `svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 3
total_sv 4
rho 0.25 0.5 -1
label 4 5 6
probA -1 -2 -3
probB 0.5 0 1
nr_sv 2 2 0
SV
1 2 1:0.12345678901234566 3:2 
-1 0 2:4 
0 3 1:0.12345678901234566 3:2 
0 0.5 2:4 
`)
}

// TestLowerFew: classes whose machines have no vectors get none, and vectors that two one-vs-rest
// machines have alike are in neither class.
func TestLowerFew(t *testing.T) {
	one := func(coef ...float64) models.Machine { return models.Machine{Index: []int32{0}[:len(coef)], Coef: coef} }
	pairs := &models.Model{Kernel: kernel.Linear{}, Labels: []int{4, 5, 6}, Machines: []models.Machine{one(), one(), one(2)}}
	for i, of := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		pairs.Machines[i].Pos, pairs.Machines[i].Neg = of[0], of[1]
	}
	alike := &models.Model{Kernel: kernel.Linear{}, Vote: models.OneVsRest, Labels: []int{4, 5}, Machines: []models.Machine{one(2), one(2)}}
	for i := range alike.Machines {
		alike.Machines[i].Pos, alike.Machines[i].Neg, alike.Machines[i].Rho = i, models.Rest, float64(i)
	}
	for _, c := range []struct {
		m    *models.Model
		want string
	}{
		{pairs, "svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 1\nrho 0 0 0\nlabel 4 5 6\nnr_sv 0 1 0\nSV\n0 2 1:7 \n"},
		{alike, "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 0\nrho 1\nlabel 5 4\nnr_sv 0 0\nSV\n"},
	} {
		c.m.Vectors.Append(point(7))
		low, err := models.Lower(c.m)
		if err != nil {
			t.Fatal(err)
		}
		wantSameText(t, "few", mustWrite(t, low), c.want)
	}
}

// TestLowerOverflow: coefficients whose difference is infinite have no counterpart, which is told.
func TestLowerOverflow(t *testing.T) {
	m := mustRead(t, strings.NewReplacer("probA -1 -2\nprobB 0.5 0.25\n", "", "1 2 1:0.1", "1.7e308 -1.7e308 1:0.1").Replace(rest))
	if low, err := models.Lower(m); err == nil || !strings.HasSuffix(err.Error(), "coefficient -Inf is not finite") {
		t.Errorf("%+v, %v", low, err)
	}
}

func TestLowerOthers(t *testing.T) {
	if _, err := models.Lower(mustRead(t, rest)); !errors.Is(err, models.ErrProbability) {
		t.Errorf("probabilities of one-vs-rest machines: %v", err)
	}
	for _, text := range []string{sound, otherTasks["regression"]} {
		m := mustRead(t, text)
		if low, err := models.Lower(m); low != m || err != nil {
			t.Errorf("a plain model: %v", err)
		}
	}
	m := mustRead(t, "slimsvm_model 1\nsvm_type nu_svr\nkernel_type linear\nnr_class 2\nmethod kmeans\nseed 1\ntotal_sv 1\nrho 3\nSV\n1 1:0.1234567890123 \n")
	low, err := models.Lower(m)
	if err != nil {
		t.Fatal(err)
	}
	wantSameText(t, "a regression", mustWrite(t, low), "svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 3\nSV\n1 1:0.1234567890123 \n")
	m = mustRead(t, sound) // its vectors are grouped, so that LIBSVM's dialect can express it as it is
	m.Provenance = &models.Provenance{Method: "libsvm"}
	if low, err = models.Lower(m); err != nil || m.Provenance == nil {
		t.Errorf("a grouped model: %v, method %v", err, m.Provenance)
	} else {
		wantSameText(t, "a grouped model", mustWrite(t, low), mustWrite(t, mustRead(t, sound)))
	}
	if _, err := models.Lower(&models.Model{}); err == nil {
		t.Error("an invalid model is lowered")
	}
}

// TestDocumentedModels: the examples of the documentation are models.
func TestDocumentedModels(t *testing.T) {
	text, err := os.ReadFile("../docs/model-format.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for _, block := range strings.Split(string(text), "```")[1:] {
		if model, ok := strings.CutPrefix(block, "model\n"); ok {
			examples++
			wantSameText(t, "an example", mustWrite(t, mustRead(t, model)), model)
		}
	}
	if examples < 4 {
		t.Errorf("%d examples", examples)
	}
}
