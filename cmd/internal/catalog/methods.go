// Package catalog lists the methods of training that the commands know. A new method
// is one entry here.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// Parameters are what methods are built from; each uses those it knows.
type Parameters struct {
	Kernel      kernel.Kernel
	FreeGamma   bool // nobody has chosen the kernel's gamma
	Cost        float64
	FreeCost    bool // nobody has chosen the cost
	SortClasses bool // votes that tie go to the class that is declared first
	Nu          float64
	Epsilon     float64
	Weights     []train.ClassWeight
	Probability bool
	OneVsRest   bool // one machine a class, instead of one for each pair
	Seed        uint64
	Extra       *format.Dataset // rows for training only, encoded; nil: none
	Solver      smo.Options     // of other methods: its Report and Threads
	Values      Values          // of the options that methods bring with them
}

// A Method is a training method.
type Method struct {
	Name string
	Doc  string
	Task models.Task
	// Uses lists the parameters beside those of the kernel: "cost", "nu",
	// "epsilon", "weight", "probability", "multiclass", "tolerance", "cache-mb",
	// "no-shrinking".
	Uses []string
	Cost float64 // when none is given; 0: 1
	// Costs says which others the method may choose itself, behind a default; "": none.
	Costs string
	// CostSymbol is the letter that the cost has in the method's source; "": C.
	CostSymbol string
	// Kernels are the names of those that its vectors may have; nil: all.
	Kernels []string
	Options []Option // that it brings with it
	// Together says that all machines of a model are found at the same time, so that
	// how far a training is shows in steps.
	Together bool
	Streams  bool // rows need not be in memory
	Linear   bool // machines are linear, whatever the kernel
	// WholeLabels says that it refuses labels for classes that are no whole numbers; others cut them.
	WholeLabels bool
	New         func(p Parameters) (train.Trainer, error)
}

// ofSMO are the parameters of the solver that methods of train/smo share.
var ofSMO = []string{"tolerance", "cache-mb", "no-shrinking"}

func usesSMO(names ...string) []string { return append(names, ofSMO...) }

// LinearKernel is the linear kernel.
var LinearKernel kernel.Kernel = kernel.Linear{}

// Methods are the training methods, the default first.
var Methods = slices.Concat([]Method{
	{
		Name: "csvc", Doc: "C-SVC: classification, with a cost for margin errors", Task: models.CSVC,
		Uses: usesSMO("cost", "weight", "probability", "multiclass"),
		New: func(p Parameters) (train.Trainer, error) {
			s := smo.CSVC{C: p.Cost, Options: p.Solver}
			return p.classifier(models.CSVC, s), s.Validate()
		},
	},
	{
		Name: "nusvc", Doc: "nu-SVC: classification, with a bound on the share of margin errors", Task: models.NuSVC,
		Uses: usesSMO("nu", "probability", "multiclass"),
		New: func(p Parameters) (train.Trainer, error) {
			s := smo.NuSVC{Nu: p.Nu, Options: p.Solver}
			return p.classifier(models.NuSVC, s), s.Validate()
		},
	},
	{
		Name: "oneclass", Doc: "one-class SVM: finds the region where most rows lie", Task: models.OneClass,
		Uses: usesSMO("nu", "probability"),
		New: func(p Parameters) (train.Trainer, error) {
			s := smo.OneClass{Nu: p.Nu, Kernel: p.Kernel, Probability: p.Probability, Options: p.Solver}
			return s, s.Validate()
		},
	},
	{
		Name: "epsilon-svr", Doc: "epsilon-SVR: regression; errors inside a tube cost nothing", Task: models.EpsilonSVR,
		Uses: usesSMO("cost", "epsilon", "probability"),
		New: func(p Parameters) (train.Trainer, error) {
			s := smo.EpsilonSVR{C: p.Cost, Epsilon: p.Epsilon, Kernel: p.Kernel, Probability: p.Probability, Options: p.Solver}
			return s, s.Validate()
		},
	},
	{
		Name: "nu-svr", Doc: "nu-SVR: regression; finds the width of its tube", Task: models.NuSVR,
		Uses: usesSMO("cost", "nu", "probability"),
		New: func(p Parameters) (train.Trainer, error) {
			s := smo.NuSVR{C: p.Cost, Nu: p.Nu, Kernel: p.Kernel, Probability: p.Probability, Options: p.Solver}
			return s, s.Validate()
		},
	},
}, ofRSVM(), ofMKC(), ofCS(), ofJoint(), ofPSVM())

// classifier returns a trainer of many classes by a solver of two.
func (p Parameters) classifier(task models.Task, s train.Solver) train.Trainer {
	if p.OneVsRest {
		return train.OneVsRest{
			Solver: s, Kernel: p.Kernel, Task: task, Weights: p.Weights,
			Probability: p.Probability, Report: p.Solver.Report, Threads: p.Solver.Threads,
		}
	}
	return train.OneVsOne{
		Solver: s, Kernel: p.Kernel, Task: task, Weights: p.Weights, SortClasses: p.SortClasses,
		Probability: p.Probability, Report: p.Solver.Report, Threads: p.Solver.Threads,
	}
}

// calibrated returns t, or if probabilities are asked for a trainer of the same models
// with them. A method that knows nothing of probabilities has them by listing
// "probability" in Uses and returning its trainer through this.
func (p Parameters) calibrated(t train.Trainer, task models.Task) train.Trainer {
	if !p.Probability {
		return t
	}
	return train.Calibrated{Trainer: t, Task: task, Report: p.Solver.Report}
}

// FindMethod returns the method of that name.
func FindMethod(name string) (Method, error) {
	var names []string
	for _, m := range Methods {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Method{}, fmt.Errorf("no method %q: there are %s", name, strings.Join(names, ", "))
}
