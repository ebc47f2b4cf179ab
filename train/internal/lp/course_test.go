package lp_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/lp"
)

// courses returns the table of successive linear programmes in the README of the stored programmes:
// the objectives and counts for each instance and mu.
func courses(t *testing.T, dir string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| instance, nu | mu | course |")
	if !ok {
		t.Fatal("the README has no table of courses")
	}
	for _, line := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			break
		}
		name, _, _ := strings.Cut(strings.TrimSpace(cells[1]), ",")
		rows = append(rows, []string{name, strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])})
	}
	if len(rows) == 0 {
		t.Fatal("the table of courses is empty")
	}
	return rows
}

// TestCourses: with the costs of each step of the minimal kernel algorithm, the solver finds the
// stored optima from the last basis, and the same vertex from scratch.
func TestCourses(t *testing.T) {
	dir := golden(t)
	const alpha = 5
	ctx := context.Background()
	for _, c := range courses(t, dir) {
		var o optimum
		for _, known := range optima(t, dir) {
			if known.Name == c[0] {
				o = known
			}
		}
		in, mu := ownInstance(t, dir, o), number(t, c[1])
		p := in.problem()
		s, err := lp.NewSolver(p)
		if err != nil {
			t.Fatal(err)
		}
		cy, lower, upper := p.Cost, p.Lower, p.Upper
		for step, text := range strings.Split(strings.TrimSuffix(c[2], " (stop)"), "; ") {
			want := strings.Fields(text)
			if len(want) != 3 {
				t.Fatalf("%q: expected an objective and two counts", text)
			}
			sol, err := s.Solve(ctx)
			if err != nil {
				t.Fatal(err)
			}
			m1, m2 := nonzero(sol.T), nonzero(sol.X[:o.Points])
			t.Logf("%s mu %v step %d: %.9g %d %d, %d pivots", o.Name, mu, step, sol.Primal, m1, m2, sol.Pivots)
			if v := number(t, want[0]); !(math.Abs(sol.Primal-v) <= 1e-7*v) {
				t.Errorf("objective %.10g, want %v", sol.Primal, v)
			}
			if m1 != int(number(t, want[1])) || m2 != int(number(t, want[2])) {
				t.Errorf("counts %d, %d, want %s, %s", m1, m2, want[1], want[2])
			}
			cold, err := lp.Solve(ctx, &lp.Problem{A: p.A, B: p.B, Cost: cy, Lower: lower, Upper: upper})
			if err != nil {
				t.Fatal(err)
			}
			for j, x := range sol.X {
				if !(math.Abs(x-cold.X[j]) <= 1e-7*(1+math.Abs(x))) {
					t.Errorf("x[%d] is %v from the last basis, %v from scratch", j, x, cold.X[j])
				}
			}
			cy, lower, upper = make([]float64, len(cy)), make([]float64, len(lower)), make([]float64, len(upper))
			for i, y := range sol.Y {
				cy[i] = o.Nu * (1 + mu*alpha*kernel.Exp(-alpha*y))
			}
			for j := range o.Points {
				upper[j] = 1 + mu*alpha*kernel.Exp(-alpha*math.Abs(sol.X[j]))
				lower[j] = -upper[j]
			}
			if err := s.SetCosts(cy, lower, upper); err != nil {
				t.Fatal(err)
			}
		}
	}
}
