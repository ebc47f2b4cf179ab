package linear

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// A table holds rows of features in the plain form of the definitions.
type table struct {
	n, m int
	at   [][]float64
}

func newTable(n, m int) *table {
	t := &table{n: n, m: m}
	for range n {
		t.at = append(t.at, make([]float64, m))
	}
	return t
}

// padded returns values with zeros for the rest of the last tile.
func padded(values []float64) []float64 {
	n := (len(values) + TileRows - 1) / TileRows * TileRows
	return append(slices.Clone(values), make([]float64, n-len(values))...)
}

func (t *table) features(from, to int) *Features {
	x := NewFeatures((t.n + TileRows - 1) / TileRows)
	for k := from; k < to; k++ {
		column := make([]float64, t.n)
		for i := range column {
			column[i] = t.at[i][k]
		}
		x.Append(padded(column))
	}
	return x
}

func (t *table) train(ctx context.Context, y, cost []float64) (*Machine, error) {
	x := t.features(0, t.m)
	return Train(ctx, x, x.All(), padded(y), padded(cost), nil)
}

// check proves that a machine is optimal, by a feasible dual solution of the same value, computed
// from the definitions.
func check(t *testing.T, name string, rows *table, y, cost []float64, m *Machine) {
	t.Helper()
	w := make([]float64, rows.m)
	off, sum, total := 0.0, 0.0, 0.0
	for i := range rows.n {
		a := m.Alpha[i]
		if !(a*y[i] >= 0 && a*y[i] <= cost[i]) {
			t.Fatalf("%s: alpha %v with cost %v, sign %v", name, a, cost[i], y[i])
		}
		off += a
		sum += y[i] * a
		total += cost[i]
		for k := range w {
			w[k] += a * rows.at[i][k]
		}
	}
	half := 0.0
	for k := range w {
		half += w[k] * w[k] / 2
		if !(math.Abs(w[k]-m.W[k]) <= 1e-9*(1+math.Abs(w[k]))) {
			t.Fatalf("%s: weight %d is %v, of alpha %v", name, k, m.W[k], w[k])
		}
	}
	primal := half
	for i := range rows.n {
		f := m.Bias
		for k := range w {
			f += m.W[k] * rows.at[i][k]
		}
		if !(math.Abs(f-m.Values[i]) <= 1e-9*(1+math.Abs(f))) {
			t.Fatalf("%s: value %v of row %d, is %v", name, m.Values[i], i, f)
		}
		primal += cost[i] * max(0, 1-y[i]*f)
	}
	if gap := (primal - (sum - half)) / (1 + primal); !(gap <= 2e-7) || !(math.Abs(off*m.Bias)/(1+primal) <= 1e-7) || !(math.Abs(off) <= 1e-6*total) {
		t.Errorf("%s: gap %v, sum of a %v, after %d steps", name, gap, off, m.Steps)
	}
	if !(math.Abs(primal-m.Objective) <= 1e-9*(1+primal)) {
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
		{"no features", 100, 0, 1, 10, 1},
	} {
		rows := newTable(c.n, c.m)
		y, cost := make([]float64, c.n), make([]float64, c.n)
		for i := range c.n {
			y[i] = float64(1 - 2*(i%2))
			cost[i] = c.cost * (0.5 + rng.Float64())
			for k := range c.m {
				rows.at[i][k] = c.scale * rng.NormFloat64()
			}
			if c.m == 0 {
				continue
			}
			rows.at[i][0] += c.scale * (y[i]*c.distance/2 + 3)
		}
		m, err := rows.train(t.Context(), y, cost)
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
		rows := &table{3, 1, [][]float64{c.rows[:1], c.rows[1:2], c.rows[2:]}}
		cost := []float64{1, 1, 1}
		m, err := rows.train(t.Context(), c.y, cost)
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
		if f := m.W[0]*c.rows[0] + m.Bias; !(math.Abs(f-c.bias) <= 1e-4) {
			t.Errorf("%s: value %v, want %v", name, f, c.bias)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rows := &table{2, 1, [][]float64{{1}, {2}}}
	if _, err := rows.train(ctx, []float64{1, -1}, []float64{1, 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := rows.train(t.Context(), []float64{1, -1}, []float64{1, bad}); err == nil {
			t.Errorf("cost %v is taken", bad)
		}
	}
}

// TestStart: a machine that starts from that of the first features is the same as one that starts
// from nothing.
func TestStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n, m = 700, 24
	rows := newTable(n, m)
	y, cost := make([]float64, n), make([]float64, n)
	for i := range n {
		y[i], cost[i] = float64(1-2*(i%2)), 10
		for k := range m {
			rows.at[i][k] = rng.NormFloat64() + y[i]*0.2
		}
	}
	var last *Machine
	for k := 1; k <= m; k++ {
		x := rows.features(0, k)
		train := func(start *Machine) *Machine {
			m, err := Train(t.Context(), x, x.All(), padded(y), padded(cost), start)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		started, fresh := train(last), train(nil)
		first := &table{n: n, m: k, at: rows.at}
		check(t, "started", first, y, cost, started)
		check(t, "fresh", first, y, cost, fresh)
		for f := range fresh.W {
			if !(math.Abs(fresh.W[f]-started.W[f]) <= 1e-2*(1+math.Abs(fresh.W[f]))) {
				t.Errorf("%d features: weight %d is %v, started %v", k, f, fresh.W[f], started.W[f])
			}
		}
		if again := train(started); 4*again.Steps > fresh.Steps {
			t.Errorf("%d features: %d steps from the solution, %d from nothing", k, again.Steps, fresh.Steps)
		}
		last = started
	}
}

// TestTiles: some of the tiles make a problem of their own.
func TestTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 4 * TileRows
	rows := newTable(n, 5)
	y, cost := make([]float64, n), make([]float64, n)
	for i := range n {
		y[i], cost[i] = float64(1-2*(i/TileRows%2)), 1
		for k := range 5 {
			rows.at[i][k] = rng.NormFloat64() + y[i]*0.2
		}
	}
	x := rows.features(0, 5)
	m, err := Train(t.Context(), x, []int{3, 0}, slices.Concat(y[3*TileRows:], y[:TileRows]), cost[:2*TileRows], nil)
	if err != nil {
		t.Fatal(err)
	}
	part := &table{2 * TileRows, 5, slices.Concat(rows.at[3*TileRows:], rows.at[:TileRows])}
	check(t, "two of four tiles", part, slices.Concat(y[3*TileRows:], y[:TileRows]), cost[:2*TileRows], m)
}

func BenchmarkTrain(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, m := range []int{50, 200} {
		rows := newTable(7000, m)
		y, cost := make([]float64, 7000), make([]float64, 7000)
		for i := range y {
			y[i], cost[i] = float64(1-2*(i%10/9)), 10
			for k := range m {
				rows.at[i][k] = rng.NormFloat64() + y[i]*0.1
			}
		}
		x := rows.features(0, m)
		b.Run(strconv.Itoa(m), func(b *testing.B) {
			for b.Loop() {
				if _, err := Train(b.Context(), x, x.All(), padded(y), padded(cost), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
