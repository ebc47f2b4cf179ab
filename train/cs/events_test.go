package cs_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// TestStagesGrow: stages whose samples would be no larger than those before, because rows must be
// held out, are left out. Each of the other stages has its own cost, and so has the last.
func TestStagesGrow(t *testing.T) {
	p := problem(t, "moons", 90, kernel.RBF{Gamma: 2})
	for _, c := range []struct {
		sizes []int
		held  float64
		want  string
	}{
		{[]int{20, 40}, 0.5, "20:1 40:2 90:3"},
		{[]int{50, 70, 80, 1000}, 0.5, "50:1 60:2 90:5"},
		{[]int{500, 1000, 2000, 4000}, 0.5, "60:1 90:5"},
		{[]int{500, 1000}, 0, "90:1 90:3"},
		{[]int{20, 50, 60}, 2, "20:1 30:2 90:4"},
		{nil, 0.5, "60:1 90:2"},
		{nil, 2, "30:1 90:2"},
	} {
		s := cs.Default()
		s.Runs, s.Points, s.Nu, s.Sizes, s.HeldOut = 2, 3, []float64{1, 2, 3, 4, 5}, c.sizes, c.held
		of := 0
		stages, err := s.Run(context.Background(), []*train.Problem{p}, func(e train.Event) {
			if done, is := e.(train.StageDone); is {
				of = done.Stages
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range stages {
			got = append(got, fmt.Sprintf("%d:%v", s.Rows, s.Nu[0]))
		}
		if strings.Join(got, " ") != c.want || of != len(stages) {
			t.Errorf("%v, held out %v: %v of %d stages, want %s", c.sizes, c.held, got, of, c.want)
		}
	}
}

// TestParameters: a model names the settings with which its machines were found if they are not the
// defaults, and none that had no effect.
func TestParameters(t *testing.T) {
	p, _, _ := line(60)
	d := &format.Dataset{X: p.X, Y: slices.Clone(p.Y)}
	three := &format.Dataset{X: p.X, Y: slices.Clone(p.Y)}
	for i := range 20 {
		three.Y[3*i] = 2
	}
	usual := "classifier stages runs points box nu support_vectors"
	for name, c := range map[string]struct {
		change func(x *cs.Trainer)
		data   *format.Dataset
		want   string
	}{
		"default":       {func(x *cs.Trainer) {}, d, usual},
		"alternate":     {func(x *cs.Trainer) { x.Alternate = true }, d, strings.Replace(usual, "box", "box alternate", 1)},
		"descents":      {func(x *cs.Trainer) { x.Starts = 2 }, d, strings.Replace(usual, "box", "box descents", 1)},
		"whole":         {func(x *cs.Trainer) { x.Whole = true }, d, strings.Replace(usual, "box", "box last_stage", 1)},
		"held out":      {func(x *cs.Trainer) { x.HeldOut = 0.25 }, d, strings.Replace(usual, "box", "box held_out_ratio", 1)},
		"apart":         {func(x *cs.Trainer) { x.Share = false }, three, strings.Replace(usual, "box", "box apart", 1)},
		"apart, of two": {func(x *cs.Trainer) { x.Share = false }, d, usual},
		"linear": {func(x *cs.Trainer) { x.Kernel, x.Alternate, x.Starts, x.Box = kernel.Linear{}, true, 3, cs.PaperBox }, d,
			"classifier stages runs nu support_vectors"},
	} {
		x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 0.1}}
		x.Nu, x.Sizes, x.Runs, x.Points = []float64{10}, []int{30}, 2, 2
		c.change(&x)
		m, err := x.Train(context.Background(), c.data, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range m.Provenance.Parameters {
			got = append(got, p.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// TestUniformCost: for (6) the smallest cost is taken if none is given, without trials.
func TestUniformCost(t *testing.T) {
	p := problem(t, "moons", 90, kernel.RBF{Gamma: 2})
	s := cs.Default()
	s.Runs, s.Points, s.Form, s.Grid = 2, 3, cs.Uniform, []float64{3, 0.1, 1}
	runs := 0
	stages, err := s.Run(context.Background(), []*train.Problem{p}, func(e train.Event) {
		if _, is := e.(train.RunDone); is {
			runs++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range stages {
		if stage.Nu[0] != 0.1 {
			t.Errorf("cost %v", stage.Nu)
		}
	}
	if runs != 3 { // two of the first stage, and the last
		t.Errorf("%d runs", runs)
	}
}

// TestPivotsGrow: the pivots that are reported are those of all programmes so far, of all tasks,
// stages and machines.
func TestPivotsGrow(t *testing.T) {
	last := 0
	report := func(e train.Event) {
		if e, is := e.(train.Progress); is {
			if e.Iterations < last {
				t.Errorf("%d pivots after %d", e.Iterations, last)
			}
			last = e.Iterations
		}
	}
	p := problem(t, "checkerboard", 600, kernel.RBF{Gamma: 0.0024})
	s := cs.Default()
	s.Runs, s.Nu = 2, []float64{10}
	stages, err := s.Run(context.Background(), []*train.Problem{p}, report)
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, stage := range stages {
		for _, o := range stage.Outcomes[0] {
			all += o.B.Pivots + o.D.Pivots
		}
	}
	if last != all {
		t.Errorf("%d pivots are reported of %d", last, all)
	}
	last = 0
	s.Nu = nil
	three := &format.Dataset{X: p.X, Y: slices.Clone(p.Y)}
	for i := range 200 {
		three.Y[3*i] = 2
	}
	tr := cs.Trainer{Settings: s, Kernel: p.Kernel, Threads: 2, Report: report}
	if _, err := tr.Train(context.Background(), three, nil); err != nil {
		t.Fatal(err)
	}
}
