// Package reducedset makes a small model of a large one: a few synthetic vectors, which all
// machines share, replace the support vectors.
//
// Begin with [Default], set Vectors, and call [Reducer.Reduce] with a trained model and its
// training data: see the example. models.Lower turns the result into a model for LIBSVM. [Basis]
// offers the reduced vectors to package joint, which optimises them further.
package reducedset

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/preimage"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: given L machines
//
//	w_l = sum_i c_li phi(x_i),   f_l(x) = w_l.phi(x) - rho_l,
//
// trained on m rows, find vectors z_1..z_M, far fewer than the x_i, and new coefficients and
// offsets, so that the classifier's error stays near the original one.
//
//	symbol  name
//	x_i     the model's vectors
//	z_j     reduced vectors, state.zs
//	Kxz     kernel values of training rows and reduced vectors, state.kx
//	Kzz     of reduced vectors; L of Kzz = L L', span.l
//	beta    machine.beta, coefficients of the reduced vectors
//	Psi     what a machine's reduced vectors leave of w, state.residual
//
// Tang and Mazzoni, "Multiclass reduced-set support vector machines", ICML 2006. Its algorithm is
// the method Shared; the others are its variants and baselines. There are three deviations:
//
//   - Step 3(a), for which machine the next vector is, differs unless Reducer.Next is
//     LeastAccurate.
//   - A vector that adds nothing to those already found ends the search for its machine.
//   - The first generation of differential evolution is composed as state.find says.

// A Method says how vectors and coefficients are found.
type Method string

// The methods.
//
// In those of the paper every machine has vectors of its own, except in Shared. Orig, Greedy and
// Burges keep the coefficients with which the vectors were found, FixedPoints takes those that come
// nearest to the machine, and the others train the coefficients again. Random and KMeans are
// baselines: rows of every class, or k-means centres of them, with trained coefficients.
const (
	Shared      Method = "shared"      // one vector at a time, for the machine that Next selects; all machines use it
	Retrain     Method = "retrain"     // Greedy's vectors, with coefficients trained again
	Greedy      Method = "greedy"      // one vector at a time, for the machine that Next selects; only that machine uses it
	Orig        Method = "orig"        // equally many vectors for each machine
	Burges      Method = "burges"      // Orig by descent in vector and coefficient, finally in all vectors of a machine
	FixedPoints Method = "fixed-point" // Orig by Schoelkopf's fixed-point iteration
	Random      Method = "random"
	KMeans      Method = "kmeans"
)

// Methods lists all methods, the default first.
var Methods = []Method{Shared, Retrain, Greedy, Orig, Burges, FixedPoints, Random, KMeans}

// searches reports whether the method looks for pre-images.
func (m Method) searches() bool { return m != Random && m != KMeans }

// shares reports whether all machines use all vectors.
func (m Method) shares() bool { return m == Shared || m == Random || m == KMeans }

// trains reports whether coefficients are trained again.
func (m Method) trains() bool { return m == Retrain || m.shares() }

// A Next says for which machine Shared, Retrain and Greedy find the next vector.
type Next int

// Errors are counted as shares of a machine's own rows, weighted by their costs. Behind is the
// machine whose share exceeds that of the parent model's machine most: one that is as good as its
// parent has nothing to gain, however hard its task. LeastAccurate, as in the paper, is the machine
// with the largest share. If the parent makes almost no errors, both are the same. Retrain measures
// the errors of Greedy's coefficients.
const (
	Behind Next = iota
	LeastAccurate
)

// A Search says how a vector is searched for. Default returns one with the paper's settings. Its
// fields are
//
//	Method      Evolution, Restarts, FixedPoint or Together
//	DE          Scale, Crossover and Generations of differential evolution
//	Population  members of a generation; 0: five for each feature, at most 1280
//	Starts      starts of the other methods
//	Steps       most steps of a descent
type Search = preimage.Search

// Ways to search for a vector, values of Search.Method.
//
//   - Evolution is differential evolution followed by descent, as in the paper.
//   - Restarts is descent from many starts.
//   - FixedPoint is fixed-point iteration, for RBF kernels.
//   - Together is descent in the vector and its coefficient at once.
//
// The methods Burges and FixedPoints have searches of their own. The method Orig with Together is
// the first phase of Burges.
const (
	Evolution  = preimage.Evolution
	Restarts   = preimage.Restarts
	FixedPoint = preimage.FixedPoint
	Together   = preimage.Together
)

// Errors of kernels.
var (
	// ErrKernel reports a kernel for which there is no search for pre-images.
	ErrKernel = preimage.ErrKernel
	// ErrRBF reports fixed-point iteration with a kernel other than RBF.
	ErrRBF = preimage.ErrRBF
)

// A Reducer makes models smaller.
type Reducer struct {
	Method  Method // how vectors and coefficients are found
	Vectors int    // largest number of vectors of the small model
	Seed    uint64 // of all random choices
	// Cost is C when coefficients are trained. 0 means each machine's largest coefficient divided
	// by the weights of its class and row, which is the machine's C if any vector is at the bound.
	Cost float64
	// Weights multiply the cost of errors on classes, when coefficients and offsets are trained and
	// when the errors of machines are counted. nil: those inferred from the coefficients, see
	// CostsOf.
	Weights []train.ClassWeight
	Search  Search // how vectors are searched for
	Next    Next   // for which machine the next vector is
	// Growth is how many vectors are added between two trainings of the coefficients, as a share of
	// the present number: rounded down, but at least one. The paper adds one at a time: 0.
	Growth float64
	// Threads is how many processors may be used; 0 or less: all. The result does not depend on it.
	Threads int
	// Each, if not nil, is called with every model on the way to the last, in order of size, if the
	// method makes such models. An error from it ends the reduction; ErrEnough ends it without an
	// error. With FixedPoints, whose coefficients are those nearest to the machine, a model can be
	// smaller than the one before, if a new vector leaves others without a coefficient.
	Each func(*models.Model) error
	// Found, if not nil, is called for every vector that a search found, in order, with the machine
	// it is for and the number of evaluations of the function or its gradient.
	Found func(machine, evaluations int)
}

// ErrEnough, returned by Reducer.Each, ends a reduction without an error.
var ErrEnough = errors.New("the model is large enough")

// Default returns a reducer to 50 vectors by the paper's method, Shared, with the paper's search.
func Default() Reducer {
	return Reducer{Method: Shared, Vectors: 50, Search: preimage.Default(), Growth: 0}
}

// Validate returns an error that says which setting is not valid.
func (r *Reducer) Validate() error {
	known := false
	for _, m := range Methods {
		known = known || r.Method == m
	}
	switch {
	case r.Method == "" && r.Search == (Search{}):
		return errors.New("Method and Search are not set: Default sets them")
	case r.Search == (Search{}):
		return errors.New("Search is not set: Default sets it")
	case !known:
		return fmt.Errorf("no method %q: there are %v", r.Method, Methods)
	case r.Vectors < 1:
		return fmt.Errorf("%d vectors, expected at least 1", r.Vectors)
	case !(r.Cost >= 0) || math.IsInf(r.Cost, 0):
		return fmt.Errorf("cost %v is not a number from 0", r.Cost)
	case !(r.Growth >= 0 && r.Growth <= 1):
		return fmt.Errorf("growth %v is not between 0 and 1", r.Growth)
	case r.Next < Behind || r.Next > LeastAccurate:
		return fmt.Errorf("unknown rule %d for the next vector", int(r.Next))
	}
	for _, w := range r.Weights {
		if !(w.Weight > 0) || math.IsInf(w.Weight, 0) {
			return fmt.Errorf("weight %v of class %d is not a positive number", w.Weight, w.Label)
		}
	}
	return r.Search.Validate()
}

var errSingular = errors.New("the fit of coefficients has no solution: kernel values are not finite")

// ErrLabels is wrapped by a [*LabelError].
var ErrLabels = errors.New("the data have no row of a class of the model")

// A LabelError reports training data without a row of some class of the model.
type LabelError struct {
	Label int // of the first such class
}

// Error names the label.
func (e *LabelError) Error() string { return fmt.Sprintf("%v: label %d", ErrLabels, e.Label) }

// Unwrap returns [ErrLabels].
func (e *LabelError) Unwrap() error { return ErrLabels }

// checkData returns an error unless rows of d can train coefficients: the checks of all trainers,
// except that rows of weight 0 are left out and labels are checked later.
func checkData(d *format.Dataset) error {
	if err := train.CheckDataset(d); err != nil {
		return err
	}
	_, _, err := train.DropZeroWeights(d)
	return err
}

// Reduce returns a model of at most r.Vectors vectors that answers much like m. d is the data that
// m was trained on, or similar data: its rows train the coefficients and offsets. Rows of weight 0,
// and those with a label that m does not have, are ignored. The result depends only on the
// arguments. It has fewer vectors if more would add nothing, and none that no machine uses: no
// vector at all if none of those found changes an answer for a row of d. It has m's Inputs but no
// probabilities, whose sigmoids are of other values: see the example of [Reducer]. Neither m nor d
// is changed. Rows so large that K(x, x) is not finite are train.ErrOverflow.
//
//   - A model that is small enough is returned unchanged, unless it is linear and fewer vectors are
//     equivalent.
//   - With a linear kernel all methods give the same model. It is without loss if r.Vectors is enough
//     for one vector for each machine, one for each feature, or a basis of the span of the machines.
//     If not, it has the vectors whose combinations come nearest to all machines, with coefficients
//     trained again.
//   - With a sigmoid kernel or one that is not from package kernel, only Random and KMeans work;
//     the others return [ErrKernel], because there are no pre-images to search for. Rows or centres
//     whose kernel values contradict an inner product are left out.
//   - A precomputed kernel is ErrKernel. An ensemble is an error.
func (r *Reducer) Reduce(ctx context.Context, m *models.Model, d *format.Dataset) (*models.Model, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("invalid model: %w", err)
	}
	if m.Vote == models.Ensemble {
		return nil, fmt.Errorf("an ensemble of %d hyperplanes cannot be reduced: train it with fewer exemplars, by sampling", len(m.Machines))
	}
	if _, ok := m.Kernel.(kernel.Precomputed); ok {
		return nil, fmt.Errorf("%w, not %s", ErrKernel, kernel.Name(m.Kernel))
	}
	if m.Vectors.Len() <= r.Vectors && !collapses(m) || len(m.Machines) == 0 {
		return m, nil
	}
	switch m.Kernel.(type) {
	case kernel.Linear:
		return r.collapse(ctx, m, d)
	case kernel.Poly, kernel.RBF:
	default:
		if r.Method.searches() {
			return nil, fmt.Errorf("%w, not %s", ErrKernel, kernel.Name(m.Kernel))
		}
	}
	if _, ok := m.Kernel.(kernel.RBF); !ok && r.Method.searches() && (r.Method == FixedPoints || r.Search.Method == FixedPoint) {
		return nil, fmt.Errorf("%w, not %s", ErrRBF, kernel.Name(m.Kernel))
	}
	if err := checkData(d); err != nil {
		return nil, err
	}
	if err := checkVectors(m); err != nil {
		return nil, err
	}
	ctx, end := team.With(ctx, r.Threads)
	defer end()
	s, err := newState(ctx, r, m, d)
	if err != nil {
		return nil, err
	}
	switch r.Method {
	case Shared:
		err = s.shared(ctx)
	case Orig, FixedPoints:
		err = s.ownVectors(ctx)
	case Burges:
		if err = s.ownVectors(ctx); err == nil {
			err = s.together(ctx)
		}
	case Greedy, Retrain:
		err = s.greedy(ctx)
	case Random, KMeans:
		err = s.baseline(ctx)
	}
	return s.result(ctx, err)
}
