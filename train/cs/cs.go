// Package cs trains chunking-synthetic classifiers (Gonzalez-Castano and Meyer,
// Chunking-Synthetic Approaches to Large-Scale Kernel Machines, 2000): 1-norm
// programmes on growing samples of the rows, over few synthetic points.
//
// Problem: a classifier f(x) = u K(C, x) - gamma of many rows, whose points C are few.
//
// Method, stage by stage. In stage i, p independent runs each draw a sample Y of the
// rows, and
//
//	(b) solve LP(Y, C_i):     min nu sum E + |u|_1  s.t.  D (u K(C,Y) - gamma) + E >= 1, E >= 0    (1)
//	(c) solve NLP(u, C_i, t): min |u f(C) - w f(Z)|^2 over t points Z and their w                  (2)
//	(d) solve LP(Y, Z)                                                                            (3)
//
// C_0 is the sample itself, C_(i+1) the union of the p sets Z of stage i. The last stage
// has all rows. Samples grow, and the programmes do not get wider: at most p t points.
//
//	paper      here
//	p, t       Settings.Runs, Settings.Points
//	nu         Settings.Nu, times the weights of class and row
//	alpha      Settings.Box: |w_j| <= alpha |u_j|, u_j of the point where z_j begins
//	Y_i, C_i   a Task's sample (Task.Rows), Task.Centres
//	u, w       Classifier.Coef of the steps
//	gamma      Classifier.Rho
//
// What the paper leaves open, or settles by the test set, is settled so: samples have
// the classes in the shares of the data; rows that a run holds out take the place of the
// test set where a start or nu is chosen; the points where step (c) begins are among C_i,
// so that each has a u_j of step (b), and where it is 0 the bound of w_j is alpha max |u|.
// Step (c) for a given Z has the best w in closed form, see train/internal/preimage; it ends
// at a gradient of 1e-6, where the paper's solver had 1e-4. The alternate algorithm (5) gives
// both of its sets to the union.
package cs

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/preimage"
)

// Settings are the parameters of the stages.
type Settings struct {
	// Sizes are the numbers of rows in the samples of the stages before the last, which
	// has all rows. nil: from 500 on, doubling, as SizesOf says. Samples leave rows to hold
	// out; a stage whose samples would not grow for that is left out.
	Sizes []int
	// Nu is the cost of errors in each stage; the last given goes on. nil: the best of
	// Grid on rows held out, stage by stage; of (6), whose answers do not depend on it, the
	// least.
	Nu   []float64
	Grid []float64
	Runs int // of each stage but the last; 32768 at most
	Steps
	// Whole says that the last stage has steps (c) and (d) too, and gives at most
	// Points points, or with Alternate twice as many. Without it, its step (b) chooses from the union.
	Whole bool
	// HeldOut is the number of rows held out by a run, relative to its sample.
	HeldOut float64
	// Share lets the machines of more than two classes choose from all their points
	// together in the end.
	Share bool
	Seed  uint64
}

// Steps are the parameters of the steps of a run.
type Steps struct {
	Form      Form
	Points    int     // of a run
	Box       float64 // alpha; 0: no bounds
	Starts    int     // of step (c), of which the one that ends nearest is kept
	Alternate bool    // step (c) once more from random points, step (d) with both sets
	// Evaluations are the most of step (c).
	Evaluations int
	// MatrixMB bounds the memory of a programme's kernel matrix, in megabytes.
	MatrixMB float64
}

// A Form is the problem that classifiers are solutions of.
type Form string

// The forms: the linear programme, or the closed forms (6) and (7) of the paper's
// conclusion.
const (
	Programme Form = "lp"
	Uniform   Form = "uniform"
	Weighted  Form = "weighted"
)

// PaperBox is the paper's alpha.
const PaperBox = 1.25

// Default returns the parameters of the paper, but for two: nu, for which the paper
// tries values on the test set, is chosen on rows held out; and w has no bounds, whose
// purpose was to make the paper's solver faster: the classifiers are about as good.
func Default() Settings {
	return Settings{
		Grid: []float64{0.1, 0.3, 1, 3, 10, 30, 100}, Runs: 10, HeldOut: 0.5, Share: true, Seed: 1,
		Steps: Steps{Form: Programme, Points: 10, Starts: 1, Evaluations: 500, MatrixMB: 500},
	}
}

// The numbers of machines, stages and runs that a Task can have the numbers of, see stream.
const (
	mostMachines = 1 << 24
	mostStages   = math.MaxInt16 + 1
	mostRuns     = math.MaxInt16 + 1
)

// Validate returns an error that names the first parameter that is out of range.
func (s *Settings) Validate() error {
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

// CheckKernel returns an error for kernels under which points have no pre-images to
// look for.
func CheckKernel(k kernel.Kernel) error {
	switch k.(type) {
	case nil:
		return errors.New("no kernel")
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

// leastNu returns the least cost of errors that a stage must have, or of those to choose from
// the greatest.
func (s *Settings) leastNu() float64 {
	if len(s.Nu) == 0 {
		return slices.Max(s.Grid)
	}
	return slices.Min(s.Nu)
}

// Bounds of the sizes of samples that are not given: the paper's first, and one from
// which a stage costs more than it teaches.
const (
	firstSize = 500
	lastSize  = 8000
)

// SizesOf returns the sizes of samples of n rows where none are given: from 500 on,
// doubling, up to two thirds of the rows, and up to 8000.
func SizesOf(n int) []int {
	most := 2 * n / 3
	sizes := []int{max(1, min(firstSize, most))}
	for size := 2 * firstSize; size <= min(most, lastSize); size *= 2 {
		sizes = append(sizes, size)
	}
	return sizes
}
