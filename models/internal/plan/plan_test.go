package plan_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestSerials: a vector that does not name its training row yields an error instead of a file, and
// no panic.
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

// TestOwnKernel: a model with a kernel of the caller's own yields an error: it is not taken for a
// linear kernel, and no writer panics.
func TestOwnKernel(t *testing.T) {
	m := &models.Model{Task: models.OneClass, Kernel: own{kernel.RBF{Gamma: 1}}, Machines: []models.Machine{{}}}
	const want = "source files cannot have the kernel plan_test.own, which is not of package kernel"
	if _, err := plan.New(m, nil, "C"); fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestFaultyInputs: a fault in the inputs is reported with the line of the model's file.
func TestFaultyInputs(t *testing.T) {
	m := &models.Model{Task: models.OneClass, Kernel: kernel.Linear{}, Machines: []models.Machine{{}}, Inputs: []byte("x\n"), InputsLine: 9}
	const want = "9:1: inputs: data set: invalid character 'x' looking for beginning of value"
	if _, err := plan.New(m, nil, "C"); fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	m.InputsLine = 0 // it was not read from a file
	if _, err := plan.New(m, nil, "C"); fmt.Sprint(err) != "1"+want[1:] {
		t.Errorf("%v, want 1%s", err, want[1:])
	}
}

// TestColumns: a model whose features or labels are not those of its columns is not written.
// Descriptions of columns and the noise are in the words and units of the data.
func TestColumns(t *testing.T) {
	h := &format.Header{Class: 3, Attributes: []format.Attribute{
		{Name: "n", Type: format.Numeric}, {Name: "d", Type: format.Date, Pattern: "yyyy"}, {Name: "l", Type: format.Nominal},
		{Name: "c", Type: format.Nominal, Labels: []string{"no", "yes"}},
	}}
	for i := range 14 {
		h.Attributes[2].Labels = append(h.Attributes[2].Labels, fmt.Sprint(i))
	}
	encoded := func(o encode.Options) (*encode.Encoding, []byte) {
		d := &format.Dataset{Header: h, Y: []float64{0, 0}}
		d.X.Append(vec.Vector{Index: []int32{0, 3}, Value: []float64{1 << 40, 1}})
		d.X.Append(vec.Vector{Index: []int32{0, 1, 2}, Value: []float64{1<<40 + 2, 5, 2}})
		e, err := encode.Fit(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		text, err := e.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		return e, text
	}
	_, inputs := encoded(encode.Options{})
	for _, c := range []struct {
		first  int32
		labels []int
		want   string
	}{
		{1, []int{1, 0}, "<nil>"},
		{0, []int{1, 0}, "a vector has feature 0, and the features of the model's columns are numbered from 1"},
		{1, []int{1, 2}, `label 2 is no place among the 2 labels of column "c"`},
		{1, []int{-1, 0}, `label -1 is no place among the 2 labels of column "c"`},
	} {
		m := &models.Model{Kernel: kernel.Linear{}, Labels: c.labels, Machines: []models.Machine{{Neg: 1, Coef: []float64{1}}}, Inputs: inputs}
		m.Vectors.Append(vec.Vector{Index: []int32{c.first}, Value: []float64{1}})
		p, err := plan.New(m, nil, "C")
		if fmt.Sprint(err) != c.want {
			t.Errorf("from feature %d, labels %v: %v, want %s", c.first, c.labels, err, c.want)
		}
		if err != nil {
			continue
		}
		told := ""
		p.DescribeColumns(func(text string) string { return "'" + text + "'" }, func(place int, name, what string) {
			told += fmt.Sprintf("%d %s: %s\n", place, name, what)
		})
		const want = "0 'n': a number\n1 'd': milliseconds since 1970\n" +
			"2 'l': one of its labels: '0' '1' '2' '3' '4' '5' '6' '7' '8' '9' '10' '11' and 2 more\n"
		if told != want || !p.Labels() || !p.Nominal() || p.Width != 1 {
			t.Errorf("told\n%swant\n%slabels %v, nominal columns %v, %d features", told, want, p.Labels(), p.Nominal(), p.Width)
		}
	}
	h.Class = 0
	scaled, _ := encoded(encode.Options{Scaling: encode.Normalize, ScaleLabel: true})
	for _, e := range []*encode.Encoding{nil, scaled} {
		p, want := &plan.Plan{Model: &models.Model{Task: models.EpsilonSVR, Noise: 0.1}, Inputs: e}, 0.1
		if e != nil {
			want = 0.2 // with all digits, though targets are far from 0
		}
		if p.Noise() != want {
			t.Errorf("noise %v, want %v", p.Noise(), want)
		}
	}
}

// TestNeeds: exp and tanh are in the file if something needs them, and else are not.
func TestNeeds(t *testing.T) {
	pair := func(k kernel.Kernel, labels int, probability bool, coef float64) *models.Model {
		m := &models.Model{Kernel: k, Probability: probability}
		for c := range labels {
			m.Labels = append(m.Labels, c)
			for d := c + 1; d < labels; d++ {
				m.Machines = append(m.Machines, models.Machine{Pos: c, Neg: d, Coef: []float64{coef}, Sigmoid: &models.Sigmoid{A: -1}})
			}
		}
		if labels > 1 {
			m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{1}})
		}
		return m
	}
	rbf, sigmoid := kernel.RBF{Gamma: 1}, kernel.Sigmoid{Gamma: 1}
	for _, c := range []struct {
		m                           *models.Model
		exp, tanh, classes, coupled bool
	}{
		{pair(rbf, 2, false, 1), true, false, false, false},
		{pair(rbf, 2, false, 0), false, false, false, false},
		{pair(rbf, 2, true, 0), true, false, true, false},
		{pair(rbf, 1, true, 0), false, false, false, false},
		{pair(sigmoid, 2, false, 1), false, true, false, false},
		{pair(sigmoid, 3, false, 0), false, false, false, false},
		{pair(kernel.Linear{}, 3, true, 1), true, false, true, true},
		{pair(kernel.Linear{}, 3, false, 1), false, false, false, false},
	} {
		p, err := plan.New(c.m, nil, "C")
		if err != nil {
			t.Fatal(err)
		}
		if p.Exponentials() != c.exp || p.Tangents() != c.tanh || p.ClassProbabilities() != c.classes || p.Coupled() != c.coupled {
			t.Errorf("%T, %d classes, probabilities %v, coefficient %v: exp %v, tanh %v, probabilities %v, coupled %v", c.m.Kernel,
				len(c.m.Labels), c.m.Probability, c.m.Machines, p.Exponentials(), p.Tangents(), p.ClassProbabilities(), p.Coupled())
		}
	}
}

// TestIdentifier: letters, digits and _ of ASCII are a name, unless a digit is first.
func TestIdentifier(t *testing.T) {
	for r := range rune(0x100) {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
		if got := plan.Identifier(string(r)); got != letter {
			t.Errorf("%q: %v", r, got)
		}
		if got := plan.Identifier("x" + string(r)); got != (letter || '0' <= r && r <= '9') {
			t.Errorf("x%q: %v", r, got)
		}
	}
	if plan.Identifier("") {
		t.Error("nothing is a name")
	}
	for n, want := range []string{"0 names", "1 name", "2 names"} {
		if got := plan.Count(n, "name"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestZeroFeature: if a vector lists feature 0, even with the value 0, rows begin with that
// feature. Scaled rows do not, so such a model cannot be written with ranges. Otherwise answers
// would be for rows one place off.
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

// TestWidest: vectors with the first possible feature and the last span more features than 32 bits
// can count, and are held as lists, also where an int has 32 bits: they are not taken for a table
// of one column.
func TestWidest(t *testing.T) {
	m := &models.Model{Task: models.OneClass, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{0, math.MaxInt32}, Value: []float64{1, 2}})
	p, err := plan.New(m, nil, "C")
	if err != nil || p.Width != 1<<31 || p.Dense {
		t.Errorf("%+v, %v", p, err)
	}
}
