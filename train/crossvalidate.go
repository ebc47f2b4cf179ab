package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Folds are a partition of the rows of a data set. Fold f is Perm[Start[f]:Start[f+1]].
type Folds struct {
	Perm  []int // the row numbers, fold after fold
	Start []int // where each fold begins in Perm, and len(Perm) as last element
}

// Check returns an error if the folds are not a partition of rows 0 to len(Perm)-1, or if some fold
// leaves fewer than least rows to train on. A fold may be empty. Stratified folds can be uneven: a
// row that is alone in its class falls into the last fold.
func (f Folds) Check(least int) error {
	if err := f.disjoint(); err != nil {
		return err
	}
	n, k := len(f.Perm), len(f.Start)-1
	for i := range k {
		if size := f.Start[i+1] - f.Start[i]; n-size < least {
			return fmt.Errorf("fold %d of %d holds %d of the %d rows: too few are left to train on", i+1, k, size, n)
		}
	}
	return nil
}

// disjoint returns an error unless every row is in exactly one fold.
func (f Folds) disjoint() error {
	n, k := len(f.Perm), len(f.Start)-1
	if k < 1 {
		return errors.New("there are no folds")
	}
	if f.Start[0] != 0 || f.Start[k] != n {
		return fmt.Errorf("the folds hold Perm[%d:%d], expected Perm[0:%d], all rows", f.Start[0], f.Start[k], n)
	}
	for i := range k {
		if f.Start[i] > f.Start[i+1] {
			return fmt.Errorf("fold %d of %d ends at %d, before it begins at %d", i+1, k, f.Start[i+1], f.Start[i])
		}
	}
	seen := make([]bool, n)
	for i, row := range f.Perm {
		switch {
		case row < 0 || row >= n:
			return fmt.Errorf("Perm[%d] is %d, expected one of the rows 0 to %d", i, row, n-1)
		case seen[row]:
			return fmt.Errorf("Perm[%d] is %d, a row that stands before it already", i, row)
		}
		seen[row] = true
	}
	return nil
}

// mustDraw panics unless k folds can be drawn from rng.
func mustDraw(k int, rng *Rand) {
	if k < 1 {
		panic(fmt.Sprintf("train: %d folds", k))
	}
	if rng == nil {
		panic("train: folds without a random stream")
	}
}

// PlainFolds shuffles n rows and cuts them into k folds of nearly equal size, k >= 1.
func PlainFolds(n, k int, rng *Rand) Folds {
	mustDraw(k, rng)
	if n < 0 {
		panic(fmt.Sprintf("train: folds of %d rows", n))
	}
	f := Folds{Perm: make([]int, n), Start: make([]int, k+1)}
	for i := range f.Perm {
		f.Perm[i] = i
	}
	rng.Shuffle(f.Perm)
	for i := range f.Start {
		f.Start[i] = share(i, n, k)
	}
	return f
}

// StratifiedFolds shuffles the rows of each class in turn and gives each of k folds, k >= 1, its
// share of every class. In a fold, rows are ordered by class.
func StratifiedFolds(c *Classes, k int, rng *Rand) Folds {
	mustDraw(k, rng)
	if c == nil {
		panic("train: stratified folds without classes")
	}
	n := 0
	for _, rows := range c.Rows {
		n += len(rows)
	}
	all := make([]int, 0, n)
	shuffled := make([][]int, len(c.Rows))
	for i, rows := range c.Rows {
		all = append(all, rows...)
		shuffled[i] = all[len(all)-len(rows):]
		rng.Shuffle(shuffled[i])
	}
	f := Folds{Perm: make([]int, 0, n), Start: make([]int, 1, k+1)}
	for i := range k {
		for _, rows := range shuffled {
			f.Perm = append(f.Perm, rows[share(i, len(rows), k):share(i+1, len(rows), k)]...)
		}
		f.Start = append(f.Start, len(f.Perm))
	}
	return f
}

// share returns how many of n rows are before fold i of k. It multiplies in 64 bits: thousands of
// folds of a million rows overflow a 32-bit int.
func share(i, n, k int) int { return int(int64(i) * int64(n) / int64(k)) }

// CrossValidationFolds draws k folds as LIBSVM does: for classifiers stratified folds if there are
// fewer folds than rows, else plain ones. If k is more than the number of rows, each row is a fold
// (leave-one-out) and report receives [FoldsReduced]; it may be nil. k below 2 and data without
// rows are errors.
func CrossValidationFolds(task models.Task, y []float64, k int, rng *Rand, report Report) (Folds, error) {
	n := len(y)
	switch {
	case k < 2:
		return Folds{}, fmt.Errorf("a cross-validation of %d folds, expected 2 or more", k)
	case n == 0:
		return Folds{}, ErrNoData
	case rng == nil:
		return Folds{}, ErrNoRand
	}
	if k > n {
		report.Send(FoldsReduced{k, n})
		k = n
	}
	if !task.Classifies() || k >= n {
		return PlainFolds(n, k, rng), nil
	}
	c, err := GroupClasses(y, report)
	if err != nil {
		return Folds{}, err
	}
	return StratifiedFolds(c, k, rng), nil
}

// CrossValidate predicts the rows of each fold with a model trained on the rows of all other folds.
// It returns one prediction for each row of d, in d's order.
//
// Random numbers are drawn and events reported in the order of the folds. If t is a [Forker],
// several folds are trained at once, except those of a [OneVsOne] with more than 10,000 machines;
// the result is the same. rng may be nil if t draws nothing. report receives [FoldDone] for every
// fold, and the events of a Forker's trainings; it may be nil. Any other trainer sends its events to
// its own Report.
//
// A [StoreTrainer] that has a store of d's rows takes the rows of all folds from there. Kernel
// values that the store keeps then serve later cross-validations too.
//
// If training fails for a fold, the error is a [*FoldError]. Before any training, CrossValidate
// returns an error for folds that [Folds.Check] rejects (no rows left to train on, or not a
// partition of the rows), for a data set that Dataset.Check rejects, and for a row that is not a
// valid vector.
func CrossValidate(ctx context.Context, t Trainer, d *format.Dataset, folds Folds, rng *Rand, report Report) ([]float64, error) {
	if t == nil {
		return nil, errNoTrainer
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	if err := folds.Check(1); err != nil {
		return nil, err
	}
	if len(folds.Perm) != d.Len() {
		return nil, fmt.Errorf("folds of %d rows for %d", len(folds.Perm), d.Len())
	}
	c := &crossValidation{d: d, folds: folds, predictions: make([]float64, d.Len()), tells: true}
	return c.run(ctx, t, rng, report)
}

// run predicts all rows.
func (c *crossValidation) run(ctx context.Context, t Trainer, rng *Rand, report Report) ([]float64, error) {
	d, folds, predictions := c.d, c.folds, c.predictions
	if err := checkVectors(&d.X); err != nil {
		return nil, err
	}
	k := len(folds.Start) - 1
	f, ok := t.(Forker)
	if !ok {
		for i := range k {
			if err := c.fold(ctx, i, t, rng, report); err != nil {
				return nil, err
			}
			c.done(i, report)
		}
		return predictions, nil
	}
	ctx, stop := team.With(ctx, f.Workers())
	defer stop()
	var ofClasses kernel.Kernel // kernel of a classifier of these types; nil: another trainer
	if o, ok := t.(OneVsRest); ok {
		ofClasses = o.Kernel
	}
	if o, ok := t.(OneVsOne); ok {
		ofClasses = o.Kernel
		// check all rows here, because each fold has fewer
		if classes, err := GroupClasses(d.Y, nil); err == nil {
			if err := classes.Check(report); err != nil {
				return nil, err
			}
			c.oneByOne = models.Pairs(len(classes.Labels)) > mostAtOnce
		}
	}
	if s, takes := t.(StoreTrainer); takes && (ofClasses == nil || CheckRows(ofClasses, &d.X) == nil) {
		if c.store, c.origin = s.Stored(); c.store == nil {
			c.store = newStore(ctx, &d.X)
		}
		checkStored(c.store, c.origin, &d.X)
		c.store.Repeat()
	}
	draws := make([]Rand, k) // the state of the random stream at each fold
	for i := range draws {
		if err := ended.Err(ctx); err != nil { // with thousands of folds this loop takes long
			return nil, err
		}
		if rng != nil {
			draws[i] = *rng
			rest, release := c.rest(ctx, i)
			rng.Skip(f.Draws(&format.Dataset{Y: rest.Y}))
			release()
		}
	}
	train := func(ctx context.Context, i int, report Report) error {
		err := c.fold(ctx, i, f.Fork(report), drawn(rng, draws, i), report)
		if err == nil {
			c.done(i, report)
		}
		return err
	}
	if c.oneByOne {
		for i := range k {
			if err := train(ctx, i, report); err != nil {
				return nil, err
			}
		}
		return predictions, nil
	}
	if err := inOrder(ctx, k, nil, report, train); err != nil {
		return nil, err
	}
	return predictions, nil
}

// mostAtOnce is the number of machines of a classifier up to which several folds are trained at
// once. Above, the machines of a fold keep all threads busy, and those of several folds would take
// too much memory: of 500 classes 40 MB for each fold, of 10,000 seven gigabytes.
const mostAtOnce = 10_000

// done reports that a fold has been predicted.
func (c *crossValidation) done(fold int, report Report) {
	if c.tells {
		report.Send(FoldDone{Fold: fold, Folds: len(c.folds.Start) - 1})
	}
}

// drawn returns the random stream of task i, or nil if rng is nil.
func drawn(rng *Rand, draws []Rand, i int) *Rand {
	if rng == nil {
		return nil
	}
	return &draws[i]
}

type crossValidation struct {
	d           *format.Dataset
	folds       Folds
	predictions []float64
	store       *kernel.Store // has the rows of d, for all folds; nil: each training has its own store
	origin      []int         // where the rows are in the store; nil: in the same order
	oneByOne    bool          // no fold is begun before the last has ended
	inner       bool          // the cross-validation is for probabilities
	tells       bool          // FoldDone is sent
}

// rest returns the rows outside of a fold, with their labels.
func (c *crossValidation) rest(ctx context.Context, fold int) (s *subset, release func()) {
	s, release = newSubset(ctx)
	s.reserve(len(c.folds.Perm) - (c.folds.Start[fold+1] - c.folds.Start[fold]))
	for _, rows := range [][]int{c.folds.Perm[:c.folds.Start[fold]], c.folds.Perm[c.folds.Start[fold+1]:]} {
		for _, row := range rows {
			s.add(row, c.d.Y[row])
		}
	}
	return s, release
}

// in wraps an error of a fold. Row numbers in err refer to rest, the rows outside of the fold; in
// changes them to row numbers of all data.
func (c *crossValidation) in(fold int, rest *subset, err error) error {
	kernelErrorOf(err, rest.rows)
	return &FoldError{Fold: fold, Folds: len(c.folds.Start) - 1, Probabilities: c.inner, Err: rowErrorOf(err, rest.rows)}
}

// rowErrorOf changes the row numbers of an error from those of a part of a data set to those of the
// whole. rows has the part's rows. The error may be wrapped in a FoldError or a PairError.
func rowErrorOf(err error, rows []int) error {
	switch e := err.(type) {
	case *RowError:
		if e.Row < len(rows) {
			return &RowError{rows[e.Row], e.Err}
		}
	case *FoldError:
		of := *e
		of.Err = rowErrorOf(e.Err, rows)
		return &of
	case *PairError:
		of := *e
		of.Err = rowErrorOf(e.Err, rows)
		return &of
	}
	return err
}

// places returns the places of rows of d in the store.
func (c *crossValidation) places(rows []int) []int {
	if c.origin == nil {
		return rows
	}
	places := make([]int, len(rows))
	for i, row := range rows {
		places[i] = c.origin[row]
	}
	return places
}

// fold predicts the rows of a fold with a model of all other rows.
func (c *crossValidation) fold(ctx context.Context, fold int, t Trainer, rng *Rand, report Report) error {
	rest, release := c.rest(ctx, fold)
	switch o := t.(type) {
	case OneVsOne:
		defer release()
		o.arena, o.store, o.origin = &rest.arena, c.store, nil
		if c.store != nil {
			o.origin = c.places(rest.rows)
		}
		t = o
	case StoreTrainer:
		defer release()
		if t = o.OnStore(nil, nil); c.store != nil {
			t = o.OnStore(c.store, c.places(rest.rows))
		}
	}
	m, err := t.Train(ctx, rest.of(c.d), rng)
	if err != nil {
		return c.in(fold, rest, err)
	}
	predictors := freeListOf[predict.Predictor](ctx)
	predictor := predictors.get()
	defer predictors.put(predictor)
	if err := predictor.Use(m); err != nil {
		return c.in(fold, rest, err)
	}
	defer predictor.Release()
	if m.Kernel == (kernel.Precomputed{}) {
		if err := checkColumns(&c.d.X); err != nil { // the fold's own rows must be valid, too
			return c.in(fold, &subset{}, err)
		}
	}
	byProbability := m.Probability && m.Task.Classifies()
	rows := c.folds.Perm[c.folds.Start[fold]:c.folds.Start[fold+1]]
	limits := make([]bool, len(rows))
	decide := Answer
	if c.oneByOne {
		decide = answerEvenly
	}
	if byProbability {
		decide = Decide
	}
	err = decide(ctx, predictor, &c.d.X, rows, func(b *predict.Batch, r, k int) {
		if byProbability {
			c.predictions[rows[k]], limits[k] = b.Probabilities(make([]float64, predictor.Outcomes()), r)
		} else {
			c.predictions[rows[k]] = b.Predict(r)
		}
	})
	for _, limit := range limits {
		if limit {
			report.Send(CouplingLimit{})
		}
	}
	return err
}
