package smo

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// OneClass finds the region where most rows lie:
//
//	minimise  1/2 a'Ka   subject to  sum a = nu sum w,  0 <= a_i <= w_i
//
// where w_i is the row's weight, 1 if it has none. nu in (0, 1] bounds the share of rows outside,
// by weight. Labels are not used. It draws no random numbers. Scholkopf et al. 2001.
//
// Rows on the border of the region, which have a coefficient below w_i, have values within the
// tolerance of 0 on either side, and answers accordingly. A narrow kernel has most rows there, so
// that half of the training rows may be answered -1, and almost all new ones.
type OneClass struct {
	Nu     float64       // in (0, 1]
	Kernel kernel.Kernel // must be set
	// Probability asks for the borders of probability levels (Model.DensityMarks). They count rows
	// regardless of their weights.
	Probability bool
	Options

	part
}

var (
	_ train.Forker       = OneClass{}
	_ train.StoreTrainer = OneClass{}
)

// DefaultOneClass returns LIBSVM's defaults. Set Kernel.
func DefaultOneClass() OneClass { return OneClass{Nu: 0.5, Options: DefaultOptions()} }

// OnStore implements train.StoreTrainer.
func (s OneClass) OnStore(store *kernel.Store, rows []int) train.Trainer {
	s.part = part{store, rows}
	return s
}

// Fork implements train.Forker.
func (s OneClass) Fork(report train.Report) train.Trainer {
	s.Report = report
	return s
}

// Draws implements train.Forker: it returns 0.
func (s OneClass) Draws(*format.Dataset) int { return 0 }

// Validate returns an error unless nu is in (0, 1] and the options are valid. It does not check
// Kernel.
func (s OneClass) Validate() error {
	if err := s.Options.Validate(); err != nil {
		return err
	}
	return checkNu(s.Nu)
}

// Train implements train.Trainer. The random stream may be nil.
func (s OneClass) Train(ctx context.Context, d *format.Dataset, _ *train.Rand) (*models.Model, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := train.CheckData(ctx, s.Kernel, d, true); err != nil {
		return nil, err
	}
	ctx, stop := team.With(ctx, s.Threads)
	defer stop()
	n := d.Len()
	gram, err := s.gram(ctx, s.Kernel, d)
	if err != nil {
		return nil, err
	}
	src := newRowSource(ctx, gram, s.CacheMB)
	defer src.release()
	q := newQP(src, n, src.work)
	weights := newShares(d.Weight, n)
	rest := float64(s.Nu * weights.total) // float64 keeps this from being fused with the subtractions below
	for i := range n {
		q.Upper[i] = weights.of(i)
		q.Start[i] = min(q.Upper[i], rest)
		rest -= q.Start[i]
	}
	r, err := q.Solve(ctx, s.Options)
	if err != nil {
		return nil, err
	}
	weights.restore(r)
	m := single(models.OneClass, s.Kernel, d, r)
	report(s.Report, r, func(i int) float64 { return math.Ldexp(weights.of(i), weights.exponent) }, train.Solved{})
	if s.Probability {
		if err := s.mark(ctx, m, d); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// mark sets the model's density marks. It takes eleven values: five quantiles of the negative
// decision values of the training rows, 0, and five quantiles of the others. The marks are the
// middles between neighbouring values.
func (s OneClass) mark(ctx context.Context, m *models.Model, d *format.Dataset) error {
	p, err := predict.New(m)
	if err != nil {
		return err
	}
	values := make([]float64, d.Len())
	rows := make([]int, d.Len())
	for i := range rows {
		rows[i] = i
	}
	err = train.Decide(ctx, p, &d.X, rows, func(b *predict.Batch, r, k int) { b.Decisions(values[k:k+1], r) })
	if err != nil {
		return err
	}
	slices.Sort(values)
	neg := 0
	for neg < len(values) && values[neg] < 0 {
		neg++
	}
	pos := len(values) - neg
	const half = models.Marks / 2
	if neg < half || pos < half {
		s.Report.Send(train.TooFewDecisions{})
		return nil
	}
	var edges [models.Marks + 1]float64
	for i := range half {
		edges[i] = values[i*neg/half]
		edges[half+1+i] = values[neg-1+(i+1)*pos/half]
	}
	for i := range models.Marks {
		mark := (edges[i] + edges[i+1]) / 2
		if math.IsInf(mark, 0) { // as the sum of two values of rows with huge weights may be
			return fmt.Errorf("%w, or lower the weights of rows", train.ErrOverflow)
		}
		m.DensityMarks = append(m.DensityMarks, mark)
	}
	m.Probability = true
	return nil
}
