package smo_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
	"github.com/slimsvm/slimsvm/train/traintest"
)

func TestConformance(t *testing.T) {
	k := kernel.RBF{Gamma: 0.5}
	options := func(r train.Report) smo.Options {
		o := smo.DefaultOptions()
		o.Report = r
		return o
	}
	ovo := func(r train.Report, task models.Task, s train.Solver, probability bool) train.Trainer {
		return train.OneVsOne{Solver: s, Kernel: k, Task: task, Probability: probability, Report: r}
	}
	for _, m := range []struct {
		name string
		new  traintest.New
		o    traintest.Options
	}{
		{"C-SVC", func(r train.Report) train.Trainer {
			return ovo(r, models.CSVC, smo.CSVC{C: 4, Options: options(r)}, false)
		}, traintest.Options{Accuracy: 0.95}},
		{"C-SVC with probabilities", func(r train.Report) train.Trainer {
			return ovo(r, models.CSVC, smo.CSVC{C: 4, Options: options(r)}, true)
		}, traintest.Options{Accuracy: 0.95}},
		{"nu-SVC", func(r train.Report) train.Trainer {
			return ovo(r, models.NuSVC, smo.NuSVC{Nu: 0.1, Options: options(r)}, false)
		}, traintest.Options{Accuracy: 0.95}},
		{"one-class", func(r train.Report) train.Trainer {
			return smo.OneClass{Nu: 0.2, Kernel: k, Options: options(r)}
		}, traintest.Options{OneClass: true}},
		{"epsilon-SVR", func(r train.Report) train.Trainer {
			return smo.EpsilonSVR{C: 10, Epsilon: 0.05, Kernel: k, Options: options(r)}
		}, traintest.Options{Regression: true, Accuracy: 0.8}},
		{"epsilon-SVR with noise", func(r train.Report) train.Trainer {
			return smo.EpsilonSVR{C: 10, Epsilon: 0.05, Kernel: k, Probability: true, Options: options(r)}
		}, traintest.Options{Regression: true, Accuracy: 0.8}},
		{"nu-SVR", func(r train.Report) train.Trainer {
			return smo.NuSVR{C: 10, Nu: 0.4, Kernel: k, Options: options(r)}
		}, traintest.Options{Regression: true, Accuracy: 0.8}},
	} {
		t.Run(m.name, func(t *testing.T) { traintest.Run(t, m.new, m.o) })
	}
}
