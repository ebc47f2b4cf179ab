// Package joint trains small kernel machines by optimising everything in them at once: all vectors,
// which all machines share, all weights and offsets, and the width of an RBF kernel.
//
// Begin with [Default], set Kernel and Vectors, and call [Trainer.Train]: see the package example.
// For a regression set Task to models.EpsilonSVR. [Trainer.Starts] may hold the vectors of other
// methods, such as reducedset.Basis and cs.Basis.
//
//	symbol        name
//	M, n, L       objective.vectors, inputs, outputs
//	Z (M x n)     point.z, the vectors
//	B (M x L)     point.b, weights
//	rho (L)       point.rho, offsets: outputs are F = Kxz B - rho
//	gamma         exp(point.width)
//	C             Trainer.Cost
//
// The objective is that of the support vector machine restricted to the span of the vectors, with a
// smooth loss (see [Loss]) of each row i, which has the weight w_i of its class and row:
//
//	1/2 sum_l B_l' Kzz B_l + C sum_i w_i loss(F_i)
//
// A kernel that is no inner product (sigmoid, or polynomial with a negative Coef0 or Gamma) has
// 1/2 sum_l |B_l|^2 as its first term, since the other one has no lower bound. For fixed vectors the
// objective is convex. Tang and Mazzoni, "Multiclass reduced-set support vector machines" (2006),
// optimise one vector at a time and name several at once as future work.
//
// The descent is L-BFGS in coordinates in which the objective has similar curvature in all
// directions (metric.go); these are renewed on the way. In a regression, vectors of little use are
// put elsewhere afterwards, since a descent may end at a poor minimum (replace.go). With many more
// features than rows, coordinates in the span of the rows replace the features (span.go).
//
// Vectors that move can overfit the training rows. Therefore a part of the rows is held out; of few
// rows (up to 4000), up to five parts, one after the other. The held-out rows choose the initial
// vectors, the loss, the cost, the width to begin with (if [Trainer.ChooseWidth] says so, width.go)
// and the number of iterations of the descent, which is 0 if it gains no more than chance might. If
// nobody has chosen the cost, more costs are tried, in a race (race.go). With that choice the model
// is then trained on all rows.
package joint

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// ErrKernel reports a kernel without derivatives, whose vectors cannot be optimised.
var ErrKernel = errors.New("vectors of this kernel cannot be optimised")

// A Basis proposes initial vectors. A training calls it several times, for all rows and for parts
// of them, and from several goroutines at once.
type Basis interface {
	// Name returns a word, without blanks, for the model's provenance.
	Name() string
	// Vectors returns at most n vectors for rows of x. classes lists the rows of each class; for a
	// regression there is one class. The features of x are numbered from 1 without gaps.
	Vectors(ctx context.Context, x *vec.Matrix, classes [][]int, n int, rng *rand.Rand) (vec.Matrix, error)
}

// A Trainer trains classifiers or regressions with few vectors. It draws one number from the random
// stream, which must not be nil.
type Trainer struct {
	Task    models.Task   // models.CSVC or models.EpsilonSVR
	Kernel  kernel.Kernel // linear, polynomial, RBF or sigmoid
	Vectors int           // largest number of vectors
	Cost    float64       // C, multiplies the sum of losses; with up to 4000 rows, held-out rows may choose C/10
	// ChooseCost lets held-out rows choose 10 C, too; with more than 4000 rows, only where ChooseWidth
	// has an effect. It is for a Cost that nobody has chosen: what suits it depends on the data, and
	// vectors that move underfit if it is too small.
	ChooseCost bool
	// Loss is the loss. If it is empty, a regression has Insensitive. A classifier has
	// SquaredHinge, or, with more than two classes and up to 4000 rows, the better of SquaredHinge
	// and Multiclass on held-out rows.
	Loss    Loss
	Epsilon float64 // of Insensitive
	// Weights multiply the cost of errors on classes.
	Weights []train.ClassWeight

	FixedWidth bool // do not optimise the width of an RBF kernel
	// ChooseWidth lets held-out rows choose the width of an RBF kernel with which descents begin: that
	// of Kernel, or one of a few that suit the distances between rows. If it is better that vectors
	// stay where they start, it is their width that is chosen. It has no effect if the width is fixed,
	// Evaluations is 0, or no rows are held out.
	ChooseWidth bool
	Starts      []Basis // initial vectors, of which held-out rows choose
	// Evaluations is the largest number of evaluations of the objective in a descent. In a regression
	// with an RBF kernel, vectors of little use are then replaced with up to half as many more. 0: only
	// the weights are optimised.
	Evaluations int
	// WeightEvaluations is the largest number of evaluations when weights are fitted to fixed
	// vectors.
	WeightEvaluations int
	// HeldOut is the share of the rows that are held out. If it is 0, or less than one row, the
	// first of Starts is used and the descent runs until it converges. With up to 4000 rows, the
	// share of each part is FewHeldOut instead.
	HeldOut float64
	// FewHeldOut is, with up to 4000 rows, the share of rows in each of the parts that are held out
	// in turn. There are at most five parts, and no more than fit into the rows. 0: a fifth.
	FewHeldOut float64
	// Patience ends a descent after so many looks at the held-out rows without improvement, if one
	// part of the rows is held out. With several parts, the descents go on until they converge, or
	// in many dimensions until they have settled, and the look that is best for all parts together
	// counts.
	Patience int
	// Pull is the weight of 1/2 |Z - Z0|^2, which keeps the vectors near their start. It is not part
	// of the objective that is reported.
	Pull float64
	// Extra are additional rows, for training only. Their labels are truncated to integers like
	// those of other rows. It is not known from which rows they were made, so all of them are used
	// also while rows are held out.
	Extra *format.Dataset
	// Virtual, if not nil, makes more such rows. Those made from rows that are held out are not
	// used meanwhile.
	Virtual Virtual

	// Seed is the seed that the model's provenance names; 0: the number drawn from the random
	// stream.
	Seed    uint64
	Report  train.Report
	Threads int // 0: one for each processor. The model does not depend on it.

	oneCost bool    // C is not to be chosen
	begun   float64 // gamma with which descents begin, chosen before; 0: there is none
}

// Default returns a trainer of classifiers with 50 vectors. Set Kernel; it is an RBF kernel with
// gamma 1 here.
func Default() Trainer {
	return Trainer{
		Kernel: kernel.RBF{Gamma: 1}, Vectors: 50, Cost: 1, Epsilon: 0.1,
		Starts: []Basis{KMeans{}}, Evaluations: 300, WeightEvaluations: 200, HeldOut: 0.1, Patience: 10,
	}
}

// Validate returns an error that says which setting is not valid.
func (t Trainer) Validate() error {
	if _, err := formOf(t.Kernel); err != nil {
		return err
	}
	losses := []Loss{SquaredHinge, Multiclass, Softmax}
	if t.Task == models.EpsilonSVR {
		losses = []Loss{Squared, Insensitive}
	}
	switch {
	case t.Vectors == 0 && t.WeightEvaluations == 0:
		return errors.New("Vectors and WeightEvaluations are 0: Default sets them")
	case t.Task != models.CSVC && t.Task != models.EpsilonSVR:
		return fmt.Errorf("task %v, expected %v or %v", t.Task, models.CSVC, models.EpsilonSVR)
	case t.Loss != "" && !slices.Contains(losses, t.Loss):
		return fmt.Errorf("no loss %q for %v: expected %s", t.Loss, t.Task, anyOf(losses))
	case t.Vectors < 1:
		return fmt.Errorf("%d vectors, expected at least 1", t.Vectors)
	case !(t.Cost > 0) || math.IsInf(t.Cost, 0):
		return fmt.Errorf("cost %v is not a positive number", t.Cost)
	case !(t.Epsilon >= 0) || math.IsInf(t.Epsilon, 0):
		return fmt.Errorf("epsilon %v is not a number from 0", t.Epsilon)
	case len(t.Starts) == 0:
		return errors.New("no start")
	case t.Evaluations < 0:
		return fmt.Errorf("%d evaluations, expected at least 0", t.Evaluations)
	case t.WeightEvaluations < 1:
		return fmt.Errorf("%d evaluations for weights, expected at least 1", t.WeightEvaluations)
	case !(t.HeldOut >= 0 && t.HeldOut < 1):
		return fmt.Errorf("a share of %v held out, expected 0 or more, and less than 1", t.HeldOut)
	case !(t.FewHeldOut >= 0 && t.FewHeldOut < 1):
		return fmt.Errorf("a share of %v of few rows held out, expected 0 or more, and less than 1", t.FewHeldOut)
	case t.HeldOut > 0 && t.Patience < 1:
		return fmt.Errorf("patience of %d looks at the held-out rows, expected at least 1", t.Patience)
	case !(t.Pull >= 0) || math.IsInf(t.Pull, 0):
		return fmt.Errorf("pull %v is not a number from 0 on", t.Pull)
	}
	for k, s := range t.Starts {
		if given, ok := s.(*Given); s == nil || ok && given == nil {
			return fmt.Errorf("start %d is none", k+1)
		}
	}
	for _, w := range t.Weights {
		if !(w.Weight > 0) || math.IsInf(w.Weight, 0) {
			return fmt.Errorf("weight %v of class %d is not a positive number", w.Weight, w.Label)
		}
	}
	return nil
}

// Train implements train.Trainer.
func (t Trainer) Train(ctx context.Context, d *format.Dataset, rng *train.Rand) (*models.Model, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if err := train.CheckData(ctx, t.Kernel, d, true); err != nil {
		return nil, err
	}
	if rng == nil {
		return nil, train.ErrNoRand
	}
	seed := uint64(rng.Int())
	ctx, end := team.With(ctx, t.Threads)
	defer end()
	s := &search{Trainer: t, d: d, seed: seed}
	if err := s.join(); err != nil {
		return nil, err
	}
	if err := s.compact(ctx); err != nil {
		return nil, err
	}
	if err := s.targets(); err != nil {
		return nil, err
	}
	if t.Task.Classifies() && len(s.labels) == 1 {
		t.Report.Send(train.SingleClass{Label: s.labels[0]})
		return &models.Model{Task: t.Task, Kernel: t.Kernel, Labels: s.labels, Group: []int{0}}, nil
	}
	if err := s.chooseWidth(ctx); err != nil {
		return nil, err
	}
	best, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	m := s.model(best)
	t.Report.Send(train.Solved{Iterations: s.iterations, Objective: best.value, Vectors: m.Vectors.Len()})
	t.Report.Send(train.ModelAssembled{Vectors: m.Vectors.Len()})
	return m, nil
}

// Fork implements train.Forker.
func (t Trainer) Fork(report train.Report) train.Trainer {
	t.Report = report
	return t
}

// begunWith is the name of the parameter that tells the gamma that a model began with where it was
// free: the one that held-out rows chose, or Kernel's if none were held out. It is the model's gamma
// if the vectors stayed.
const begunWith = "begin-gamma"

// WithSettingsOf implements train.Chooser. The result has the loss, the cost, the start and the
// gamma to begin with that were chosen for m, and moves the vectors only if they were moved in m.
// If m began where short descents from another gamma than Kernel's had led (see ChooseWidth), so do
// models of the result, with short descents from that gamma alone; vectors that stay have that gamma
// or Kernel's.
func (t Trainer) WithSettingsOf(m *models.Model) train.Trainer {
	if m == nil || m.Provenance == nil {
		return t
	}
	for _, p := range m.Provenance.Parameters {
		switch p.Name {
		case "loss":
			t.Loss = Loss(p.Value)
		case "cost":
			if c, err := strconv.ParseFloat(p.Value, 64); err == nil {
				t.Cost, t.oneCost = c, true
			}
		case "start":
			if k := slices.IndexFunc(t.Starts, func(b Basis) bool { return b.Name() == p.Value }); k >= 0 {
				t.Starts = t.Starts[k : k+1]
			}
		case begunWith:
			if rbf, ok := t.Kernel.(kernel.RBF); ok && t.ChooseWidth {
				if g, err := strconv.ParseFloat(p.Value, 64); err == nil && g == rbf.Gamma {
					t.ChooseWidth = false
				} else if err == nil && g > 0 && !math.IsInf(g, 0) {
					t.begun = g
				}
			}
		case "evaluations":
			if p.Value == "0" {
				t.Evaluations = 0
			}
		}
	}
	if t.Evaluations == 0 && t.begun > 0 { // what m began with is what it has
		t.Kernel, t.ChooseWidth, t.begun = kernel.RBF{Gamma: t.begun}, false, 0
	}
	return t
}

// Draws implements train.Forker.
func (t Trainer) Draws(*format.Dataset) int { return 1 }

// Workers implements train.Forker.
func (t Trainer) Workers() int { return t.Threads }

// model returns the model of a candidate.
func (s *search) model(c *candidate) *models.Model {
	m := &models.Model{
		Task: s.Task, Kernel: s.kernelOf(c), Labels: s.labels,
		Provenance: &models.Provenance{Method: "joint", Seed: s.Seed, Parameters: []models.Parameter{
			{Name: "vectors", Value: strconv.Itoa(s.Vectors)},
			{Name: "cost", Value: strconv.FormatFloat(c.cost, 'g', -1, 64)},
			{Name: "loss", Value: string(c.loss)},
			{Name: "start", Value: c.start},
			{Name: "evaluations", Value: strconv.Itoa(c.evaluations)},
		}},
	}
	if s.Task.Regresses() {
		m.Provenance.Method = "joint-svr"
	}
	if s.Seed == 0 {
		m.Provenance.Seed = s.seed
	}
	same := make([]int, c.vectors) // the place of each vector in the model
	var distinct vec.Distinct      // if rows are repeated, so are vectors that begin as rows
	for j := range same {
		same[j] = distinct.Number(s.vector(c, j))
	}
	for _, z := range distinct.Vectors() {
		m.Vectors.Append(z)
	}
	if s.ChooseWidth && c.widths && s.Evaluations > 0 {
		begun := models.Parameter{Name: begunWith, Value: strconv.FormatFloat(c.gamma, 'g', -1, 64)}
		m.Provenance.Parameters = append(m.Provenance.Parameters, begun)
	}
	m.Origin = make([]int, m.Vectors.Len())
	for l := range s.outputs {
		machine := models.Machine{Rho: c.point.rho[l], Coef: make([]float64, 0, m.Vectors.Len())}
		for j, k := range same {
			if b := c.point.b[j*s.outputs+l]; k == len(machine.Coef) {
				machine.Coef = append(machine.Coef, b)
			} else {
				machine.Coef[k] += b
			}
		}
		if s.Task.Classifies() {
			if machine.Pos, machine.Neg = l, models.Rest; s.outputs == 1 {
				machine.Neg = 1
			}
		}
		m.Machines = append(m.Machines, machine)
	}
	if s.outputs > 1 {
		m.Vote = models.OneVsRest
	}
	return m
}

// kernelOf returns the kernel of a candidate. A width that has not changed is the one that it began
// with, without the rounding of its logarithm.
func (s *search) kernelOf(c *candidate) kernel.Kernel {
	if c.widths && c.width == kernel.Log(c.gamma) {
		return kernel.RBF{Gamma: c.gamma}
	}
	return c.kernel()
}
