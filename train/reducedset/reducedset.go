// Package reducedset makes small models of large ones: few synthetic vectors that
// all machines share, in place of the support vectors.
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
// trained on m rows, find vectors z_1..z_M, far fewer than the x_i, and new
// coefficients and offsets, so that the classifier's error stays near the old one.
//
//	symbol  name
//	x_i     the model's vectors
//	z_j     reduced vectors, state.zs
//	Kxz     kernel values of training rows and reduced vectors, state.kx
//	Kzz     of reduced vectors; L of Kzz = L L', span.l
//	beta    machine.beta, coefficients of the reduced vectors
//	Psi     what a machine's reduced vectors leave of w, state.residual
//
// Tang and Mazzoni, "Multiclass reduced-set support vector machines", ICML 2006.
// Its algorithm is the method Shared; the others are its variants and baselines. Step 3(a),
// which machine the next vector is for, is another unless Reducer.Next is LeastAccurate; a
// vector that adds nothing to those found ends the search for its machine; and the first
// generation of differential evolution is put together as state.find says.

// A Method is a way to find vectors and coefficients.
type Method string

// The methods. Those of the paper give every machine vectors of its own, but for
// Shared; Orig, Greedy and Burges keep the coefficients with which the vectors were
// found, FixedPoints has those that come nearest to the machine, the others train
// them again. Random and KMeans are baselines: rows, or centres of rows, of every
// class, and trained coefficients.
const (
	Shared      Method = "shared"      // a vector at a time for the machine that Next says, used by all
	Retrain     Method = "retrain"     // Greedy's vectors, coefficients trained again
	Greedy      Method = "greedy"      // a vector at a time for the machine that Next says, its own
	Orig        Method = "orig"        // equally many vectors for each machine
	Burges      Method = "burges"      // Orig, by descent in vector and coefficient, at last in all of a machine
	FixedPoints Method = "fixed-point" // Orig, by Schoelkopf's iteration
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

// Next says which machine the next vector is for, of Shared, Retrain and Greedy.
type Next int

// The machine with the most errors on its rows beyond those of the parent's machine, for one
// that is as good as its parent has nothing to gain by a vector, however hard its task; or,
// as in the paper, the one with the most errors. Where parents have next to none both say the
// same.
const (
	Behind Next = iota
	LeastAccurate
)

// A Search is the search for a vector. Its fields have their defaults in Default.
type Search = preimage.Search

// Ways to search: differential evolution and then descent, as the paper; descent
// from many starts; fixed-point iteration, for RBF kernels; descent in the vector and
// its coefficient at once. The methods Burges and FixedPoints have their own: with
// Together, Orig is the first phase of Burges.
const (
	Evolution  = preimage.Evolution
	Restarts   = preimage.Restarts
	FixedPoint = preimage.FixedPoint
	Together   = preimage.Together
)

// Errors of kernels: those that have no pre-images to look for, and those without
// the fixed-point iteration.
var (
	ErrKernel = preimage.ErrKernel
	ErrRBF    = preimage.ErrRBF
)

// A Reducer makes models smaller.
type Reducer struct {
	Method  Method
	Vectors int    // most vectors of the small model
	Seed    uint64 // of all random choices
	// Cost is C of the training of coefficients; 0: each machine's largest
	// coefficient, without the factors of classes and rows, which is its C if any
	// vector is at the bound.
	Cost float64
	// Weights multiply the cost of errors on classes; nil: as the coefficients tell, see
	// CostsOf. The same go for offsets, and for what machines have wrong.
	Weights []train.ClassWeight
	Search  Search // for the vectors
	Next    Next   // which machine the next vector is for
	// Growth is the share of the vectors there are that is added between two
	// trainings of the coefficients, rounded down, but at least one vector. The
	// paper adds one at a time: 0.
	Growth float64
	// Threads is how many processors may be used; 0 or less: all that there are.
	// The result does not depend on it.
	Threads int
	// Each is told every model on the way to the last, in order of size, where
	// the method makes such; nil: nobody. Of FixedPoints, whose coefficients are those nearest
	// to the machine, one is smaller than the last if a vector has left others without any.
	// An error ends the reduction; if it is ErrEnough, without an error.
	Each func(*models.Model) error
	// Found is told every vector that a search found, in order: the machine it is
	// for, and how many evaluations of the function or its gradient it took; nil:
	// nobody.
	Found func(machine, evaluations int)
}

// ErrEnough ends a reduction when Each returns it.
var ErrEnough = errors.New("the model is large enough")

// Default returns a reducer to fifty vectors by the paper's method, with its
// search for vectors.
func Default() Reducer {
	return Reducer{Method: Shared, Vectors: 50, Search: preimage.Default(), Growth: 0}
}

// Validate returns an error unless the settings make sense.
func (r *Reducer) Validate() error {
	known := false
	for _, m := range Methods {
		known = known || r.Method == m
	}
	switch {
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

// ErrLabels is the answer to training data without the model's classes.
var ErrLabels = errors.New("the data have no row of a class of the model")

// Reduce returns a model of at most r.Vectors vectors that answers much as m, which
// was trained on d or data like it. The rows of d train coefficients and offsets.
// It has fewer where more would add nothing, and none that no machine has a coefficient for.
//
// A model with a linear kernel becomes by all methods the same: one vector a machine, or the
// features if these are fewer, without loss; if that is too many, those vectors from which
// the machines are the least away, with coefficients trained again. One with a sigmoid
// kernel, which has no pre-images, is an ErrKernel but for Random and KMeans, and so is one with
// a kernel that is not of package kernel, which is taken for a product of images: rows, or
// centres, that cannot have such are passed over. A model that
// is small enough is returned as it is, unless it is linear and fewer vectors say the same. The result
// depends on the arguments alone.
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
	if err := train.CheckDataset(d); err != nil {
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
		err = s.orig(ctx)
	case Burges:
		if err = s.orig(ctx); err == nil {
			err = s.together(ctx)
		}
	case Greedy, Retrain:
		err = s.greedy(ctx)
	case Random, KMeans:
		err = s.baseline(ctx)
	}
	return s.result(ctx, err)
}
