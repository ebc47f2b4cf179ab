package dcd

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// table is a Gram of rows.
type table [][]float64

func (t table) Row(i int) []float64    { return t[i] }
func (t table) Diagonal(i int) float64 { return t[i][i] }

// tableOf returns the products of rows relative to the first row; the choice of the origin only
// matters to rounding.
func tableOf(rows [][]float64) table {
	t := make(table, len(rows))
	o := rows[0]
	for i, a := range rows {
		t[i] = make([]float64, len(rows))
		for j, b := range rows {
			for k := range a {
				t[i][j] += float64((a[k] - o[k]) * (b[k] - o[k]))
			}
		}
	}
	return t
}

// exemplar draws a problem like those of exemplar machines: few positive rows, mostly one, near few
// negative ones; some are degenerate.
func exemplar(rng *rand.Rand) (rows [][]float64, y []float64) {
	d := 1 + rng.IntN(20)
	pos, neg := 1, 1+rng.IntN(9)
	if rng.IntN(3) == 0 {
		pos, neg = 1+rng.IntN(30), 1+rng.IntN(60)
	}
	shift := rng.Float64() * 3
	for i := range pos + neg {
		row := make([]float64, d)
		for k := range row {
			row[k] = rng.NormFloat64()
			if i < pos {
				row[k] += shift
			}
			row[k] = math.Round(8*min(max(row[k], -4), 4)) / 8
		}
		rows = append(rows, row)
		y = append(y, 1)
		if i >= pos {
			y[i] = -1
		}
	}
	kind := rng.IntN(8)
	for _, row := range rows {
		for k := range row {
			switch kind {
			case 0: // integers, with many equal rows
				row[k] = math.Round(row[k])
			case 1: // on a line
				row[k] = row[0] * float64(k+1)
			case 2: // features of different scales
				row[k] *= math.Ldexp(1, k%5)
			case 3: // far from the origin
				row[k] += 100
			case 4:
				row[k] /= 1024
			}
		}
	}
	if rng.IntN(6) == 0 { // rows of both classes in the same place
		copy(rows[len(rows)-1], rows[0])
	}
	if kind == 5 { // all in the same place
		for _, row := range rows {
			copy(row, rows[0])
		}
	}
	return rows, y
}

// TestOptimum: the objective is that of SMO, on a thousand problems, and the machine meets the
// conditions of optimality.
func TestOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := new(Solver)
	for n := range 1000 {
		rows, y := exemplar(rng)
		c := []float64{1, 1, 1, 0.01, 100}[rng.IntN(5)]
		cost := slices.Repeat([]float64{c}, len(y))
		p := &train.Problem{Y: slices.Clone(y), Kernel: kernel.Linear{}}
		if n%2 == 1 { // the first class costs more, as in an exemplar machine
			weight := float64(1 + rng.IntN(9))
			p.Weight.Pos = train.Factors{weight}
			for i := range cost {
				if y[i] > 0 {
					cost[i] *= weight
				}
			}
		}
		gram := tableOf(rows)
		r, err := s.Solve(context.Background(), gram, y, cost, nil)
		if err != nil {
			t.Fatalf("problem %d: %v, gap %v", n, err, r.Gap)
		}
		check(t, n, r, gram, y, cost)

		for _, row := range rows {
			v := vec.Vector{Value: row}
			for k := range row {
				v.Index = append(v.Index, int32(k+1))
			}
			p.X.Append(v)
		}
		solver := smo.DefaultCSVC()
		solver.C, solver.Tolerance = c, 1e-7
		stopped := false
		solver.Report = func(e train.Event) {
			if _, is := e.(train.IterationLimit); is {
				stopped = true
			}
		}
		want, err := solver.Solve(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if stopped {
			t.Logf("problem %d: SMO did not converge: %v, here %v", n, want.Objective, r.Objective)
		}
		if diff := math.Abs(r.Objective - want.Objective); !(diff <= 1e-6*math.Abs(want.Objective)) {
			t.Errorf("problem %d, %d rows of %d features, C %v: objective %.17g in %d steps, by SMO %.17g in %d", n, len(y), len(rows[0]), c,
				r.Objective, r.Steps, want.Objective, want.Iterations)
		}
	}
}

// check tests that a solution is feasible, and that its primal and dual objectives, computed here,
// are equal.
func check(t *testing.T, n int, r *Solution, gram table, y, cost []float64) {
	t.Helper()
	sum, square, total := 0.0, 0.0, 0.0
	values := make([]float64, len(y))
	for i, a := range r.Alpha {
		if !(a >= 0 && a <= cost[i]) {
			t.Fatalf("problem %d: alpha %v of cost %v", n, a, cost[i])
		}
		sum += a * y[i]
		total += a
		for k := range values {
			values[k] += a * y[i] * gram[i][k]
		}
	}
	loss := 0.0
	for i, f := range values {
		square += r.Alpha[i] * y[i] * f
		loss += cost[i] * max(0, 1-y[i]*(f-r.Rho))
	}
	if !(math.Abs(sum) <= 1e-12*(1+total)) {
		t.Errorf("problem %d: the equation is off by %v, of %v", n, sum, total)
	}
	primal, dual := square/2+loss, square/2-total
	if gap := primal + dual; !(gap <= 1.1e-6*math.Abs(dual)+1e-300) {
		t.Errorf("problem %d: primal %v, dual %v; told %v, %v", n, primal, -dual, r.Objective, r.Gap)
	}
}

// TestLeftOut: rows of cost 0 do not take part in the solution, wherever it starts, but the solver
// has their values.
func TestLeftOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	s := new(Solver)
	for n := range 200 {
		rows, y := exemplar(rng)
		cost := slices.Repeat([]float64{1}, len(y))
		gram := tableOf(rows)
		r, err := s.Solve(context.Background(), gram, y, cost, nil)
		if err != nil {
			t.Fatal(err)
		}
		start := slices.Clone(r.Alpha)
		var rest [][]float64
		var signs []float64
		for i := range y {
			if cost[i] = float64(rng.IntN(2)); cost[i] > 0 {
				rest, signs = append(rest, rows[i]), append(signs, y[i])
			}
		}
		if !slices.Contains(signs, 1) || !slices.Contains(signs, -1) {
			continue
		}
		part, err := s.Solve(context.Background(), gram, y, cost, start)
		if err != nil {
			t.Fatal(err)
		}
		check(t, n, part, gram, y, cost)
		objective := part.Objective
		alone, err := new(Solver).Solve(context.Background(), tableOf(rest), signs, slices.Repeat([]float64{1}, len(signs)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(alone.Objective-objective) <= 1e-6*math.Abs(objective)) {
			t.Errorf("problem %d: objective %v, of the rows alone %v", n, objective, alone.Objective)
		}
		for i, v := range part.Values {
			w := 0.0
			for k, a := range part.Alpha {
				w += a * y[k] * gram[k][i]
			}
			if !(math.Abs(v-w) <= 1e-6*(1+math.Abs(w))) {
				t.Errorf("problem %d: row %d has the value %v, by the solver %v", n, i, w, v)
			}
		}
	}
}

// TestCancelled: a cancelled search ends with its context's error.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := new(Solver).Solve(ctx, tableOf([][]float64{{1}, {2}}), []float64{1, -1}, []float64{1, 1}, nil); err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
}
