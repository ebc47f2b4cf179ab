package generate

import (
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

func TestList(t *testing.T) {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
		if got, ok := Lookup(s.Name); !ok || got.Name != s.Name {
			t.Errorf("Lookup(%q) = %q, %v", s.Name, got.Name, ok)
		}
		if s.Doc == "" || s.Rows < 1 || s.Inputs < 1 || s.Classes == 1 {
			t.Errorf("%s is not described: %+v", s.Name, s)
		}
		for _, line := range strings.Split(s.Doc, "\n") {
			if len(line) > 80 || strings.TrimSpace(line) != line {
				t.Errorf("%s: documentation line %q does not fit a terminal", s.Name, line)
			}
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names are not in strict order: %v", names)
	}
	if _, ok := Lookup("Gauss"); ok {
		t.Error(`Lookup("Gauss") found a set`)
	}
	All()[0] = Set{}
	if All()[0].Name == "" {
		t.Error("All shares its list")
	}
}

func TestRows(t *testing.T) {
	for _, s := range All() {
		for _, n := range []int{0, 1, 2, 7, 100} {
			d := s.Generate(n, 3)
			if d.Len() != n || d.X.Len() != n || d.Weight != nil {
				t.Errorf("%s: %d rows, %d vectors, weights %v; want %d rows", s.Name, d.Len(), d.X.Len(), d.Weight, n)
			}
			if d.Header.Relation != s.Name || d.Header.Class != -1 {
				t.Errorf("%s: header %+v", s.Name, d.Header)
			}
			checkValues(t, s, d)
		}
	}
}

// checkValues checks what the fields of a Set promise of every row.
func checkValues(t *testing.T, s Set, d *format.Dataset) {
	t.Helper()
	scale := 1e6
	for i, y := range d.Y {
		row := d.X.Row(i)
		for k, v := range row.Value {
			if round(v, scale) != v || v == 0 && math.Signbit(v) || !(math.Abs(v) < 1e4) {
				t.Fatalf("%s: row %d: value %v is not a short decimal", s.Name, i, v)
			}
			if j := row.Index[k]; j < 1 || int(j) > s.Inputs || s.Name != "text" && int(j) != k+1 {
				t.Fatalf("%s: row %d: feature %d of %d", s.Name, i, j, s.Inputs)
			}
		}
		if s.Name != "text" && len(row.Value) != s.Inputs {
			t.Fatalf("%s: row %d has %d of %d inputs", s.Name, i, len(row.Value), s.Inputs)
		}
		switch {
		case s.Classes == 0 && round(y, scale) == y:
		case s.Classes == 2 && (y == 1 || y == -1):
		case s.Classes > 2 && y == math.Trunc(y) && 1 <= y && y <= float64(s.Classes):
		default:
			t.Fatalf("%s: row %d: label %v of %d classes", s.Name, i, y, s.Classes)
		}
	}
}

func TestSeeds(t *testing.T) {
	for _, s := range All() {
		seen := map[string]uint64{}
		for seed := range uint64(20) {
			text := form(s.Generate(30, seed))
			if text != form(s.Generate(30, seed)) {
				t.Errorf("%s: seed %d gives two samples", s.Name, seed)
			}
			if other, ok := seen[text]; ok == s.Seeded && seed > 0 {
				t.Errorf("%s (seeded: %v): seeds %d and %d: same sample: %v", s.Name, s.Seeded, other, seed, ok)
			}
			seen[text] = seed
		}
	}
}

func TestFewerRowsAreABeginning(t *testing.T) {
	for _, s := range All() {
		if !s.Seeded {
			continue
		}
		few, many := form(s.Generate(17, 5)), form(s.Generate(60, 5))
		if !strings.HasPrefix(many, few) {
			t.Errorf("%s: 17 rows are not the first of 60", s.Name)
		}
	}
}

// One seed may train and another test: per class, the means of two samples
// agree within five standard errors.
func TestSeedsShareADistribution(t *testing.T) {
	const n = 3000
	for _, s := range All() {
		a, b := classMoments(s.Generate(n, 1)), classMoments(s.Generate(n, 2))
		for y, p := range a {
			if s.Classes == 0 {
				break
			}
			q := b[y]
			for j := range p.mean {
				se := math.Sqrt(p.variance[j]/p.n + q.variance[j]/q.n)
				if d := math.Abs(p.mean[j] - q.mean[j]); !(d <= 5*se) {
					t.Errorf("%s: class %v: mean of input %d differs by %v between seeds, standard error %v", s.Name, y, j, d, se)
				}
			}
		}
	}
}

type moments struct {
	n              float64
	mean, variance []float64
}

func classMoments(d *format.Dataset) map[float64]moments {
	n := d.X.MaxIndex() + 1
	ms := map[float64]moments{}
	for i, y := range d.Y {
		m, ok := ms[y]
		if !ok {
			m = moments{mean: make([]float64, n), variance: make([]float64, n)}
		}
		m.n++
		row := d.X.Row(i)
		for k, j := range row.Index {
			m.mean[j] += row.Value[k]
			m.variance[j] += row.Value[k] * row.Value[k]
		}
		ms[y] = m
	}
	for _, m := range ms {
		for j := range m.mean {
			m.mean[j] /= m.n
			m.variance[j] = m.variance[j]/m.n - m.mean[j]*m.mean[j]
		}
	}
	return ms
}

func TestClassBalance(t *testing.T) {
	// rows of one class in a round of the sampler; others are random
	round := map[string]map[float64]int{
		"gauss":    {1: 1, -1: 1},
		"gauss5":   {1: 1, 2: 1, 3: 1, 4: 1, 5: 1},
		"isolated": {1: 3, -1: 5},
		"moons":    {1: 1, -1: 1},
		"ringnorm": {1: 1, -1: 1},
		"spirals":  {1: 1, -1: 1},
		"striated": {1: 2, -1: 2},
		"text":     {1: 1, -1: 1},
		"twonorm":  {1: 1, -1: 1},
		"waveform": {1: 1, 2: 1, 3: 1},
	}
	for name, want := range round {
		s, _ := Lookup(name)
		size := 0
		for _, n := range want {
			size += n
		}
		d := s.Generate(100*size, 9)
		for from := 0; from < d.Len(); from += size {
			got := map[float64]int{}
			for _, y := range d.Y[from : from+size] {
				got[y]++
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: rows from %d: %v, want %v", name, from, got, want)
				break
			}
		}
	}
	for _, name := range []string{"checkerboard", "ndc"} {
		s, _ := Lookup(name)
		positive := 0
		for _, y := range s.Generate(2000, 9).Y {
			if y > 0 {
				positive++
			}
		}
		if positive < 800 || positive > 1200 {
			t.Errorf("%s: %d of 2000 rows are +1", name, positive)
		}
	}
}

func TestReaderIsGenerate(t *testing.T) {
	s, _ := Lookup("text")
	want := s.Generate(40, 2)
	got := &format.Dataset{}
	r := s.Reader(40, 2)
	for {
		in, err := r.Read()
		if err == io.EOF {
			break
		}
		got.Append(in)
	}
	if form(got) != form(want) {
		t.Error("Reader and Generate differ")
	}
	if _, err := r.Read(); err != io.EOF {
		t.Errorf("after the end: %v, want EOF", err)
	}
}

func TestWrongCallsPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"generate: -1 rows asked for":       func() { moons.Generate(-1, 1) },
		"generate: 1 classes with 1 inputs": func() { Gaussians(1, 1, 1) },
		"generate: 3 classes with 2 inputs": func() { Gaussians(3, 2, 1) },
	} {
		func() {
			defer func() {
				if got := recover(); got != name {
					t.Errorf("panic %v, want %q", got, name)
				}
			}()
			call()
		}()
	}
}
