package linear

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// check proves a machine to be optimal by a feasible dual solution of the same
// value, from the definitions.
func check(t *testing.T, name string, rows *mat.Dense, y, cost []float64, m *Machine) {
	t.Helper()
	n, d := rows.Dims()
	w := make([]float64, d)
	off, sum, total := 0.0, 0.0, 0.0
	for i := range n {
		a := m.Alpha[i]
		if !(a >= 0 && a <= cost[i]) {
			t.Fatalf("%s: alpha %v with cost %v", name, a, cost[i])
		}
		off += y[i] * a
		sum += a
		total += cost[i]
		for k := range w {
			w[k] += y[i] * a * rows.At(i, k)
		}
	}
	half := 0.0
	for k := range w {
		half += w[k] * w[k] / 2
		if math.Abs(w[k]-m.W[k]) > 1e-9*(1+math.Abs(w[k])) {
			t.Fatalf("%s: weight %d is %v, of alpha %v", name, k, m.W[k], w[k])
		}
	}
	primal := half
	for i := range n {
		f := m.Bias
		for k := range w {
			f += m.W[k] * rows.At(i, k)
		}
		primal += cost[i] * max(0, 1-y[i]*f)
	}
	if gap := (primal - (sum - half)) / (1 + primal); gap > 2e-7 || math.Abs(off*m.Bias)/(1+primal) > 1e-7 || math.Abs(off) > 1e-6*total {
		t.Errorf("%s: gap %v, y'a = %v, after %d steps", name, gap, off, m.Steps)
	}
	if math.Abs(primal-m.Objective) > 1e-9*(1+primal) {
		t.Errorf("%s: objective %v, is %v", name, m.Objective, primal)
	}
}

func TestTrain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name     string
		n, m     int
		distance float64
		cost     float64
		scale    float64
	}{
		{"overlapping", 500, 8, 1, 1, 1},
		{"separable", 300, 5, 12, 100, 1},
		{"noise", 400, 6, 0, 10, 1},
		{"small cost", 300, 6, 1, 1e-4, 1},
		{"large cost", 300, 6, 1, 1e4, 1},
		{"large features", 300, 6, 1, 1, 100},
		{"small features", 300, 6, 1, 1, 1e-3},
		{"more features than rows", 20, 60, 1, 1, 1},
		{"one feature", 100, 1, 1, 10, 1},
		{"two rows", 2, 3, 4, 10, 1},
	} {
		rows := mat.NewDense(c.n, c.m, nil)
		y, cost := make([]float64, c.n), make([]float64, c.n)
		for i := range c.n {
			y[i] = float64(1 - 2*(i%2))
			cost[i] = c.cost * (0.5 + rng.Float64())
			for k := range c.m {
				rows.Set(i, k, c.scale*rng.NormFloat64())
			}
			rows.Set(i, 0, rows.At(i, 0)+c.scale*(y[i]*c.distance/2+3))
		}
		m, err := Train(t.Context(), rows, y, cost)
		if err != nil {
			t.Errorf("%s: %v, gap %v", c.name, err, m.Gap)
			continue
		}
		check(t, c.name, rows, y, cost, m)
		t.Logf("%s: %d steps", c.name, m.Steps)
	}
}

func TestDegenerate(t *testing.T) {
	for name, c := range map[string]struct {
		rows, y []float64
		bias    float64
	}{
		"one class":             {[]float64{1, 2, 3}, []float64{-1, -1, -1}, -1},
		"all rows equal":        {[]float64{2, 2, 2}, []float64{1, 1, -1}, 1},
		"features without size": {[]float64{0, 0, 0}, []float64{-1, 1, -1}, -1},
	} {
		rows := mat.NewDense(3, 1, c.rows)
		cost := []float64{1, 1, 1}
		m, err := Train(t.Context(), rows, c.y, cost)
		if err != nil {
			t.Errorf("%s: %v, gap %v", name, err, m.Gap)
			continue
		}
		if c.y[0] == c.y[1] && c.y[1] == c.y[2] {
			if m.Bias != c.bias || m.W[0] != 0 {
				t.Errorf("%s: %v", name, m)
			}
			continue
		}
		check(t, name, rows, c.y, cost, m)
		if f := m.W[0]*c.rows[0] + m.Bias; math.Abs(f-c.bias) > 1e-4 {
			t.Errorf("%s: value %v, want %v", name, f, c.bias)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rows := mat.NewDense(2, 1, []float64{1, 2})
	if _, err := Train(ctx, rows, []float64{1, -1}, []float64{1, 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := Train(t.Context(), rows, []float64{1, -1}, []float64{1, bad}); err == nil {
			t.Errorf("cost %v is taken", bad)
		}
	}
}

func BenchmarkTrain(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, m := range []int{50, 200} {
		rows := mat.NewDense(7000, m, nil)
		y, cost := make([]float64, 7000), make([]float64, 7000)
		for i := range y {
			y[i], cost[i] = float64(1-2*(i%10/9)), 10
			for k := range m {
				rows.Set(i, k, rng.NormFloat64()+y[i]*0.1)
			}
		}
		b.Run(map[int]string{50: "50", 200: "200"}[m], func(b *testing.B) {
			for b.Loop() {
				if _, err := Train(b.Context(), rows, y, cost); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
