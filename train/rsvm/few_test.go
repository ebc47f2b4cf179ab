package rsvm

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train"
)

// fewRows returns rows of classes around random centres: of 0 to 9 with 4 rows each, of 10 and 11
// with 30. Some rows are there twice, and some have weights.
func fewRows() *format.Dataset {
	rng := rand.New(rand.NewPCG(1, 2))
	d := new(format.Dataset)
	for c := range 12 {
		at := [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		rows := 4
		if c >= 10 {
			rows = 30
		}
		for i := range rows {
			x := vec.Vector{Index: []int32{1, 2, 3}}
			for _, v := range at {
				x.Value = append(x.Value, v+0.4*rng.NormFloat64())
			}
			in := format.Instance{X: x, Y: float64(c), Weight: 1 + float64(i%3)}
			d.Append(in)
			if i == 0 {
				d.Append(in)
			}
		}
	}
	return d
}

func fewOptions() Options {
	o := DefaultOptions()
	o.Kernel, o.Cost, o.Set, o.Threads = kernel.RBF{Gamma: 0.5}, 100, Random{Vectors: 50, Even: true}, 1
	return o
}

// TestFew: the machines of few rows have at their solutions a gradient of all unknowns that is 0,
// and the value that is reported.
func TestFew(t *testing.T) {
	d := fewRows()
	for _, set := range []Set{Random{Vectors: 50, Even: true}, Systematic{Initial: 48, Parts: 5, Validation: 0.1, Patience: 10, MaxVectors: 60}} {
		o := fewOptions()
		o.Set = set
		m, solved := solution(t, o, d, classify)
		few := 0
		for k, c := range m.Machines {
			pair := new(format.Dataset)
			g := new(objective)
			for i, y := range d.Y {
				if y == float64(m.Labels[c.Pos]) || y == float64(m.Labels[c.Neg]) {
					pair.Append(format.Instance{X: d.X.Row(i), Y: y})
					g.c = append(g.c, d.Weight[i])
				}
			}
			if 2*pair.Len() <= m.Vectors.Len() {
				few++
			}
			weights := g.c
			g = newObjective(o, loss{alpha: o.Alpha}, &models.Model{Kernel: m.Kernel, Vectors: m.Vectors, Labels: []int{m.Labels[c.Pos]}}, pair)
			g.c = weights
			w := append(append([]float64(nil), c.Coef...), c.Rho)
			gradient := make([]float64, len(w))
			value := g.at(w, gradient)
			if off := math.Sqrt(columns.Dot(gradient, gradient)) / (1 + math.Sqrt(columns.Dot(w, w))); !(off < 1.1e-6) {
				t.Errorf("machine %d of %d rows: the gradient's norm is %v of 1 + |w|", k, pair.Len(), off)
			}
			if !(math.Abs(value-solved[k].Objective) <= 1e-9*value) {
				t.Errorf("machine %d of %d rows has the value %v, %v is reported", k, pair.Len(), value, solved[k].Objective)
			}
		}
		if few < 45 || few == len(m.Machines) {
			t.Errorf("%d machines of %d have few rows", few, len(m.Machines))
		}
	}
}

// TestFewBundles: models do not depend on how many classes are in memory, on the kernel values that
// are kept, on threads, and on where the rows are.
func TestFewBundles(t *testing.T) {
	defer func(n int) { bundleBytes = n }(bundleBytes)
	d := fewRows()
	var want []byte
	for i, bundle := range []int{bundleBytes, 5000, 1} {
		for _, memory := range []float64{100, 0} {
			bundleBytes = bundle
			o := fewOptions()
			o.MemoryMB, o.Threads = memory, 1+i
			m, err := Classifier{Options: o}.Train(t.Context(), d, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = modelBytes(t, m)
			}
			streamed, err := Classifier{Options: o}.TrainStream(t.Context(), rowsOf(d, 0, d.Len()))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(modelBytes(t, m), want) || !bytes.Equal(modelBytes(t, streamed), want) {
				t.Errorf("bundles of %d bytes, %v MiB of kernel values: another model", bundle, memory)
			}
		}
	}
}

// TestFewAlone: each machine of few rows is fitted to its end before there is a report,
// where all machines made a step each between two.
func TestFewAlone(t *testing.T) {
	all := fewRows()
	d := new(format.Dataset)
	for i, y := range all.Y {
		if y < 10 {
			d.Append(format.Instance{X: all.X.Row(i), Y: y, Weight: 1})
		}
	}
	reports, steps, done := 0, 0, 0
	o := fewOptions()
	o.Report = func(e train.Event) {
		switch e := e.(type) {
		case train.Progress:
			reports, steps = reports+1, e.Iterations
		case train.Solved:
			done += e.Iterations
		}
	}
	if _, err := (Classifier{Options: o}).Train(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
	if reports != 1 || steps != done || done < 45 {
		t.Errorf("%d reports, the last of %d steps; the machines made %d", reports, steps, done)
	}
}

// TestFactorize: L Q' is K, Q has orthonormal columns, and lines that are 0, equal or tiny do no
// harm.
func TestFactorize(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const rows, n = 6, 9
	k := make([]float64, rows*n)
	for i := range k {
		k[i] = rng.NormFloat64()
	}
	clear(k[n : 2*n])
	copy(k[3*n:4*n], k[2*n:3*n])
	for i := range k[4*n : 5*n] {
		k[4*n+i] *= 1e-160
	}
	q := factorize(append([]float64(nil), k...), rows, n)
	u := make([]float64, rows)
	for i := range u {
		u[i] = rng.NormFloat64()
	}
	v := q.vector(u)
	if a, b := columns.Dot(v, v), columns.Dot(u, u); !(math.Abs(a-b) < 1e-14*b) {
		t.Errorf("the squared length %v has become %v", b, a)
	}
	for i, x := range q.coordinates(v) {
		if !(math.Abs(x-u[i]) < 1e-14) {
			t.Errorf("coordinate %d is %v, want %v", i, x, u[i])
		}
	}
	for i := range rows {
		line := 0.0
		for c := range rows {
			line += q.lower[c*rows+i] * u[c]
		}
		if want := columns.Dot(k[i*n:(i+1)*n], v); !(math.Abs(line-want) < 1e-14) {
			t.Errorf("line %d has the value %v, want %v", i, line, want)
		}
	}
}
