package smo

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// fewProblem is a problem of two of some classes.
type fewProblem struct {
	solver      CSVC
	kernel      kernel.Kernel
	x           vec.Matrix // of all classes
	classes     [][]int
	first, last int   // the two classes
	rows        []int // places of the problem's rows among those of the two classes
	weight      []float64
	factors     [2]train.Factors
}

// randomFew returns a random problem of few variables. Some have large costs, noise, equal rows,
// rows that are all the same, numbers that
// overflow, whole numbers.
func randomFew(r *rand.Rand) *fewProblem {
	f := &fewProblem{solver: DefaultCSVC()}
	columns := 1 + r.IntN(6)
	spread := []float64{0.1, 0.5, 1, 3}[r.IntN(4)]
	scale := 1.0
	switch r.IntN(12) {
	case 0:
		scale = 1e12
	case 1:
		scale = 0
	}
	whole := r.IntN(4) == 0
	most := []int{2, 6, 16, 20}[r.IntN(4)]
	for range 6 {
		centre, class := r.NormFloat64(), []int{}
		for range 1 + r.IntN(most) {
			class = append(class, f.x.Len())
			v := vec.Vector{}
			for c := range columns {
				value := scale * (centre + spread*r.NormFloat64())
				if whole {
					value = math.Round(value)
				}
				v.Index, v.Value = append(v.Index, int32(c+1)), append(v.Value, value)
			}
			if r.IntN(6) == 0 && f.x.Len() > 0 {
				v = f.x.Row(r.IntN(f.x.Len()))
			}
			f.x.Append(v)
		}
		f.classes = append(f.classes, class)
	}
	f.kernel = []kernel.Kernel{kernel.RBF{Gamma: 0.5}, kernel.RBF{Gamma: 20}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 1, Coef0: 1},
		kernel.Sigmoid{Gamma: 0.5, Coef0: -1}, kernel.Poly{Degree: 9, Gamma: 10}}[r.IntN(6)]
	f.solver.C = math.Ldexp(1, r.IntN(10)-5)
	f.solver.Tolerance = []float64{1e-3, 1e-3, 0.5, 1e-5, 3}[r.IntN(5)]
	f.solver.Shrinking = r.IntN(4) > 0
	f.first = r.IntN(5)
	f.last = f.first + 1 + r.IntN(5-f.first)
	n := len(f.classes[f.first]) + len(f.classes[f.last])
	for i := range n {
		f.rows = append(f.rows, i)
	}
	if r.IntN(3) == 0 { // a fold
		r.Shuffle(n, func(i, j int) { f.rows[i], f.rows[j] = f.rows[j], f.rows[i] })
		f.rows = f.rows[:1+r.IntN(n)]
	}
	if r.IntN(3) == 0 {
		for range f.rows {
			f.weight = append(f.weight, []float64{1, 0.5, 1e-3, 7}[r.IntN(4)])
		}
	}
	if r.IntN(3) == 0 {
		f.factors = [2]train.Factors{{2}, {0.25, 3}}
	}
	return f
}

// problem returns the problem, with its values from c if that is not nil, and the events that its
// solution sends.
func (f *fewProblem) problem(c *kernel.Classes) (*train.Problem, *[]train.Event) {
	p := &train.Problem{Kernel: f.kernel, RowWeight: f.weight}
	p.Weight.Pos, p.Weight.Neg = f.factors[0], f.factors[1]
	first := f.classes[f.first]
	all := append(append([]int{}, first...), f.classes[f.last]...)
	var rows []int
	for _, i := range f.rows {
		rows = append(rows, all[i])
		if y := 1.0; i < len(first) {
			p.Y = append(p.Y, y)
		} else {
			p.Y = append(p.Y, -y)
		}
	}
	if c == nil {
		p.X = f.x.Select(rows)
	} else {
		p.Store, p.Rows = c.Part(f.first, f.last), f.rows
	}
	events := new([]train.Event)
	p.Report = func(e train.Event) { *events = append(*events, e) }
	return p, events
}

// values returns the values of the rows of all classes, nil if there are none.
func (f *fewProblem) values() *kernel.Classes {
	serially := func(n int, do func(int)) {
		for i := range n {
			do(i)
		}
	}
	return kernel.NewStore(&f.x).Classes(func() bool { return true }, 1, serially, f.kernel, f.classes)
}

// TestFew: the solutions of problems of few variables, their events and errors are those of the
// general solver, whatever the vector instructions. Most are solved without it.
func TestFew(t *testing.T) {
	defer simd.Use(simd.Current())
	r := rand.New(rand.NewPCG(3, 8))
	solved, shrunk, left, failed, long := 0, 0, 0, 0, 0
	trials := 6000
	if testing.Short() {
		trials = 2000
	}
	for trial := range trials {
		simd.Use(simd.Level(trial % (int(simd.Best()) + 1)))
		f := randomFew(r)
		c := f.values()
		if c == nil { // values that do not pay, or are infinite
			continue
		}
		general, wantEvents := f.problem(nil)
		ctx, cancel := context.WithCancel(t.Context())
		hear := general.Report
		general.Report = func(e train.Event) {
			if p, ok := e.(train.Progress); ok && p.Iterations > 10*fewIterations {
				cancel()
			}
			hear(e)
		}
		want, wantErr := f.solver.Solve(ctx, general)
		cancel()
		if errors.Is(wantErr, context.Canceled) {
			long++
			continue
		}
		p, events := f.problem(c)
		got, err := f.solver.Solve(t.Context(), p)
		switch {
		case (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error():
			t.Fatalf("trial %d: error %v, want %v", trial, err, wantErr)
		case err != nil:
			failed++
		case !sameBits(got.Coef, want.Coef) || math.Float64bits(got.Rho) != math.Float64bits(want.Rho) ||
			math.Float64bits(got.Objective) != math.Float64bits(want.Objective) || got.Iterations != want.Iterations:
			t.Fatalf("trial %d, %d rows, C %g: %d iterations, rho %v, objective %v, want %d, %v, %v", trial, len(p.Y), f.solver.C,
				got.Iterations, got.Rho, got.Objective, want.Iterations, want.Rho, want.Objective)
		}
		if !reflect.DeepEqual(*events, *wantEvents) {
			t.Fatalf("trial %d: events %v, want %v", trial, *events, *wantEvents)
		}
		if w := fewOf(t.Context(), p); w != nil {
			if costsTo(w.cost[:], p, p.Weight.Pos.Times(f.solver.C), p.Weight.Neg.Times(f.solver.C)) == nil && w.solve(p, f.solver.Options) {
				solved++
				if w.unshrunk {
					shrunk++
				}
			} else {
				left++
			}
			w.release()
		}
		p.Store.Release()
	}
	t.Logf("%d solved, %d of them with shrinking; %d left to the general solver; %d failed; %d too long", solved, shrunk, left, failed, long)
	if solved < trials/3 || shrunk < trials/20 || left < trials/50 || failed < 3 {
		t.Errorf("of %d problems %d were solved, %d of them after all variables came back, %d were left, and %d failed: too few of one kind", trials, solved, shrunk, left, failed)
	}
}

// sameBits reports whether two lists have the same numbers, with the signs of zeros.
func sameBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// TestFewStops: the general solver is not needed to see that the context has ended.
func TestFewStops(t *testing.T) {
	f := randomFew(rand.New(rand.NewPCG(1, 1)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, _ := f.problem(nil)
	if _, err := f.solver.Solve(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	c := f.values()
	if c == nil {
		t.Skip("SKIPPED: no values")
	}
	p, _ = f.problem(c)
	if _, err := f.solver.Solve(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("with values: error %v, want %v", err, context.Canceled)
	}
}

// TestFewZero: where no variable is free, the threshold is the zero that LIBSVM writes.
func TestFewZero(t *testing.T) {
	f := &fewProblem{solver: DefaultCSVC(), kernel: kernel.Linear{}, first: 0, last: 1, rows: []int{0, 1, 2}}
	f.solver.C = 0.5
	for _, class := range [][]float64{{1}, {-1, -1}, {2}, {3}, {4}, {5}} {
		var rows []int
		for _, v := range class {
			rows = append(rows, f.x.Len())
			f.x.Append(vec.Vector{Index: []int32{1}, Value: []float64{v}})
		}
		f.classes = append(f.classes, rows)
	}
	p, _ := f.problem(nil)
	want, err := f.solver.Solve(t.Context(), p)
	if err != nil || want.Rho != 0 || !math.Signbit(want.Rho) {
		t.Fatalf("rho %v, error %v, want -0", want, err)
	}
	p, _ = f.problem(f.values())
	w := fewOf(t.Context(), p)
	if costsTo(w.cost[:], p, f.solver.C, f.solver.C) != nil || !w.solve(p, f.solver.Options) || w.result.Rho != 0 || !math.Signbit(w.result.Rho) {
		t.Errorf("rho %v, want -0", w.result.Rho)
	}
}
