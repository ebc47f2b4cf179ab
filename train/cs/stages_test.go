package cs_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// problem returns rows of a generated set of two classes.
func problem(t *testing.T, name string, rows int, k kernel.Kernel) *train.Problem {
	t.Helper()
	set, ok := generate.Lookup(name)
	if !ok {
		t.Fatalf("no data set %q", name)
	}
	d := set.Generate(rows, 1)
	p := &train.Problem{X: d.X, Y: d.Y, Kernel: k}
	if !slices.Contains(p.Y, 1) || !slices.Contains(p.Y, -1) {
		t.Fatalf("labels %v", d.Y[:10])
	}
	return p
}

// objective returns nu sum max(0, 1 - y f) + |u|_1, and the right answers.
func objective(p *train.Problem, rows []int, c *cs.Classifier, nu float64) (sum float64, right int) {
	for n, f := range c.Decide(p.Kernel, &p.X, rows) {
		y := p.Y[rows[n]]
		sum += nu * max(0, 1-y*f)
		if y*f > 0 {
			right++
		}
	}
	for _, u := range c.Coef {
		sum += math.Abs(u)
	}
	return sum, right
}

func settings() cs.Settings {
	s := cs.Default()
	s.Runs, s.Points, s.Sizes, s.Nu, s.Box = 4, 5, []int{60, 120}, []float64{3}, cs.PaperBox
	return s
}

// TestStages: samples are drawn as they should be, the points of a stage are those of the runs
// before it, and the figures of the classifiers are right.
func TestStages(t *testing.T) {
	p := problem(t, "moons", 400, kernel.RBF{Gamma: 2})
	s := settings()
	s.Nu = []float64{3, 1}
	stages, err := s.Run(context.Background(), []*train.Problem{p}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(stages) != 3 || !stages[2].Last || stages[1].Last || stages[2].Rows != 400 {
		t.Fatalf("%d stages: %+v", len(stages), stages)
	}
	all := make([]int, 400)
	for i := range all {
		all[i] = i
	}
	for at, stage := range stages {
		nu := s.Nu[min(at, 1)]
		var centres []vec.Vector
		var start *cs.Classifier
		if at > 0 {
			centres, start = cs.Coordinate(stages[at-1].Outcomes[0])
			if len(centres) != 20 || stage.Centres[0] != 20 {
				t.Fatalf("stage %d begins with %d points", at, len(centres))
			}
		}
		seen := map[int]int{}
		for run, o := range stage.Outcomes[0] {
			task := &cs.Task{Stage: at, Run: run, Seed: s.Seed, Nu: nu, Centres: centres, Start: start, Steps: s.Steps, OnlyB: stage.Last}
			if !stage.Last {
				task.Rows, task.HeldOut = s.Sizes[at], s.Sizes[at]/2
			}
			if again, err := task.Do(context.Background(), p, nil); err != nil || !reflect.DeepEqual(again, o) {
				t.Errorf("stage %d, run %d: the task alone gives another outcome, error %v", at, run, err)
			}
			rows, held := task.Sample(p)
			if !stage.Last && (len(rows) != s.Sizes[at] || len(held) != s.Sizes[at]/2) {
				t.Fatalf("samples of %d and %d rows", len(rows), len(held))
			}
			positive := 0
			for _, i := range rows {
				seen[i]++
				if slices.Contains(held, i) {
					t.Errorf("row %d is held out and not", i)
				}
				if p.Y[i] > 0 {
					positive++
				}
			}
			if positive != len(rows)/2 {
				t.Errorf("%d of %d rows are positive", positive, len(rows))
			}
			for step, r := range []*cs.Result{&o.B, &o.C, &o.D} {
				if stage.Last && step > 0 {
					if r.Of != 0 {
						t.Error("the last stage has only a first step")
					}
					continue
				}
				value, right := objective(p, rows, &r.Classifier, nu)
				_, heldRight := objective(p, held, &r.Classifier, nu)
				if right != r.Right || r.Of != len(rows) || heldRight != r.HeldRight || r.HeldOut != len(held) {
					t.Errorf("stage %d, step %d: %d of %d and %d of %d right, said %+v", at, step, right, len(rows), heldRight, len(held), r.Metrics)
				}
				if step != 1 && (!(math.Abs(value-r.Objective) <= 1e-6*value) || r.Used != len(r.Points) || slices.Contains(r.Coef, 0)) {
					t.Errorf("stage %d, step %d: objective %v, said %+v", at, step, value, r.Metrics)
				}
			}
			if stage.Last {
				continue
			}
			// the programme over the synthetic points is no worse than the approximation
			c, _ := objective(p, rows, &o.C.Classifier, nu)
			if o.D.Objective > c*(1+1e-9) {
				t.Errorf("stage %d, run %d: step d has %v, step c %v", at, run, o.D.Objective, c)
			}
			if len(o.Z) != s.Points || o.Distance > o.Start || o.Distance < 0 || o.C.Rho != o.B.Rho {
				t.Errorf("%d points, distance from %v to %v", len(o.Z), o.Start, o.Distance)
			}
			checkBox(t, s.Box, start, o)
		}
		if at == 0 && len(seen) < 150 {
			t.Errorf("%d different rows in 4 samples of 60", len(seen))
		}
	}
}

// checkBox checks the bounds of step (c): those of the coefficients that the points of its start
// have in step (b).
func checkBox(t *testing.T, alpha float64, start *cs.Classifier, o *cs.Outcome) {
	t.Helper()
	most := 0.0
	for _, u := range o.B.Coef {
		most = max(most, math.Abs(u))
	}
	for j, w := range o.C.Coef {
		bound := most
		if start != nil {
			for k, c := range o.B.Points {
				if reflect.DeepEqual(c, start.Points[j]) {
					bound = math.Abs(o.B.Coef[k])
				}
			}
		}
		if !(math.Abs(w) <= alpha*bound*(1+1e-12)) {
			t.Errorf("w %v beyond its bound, %v times %v", w, alpha, bound)
		}
	}
}

// TestOptimal: no classifier over the points of a step is better than the one found: not even the
// best of its neighbours along any coefficient or the offset.
func TestOptimal(t *testing.T) {
	p := problem(t, "checkerboard", 150, kernel.RBF{Gamma: 0.002})
	s := settings()
	s.Sizes = []int{100}
	stages, err := s.Run(context.Background(), []*train.Problem{p}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range stages[0].Outcomes[0] {
		task := &cs.Task{Run: o.Run, Seed: s.Seed, Rows: 100, HeldOut: 50, Nu: 3, Steps: s.Steps}
		rows, _ := task.Sample(p)
		best := cs.Classifier{Points: o.Z, Coef: make([]float64, len(o.Z)), Rho: o.D.Rho}
		for j, u := range o.D.Coef {
			at := slices.IndexFunc(o.Z, func(z vec.Vector) bool { return reflect.DeepEqual(z, o.D.Points[j]) })
			best.Coef[at] = u
		}
		value, _ := objective(p, rows, &best, 3)
		for j := range len(best.Coef) + 1 {
			v := &best.Rho
			if j < len(best.Coef) {
				v = &best.Coef[j]
			}
			was := *v
			for _, step := range []float64{-1e-2, -1e-5, 1e-5, 1e-2} {
				*v = was + step
				if other, _ := objective(p, rows, &best, 3); other < value-1e-9*value {
					t.Errorf("run %d: %v, with %d changed by %v %v", o.Run, value, j, step, other)
				}
			}
			*v = was
		}
	}
}

// TestTuned: the cost of a stage is from the grid, and not a hopeless one.
func TestTuned(t *testing.T) {
	p := problem(t, "moons", 300, kernel.RBF{Gamma: 2})
	s := settings()
	s.Nu, s.Grid = nil, []float64{1e-6, 5}
	stages, err := s.Run(context.Background(), []*train.Problem{p}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, stage := range stages {
		if stage.Nu[0] != 5 {
			t.Errorf("stage %d: cost %v", i, stage.Nu[0])
		}
	}
	s.Grid = []float64{1e-6}
	stages, err = s.Run(context.Background(), []*train.Problem{p}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b := stages[2].Outcomes[0][0].B; b.Used != 0 || b.Right != 150 {
		t.Errorf("with a cost of nothing %+v", b.Metrics)
	}
}

// TestVariants: the alternate algorithm gives twice the points; more descents are no worse; without
// bounds the approximation is no worse; a linear kernel needs one point.
func TestVariants(t *testing.T) {
	p := problem(t, "moons", 300, kernel.RBF{Gamma: 2})
	do := func(p *train.Problem, change func(t *cs.Task)) *cs.Outcome {
		t.Helper()
		s := settings()
		task := &cs.Task{Seed: 1, Rows: 100, HeldOut: 50, Nu: 3, Steps: s.Steps}
		change(task)
		o, err := task.Do(context.Background(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	plain := do(p, func(*cs.Task) {})
	free := do(p, func(t *cs.Task) { t.Box = 0 })
	if !(free.Distance < plain.Distance) || !(plain.Distance < 0.9) {
		t.Errorf("distance %v in the box, %v without", plain.Distance, free.Distance)
	}
	if many := do(p, func(t *cs.Task) { t.Box, t.Starts = 0, 5 }); !(many.Distance <= free.Distance) || many.Evaluations <= free.Evaluations {
		t.Errorf("distance %v after one descent, %v after five", free.Distance, many.Distance)
	}
	alternate := do(p, func(t *cs.Task) { t.Alternate = true })
	if len(alternate.Z) != 10 || !(alternate.D.Objective <= plain.D.Objective*(1+1e-9)) || !reflect.DeepEqual(alternate.Z[:5], plain.Z) {
		t.Errorf("alternate algorithm: %d points, objective %v, with half of them %v", len(alternate.Z), alternate.D.Objective, plain.D.Objective)
	}
	linear := do(problem(t, "twonorm", 300, kernel.Linear{}), func(*cs.Task) {})
	if len(linear.Z) != 1 || linear.C.Coef[0] != 1 || linear.C.Right != linear.B.Right || linear.D.Objective > linear.B.Objective*20 {
		t.Errorf("linear kernel: %+v", linear)
	}
	most := do(p, func(t *cs.Task) { t.OnlyB = true })
	largest := most.B.Largest(3)
	sizes := []float64{}
	for _, u := range most.B.Coef {
		sizes = append(sizes, math.Abs(u))
	}
	slices.Sort(sizes)
	for k, z := range largest {
		at := slices.IndexFunc(most.B.Points, func(v vec.Vector) bool { return reflect.DeepEqual(v, z) })
		if math.Abs(most.B.Coef[at]) != sizes[len(sizes)-1-k] {
			t.Errorf("largest %d has coefficient %v of %v", k, most.B.Coef[at], sizes)
		}
	}
	if len(most.B.Largest(1000)) != len(most.B.Points) {
		t.Error("not all points")
	}
}

// TestClosed: at the closed forms the gradient is 0, and (7) is right where (6) is misled by rows
// that should not count.
func TestClosed(t *testing.T) {
	p := problem(t, "moons", 200, kernel.RBF{Gamma: 2})
	p.RowWeight = make([]float64, 200)
	all := make([]int, 200)
	var centres []vec.Vector
	for i := range all {
		all[i], p.RowWeight[i] = i, 1+float64(i%3)
		if i%10 == 0 {
			centres = append(centres, p.X.Row(i))
		}
	}
	s := cs.Default().Steps
	s.Form = cs.Uniform
	const nu = 0.01
	r, err := cs.Classify(context.Background(), p, all, centres, nu, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	value := func() (v float64) {
		for i, f := range r.Decide(p.Kernel, &p.X, all) {
			v += nu * p.RowWeight[i] * (1 - p.Y[i]*f)
		}
		for _, u := range r.Coef {
			v += u * u
		}
		return v + r.Rho*r.Rho
	}
	if !(math.Abs(value()-r.Objective) <= 1e-9) {
		t.Errorf("objective %v, said %v", value(), r.Objective)
	}
	for j := range len(r.Coef) + 1 {
		v := &r.Rho
		if j < len(r.Coef) {
			v = &r.Coef[j]
		}
		const h = 1e-3
		was := *v
		*v = was + h
		up := value()
		*v = was - h
		down := value()
		*v = was
		if slope := (up - down) / (2 * h); !(math.Abs(slope) <= 1e-9) {
			t.Errorf("slope %v of variable %d", slope, j)
		}
	}
	// the constrained problem: its objective is as said, and lower at no point near
	s.Form = cs.Weighted
	if r, err = cs.Classify(context.Background(), p, all, centres, nu, s, nil); err != nil {
		t.Fatal(err)
	}
	value = func() (v float64) {
		for i, f := range r.Decide(p.Kernel, &p.X, all) {
			v += nu * p.RowWeight[i] * max(0, 1-p.Y[i]*f)
		}
		for _, u := range r.Coef {
			v += u * u
		}
		return v + r.Rho*r.Rho
	}
	s.MatrixMB = 1e-3 // kernel values that are not kept
	if far, err := cs.Classify(context.Background(), p, all, centres, nu, s, nil); err != nil || !(math.Abs(far.Objective-r.Objective) <= 1e-6) {
		t.Errorf("objective %v, %v with less memory, error %v", r.Objective, far.Objective, err)
	}
	least := value()
	if !(math.Abs(least-r.Objective) <= 1e-9) {
		t.Errorf("objective %v, said %v", least, r.Objective)
	}
	if r.SupportVectors == 0 || r.SupportVectors >= 200 || r.Right < 160 {
		t.Errorf("(7): %+v", r.Metrics)
	}
	for j := range len(r.Coef) + 1 {
		v := &r.Rho
		if j < len(r.Coef) {
			v = &r.Coef[j]
		}
		was := *v
		for _, step := range []float64{-0.1, -0.01, 0.01, 0.1} {
			if *v = was + step; value() < least-1e-3*(1+least) {
				t.Errorf("%v, with %d changed by %v %v", least, j, step, value())
			}
		}
		*v = was
	}
}

// TestFile: a task that is written as JSON and read again is the same, and so is its outcome. A
// faulty task is an error.
func TestFile(t *testing.T) {
	p := problem(t, "moons", 200, kernel.RBF{Gamma: 2})
	s := settings()
	first := &cs.Task{Seed: 1, Rows: 60, HeldOut: 30, Nu: 3, Steps: s.Steps}
	o, err := first.Do(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	centres, start := cs.Coordinate([]*cs.Outcome{o})
	task := &cs.Task{Stage: 1, Run: 2, Seed: 1, Rows: 60, HeldOut: 30, Nu: 3, Centres: centres, Start: start, Steps: s.Steps}
	text, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	back, err := cs.ReadTask(strings.NewReader(string(text)), 200)
	if err != nil || !reflect.DeepEqual(back, task) {
		t.Fatalf("the task %+v is read as %+v, %v", task, back, err)
	}
	if o, err = task.Do(context.Background(), p, nil); err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(o); err != nil {
		t.Fatal(err)
	}
	again := new(cs.Outcome)
	if err := json.Unmarshal(text, again); err != nil || !reflect.DeepEqual(again, o) {
		t.Errorf("the outcome %+v is read as %+v, %v", o, again, err)
	}
	for _, change := range []struct {
		do   func(t *cs.Task)
		want string
	}{
		{func(t *cs.Task) { t.Rows = 201 }, "a sample of 201 rows and 30 held out, of 200"},
		{func(t *cs.Task) { t.Run = -1 }, "machine 0, stage 1, run -1: expected numbers from 0 on"},
		{func(t *cs.Task) { t.Nu = 0 }, "cost 0 is not a positive number"},
		{func(t *cs.Task) { t.Points = 0 }, "0 points: expected 1 or more"},
		{func(t *cs.Task) { t.Form = "qp" }, `classifier "qp": expected lp, uniform or weighted`},
		{func(t *cs.Task) { t.Start.Coef = nil }, "a start of 5 points and 0 coefficients"},
		{func(t *cs.Task) { t.Centres[0].Index[1] = 0 }, "centre 1: feature 0: expected numbers that increase"},
		{func(t *cs.Task) { t.Try, t.Rows = []float64{1}, 0 }, "costs are compared on rows held out: expected a sample"},
		{func(t *cs.Task) { t.Try = []float64{1, -1} }, "cost -1 is not a positive number"},
		{func(t *cs.Task) { t.Nu, t.Try = -1, []float64{1, -1} }, "cost -1 is not a positive number"},
		{func(t *cs.Task) { t.Nu, t.Try = 0, []float64{0, 1} }, "cost 0 is not a positive number"},
	} {
		var bad cs.Task
		text, _ := json.Marshal(task)
		if err := json.Unmarshal(text, &bad); err != nil {
			t.Fatal(err)
		}
		change.do(&bad)
		text, _ = json.Marshal(&bad)
		if _, err := cs.ReadTask(strings.NewReader(string(text)), 200); err == nil || err.Error() != "task: "+change.want {
			t.Errorf("error %v, want %q", err, change.want)
		}
		if _, err := bad.Do(context.Background(), p, nil); err == nil || err.Error() != change.want {
			t.Errorf("error %v, want %q", err, change.want)
		}
	}
	if _, err := cs.ReadTask(strings.NewReader(`{"Stage": 1, "Stages": 2}`), 200); err == nil || !strings.Contains(err.Error(), `"Stages"`) {
		t.Errorf("error %v for an unknown key", err)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		change func(s *cs.Settings)
		want   string
	}{
		{func(s *cs.Settings) { s.Sizes = []int{100, 50} }, "samples of [100 50] rows: expected at least 2, and more from stage to stage"},
		{func(s *cs.Settings) { s.Nu = []float64{1, 0} }, "cost 0 is not a positive number"},
		{func(s *cs.Settings) { s.Grid = nil }, "no cost, and none to choose from"},
		{func(s *cs.Settings) { s.Runs = 0 }, "0 runs: expected 1 to 32768"},
		{func(s *cs.Settings) { s.Runs = 1 << 15 }, ""},
		{func(s *cs.Settings) { s.Runs = 1<<15 + 1 }, "32769 runs: expected 1 to 32768"},
		{func(s *cs.Settings) { s.HeldOut = math.NaN() }, "NaN rows held out for each of a sample: expected a number from 0 on"},
		{func(s *cs.Settings) { s.HeldOut = 0 }, "the cost is chosen on rows held out: expected some, or a cost"},
		{func(s *cs.Settings) { s.Box = -1 }, "box -1 is not a number from 0 on"},
		{func(s *cs.Settings) { s.Starts = 0 }, "0 starts: expected 1 or more"},
		{func(s *cs.Settings) { s.Evaluations = 0 }, "0 evaluations: expected 1 or more"},
		{func(s *cs.Settings) { s.MatrixMB = 0 }, "matrix memory 0 is not a positive number"},
	} {
		s := cs.Default()
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		c.change(&s)
		if err := s.Validate(); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if err := (&cs.Trainer{Settings: cs.Default(), Kernel: kernel.Sigmoid{}}).Validate(); err == nil || errors.Is(err, train.ErrOverflow) {
		t.Errorf("error %v for a kernel without pre-images", err)
	}
	if err := (&cs.Trainer{Settings: cs.Default()}).Validate(); err == nil || err.Error() != "no kernel" {
		t.Errorf("error %v without a kernel", err)
	}
	if err := (&cs.Trainer{Settings: cs.Default(), Kernel: &kernel.RBF{Gamma: 1}}).Validate(); err == nil || err.Error() != "a kernel of type *kernel.RBF, expected the value that it points to" {
		t.Errorf("error %v for a pointer to a kernel", err)
	}
	for n, want := range map[int][]int{1: {1}, 3: {2}, 100: {66}, 900: {500}, 1500: {500, 1000}, 7291: {500, 1000, 2000, 4000}, 1 << 20: {500, 1000, 2000, 4000, 8000}} {
		if got := cs.SizesOf(n); !slices.Equal(got, want) {
			t.Errorf("%d rows: samples of %v, want %v", n, got, want)
		}
	}
}
