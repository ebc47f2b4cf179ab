package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// task returns what is trained, by -s, whose numbers are those of the tasks.
func (o *options) task() models.Task { return models.Task(o.svmType) }

func (o *options) kernel() kernel.Kernel {
	switch o.kernelType {
	case linear:
		return kernel.Linear{}
	case polynomial:
		return kernel.Poly{Degree: o.degree, Gamma: o.gamma, Coef0: o.coef0}
	case sigmoid:
		return kernel.Sigmoid{Gamma: o.gamma, Coef0: o.coef0}
	case precomputed:
		return kernel.Precomputed{}
	}
	return kernel.RBF{Gamma: o.gamma}
}

// trainer builds the trainer that checked options ask for.
func (o *options) trainer(report train.Report) train.Trainer {
	k, b := o.kernel(), o.probability == 1
	solver := smo.Options{Tolerance: o.tolerance, CacheMB: o.cacheMB, Shrinking: o.shrinking == 1, Report: report}
	ovo := train.OneVsOne{Kernel: k, Task: o.task(), Weights: o.weights, Probability: b, Report: report, Brief: o.quiet}
	switch o.task() {
	case models.NuSVC:
		ovo.Solver = smo.NuSVC{Nu: o.nu, Options: solver}
		return ovo
	case models.OneClass:
		return smo.OneClass{Nu: o.nu, Kernel: k, Probability: b, Options: solver}
	case models.EpsilonSVR:
		return smo.EpsilonSVR{C: o.cost, Epsilon: o.epsilon, Kernel: k, Probability: b, Options: solver}
	case models.NuSVR:
		return smo.NuSVR{C: o.cost, Nu: o.nu, Kernel: k, Probability: b, Options: solver}
	}
	ovo.Solver = smo.CSVC{C: o.cost, Options: solver}
	return ovo
}

// check returns the first fault of the parameters, those that depend on the
// data last.
func (o *options) check(d *format.Dataset) error {
	if err := o.checkParameters(); err != nil {
		return err
	}
	if n := d.Len(); n < o.leastRows() {
		return o.place(fmt.Errorf("%d row is too few to estimate probabilities", n))
	} else if o.folds > 0 && n < 2 {
		return o.place(fmt.Errorf("%d row is too few for cross-validation", n))
	}
	if o.task().Classifies() {
		if err := o.checkClasses(d.Y, d.Weight); err != nil {
			return err
		}
		if err := o.checkWeights(d.Y); err != nil {
			return err
		}
	}
	if err := train.CheckRows(o.kernel(), &d.X); err != nil {
		return o.place(err)
	}
	return nil
}

// leastRows returns the number of rows that a training needs: a regression's
// probabilities come from a cross-validation.
func (o *options) leastRows() int {
	if o.probability == 1 && o.task().Regresses() {
		return 2
	}
	return 1
}

// checkClasses returns an error for labels that are no classes, or whose numbers
// of rows nu does not fit.
func (o *options) checkClasses(labels, weights []float64) error {
	for i, y := range labels {
		if !(y > math.MinInt32-1 && y < math.MaxInt32+1) {
			return o.place(&train.RowError{Row: i, Err: fmt.Errorf("label %s is no class: expected an integer of 32 bits", textscan.AppendG(nil, y, 17))})
		}
	}
	if o.task() != models.NuSVC {
		return nil
	}
	classes, err := train.GroupClasses(labels, nil)
	if err != nil {
		return o.place(err)
	}
	var sizes []float64
	for _, rows := range classes.Rows {
		size := float64(len(rows))
		if weights != nil {
			size = 0
			for _, i := range rows {
				size += weights[i]
			}
		}
		sizes = append(sizes, size)
	}
	if !(smo.NuSVC{Nu: o.nu}).Feasible(sizes) {
		return errors.New("specified nu is infeasible")
	}
	return nil
}

// checkWeights returns the first fault of the weights of classes. Where LIBSVM computes nothing
// with a weight, of a class that no label is of and in nu-SVC, any is as good as 1, and becomes it:
// the trainer takes only what is positive, and tells of classes that are not there.
func (o *options) checkWeights(labels []float64) error {
	for i := range o.weights {
		w := &o.weights[i]
		switch {
		case w.Weight > 0:
		case o.task() == models.NuSVC, !slices.ContainsFunc(labels, func(y float64) bool { return int(y) == w.Label }):
			w.Weight = 1
		default:
			class := strconv.Itoa(w.Label)
			if o.inputs != nil {
				class = o.weighted[i]
			}
			return fmt.Errorf("weight of class %s is %s, expected more than 0", class, g(w.Weight))
		}
	}
	return nil
}
