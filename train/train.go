// Package train is the vocabulary of training methods, and the schemes around
// them: one-vs-one classification, probability calibration, cross-validation.
//
// A Solver finds one function that separates two classes; a Trainer makes a
// model of a data set. Methods live in packages of their own below this one.
//
// What a function of the caller's panics with, a Report or a kernel, Train panics with, so that its
// caller can recover: with the value itself, or, where several threads share the work, with an error
// that has the value's text and where it was, and that unwraps to the value if that is an error. A Report or a
// kernel that ends its goroutine, by runtime.Goexit or a test's FailNow, ends that of Train's caller.
package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Trainer makes a model of a data set. Random choices are drawn from rng in
// an order that the method documents; rng may be nil for methods that draw
// nothing. When ctx is cancelled Train returns its error soon.
type Trainer interface {
	Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error)
}

// A Solver finds f(x) = sum_i Coef[i] K(X[i], x) - Rho for two classes. Solve may
// be called for several problems at once. What a Problem holds is lent until Solve
// returns: afterwards other problems are made in the same memory.
type Solver interface {
	Solve(ctx context.Context, p *Problem) (*Solution, error)
}

// A StoreSolver is a Solver that takes rows from a problem's Store, and has no use
// for X then.
type StoreSolver interface {
	Solver
	// TakesStore does nothing.
	TakesStore()
}

// A StoreTrainer is a Trainer that can take rows from a store, and keeps nothing of its data set
// but what is in the model.
type StoreTrainer interface {
	Trainer
	// OnStore returns the trainer of the same models of data sets whose row i is row rows[i] of
	// the store; nil: row i.
	OnStore(store *kernel.Store, rows []int) Trainer
	// Stored returns what OnStore was called with; a nil store: it was not.
	Stored() (store *kernel.Store, rows []int)
}

// checkStored panics if a data set of n rows cannot be that of a store.
func checkStored(store *kernel.Store, rows []int, n int) {
	switch {
	case store == nil:
	case rows == nil && store.Len() != n:
		panic(fmt.Sprintf("train: %d rows on a store of %d", n, store.Len()))
	case rows != nil && len(rows) != n:
		panic(fmt.Sprintf("train: %d rows, and the places of %d on a store", n, len(rows)))
	}
}

// A Problem is a training problem of two classes. Row i of X belongs to the
// first class if Y[i] is +1, to the second if it is -1. The solver owns X's
// order, and may change it.
type Problem struct {
	X      vec.Matrix
	Y      []float64
	Kernel kernel.Kernel
	// Weight multiplies the cost of errors on rows of each class.
	Weight struct{ Pos, Neg Factors }
	// RowWeight multiplies the cost of errors on each row; nil: all 1.
	RowWeight []float64
	// Store, unless it is nil, holds the rows too, ready for kernels: row i is
	// Rows[i] there. For a StoreSolver X is then empty.
	Store *kernel.Store
	Rows  []int
	// Coef is room for the Solution's, and Solution for itself; nil: they are allocated.
	Coef     []float64
	Solution *Solution
	// Report, unless it is nil, is told what happens in place of the solver's own.
	Report Report
	// Silent says that nobody is told, nor by the solver's own; Brief, that events may be left out which
	// tell that all is well.
	Silent, Brief bool
}

// Heard returns who is told what happens, in place of own; nil if nobody is.
func (p *Problem) Heard(own Report) Report {
	switch {
	case p.Silent:
		return nil
	case p.Report != nil:
		return p.Report
	}
	return own
}

// Gram returns the kernel matrix of the problem's rows, in the order of X, made by all
// threads of the training that ctx belongs to.
func (p *Problem) Gram(ctx context.Context) *kernel.Gram {
	return PartGram(ctx, p.Kernel, &p.X, p.Store, p.Rows)
}

// NewGram returns the kernel matrix of the rows of x, made by all threads of the training
// that ctx belongs to.
func NewGram(ctx context.Context, k kernel.Kernel, x *vec.Matrix) *kernel.Gram {
	workers, do := workers(ctx)
	return kernel.NewStoreBy(workers, do, x).GramBy(workers, do, k, nil)
}

// PartGram returns the kernel matrix of rows of a store, or if that is nil of the rows of x, made by
// all threads of the training that ctx belongs to.
func PartGram(ctx context.Context, k kernel.Kernel, x *vec.Matrix, store *kernel.Store, rows []int) *kernel.Gram {
	if store == nil {
		return NewGram(ctx, k, x)
	}
	if x.Len() > 0 {
		checkStored(store, rows, x.Len())
	}
	workers, do := workers(ctx)
	return store.GramBy(workers, do, k, rows)
}

// workers returns the number of threads of a training and how they share work.
func workers(ctx context.Context) (int, func(n int, f func(part int))) {
	return team.Size(ctx), func(n int, f func(part int)) {
		team.Do(ctx, n, func(_ context.Context, i int) { f(i) })
	}
}

// Factors multiply a cost one after the other; no factors leave it as it is.
type Factors []float64

// Times returns cost times all factors, in order.
func (f Factors) Times(cost float64) float64 {
	for _, x := range f {
		cost *= x
	}
	return cost
}

// A Solution is what a Solver found: one coefficient for each row of the
// problem, in the problem's original order.
type Solution struct {
	Coef       []float64
	Rho        float64
	Iterations int
	Objective  float64
}

// A PairError tells between which classes the machine is that could not be found.
type PairError struct {
	Labels [2]int
	Rest   bool // the first class against the rest; the second label says nothing
	Err    error
}

// Error names the labels and the cause.
func (e *PairError) Error() string {
	if e.Rest {
		return fmt.Sprintf("class %d against the rest: %v", e.Labels[0], e.Err)
	}
	return fmt.Sprintf("classes %d and %d: %v", e.Labels[0], e.Labels[1], e.Err)
}

// Unwrap returns the cause.
func (e *PairError) Unwrap() error { return e.Err }

// A FoldError tells in which fold of a cross-validation nothing could be trained. All the data may
// well do.
type FoldError struct {
	Fold, Folds   int  // from 0; how many there are
	Probabilities bool // that they are for
	Err           error
}

// Error names the fold, from 1, what it is for, and the cause.
func (e *FoldError) Error() string {
	purpose := ""
	if e.Probabilities {
		purpose = " for probabilities"
	}
	return fmt.Sprintf("fold %d of %d%s: %v", e.Fold+1, e.Folds, purpose, e.Err)
}

// Unwrap returns the cause.
func (e *FoldError) Unwrap() error { return e.Err }

// A RowError is a fault of one row of a data set.
type RowError struct {
	Row int // from 0
	Err error
}

// Error names the row, from 1, and the cause.
func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row+1, e.Err) }

// Unwrap returns the cause.
func (e *RowError) Unwrap() error { return e.Err }

// A KernelError tells of two rows of a data set, or of a Problem, whose value of a kernel that is not of package kernel
// cannot be computed with, once a solver has met it.
type KernelError struct {
	Rows  [2]int  // from 0
	Value float64 // as float32 holds it
}

// Error names the rows, from 1, and the value.
func (e *KernelError) Error() string {
	return fmt.Sprintf("rows %d and %d: the kernel value is %v in float32, expected a finite number", e.Rows[0]+1, e.Rows[1]+1, e.Value)
}

// Unwrap returns ErrOverflow.
func (e *KernelError) Unwrap() error { return ErrOverflow }

// kernelErrorOf makes an error of rows of a part of a data set, if it wraps a *KernelError, one of the same rows of the
// data set, which are given.
func kernelErrorOf(err error, rows []int) {
	if e := (*KernelError)(nil); errors.As(err, &e) {
		e.Rows = [2]int{rows[e.Rows[0]], rows[e.Rows[1]]}
	}
}

// CheckKernel returns an error unless a model can be trained with k: what kernel.Validate
// says, that gamma is negative, or a degree that model files do not have.
func CheckKernel(k kernel.Kernel) error {
	if err := kernel.Validate(k); err != nil {
		return err
	}
	gamma := 0.0
	switch k := k.(type) {
	case kernel.Poly:
		gamma = k.Gamma
		if int64(k.Degree) > math.MaxInt32 {
			return fmt.Errorf("degree %d is more than %d", k.Degree, math.MaxInt32)
		}
	case kernel.RBF:
		gamma = k.Gamma
	case kernel.Sigmoid:
		gamma = k.Gamma
	}
	if gamma < 0 {
		return fmt.Errorf("gamma %v is negative", gamma)
	}
	return nil
}

// CheckRows returns what CheckKernel does, or a *RowError for the first row that is no
// vector as vec.Vector.Check wants it, or that the kernel cannot work with: one whose
// K(x, x) is beyond MaxKernel; for a precomputed kernel, one that does not list 0:serial,
// with a serial number among the columns, and then a value for every column.
func CheckRows(k kernel.Kernel, x *vec.Matrix) error {
	if err := CheckKernel(k); err != nil {
		return err
	}
	if err := checkVectors(x); err != nil {
		return err
	}
	if k == (kernel.Precomputed{}) {
		if err := checkColumns(x); err != nil {
			return err
		}
	}
	diag := diagonals.Get().(*[diagRows]float64)
	defer diagonals.Put(diag)
	for from := 0; from < x.Len(); from += diagRows {
		rows := x.Slice(from, min(from+diagRows, x.Len()))
		k.DiagTo(diag[:rows.Len()], &rows)
		for i, d := range diag[:rows.Len()] {
			if !(math.Abs(d) <= MaxKernel) {
				return &RowError{from + i, overflow(k)}
			}
		}
	}
	return nil
}

// overflow returns an ErrOverflow that says what helps: of the kernels only powers become smaller by
// their parameters, where the features stay as large.
func overflow(k kernel.Kernel) error {
	if _, ok := k.(kernel.Poly); ok {
		return fmt.Errorf("%w, or lower gamma and degree", ErrOverflow)
	}
	return ErrOverflow
}

// MaxKernel is the largest magnitude of K(x, x). Kernel rows are kept in float32, in which second
// derivatives have twice a value: LIBSVM's become infinite from here on, and its steps arbitrary.
const MaxKernel = math.MaxFloat32 / 2

// diagRows is the number of rows that are looked at together.
const diagRows = 512

var diagonals = sync.Pool{New: func() any { return new([diagRows]float64) }}

func checkColumns(x *vec.Matrix) error {
	columns := x.MaxIndex()
	for i := range x.Len() {
		row := x.Row(i)
		serial, err := kernel.Serial(row)
		switch {
		case err != nil:
		case serial > columns:
			err = kernel.ErrSerialRange
		default:
			err = kernel.CheckColumns(row, columns)
		}
		if err != nil {
			return &RowError{i, err}
		}
	}
	return nil
}

// CheckDataset returns what format.Dataset.Check finds, format.ErrColumns, or a *RowError for the first
// row that is no vector: what CheckData looks at beside kernel and weights.
func CheckDataset(d *format.Dataset) error {
	if err := checkSet(d); err != nil {
		return err
	}
	return checkVectors(&d.X)
}

// checkSet returns what format.Dataset.Check finds, or format.ErrColumns.
func checkSet(d *format.Dataset) error {
	if err := d.Check(); err != nil {
		return err
	}
	return d.Header.CheckFeatures()
}

func checkVectors(x *vec.Matrix) error {
	if row, err := x.Fault(); err != nil {
		return &RowError{row, err}
	}
	return nil
}

// CheckData returns what format.Dataset.Check, CheckRows or CheckWeights finds, or
// format.ErrColumns or ErrNoData, or the context's error. Trainers begin with it: after it a data set that was
// put together by hand is as good as one that was read.
func CheckData(ctx context.Context, k kernel.Kernel, d *format.Dataset, weights bool) error {
	if err := checkSet(d); err != nil {
		return err
	}
	if d.Len() == 0 {
		return ErrNoData
	}
	if err := CheckRows(k, &d.X); err != nil {
		return err
	}
	if err := CheckWeights(d, weights); err != nil {
		return err
	}
	return ctx.Err()
}

// CheckWeights returns a *RowError for the first row whose weight is not a
// positive number (Weighted leaves out rows of weight 0), and ErrRowWeights if there are weights that differ from 1 and
// used says that the method has no use for them.
func CheckWeights(d *format.Dataset, used bool) error {
	for i, w := range d.Weight {
		switch {
		case w == 0: // what rows have that were made without a word about it
			return &RowError{i, errors.New("weight 0 is not a positive number: rows like others have 1, and Weighted leaves out those of 0")}
		case CheckWeight(w) != nil:
			return &RowError{i, fmt.Errorf("weight %v is not a positive number", w)}
		case w != 1 && !used:
			return ErrRowWeights
		}
	}
	return nil
}

// CheckTargets returns a *RowError for the first row whose target is not finite.
func CheckTargets(d *format.Dataset) error {
	for i, y := range d.Y {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return &RowError{i, fmt.Errorf("target %v is not finite", y)}
		}
	}
	return nil
}

// CheckWeight is format.CheckWeight.
func CheckWeight(w float64) error { return format.CheckWeight(w) }

// Weighted returns the rows of a data set that teach something, those whose weight is
// not 0, and their numbers in d; nil are all. It returns what format.Dataset.Check finds, a
// *RowError for the first weight that no row may have, and ErrWeightless if all are 0.
func Weighted(d *format.Dataset) (kept *format.Dataset, rows []int, err error) {
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	for i, w := range d.Weight {
		if err := CheckWeight(w); err != nil {
			return nil, nil, &RowError{i, err}
		}
		if w != 0 {
			rows = append(rows, i)
		}
	}
	if d.Weight == nil || len(rows) == d.Len() {
		return d, nil, nil
	}
	if len(rows) == 0 {
		return nil, nil, ErrWeightless
	}
	kept = &format.Dataset{Header: d.Header, X: d.X.Select(rows), Weight: d.Weights(rows), Y: make([]float64, len(rows))}
	for k, i := range rows {
		kept.Y[k] = d.Y[i]
	}
	return kept, rows, nil
}

// Mistakes of who calls, told before work is shared out.
var (
	// ErrNoRand: the random stream is nil, and something has to be drawn from it.
	ErrNoRand = errors.New("no random stream to draw from: NewRand makes one")

	errNoSolver  = errors.New("no solver")
	errNoTrainer = errors.New("no trainer")
)

// Errors of training data.
var (
	// ErrRowWeights: the method cannot weight rows.
	ErrRowWeights = errors.New("the data set weights its rows, which this method cannot")
	// ErrWeightless: all rows have the weight 0, and teach nothing.
	ErrWeightless = errors.New("all rows have weight 0")
	// ErrNoData: the data set has no rows.
	ErrNoData = errors.New("the data set has no rows")
	// ErrOverflow: kernel values or their sums left the range of the numbers
	// that hold them, so that no solution can be computed.
	ErrOverflow = errors.New("kernel values overflow: scale the features")
)
