// Package rsvm trains smooth support vector machines with rectangular kernels: SSVM, RSVM and
// Systematic Sampling RSVM (SSRSVM), for classification and regression (eps-SSVR).
//
// A machine is a function over few vectors, the reduced set, that is fitted to all rows.
// [Options.Set] says how the reduced set is found: [Random], [Systematic] or [Full].
//
//   - Embed [DefaultOptions] in a [Classifier] or [Regression], set Kernel, and call Train.
//   - Rows that do not fit in memory go to TrainStream, which reads them once for each Newton step.
//   - A [Job] makes the sums over rows in parts, on several computers for example.
//
// There is an example of Train and one of TrainStream.
package rsvm

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/newton"
)

// Problem: given rows A_i with signs y_i and costs c_i, and a reduced set Abar of mbar vectors,
// find
//
//	min over v, gamma of  nu/2 sum_i c_i p(1 - y_i f(A_i))^2 + 1/2 (v'v + gamma^2),
//	f(x) = K(x, Abar') v - gamma,
//
// where p is the plus function max(0, r) or a smooth approximation of it,
//
//	p(r, alpha) = r + log(1 + exp(-alpha r)) / alpha.
//
// A regression with targets y_i has p(e - eps)^2 + p(-e - eps)^2 with e = f(A_i) - y_i instead of
// p(1 - y_i f)^2.
//
//	symbol       name
//	nu           Options.Cost
//	alpha        Options.Alpha
//	Abar, mbar   the basis and its length
//	v            w[:mbar], a machine's coefficients
//	gamma        w[mbar], a model's Rho; not a kernel's gamma
//	eps          Regression.Epsilon
//
// Method: Newton's method with Armijo's rule (package newton). Each step is a pass over the rows,
// which makes the sums that all machines need. Machines of few rows, which many classes have, are
// solved over these instead (few.go). SSVM has all rows in Abar. RSVM has random rows, or centres
// of such rows. SSRSVM starts with some rows and adds, round after round, rows that are answered
// wrongly.
//
// Chang and Lee, "Generating the reduced set by systematic sampling", IDEAL 2004: (1) to (4) and
// algorithm 3.1. Lee and Mangasarian, "SSVM: a smooth support vector machine", 2001. Lee, Hsieh and
// Huang, "eps-SSVR: a smooth support vector machine for eps-insensitive regression", 2005.
//
// Deviations: the paper's e^(-mu |A_i - Abar_j|^2) may be any kernel here. Of equal rows, Abar has
// one: a second one adds nothing to what f can be. A row with f = 0 gets the second class, as
// everywhere in this project. With more than two classes, the machines (one for each pair, or one
// for each class against the rest) share one reduced set, whose kernel values are computed once for
// all.

// Options are common to classification and regression.
type Options struct {
	Kernel kernel.Kernel // must be set
	Cost   float64       // nu, above 0
	// Alpha is the sharpness of the smooth plus function, above 0. +Inf selects the plus function
	// itself, with generalised Newton steps.
	Alpha float64
	// Tolerance ends the Newton steps when the norm of the gradient is at most Tolerance (1 + |(v,
	// gamma)|). The default is 1e-6, stricter than the usual 1e-5.
	Tolerance float64
	Steps     int // largest number of Newton steps
	// Set says how the reduced set is found.
	Set Set
	// MemoryMB limits the kernel values that are kept from one pass over the rows to the next, in
	// MiB. The model does not depend on it.
	MemoryMB float64
	Seed     uint64 // of all random choices
	// Threads is how many processors may be used; 0: all. The model does not depend on it.
	Threads int
	// Report receives an event for every Newton step (train.Progress), every round of growth
	// (train.RoundDone) and every machine (train.Solved).
	Report train.Report
}

// DefaultOptions returns the paper's settings where it has them: alpha 5 and the reduced set of
// [DefaultRandom], a tenth of the rows. Set Kernel.
func DefaultOptions() Options {
	return Options{Cost: 1, Alpha: 5, Tolerance: 1e-6, Steps: 50, Set: DefaultRandom(), MemoryMB: 100, Seed: 1}
}

// Validate returns an error that says which setting is not valid.
func (o *Options) Validate() error {
	switch {
	case o.Kernel == nil:
		return errors.New("no kernel")
	case o.Alpha == 0 && o.Steps == 0:
		return errors.New("Alpha and Steps are 0: DefaultOptions sets them")
	case !(o.Cost > 0) || math.IsInf(o.Cost, 0):
		return fmt.Errorf("cost %v is not a positive number", o.Cost)
	case !(o.Alpha > 0):
		return fmt.Errorf("sharpness %v of the smooth function is not positive", o.Alpha)
	case !(o.MemoryMB >= 0):
		return fmt.Errorf("memory of %v MiB", o.MemoryMB)
	case o.Set == nil:
		return errors.New("no way to find the reduced set")
	}
	if r, ok := o.Set.(Random); ok && r.Centres && o.Kernel == (kernel.Precomputed{}) {
		return errors.New("a precomputed kernel has no values of centres: the vectors have to be rows")
	}
	if err := o.newton().Validate(); err != nil {
		return err
	}
	return o.Set.Validate()
}

func (o *Options) newton() newton.Options {
	return newton.Options{Tolerance: o.Tolerance, Steps: o.Steps}
}
