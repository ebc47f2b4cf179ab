package smo_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestThreads: models, predictions of a cross-validation and all reports are the same for any
// number of threads, and so is the place in the random stream afterwards.
func TestThreads(t *testing.T) {
	smo.SmallParts(t)
	set, ok := generate.Lookup("gauss5")
	if !ok {
		t.Fatal("no such data set")
	}
	d := set.Generate(150, 1)
	for i := range d.Y { // five classes, and targets of a regression
		d.Y[i] = float64(i % 5)
	}
	rbf := kernel.RBF{Gamma: 0.5}
	methods := map[string]func(threads int, report train.Report, o smo.Options) train.Trainer{
		"C-SVC": func(threads int, report train.Report, o smo.Options) train.Trainer {
			return train.OneVsOne{Solver: smo.CSVC{C: 4, Options: o}, Kernel: rbf, Task: models.CSVC, Probability: true, Report: report, Threads: threads}
		},
		"nu-SVC": func(threads int, report train.Report, o smo.Options) train.Trainer {
			return train.OneVsOne{Solver: smo.NuSVC{Nu: 0.3, Options: o}, Kernel: rbf, Task: models.NuSVC, Report: report, Threads: threads}
		},
		"one-class": func(_ int, _ train.Report, o smo.Options) train.Trainer {
			return smo.OneClass{Nu: 0.4, Kernel: rbf, Probability: true, Options: o}
		},
		"epsilon-SVR": func(_ int, _ train.Report, o smo.Options) train.Trainer {
			return smo.EpsilonSVR{C: 4, Epsilon: 0.1, Kernel: rbf, Probability: true, Options: o}
		},
		"nu-SVR": func(_ int, _ train.Report, o smo.Options) train.Trainer {
			return smo.NuSVR{C: 4, Nu: 0.4, Kernel: rbf, Probability: true, Options: o}
		},
	}
	for name, method := range methods {
		t.Run(name, func(t *testing.T) {
			want := ""
			for _, threads := range []int{1, 2, 3, 8} {
				got := outcome(t, d, threads, method)
				if threads == 1 {
					want = got
				} else if got != want {
					t.Errorf("%d threads give another outcome:\n%.300s\nwant\n%.300s", threads, got, want)
				}
			}
		})
	}
}

// TestThreadsSparse: models of sparse rows, whose sums are shared, do not depend on the number of
// threads either.
func TestThreadsSparse(t *testing.T) {
	smo.SmallParts(t)
	const rows, columns = 2100, 700
	r := rand.New(rand.NewPCG(3, 9))
	d := new(format.Dataset)
	for range rows {
		var x vec.Vector
		for c := range int32(columns) {
			if r.IntN(40) == 0 || c == 5 {
				x.Index, x.Value = append(x.Index, c), append(x.Value, r.NormFloat64())
			}
		}
		d.X.Append(x)
		d.Y = append(d.Y, math.Copysign(1, x.Value[0]+0.3*r.NormFloat64()))
	}
	want := ""
	for _, threads := range []int{1, 2, 3} {
		o := smo.Options{Tolerance: 0.1, CacheMB: 1, Shrinking: true, Threads: threads}
		trainer := train.OneVsOne{Solver: smo.CSVC{C: 1, Options: o}, Kernel: kernel.RBF{Gamma: 0.02}, Task: models.CSVC, Threads: threads}
		m, err := trainer.Train(context.Background(), d, train.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := models.Write(&text, m); err != nil {
			t.Fatal(err)
		}
		if threads == 1 {
			want = text.String()
		} else if text.String() != want {
			t.Errorf("%d threads give another model", threads)
		}
	}
}

// outcome returns all results of a training and a cross-validation as text.
func outcome(t *testing.T, d *format.Dataset, threads int, method func(int, train.Report, smo.Options) train.Trainer) string {
	t.Helper()
	var events []train.Event
	report := func(e train.Event) { events = append(events, e) }
	o := smo.DefaultOptions()
	o.Threads, o.Report = threads, report
	trainer := method(threads, report, o)
	rng := train.NewRand(1)
	m, err := trainer.Train(context.Background(), d, rng)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := models.Write(&text, m); err != nil {
		t.Fatal(err)
	}
	folds, err := train.CrossValidationFolds(m.Task, d.Y, 4, rng, report)
	if err != nil {
		t.Fatal(err)
	}
	predictions, err := train.CrossValidate(context.Background(), trainer, d, folds, rng, report)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(events, func(e train.Event) bool { _, ok := e.(train.GradientRebuilt); return ok }) {
		t.Error("nothing was reported")
	}
	return fmt.Sprintf("%+v\n%s\n%v\n%d", events, &text, predictions, rng.Int())
}
