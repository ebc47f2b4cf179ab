package smo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// column returns rows of one feature.
func column(values ...float64) vec.Matrix {
	var x vec.Matrix
	for _, v := range values {
		x.Append(vec.Vector{Index: []int32{1}, Value: []float64{v}})
	}
	return x
}

func TestValidate(t *testing.T) {
	o := DefaultOptions()
	with := func(change func(o *Options)) Options {
		o := DefaultOptions()
		change(&o)
		return o
	}
	nan, unset := math.NaN(), "Tolerance and CacheMB are 0: DefaultOptions sets them"
	for _, c := range []struct {
		what interface{ Validate() error }
		want string
	}{
		{DefaultCSVC(), ""},
		{DefaultNuSVC(), ""},
		{CSVC{C: 1}, unset},
		{CSVC{C: 0, Options: o}, "C <= 0"},
		{CSVC{C: -1, Options: o}, "C <= 0"},
		{CSVC{C: nan, Options: o}, "C <= 0"},
		{CSVC{C: 1, Options: with(func(o *Options) { o.CacheMB = 0 })}, "cache_size <= 0"},
		{CSVC{C: 1, Options: with(func(o *Options) { o.Tolerance = 0 })}, "eps <= 0"},
		{CSVC{C: 1, Options: with(func(o *Options) { o.Tolerance = nan })}, "eps <= 0"},
		{CSVC{C: 0, Options: with(func(o *Options) { o.CacheMB, o.Tolerance = nan, 0 })}, "cache_size <= 0"},
		{NuSVC{Nu: 1, Options: o}, ""},
		{NuSVC{Nu: 0, Options: o}, "nu <= 0 or nu > 1"},
		{NuSVC{Nu: math.Nextafter(1, 2), Options: o}, "nu <= 0 or nu > 1"},
		{NuSVC{Nu: nan, Options: o}, "nu <= 0 or nu > 1"},
		{OneClass{Nu: 0.5, Options: o}, ""},
		{OneClass{Nu: -1, Options: o}, "nu <= 0 or nu > 1"},
		{DefaultOneClass(), ""},
		{OneClass{Nu: 0.5}, unset},
		{EpsilonSVR{C: 1, Options: o}, ""},
		{EpsilonSVR{C: 0, Epsilon: -1, Options: o}, "C <= 0"},
		{EpsilonSVR{C: 1, Epsilon: -1, Options: o}, "p < 0"},
		{EpsilonSVR{C: 1, Epsilon: nan, Options: o}, "p < 0"},
		{EpsilonSVR{C: 1, Epsilon: math.Inf(1), Options: o}, "p is not finite"},
		{EpsilonSVR{C: 1}, unset},
		{DefaultEpsilonSVR(), ""},
		{EpsilonSVR{C: math.Inf(1), Options: o}, ""},
		{NuSVR{C: 1, Nu: 0.5, Options: o}, ""},
		{NuSVR{C: 0, Nu: 0.5, Options: o}, "C <= 0"},
		{NuSVR{C: 1, Nu: 2, Options: o}, "nu <= 0 or nu > 1"},
		{NuSVR{C: math.Inf(1), Nu: 0.5, Options: o}, "C is not finite"},
		{NuSVR{C: 1, Nu: 0.5}, unset},
		{DefaultNuSVR(), ""},
	} {
		got := ""
		if err := c.what.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.what, got, c.want)
		}
		if c.want != "" {
			if err := begin(c.what); err == nil || err.Error() != c.want {
				t.Errorf("%+v: begins with error %v, want %q", c.what, err, c.want)
			}
		}
	}
	q := &QP{Q: newRowSource(t.Context(), (&train.Problem{X: column(1), Kernel: kernel.Linear{}}).Gram(t.Context()), 1)}
	if _, err := q.Solve(t.Context(), Options{CacheMB: 1}); err == nil || err.Error() != "eps <= 0" {
		t.Errorf("a programme: error %v", err)
	}
}

// begin runs a solver or trainer with its parameters on two rows, and returns the error.
func begin(what any) (err error) {
	x, y := column(1, -1), []float64{1, -1}
	switch s := what.(type) {
	case train.Solver:
		_, err = s.Solve(traintest.NewCountdown(1000), &train.Problem{X: x, Y: y, Kernel: kernel.Linear{}})
	case EpsilonSVR:
		s.Kernel = kernel.Linear{}
		_, err = s.Train(traintest.NewCountdown(1000), &format.Dataset{X: x, Y: y}, nil)
	case NuSVR:
		s.Kernel = kernel.Linear{}
		_, err = s.Train(traintest.NewCountdown(1000), &format.Dataset{X: x, Y: y}, nil)
	case OneClass:
		s.Kernel = kernel.Linear{}
		_, err = s.Train(traintest.NewCountdown(1000), &format.Dataset{X: x, Y: y}, nil)
	}
	return err
}

func TestFeasible(t *testing.T) {
	for _, c := range []struct {
		nu    float64
		sizes []float64
		want  bool
	}{
		{1, nil, true},
		{1, []float64{5}, true},
		{1, []float64{5, 5}, true},
		{0.5, []float64{5, 15}, true},
		{0.51, []float64{5, 15}, false},
		{0.51, []float64{15, 5}, false},
		{0.5, []float64{15, 15, 5}, true},
		{0.5, []float64{15, 16, 5}, false},
		{0.5, []float64{0.5, 1.5}, true}, // sums of the weights
		{0.5, []float64{0.5, 1.75}, false},
	} {
		if got := (NuSVC{Nu: c.nu}).Feasible(c.sizes); got != c.want {
			t.Errorf("nu %v, classes of %v rows: %t", c.nu, c.sizes, got)
		}
	}
}

// TestNoSolution: problems without a usable solution yield an error, at once.
func TestNoSolution(t *testing.T) {
	o := DefaultOptions()
	k := kernel.Linear{}
	rows, y := []float64{1, 2, -1, -2}, []float64{1, 1, -1, -1}
	dataset := func(values ...float64) *format.Dataset {
		return &format.Dataset{X: column(rows...), Y: append([]float64{1, 2, 3, 4}[:4-len(values)], values...)}
	}
	weighted := dataset()
	weighted.Weight = []float64{1, 2, 1, 1}
	solve := func(s train.Solver, y, weight []float64, rows ...float64) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			p := &train.Problem{X: column(rows...), Y: y, Kernel: k, RowWeight: weight}
			_, err := s.Solve(ctx, p)
			return err
		}
	}
	fit := func(s train.Trainer, d *format.Dataset) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			m, err := s.Train(ctx, d, nil)
			if err != nil && m != nil {
				t.Error("a model and an error")
			}
			return err
		}
	}
	tiny := math.SmallestNonzeroFloat64
	for _, c := range []struct {
		name string
		run  func(ctx context.Context) error
		want error  // nil: any, with the text below
		text string // part of the message
	}{
		{"a class's cost underflows", func(ctx context.Context) error {
			p := &train.Problem{X: column(rows...), Y: y, Kernel: k}
			p.Weight.Neg = train.Factors{1e-200, 1e-200}
			_, err := CSVC{C: 1, Options: o}.Solve(ctx, p)
			return err
		}, nil, "C <= 0"},
		{"a row's cost underflows", solve(CSVC{C: 1e-10, Options: o}, y, []float64{1, tiny, 1, 1}, rows...), nil, "C <= 0"},
		{"nu-SVC, every row at its bound", solve(NuSVC{Nu: 1, Options: o}, y, nil, rows...), errNuLarge, ""},
		{"nu-SVC, every row of one class at its bound", solve(NuSVC{Nu: 0.5, Options: o}, []float64{1, -1, -1, -1}, nil, rows...), errNuLarge, "; between these classes nu has to be below 0.5"},
		{"nu-SVC, rows of one class weigh little", solve(NuSVC{Nu: 0.5, Options: o}, y, []float64{0.25, 0.25, 1, 1}, rows...), errNuLarge, "; between these classes nu has to be below 0.4"},
		{"nu-SVC, rows that coincide", solve(NuSVC{Nu: 0.5, Options: o}, y, nil, 1, 1, 1, 1), errNoMargin, ""},
		{"a square beyond float32", solve(CSVC{C: 1, Options: o}, y, nil, 2e19, 1, 2, 3), train.ErrOverflow, ""},
		{"NaN", solve(CSVC{C: 1, Options: o}, y, nil, math.NaN(), 1, 2, 3), train.ErrOverflow, ""},
		{"infinity", solve(CSVC{C: 1, Options: o}, y, nil, 1, math.Inf(1), 2, 3), train.ErrOverflow, ""},
		{"a target of NaN, epsilon-SVR", fit(EpsilonSVR{C: 1, Kernel: k, Options: o}, dataset(math.NaN())), nil, "row 4: target NaN is not finite"},
		{"a target of NaN, nu-SVR", fit(NuSVR{C: 1, Nu: 0.5, Kernel: k, Options: o}, dataset(math.NaN())), nil, "row 4: target NaN is not finite"},
		{"an infinite target, epsilon-SVR", fit(EpsilonSVR{C: 1, Kernel: k, Options: o}, dataset(math.Inf(-1))), nil, "row 4: target -Inf is not finite"},
		{"an infinite target, nu-SVR", fit(NuSVR{C: 1, Nu: 0.5, Kernel: k, Options: o}, dataset(math.Inf(1))), nil, "row 4: target +Inf is not finite"},
		{"targets whose differences overflow", fit(EpsilonSVR{C: 1, Kernel: k, Options: o}, dataset(1e308, -1e308)), nil, "row 3: target 1e+308 is too large"},
	} {
		// a solver that goes round in circles is stopped when it checks the context
		err := c.run(traintest.NewCountdown(1000))
		switch {
		case errors.Is(err, context.Canceled):
			t.Errorf("%s: it does not end", c.name)
		case err == nil || c.want != nil && !errors.Is(err, c.want):
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		case !strings.Contains(err.Error(), c.text):
			t.Errorf("%s: error %v, want %q", c.name, err, c.text)
		}
	}
}

// TestZeroThreshold: where no variable is free, rho may be 0 of either sign, which model files
// show. The signs are those of LIBSVM 3.24.
func TestZeroThreshold(t *testing.T) {
	for _, c := range []struct {
		rows, y []float64
		want    float64
	}{
		{[]float64{1, -1, -1}, []float64{1, -1, -1}, math.Copysign(0, -1)},
		{[]float64{-1, -1, 1}, []float64{1, 1, -1}, 0},
	} {
		p := &train.Problem{X: column(c.rows...), Y: c.y, Kernel: kernel.Linear{}}
		s, err := CSVC{C: 0.5, Options: DefaultOptions()}.Solve(t.Context(), p)
		if err != nil || math.Float64bits(s.Rho) != math.Float64bits(c.want) {
			t.Errorf("%v: rho %v, %v; want %v", c.rows, s.Rho, err, c.want)
		}
	}
}

// TestOverflowBetweenRows: precomputed values may overflow off the diagonal, where no check before
// training finds them.
func TestOverflowBetweenRows(t *testing.T) {
	x := column(1, -1, 2, -2)
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1e39} {
		p := precomputed(kernel.RBF{Gamma: 1}, &x)
		p.Row(0).Value[3], p.Row(2).Value[1] = bad, bad
		d := &format.Dataset{X: p, Y: []float64{1, -2, 3, -4}}
		if _, err := (EpsilonSVR{C: 1, Kernel: kernel.Precomputed{}, Options: DefaultOptions()}).Train(context.Background(), d, nil); !errors.Is(err, train.ErrOverflow) {
			t.Errorf("K(1,3) = %v: error %v, want %v", bad, err, train.ErrOverflow)
		}
	}
}

// TestCancelled: at whichever check of the context this turns out to be cancelled, the solver stops
// there with the context's error.
func TestCancelled(t *testing.T) {
	for _, shrinking := range []bool{true, false} {
		s := newSetting(8)
		s.k, s.x = kernels[1], randomRows(s.Rand, 80, 3)
		s.opt.Shrinking, s.c = shrinking, 1000
		q := s.randomQP(newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), 100), false)
		solve := func(looks int) (left int, err error) {
			ctx := traintest.NewCountdown(looks)
			_, err = q.clone(newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), 100)).Solve(ctx, s.opt)
			return ctx.Left(), err
		}
		const many = 1 << 30
		left, err := solve(many)
		if err != nil {
			t.Fatal(err)
		}
		looks := many - left
		if looks < 20 {
			t.Fatalf("only %d looks at the context", looks)
		}
		for n := 0; n < looks; n += 1 + n/4 {
			if left, err := solve(n); !errors.Is(err, context.Canceled) || left != -2 { // the last look is for the cause
				t.Fatalf("cancelled at look %d of %d: error %v, %d more looks", n, looks, err, -2-left)
			}
		}
	}
}

// TestCancelledNoise: a regression that is cancelled when its model is there, but not yet the noise,
// gives no model.
func TestCancelledNoise(t *testing.T) {
	d := &format.Dataset{X: column(1, 2, 3, 4, 5, 6, 7), Y: []float64{1, 3, 2, 5, 4, 7, 6}}
	var cancel context.CancelFunc
	o := DefaultOptions()
	o.Report = func(e train.Event) {
		if _, ok := e.(train.Solved); ok {
			cancel()
		}
	}
	for _, trainer := range []train.Trainer{
		EpsilonSVR{C: 1, Epsilon: 0.1, Kernel: kernel.Linear{}, Probability: true, Options: o},
		NuSVR{C: 1, Nu: 0.5, Kernel: kernel.Linear{}, Probability: true, Options: o},
	} {
		var ctx context.Context
		ctx, cancel = context.WithCancel(t.Context())
		if m, err := trainer.Train(ctx, d, train.NewRand(1)); m != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%T: model %v, error %v", trainer, m, err)
		}
		cancel()
	}
}

// TestOneClassMarks compares the marks with those of the specification: of the sorted decision
// values, five quantiles of the negative ones, 0, five quantiles of the others; and of these the
// middles.
func TestOneClassMarks(t *testing.T) {
	d := dataset(t, "gauss", 103)
	var log []train.Event
	s := OneClass{Nu: 0.3, Kernel: kernel.RBF{Gamma: 0.3}, Probability: true, Options: logged(&log)}
	m, err := s.Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	sorted := values(t, m, d)
	slices.Sort(sorted)
	neg, _ := slices.BinarySearch(sorted, 0)
	pos := len(sorted) - neg
	var edges []float64
	for i := range 5 {
		edges = append(edges, sorted[i*neg/5])
	}
	edges = append(edges, 0)
	for i := 1; i <= 5; i++ {
		edges = append(edges, sorted[neg-1+i*pos/5])
	}
	if !m.Probability || len(m.DensityMarks) != 10 {
		t.Fatalf("probability %t, %d marks", m.Probability, len(m.DensityMarks))
	}
	for i, mark := range m.DensityMarks {
		if mark != (edges[i]+edges[i+1])/2 {
			t.Errorf("mark %d is %v, want %v", i, mark, (edges[i]+edges[i+1])/2)
		}
	}

	// four rows on one side are too few
	for _, c := range []struct {
		n, marks, events int
		nu               float64
	}{{103, 10, 0, 0.3}, {103, 0, 1, 0.999}, {9, 0, 1, 0.5}, {1, 0, 1, 0.5}} {
		log = nil
		s.Nu = c.nu
		m, err := s.Train(context.Background(), dataset(t, "gauss", c.n), nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := count[train.TooFewDecisions](log); len(m.DensityMarks) != c.marks || m.Probability != (c.marks > 0) || n != c.events {
			t.Errorf("%d rows, nu %v: %d marks, probability %t, %d warnings", c.n, c.nu, len(m.DensityMarks), m.Probability, n)
		}
	}
}

// TestOneClassMarksZero: a decision value of 0 is among those that are not negative.
func TestOneClassMarksZero(t *testing.T) {
	d := &format.Dataset{X: column(3, -6, 0, 1, -1, 4, -4, -2, 5, -5, 2, -3), Y: make([]float64, 12)}
	m := &models.Model{Task: models.OneClass, Kernel: kernel.Linear{}, Vectors: column(1), Machines: []models.Machine{{Coef: []float64{1}}}}
	if err := (OneClass{}).mark(t.Context(), m, d); err != nil {
		t.Fatal(err)
	}
	// the middles of -6, -5, -4, -3, -2, 0 and of 0, 0, 1, 2, 3, 5
	if want := []float64{-5.5, -4.5, -3.5, -2.5, -1, 0, 0.5, 1.5, 2.5, 4}; !slices.Equal(m.DensityMarks, want) {
		t.Errorf("marks %v, want %v", m.DensityMarks, want)
	}
}

// TestOneClassMarksOverflow: no model has marks that are not numbers. With huge weights of rows, values
// may be numbers where the sum of two of them is not.
func TestOneClassMarksOverflow(t *testing.T) {
	overflows := 0
	for exponent := 1000; exponent < 1024; exponent++ {
		d := &format.Dataset{X: column(), Y: make([]float64, 40), Weight: slices.Repeat([]float64{1}, 40)}
		for i := range 40 {
			d.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{float64(i-20) / 8}})
		}
		d.Weight[28] = math.Ldexp(1, exponent)
		m, err := OneClass{Nu: 0.5, Kernel: kernel.Linear{}, Probability: true, Options: DefaultOptions()}.Train(context.Background(), d, nil)
		switch {
		case err == nil:
			err = m.Validate()
		case m == nil && errors.Is(err, train.ErrOverflow):
			overflows++
			err = nil
		}
		if err != nil {
			t.Errorf("a weight of 2^%d: %v", exponent, err)
		}
	}
	if overflows == 0 {
		t.Error("no weight was too large")
	}
}

// TestOneClassStart: with nu = 1, nu n is the number of rows, every row is at its bound, and rho
// has no finite value.
func TestOneClassStart(t *testing.T) {
	d := &format.Dataset{X: column(1, 2, 4), Y: make([]float64, 3)}
	m, err := OneClass{Nu: 1, Kernel: kernel.Linear{}, Options: DefaultOptions()}.Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Machines[0]; !slices.Equal(c.Coef, []float64{1, 1, 1}) || !math.IsInf(c.Rho, 1) {
		t.Errorf("coefficients %v, rho %v", c.Coef, c.Rho)
	}
}

// TestNoise: with Probability a regression first trains its model, with all events of it, and then
// estimates its noise. The model is the same as without Probability.
func TestNoise(t *testing.T) {
	d := dataset(t, "sinc", 60)
	k := kernel.RBF{Gamma: 1}
	for name, trainer := range map[string]func(o Options, probability bool) train.Trainer{
		"epsilon-SVR": func(o Options, b bool) train.Trainer {
			return EpsilonSVR{C: 2, Epsilon: 0.1, Kernel: k, Probability: b, Options: o}
		},
		"nu-SVR": func(o Options, b bool) train.Trainer {
			return NuSVR{C: 2, Nu: 0.4, Kernel: k, Probability: b, Options: o}
		},
	} {
		var log, plainLog []train.Event
		rng := train.NewRand(7)
		m, err := trainer(logged(&log), true).Train(context.Background(), d, rng)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := trainer(logged(&plainLog), false).Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := train.EstimateNoise(context.Background(), trainer(DefaultOptions(), false), d, train.NewRand(7), nil)
		if err != nil {
			t.Fatal(err)
		}
		if m.Noise != want || !m.Probability || last[train.NoiseEstimated](t, log).Sigma != want {
			t.Errorf("%s: noise %v, want %v", name, m.Noise, want)
		}
		if !slices.Equal(log[:len(plainLog)], plainLog) || count[train.Solved](log) != 6 {
			t.Errorf("%s: %d of 6 solutions, the model's first", name, count[train.Solved](log))
		}
		if plain.Probability || !sameMachine(m, plain) {
			t.Errorf("%s: the model with noise is another", name)
		}
		twin := train.NewRand(7)
		for range d.Len() {
			twin.Int()
		}
		if rng.Int() != twin.Int() {
			t.Errorf("%s: the folds of %d rows are not as many draws", name, d.Len())
		}
	}
}

func sameMachine(a, b *models.Model) bool {
	return fmt.Sprint(a.Origin, a.Machines) == fmt.Sprint(b.Origin, b.Machines)
}

// TestLimit: a training that cannot reach its tolerance stops, reports that and has a feasible
// solution. Variables that are left out by then come back before, so that the solution is of all rows.
func TestLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("takes all ten million iterations")
	}
	for _, rebuilt := range []int{0, 1} {
		// one dimension, and boxes too large to make progress
		var log []train.Event
		o := logged(&log)
		p := &train.Problem{X: column(1, 2, -1, -2), Y: []float64{1, -1, 1, -1}, Kernel: kernel.Linear{}}
		if rebuilt > 0 { // a row far on its side is left out
			p.X, p.Y = column(1, 2, -1, -2, 3), append(p.Y, -1)
		}
		r, err := CSVC{C: math.Inf(1), Options: o}.Solve(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		const limit = 10_000_000
		if r.Iterations != limit || count[train.IterationLimit](log) != 1 || last[train.IterationLimit](t, log).Iterations != limit {
			t.Errorf("%d iterations, events %d", r.Iterations, count[train.IterationLimit](log))
		}
		if n := count[train.GradientRebuilt](log); n != rebuilt {
			t.Errorf("%d rows: the variables came back %d times, want %d", len(p.Y), n, rebuilt)
		}
		near(t, "the sum of the coefficients", sum(r.Coef), 0, 1e-11*total(r.Coef))
	}
}
