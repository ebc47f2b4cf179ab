package smo

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// EpsilonSVR is the regression in which errors up to Epsilon cost nothing and larger ones cost C
// per unit beyond Epsilon:
//
//	minimise    1/2 (a-a*)'K(a-a*) + Epsilon sum (a+a*) - sum y (a-a*)
//	subject to  sum (a-a*) = 0,  0 <= a_i, a*_i <= C w_i,
//
// where w_i is the row's weight, 1 if it has none. The coefficients are a_i - a*_i. Vapnik 1998.
type EpsilonSVR struct {
	C, Epsilon float64       // C above 0, Epsilon 0 or more
	Kernel     kernel.Kernel // must be set
	// Probability asks for the scale of the noise, which is estimated by cross-validation.
	Probability bool
	Options

	part
}

// NuSVR is the regression that chooses epsilon so that a share nu of the rows, by weight, may lie
// outside:
//
//	minimise    1/2 (a-a*)'K(a-a*) - sum y (a-a*)
//	subject to  sum (a-a*) = 0,  sum (a+a*) = C nu sum w,  0 <= a_i, a*_i <= C w_i,
//
// where w_i is the row's weight, 1 if it has none. The coefficients are a_i - a*_i. Scholkopf et
// al. 2000, with LIBSVM's scaling of C.
type NuSVR struct {
	C, Nu  float64       // C above 0, Nu in (0, 1]
	Kernel kernel.Kernel // must be set
	// Probability asks for the scale of the noise, which is estimated by cross-validation.
	Probability bool
	Options

	part
}

var (
	_ train.Forker = EpsilonSVR{}
	_ train.Forker = NuSVR{}

	_ train.StoreTrainer = EpsilonSVR{}
	_ train.StoreTrainer = NuSVR{}
)

// DefaultEpsilonSVR returns LIBSVM's defaults. Set Kernel.
func DefaultEpsilonSVR() EpsilonSVR {
	return EpsilonSVR{C: 1, Epsilon: 0.1, Options: DefaultOptions()}
}

// DefaultNuSVR returns LIBSVM's defaults. Set Kernel.
func DefaultNuSVR() NuSVR { return NuSVR{C: 1, Nu: 0.5, Options: DefaultOptions()} }

// part names the rows of a store that a data set consists of.
type part struct {
	store *kernel.Store // nil: none
	rows  []int
}

// Stored implements train.StoreTrainer.
func (p part) Stored() (store *kernel.Store, rows []int) { return p.store, p.rows }

// gram returns the kernel matrix of a data set, or ctx's error.
func (p *part) gram(ctx context.Context, k kernel.Kernel, d *format.Dataset) (*kernel.Gram, error) {
	return train.PackGram(ctx, k, &d.X, p.store, p.rows)
}

// OnStore implements train.StoreTrainer.
func (s EpsilonSVR) OnStore(store *kernel.Store, rows []int) train.Trainer {
	s.part = part{store, rows}
	return s
}

// OnStore implements train.StoreTrainer.
func (s NuSVR) OnStore(store *kernel.Store, rows []int) train.Trainer {
	s.part = part{store, rows}
	return s
}

// Fork implements train.Forker.
func (s EpsilonSVR) Fork(report train.Report) train.Trainer {
	s.Report = report
	return s
}

// Fork implements train.Forker.
func (s NuSVR) Fork(report train.Report) train.Trainer {
	s.Report = report
	return s
}

// Draws implements train.Forker: with Probability, one number for each row, else none.
func (s EpsilonSVR) Draws(d *format.Dataset) int { return noiseDraws(s.Probability, d) }

// Draws implements train.Forker: with Probability, one number for each row, else none.
func (s NuSVR) Draws(d *format.Dataset) int { return noiseDraws(s.Probability, d) }

// noiseDraws returns how many random numbers the folds of train.EstimateNoise need.
func noiseDraws(probability bool, d *format.Dataset) int {
	if probability {
		return len(d.Y)
	}
	return 0
}

// Validate returns an error unless the parameters and options are valid. It does not check Kernel.
func (s EpsilonSVR) Validate() error {
	if err := s.Options.Validate(); err != nil {
		return err
	}
	if err := checkCost(s.C); err != nil {
		return err
	}
	switch {
	case !(s.Epsilon >= 0):
		return errors.New("p < 0")
	case math.IsInf(s.Epsilon, 0):
		return errors.New("p is not finite")
	}
	return nil
}

// Validate returns an error unless the parameters and options are valid. It does not check Kernel.
func (s NuSVR) Validate() error {
	if err := s.Options.Validate(); err != nil {
		return err
	}
	if err := checkCost(s.C); err != nil {
		return err
	}
	if math.IsInf(s.C, 0) { // the start is at a share of C
		return errors.New("C is not finite")
	}
	return checkNu(s.Nu)
}

// Train implements train.Trainer. With Probability it trains the model first and then draws from
// rng for the folds of a cross-validation. Without, rng may be nil.
func (s EpsilonSVR) Train(ctx context.Context, d *format.Dataset, rng *train.Rand) (*models.Model, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Probability && rng == nil { // before the model is trained in vain
		return nil, train.ErrNoRand
	}
	ctx, stop := team.With(ctx, s.Threads)
	defer stop()
	r, err := solveDoubled(ctx, s.Kernel, d, s.part, s.Options, s.C, func(q *QP, n int) error {
		for i, y := range d.Y {
			cost := costOf(s.C, d, i)
			if err := train.CheckCost(cost, train.OfRow); err != nil {
				return &train.RowError{Row: i, Err: err}
			}
			q.P[i], q.P[i+n] = s.Epsilon-y, -(s.Epsilon + y)
			q.Upper[i], q.Lower[i+n] = cost, -cost
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, b := range r.B {
		sum += math.Abs(b)
	}
	m := single(models.EpsilonSVR, s.Kernel, d, r)
	e := train.Solved{Name: "nu", Value: sum / float64(s.C*float64(d.Len()))}
	if d.Weight != nil {
		e.Name = ""
	}
	report(s.Report, r, func(i int) float64 { return costOf(s.C, d, i) }, e)
	if s.Probability {
		s.Probability, s.part = false, part{}
		if m.Noise, err = train.EstimateNoise(ctx, s, d, rng, s.Report); err != nil {
			return nil, err
		}
		m.Probability = true
	}
	return m, nil
}

// costOf returns what a unit of error costs on row i.
func costOf(c float64, d *format.Dataset, i int) float64 {
	if d.Weight == nil {
		return c
	}
	return float64(c * d.Weight[i])
}

// Train implements train.Trainer, as [EpsilonSVR.Train] does.
func (s NuSVR) Train(ctx context.Context, d *format.Dataset, rng *train.Rand) (*models.Model, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Probability && rng == nil { // before the model is trained in vain
		return nil, train.ErrNoRand
	}
	ctx, stop := team.With(ctx, s.Threads)
	defer stop()
	r, err := solveDoubled(ctx, s.Kernel, d, s.part, s.Options, s.C, func(q *QP, n int) error {
		q.Nu = true
		rest := float64(s.C*s.Nu) * sumOfWeights(d.Weight, n) / 2
		for i, y := range d.Y {
			cost := costOf(s.C, d, i)
			if err := train.CheckCost(cost, train.OfRow); err != nil {
				return &train.RowError{Row: i, Err: err}
			}
			a := min(rest, cost)
			rest -= a
			q.P[i], q.P[i+n] = -y, -y
			q.Start[i], q.Start[i+n] = a, -a
			q.Upper[i], q.Lower[i+n] = cost, -cost
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m := single(models.NuSVR, s.Kernel, d, r)
	report(s.Report, r, func(i int) float64 { return costOf(s.C, d, i) }, train.Solved{Name: "epsilon", Value: -r.R})
	if s.Probability {
		s.Probability, s.part = false, part{}
		if m.Noise, err = train.EstimateNoise(ctx, s, d, rng, s.Report); err != nil {
			return nil, err
		}
		m.Probability = true
	}
	return m, nil
}

// largestCost is a cost whose square does not make sums of kernel values overflow.
const largestCost = 1e100

// overflowCause returns the cause of an overflow where errors cost c: the largest target, if no sum
// of a few kernel values could be as large; else the largest cost of a row, if it is large enough;
// else the kernel.
func overflowCause(d *format.Dataset, c float64) error {
	most, costly := 0, 0
	for i, y := range d.Y {
		if math.Abs(y) > math.Abs(d.Y[most]) {
			most = i
		}
		if costOf(c, d, i) > costOf(c, d, costly) {
			costly = i
		}
	}
	cost := costOf(c, d, costly)
	switch {
	case math.Abs(d.Y[most]) > max(1, c)*train.MaxKernel:
		return &train.RowError{Row: most, Err: fmt.Errorf("target %v is too large: scale the targets", d.Y[most])}
	case cost <= largestCost:
		return train.ErrOverflow
	case d.Weight == nil:
		return fmt.Errorf("a cost of %v is too large to compute with: lower the cost", cost)
	}
	return &train.RowError{Row: costly, Err: fmt.Errorf("a cost of %v times a weight of %v is too large to compute with: lower the cost or the weights", c, d.Weight[costly])}
}

// solveDoubled solves a regression's programme of 2n variables, a followed by -a*, and returns the
// result with B = a - a*. setUp fills in the programme with the cost c.
func solveDoubled(ctx context.Context, k kernel.Kernel, d *format.Dataset, p part, o Options, c float64, setUp func(q *QP, n int) error) (*Result, error) {
	if err := train.CheckData(ctx, k, d, true); err != nil {
		return nil, err
	}
	if err := train.CheckTargets(d); err != nil {
		return nil, err
	}
	n := d.Len()
	gram, err := p.gram(ctx, k, d)
	if err != nil {
		return nil, err
	}
	src := newRowSource(ctx, gram, o.CacheMB)
	defer src.release()
	q := newQP(newDoubledSource(src), 2*n, src.work)
	if err := setUp(q, n); err != nil {
		return nil, err
	}
	src.startSmall = !q.Nu // a nu-SVR begins with many rows and asks for them again
	r, err := q.Solve(ctx, o)
	if err == train.ErrOverflow { // the error names no rows
		return nil, overflowCause(d, c)
	}
	if err != nil {
		return nil, err
	}
	found := *r // the result is in the source's memory
	for i := range n {
		found.B[i] += found.B[i+n]
	}
	found.B = found.B[:n]
	return &found, nil
}
