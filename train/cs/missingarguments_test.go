package cs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// TestMissingArguments: an argument that the caller left out is named by an error, or by a panic if the
// function returns no error.
func TestMissingArguments(t *testing.T) {
	ctx, s, g := context.Background(), cs.Default(), kernel.RBF{Gamma: 1}
	p := problem(t, "moons", 20, g)
	basis := cs.Basis{Settings: s, Kernel: g}
	classes, points := [][]int{{0, 1}, {2, 3}}, []vec.Vector{p.X.Row(0)}
	one := &cs.Classifier{Points: points, Coef: []float64{1}}
	task := cs.Task{Rows: 10, Nu: 1, Steps: s.Steps}
	for want, f := range map[string]func() error{
		"no rows":                            func() error { _, err := basis.Vectors(ctx, nil, classes, 3, rand.New(rand.NewPCG(1, 1))); return err },
		train.ErrNoRand.Error():              func() error { _, err := basis.Vectors(ctx, &p.X, classes, 3, nil); return err },
		"no problem":                         func() error { _, err := cs.Classify(ctx, nil, []int{0}, points, 1, s.Steps, nil); return err },
		"task: no text to read":              func() error { _, err := cs.ReadTask(nil, 5); return err },
		"machine 2: no problem":              func() error { _, err := s.Run(ctx, []*train.Problem{p, nil}, nil); return err },
		"cs: outcome 2 of 2 is none":         func() error { cs.Coordinate([]*cs.Outcome{{}, nil}); return nil },
		"cs: no kernel":                      func() error { one.Decide(nil, &p.X, []int{0}); return nil },
		"cs: no rows to decide":              func() error { one.Decide(g, nil, []int{0}); return nil },
		"cs: no problem to draw a sample of": func() error { task.Sample(nil); return nil },
		"cs: a classifier of 1 points with 0 coefficients": func() error {
			(&cs.Classifier{Points: points}).Decide(g, &p.X, []int{0})
			return nil
		},
		"row 20 of a problem of 20 rows, which are counted from 0": func() error {
			_, err := cs.Classify(ctx, p, []int{0, 1}, points, 1, s.Steps, []int{20})
			return err
		},
		"row -1 of a problem of 20 rows, which are counted from 0": func() error {
			_, err := cs.Classify(ctx, p, []int{-1}, points, 1, s.Steps, nil)
			return err
		},
		"a problem of 20 rows with 19 labels": func() error {
			q := *p
			q.Y = q.Y[:19]
			_, err := task.Do(ctx, &q, nil)
			return err
		},
	} {
		if got := told(f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if _, err := task.Do(ctx, nil, nil); err == nil || err.Error() != "no problem" {
		t.Error(err)
	}
	if _, is := (cs.Trainer{}).WithSettingsOf(nil).(cs.Trainer); !is {
		t.Error("like no model: no trainer")
	}
}

// told returns what f returns or panics with.
func told(f func() error) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	return fmt.Sprint(f())
}

// TestZeroSettings: the error for zero Settings says what sets their fields.
func TestZeroSettings(t *testing.T) {
	err := new(cs.Settings).Validate()
	if want := "Runs and Points are 0: Default sets them"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
