// Package cs trains chunking-synthetic classifiers (Gonzalez-Castano and Meyer, Chunking-Synthetic
// Approaches to Large-Scale Kernel Machines, 2000): 1-norm programmes on growing samples of the
// rows, over few synthetic points.
//
// Fill a [Trainer] with [Default] and a kernel, set Sizes, Runs and Points if need be, and call
// Train: see the package example. [Basis] offers the points to package joint. [Task] and
// [Coordinate] are for programs that distribute the runs of a stage over several computers.
//
// # Problem
//
// Find a classifier f(x) = u K(C, x) - gamma of many rows, with few points C.
//
// # Method
//
// Training proceeds in stages. In stage i, p independent runs each draw a sample Y of the rows, and
//
//	(b) solve LP(Y, C_i):     min nu sum E + |u|_1  s.t.  D (u K(C,Y) - gamma) + E >= 1, E >= 0    (1)
//	(c) solve NLP(u, C_i, t): min |u f(C) - w f(Z)|^2 over t points Z and their w                  (2)
//	(d) solve LP(Y, Z)                                                                            (3)
//
// C_0 is the sample itself; C_(i+1) is the union of the p sets Z of stage i. The last stage has all
// rows. The samples grow, but the programmes do not get wider: they have at most p t points.
//
//	paper      here
//	p, t       Settings.Runs, Settings.Points
//	nu         Settings.Nu, times the weights of class and row
//	alpha      Settings.Box: |w_j| <= alpha |u_j|, u_j of the point where z_j begins
//	Y_i, C_i   a Task's sample (Task.Rows), Task.Centres
//	u, w       Classifier.Coef of the steps
//	gamma      Classifier.Rho
//
// # Where the paper is open
//
// These points are left open by the paper or settled by the test set. Here
//
//   - samples have the classes in the proportions of the data
//   - rows that a run holds out, not the test set, choose the start and nu
//   - step (c) starts from points of C_i, so that each has a u_j of step (b); if that is 0, the
//     bound of w_j is alpha max |u|
//   - step (c) has the best w for a given Z in closed form (see train/internal/preimage), and ends
//     at a gradient of 1e-6, where the paper's solver had 1e-4
//   - the alternate algorithm (5) adds both of its sets to the union
package cs

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/preimage"
)

// Settings are the parameters of the stages.
type Settings struct {
	// Sizes are the sample sizes of the stages before the last, which has all rows. nil: those of
	// SizesOf. Samples leave rows to hold out; a stage whose samples could not grow because of that
	// is left out.
	Sizes []int
	// Nu is the cost of errors in each stage; the last element holds for all further stages. nil:
	// in each stage the element of Grid that is best on held-out rows. With form (6), whose answers
	// do not depend on nu, that is the smallest.
	Nu   []float64
	Grid []float64 // costs to choose from if Nu is nil
	Runs int       // of each stage but the last; 1 to 32768
	Steps
	// Whole gives the last stage steps (c) and (d) too, so that the model has at most Points points
	// for each machine, or twice as many with Alternate. Without it, step (b) of the last stage
	// selects from the union.
	Whole bool
	// HeldOut is the number of rows that a run holds out, as a share of its sample.
	HeldOut float64
	// Share lets the machines of more than two classes finally select from all their points
	// together.
	Share bool
	Seed  uint64 // of all random choices
}

// Steps are the parameters of the steps of a run.
type Steps struct {
	Form      Form
	Points    int     // of each run
	Box       float64 // alpha; 0: no bounds on w
	Starts    int     // of step (c); the one that ends nearest is kept
	Alternate bool    // do step (c) once more from random points, and step (d) with both sets
	// Evaluations is the largest number of evaluations in step (c).
	Evaluations int
	// MatrixMB limits the memory of a programme's kernel matrix, in MiB.
	MatrixMB float64
}

// A Form is the problem whose solutions are the classifiers.
type Form string

// The forms: the linear programme, or the closed forms (6) (Uniform) and (7) (Weighted) of the
// paper's conclusion.
const (
	Programme Form = "lp"
	Uniform   Form = "uniform"
	Weighted  Form = "weighted"
)

// PaperBox is the paper's alpha, for Settings.Box.
const PaperBox = 1.25

// Default returns the paper's parameters, with two exceptions. nu is chosen on held-out rows; the
// paper tries values on the test set. w has no bounds; the paper's are to make its solver faster,
// and the classifiers are about as good without.
func Default() Settings {
	return Settings{
		Grid: []float64{0.1, 0.3, 1, 3, 10, 30, 100}, Runs: 10, HeldOut: 0.5, Share: true, Seed: 1,
		Steps: Steps{Form: Programme, Points: 10, Starts: 1, Evaluations: 500, MatrixMB: 500},
	}
}

// Limits of the numbers of machines, stages and runs: those of a Task must fit the seed in stream.
const (
	mostMachines = 1 << 24
	mostStages   = math.MaxInt16 + 1
	mostRuns     = math.MaxInt16 + 1
)

// Validate returns an error that names the first parameter that is out of range.
func (s *Settings) Validate() error {
	if s.Runs == 0 && s.Points == 0 {
		return errors.New("Runs and Points are 0: Default sets them")
	}
	for i, n := range s.Sizes {
		if n < 2 || i > 0 && n <= s.Sizes[i-1] {
			return fmt.Errorf("samples of %v rows: expected at least 2, and more from stage to stage", s.Sizes)
		}
	}
	for _, nu := range append(append([]float64{}, s.Nu...), s.Grid...) {
		if err := positive("cost", nu); err != nil {
			return err
		}
	}
	switch {
	case len(s.Sizes) >= mostStages:
		return fmt.Errorf("%d samples: expected less than %d", len(s.Sizes), mostStages)
	case len(s.Nu) == 0 && len(s.Grid) == 0:
		return errors.New("no cost, and none to choose from")
	case s.Runs < 1 || s.Runs > mostRuns:
		return fmt.Errorf("%d runs: expected 1 to %d", s.Runs, mostRuns)
	case !(s.HeldOut >= 0 && s.HeldOut <= math.MaxInt32):
		return fmt.Errorf("%v rows held out for each of a sample: expected a number from 0 on", s.HeldOut)
	case s.HeldOut == 0 && len(s.Nu) == 0:
		return errors.New("the cost is chosen on rows held out: expected some, or a cost")
	}
	return s.Steps.Validate()
}

// Validate returns an error that names the first parameter that is out of range.
func (s *Steps) Validate() error {
	switch {
	case s.Form != Programme && s.Form != Uniform && s.Form != Weighted:
		return fmt.Errorf("classifier %q: expected %s, %s or %s", s.Form, Programme, Uniform, Weighted)
	case s.Points < 1:
		return fmt.Errorf("%d points: expected 1 or more", s.Points)
	case !(s.Box >= 0 && s.Box <= math.MaxFloat64):
		return fmt.Errorf("box %v is not a number from 0 on", s.Box)
	case s.Starts < 1:
		return fmt.Errorf("%d starts: expected 1 or more", s.Starts)
	case s.Evaluations < 1:
		return fmt.Errorf("%d evaluations: expected 1 or more", s.Evaluations)
	}
	return positive("matrix memory", s.MatrixMB)
}

func positive(name string, v float64) error {
	if !(v > 0 && v <= math.MaxFloat64) {
		return fmt.Errorf("%s %v is not a positive number", name, v)
	}
	return nil
}

// What callers may have left out.
var (
	errNoRows    = errors.New("no rows")
	errNoProblem = errors.New("no problem")
)

// checkProblem returns an error for a problem without what its classifiers need.
func checkProblem(p *train.Problem) error {
	switch {
	case p == nil:
		return errNoProblem
	case p.X.Len() != len(p.Y):
		return fmt.Errorf("a problem of %d rows with %d labels", p.X.Len(), len(p.Y))
	}
	return CheckKernel(p.Kernel)
}

// CheckKernel returns what kernel.Validate finds, and an error for kernels for which there is no
// search for pre-images.
func CheckKernel(k kernel.Kernel) error {
	if err := kernel.Validate(k); err != nil {
		return err
	}
	switch k.(type) {
	case kernel.Linear, kernel.Poly, kernel.RBF:
		return nil
	}
	return fmt.Errorf("%w, not %s", preimage.ErrKernel, kernel.Name(k))
}

// nuOf returns the cost of errors in a stage, 0 if it is to be chosen.
func (s *Settings) nuOf(stage int) float64 {
	if len(s.Nu) == 0 {
		return 0
	}
	return s.Nu[min(stage, len(s.Nu)-1)]
}

// leastNu returns the least cost of errors of a stage or, if costs are to be chosen, the greatest
// in the grid.
func (s *Settings) leastNu() float64 {
	if len(s.Nu) == 0 {
		return slices.Max(s.Grid)
	}
	return slices.Min(s.Nu)
}

// Bounds of the default sample sizes: the paper's first size, and the largest at which a stage is
// still worth its time.
const (
	firstSize = 500
	lastSize  = 8000
)

// SizesOf returns the default sample sizes for n rows: from 500 on, doubling, up to two thirds of
// the rows and up to 8000.
func SizesOf(n int) []int {
	most := 2 * n / 3
	sizes := []int{max(1, min(firstSize, most))}
	for size := 2 * firstSize; size <= min(most, lastSize); size *= 2 {
		sizes = append(sizes, size)
	}
	return sizes
}
