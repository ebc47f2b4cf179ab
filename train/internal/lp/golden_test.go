package lp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/lp"
)

// An instance is a 1-norm kernel classifier: rows X with labels, centres C, and a Gaussian kernel.
type instance struct {
	x, c   [][]float64
	d      []float64
	gamma  float64
	cy, cv []float64
}

// gauss is the same on all processors, as math.Exp is not: a last bit more or less changes which of
// two nearly equal pivots a solver takes, and so how many.
func gauss(gamma float64, a, b []float64) float64 {
	s := 0.0
	for k, v := range a {
		s += float64((v - b[k]) * (v - b[k]))
	}
	return kernel.Exp(-gamma * s)
}

// dense returns a matrix whose values fill writes.
func dense(rows, columns int, fill func(row func(i int) []float64)) *lp.Dense {
	d, err := lp.NewDense(context.Background(), rows, columns, fill)
	if err != nil {
		panic(err)
	}
	return d
}

// problem returns the programme; its last column is that of the offset.
func (in *instance) problem() *lp.Problem {
	m, n := len(in.x), len(in.c)+1
	p := &lp.Problem{Cost: in.cy, B: make([]float64, m), Lower: make([]float64, n), Upper: make([]float64, n)}
	p.A = dense(m, n, func(row func(i int) []float64) {
		for i := range m {
			for j, c := range in.c {
				row(i)[j] = in.d[i] * gauss(in.gamma, in.x[i], c)
			}
			row(i)[n-1] = -in.d[i]
		}
	})
	for i := range p.B {
		p.B[i] = 1
	}
	for j, c := range in.cv {
		p.Lower[j], p.Upper[j] = -c, c
	}
	return p
}

// golden returns the folder of the stored programmes.
func golden(t *testing.T) string {
	t.Helper()
	return testenv.Shared(t, "golden", "lp")
}

func readRows(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		rows = append(rows, strings.Split(s.Text(), ","))
	}
	if len(rows) < 2 {
		t.Fatalf("%s has no rows", path)
	}
	return rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// An optimum is an entry of optima.json.
type optimum struct {
	Name      string
	Rows      int
	Points    int
	Gamma     float64 `json:"gaussian_gamma"`
	Nu        float64
	Objective float64
	Offset    float64
	NonzeroU  int `json:"nonzero_u"`
	NonzeroT  int `json:"nonzero_t"`
	PositiveY int `json:"positive_y"`
	Wrong     int `json:"rows_misclassified"`
	U         []struct {
		Point int
		Value float64
	}
}

func optima(t *testing.T, dir string) []optimum {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "optima.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Instances []optimum }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Instances) == 0 {
		t.Fatal("optima.json has no instances")
	}
	return all.Instances
}

// ownInstance reads an instance of the folder own.
func ownInstance(t *testing.T, dir string, o optimum) *instance {
	t.Helper()
	name := o.Name + ".csv"
	if o.Name == "checker" {
		name = "checker-points.csv"
	}
	rows := readRows(t, filepath.Join(dir, "own", name))
	head := rows[0]
	in := &instance{gamma: o.Gamma}
	for _, r := range rows[1:] {
		var x []float64
		cy, cv := o.Nu, 1.0
		for k, name := range head {
			switch {
			case name == "label":
				in.d = append(in.d, number(t, r[k]))
			case strings.HasPrefix(name, "x"):
				x = append(x, number(t, r[k]))
			case name == "cy":
				cy = number(t, r[k])
			case name == "cv" && r[k] != "":
				cv = number(t, r[k])
			}
		}
		in.x, in.cy = append(in.x, x), append(in.cy, cy)
		if len(in.c) < o.Points {
			in.c, in.cv = append(in.c, x), append(in.cv, cv)
		}
	}
	if len(in.x) != o.Rows || len(in.c) != o.Points {
		t.Fatalf("%s: %d rows, %d points, want %d, %d", o.Name, len(in.x), len(in.c), o.Rows, o.Points)
	}
	return in
}

// nonzero counts values that are not 0, relative to the largest.
func nonzero(v []float64) (n int) {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	for _, x := range v {
		if !(math.Abs(x) <= 1e-7*most) {
			n++
		}
	}
	return n
}

// TestStored: the solver finds the optima and all counts of the stored programmes.
func TestStored(t *testing.T) {
	dir := golden(t)
	for _, o := range optima(t, dir) {
		t.Run(o.Name, func(t *testing.T) {
			if o.Name == "usps8" {
				t.Skip("see TestUSPS")
			}
			check(t, o, solve(t, ownInstance(t, dir, o).problem()), 1e-9)
		})
	}
}

func solve(t *testing.T, p *lp.Problem) *lp.Solution {
	t.Helper()
	s, err := lp.Solve(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pivots, %d flips, objective %.12g, gap %.2g, violation %.2g", s.Pivots, s.Flips, s.Primal, s.Gap(), s.Violation)
	return s
}

// check compares a solution with the stored one.
func check(t *testing.T, o optimum, s *lp.Solution, tolerance float64) {
	t.Helper()
	near := func(what string, got, want, tol float64) {
		if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
			t.Errorf("%s %.12g, want %.12g", what, got, want)
		}
	}
	near("objective", s.Primal, o.Objective, tolerance)
	near("dual objective", s.Dual, o.Objective, tolerance)
	near("violation", s.Violation, 0, 1e-9)
	near("offset", s.X[o.Points], o.Offset, 1e-6)
	wrong := 0
	for _, y := range s.Y {
		if y >= 1 {
			wrong++
		}
	}
	if u, tt, y := nonzero(s.X[:o.Points]), nonzero(s.T), nonzero(s.Y); u != o.NonzeroU || tt != o.NonzeroT || y != o.PositiveY || wrong != o.Wrong {
		t.Errorf("%d u, %d t, %d y, %d wrong rows; want %d, %d, %d, %d", u, tt, y, wrong, o.NonzeroU, o.NonzeroT, o.PositiveY, o.Wrong)
	}
	for _, u := range o.U {
		near("u", s.X[u.Point-1], u.Value, 1e-6)
	}
}
