// Package train defines what all training methods share, and the schemes around them: one-vs-one
// and one-vs-rest classification, probabilities, and cross-validation.
//
// A [Trainer] makes a model of a data set:
//
//	t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}}
//	m, err := t.Train(ctx, d, train.NewRand(1))
//
// The package example trains on rows that a program has in slices and predicts with package
// predict. [CrossValidationFolds] and [CrossValidate] estimate how well a trainer does.
// [Calibrated] adds probabilities to any trainer.
//
// A [Solver] finds one function that separates two classes; [OneVsOne] and [OneVsRest] are trainers
// for any number of classes by means of one. The methods are in the packages below this one:
//
//	smo         C-SVC, nu-SVC (solvers); epsilon-SVR, nu-SVR, one-class (trainers), as LIBSVM
//	joint       few vectors, optimised together with their weights
//	reducedset  a small model made of a large one
//	rsvm        reduced kernels: RSVM, SSVM, eps-SSVR; also rows in a stream
//	mkc         minimal kernel classifiers and the 1-norm machine
//	cs          chunking-synthetic classifiers
//	psvm        ensembles of exemplar or prototype machines
//
// A trainer reports what happens during training as an [Event] to its [Report], and writes nothing
// anywhere. It ends early when its context does, with an error that is, by errors.Is, both
// ctx.Err() and context.Cause(ctx): see the example of [Report].
//
// # Data and goroutines
//
// Train does not change its data set, which must not be changed meanwhile. Several trainings, of
// one trainer or of several, may have the same data set at once, but each needs a [Rand] of its
// own. The model may share the memory of rows with the data set.
//
// Trainers of classifiers cut labels to integers, see [TruncateLabel]: labels that are text need
// numbers, which package format/encode gives them.
//
// # Panics of the caller's functions
//
// If a Report or a caller's own kernel panics, Train panics too, so that its caller can recover.
// The value is the same, or, where several threads share the work, an error that has the value's
// text and place and unwraps to the value if that is an error. If a Report or kernel ends its
// goroutine, by runtime.Goexit or a test's FailNow, the goroutine of Train's caller ends.
package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A Trainer makes a model of a data set. Random choices are drawn from rng, in an order that the
// method documents; rng may be nil for methods that draw nothing. When ctx is cancelled, Train soon
// returns an error that wraps ctx's and its cause.
type Trainer interface {
	Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error)
}

// A Solver finds f(x) = sum_i Coef[i] K(X[i], x) - Rho for two classes. Solve may be called for
// several problems at once. It must not keep anything of p after it returns: the memory is used for
// other problems.
type Solver interface {
	Solve(ctx context.Context, p *Problem) (*Solution, error)
}

// A StoreSolver is a Solver that takes rows from a problem's Store and then does not need X.
type StoreSolver interface {
	Solver
	// TakesStore does nothing. It marks a StoreSolver.
	TakesStore()
}

// A StoreTrainer is a Trainer that can take rows from a store. It keeps nothing of its data set
// except what is in the model.
type StoreTrainer interface {
	Trainer
	// OnStore returns a trainer of the same models for data sets whose row i is row rows[i] of the
	// store. If rows is nil, it is row i. If Train sees that a data set has other rows, it panics.
	OnStore(store *kernel.Store, rows []int) Trainer
	// Stored returns the arguments of OnStore. The store is nil if it was not called.
	Stored() (store *kernel.Store, rows []int)
}

// inStore says where the rows of a data set are in a store.
type inStore struct {
	store  *kernel.Store // nil: there is none
	origin []int         // the place of each row; nil: the same order
}

// Stored implements StoreTrainer.
func (s inStore) Stored() (store *kernel.Store, rows []int) { return s.store, s.origin }

// checkStored panics if rows of a store cannot be those of x. It looks at a few.
func checkStored(store *kernel.Store, rows []int, x *vec.Matrix) {
	n := x.Len()
	switch {
	case store == nil:
	case rows == nil && store.Len() != n:
		panic(fmt.Sprintf("train: %d rows on a store of %d", n, store.Len()))
	case rows != nil && len(rows) != n:
		panic(fmt.Sprintf("train: %d rows, and the places of %d on a store", n, len(rows)))
	case n > 0:
		for _, i := range [...]int{0, n / 2, n - 1} {
			at := i
			if rows != nil {
				at = rows[i]
			}
			if !store.RowEquals(at, x.Row(i)) {
				panic(fmt.Sprintf("train: row %d differs from row %d of the store", i+1, at+1))
			}
		}
	}
}

// A Problem is a training problem with two classes. Row i of X belongs to the first class if Y[i]
// is +1 and to the second if it is -1. The solver may change the order of X.
type Problem struct {
	X      vec.Matrix
	Y      []float64
	Kernel kernel.Kernel
	// Weight multiplies the cost of errors on the rows of each class.
	Weight struct{ Pos, Neg Factors }
	// RowWeight multiplies the cost of errors on each row; nil: all 1.
	RowWeight []float64
	// Store, if not nil, also holds the rows, prepared for kernels: row i of the problem is row
	// Rows[i] of Store. For a StoreSolver X is then empty.
	Store *kernel.Store
	Rows  []int
	// Coef is memory for the Solution's Coef, and Solution for the Solution itself; nil: they are
	// allocated.
	Coef     []float64
	Solution *Solution
	// Report, if not nil, receives the events instead of the solver's own Report.
	Report Report
	// Silent suppresses all events, also to the solver's own Report. Brief allows the solver to
	// suppress events that say that all is well.
	Silent, Brief bool
}

// EffectiveReport returns the Report that a solver, whose own is given, should send its events to;
// nil if events are suppressed.
func (p *Problem) EffectiveReport(own Report) Report {
	switch {
	case p.Silent:
		return nil
	case p.Report != nil:
		return p.Report
	}
	return own
}

// Factors are multiplied with a cost one after the other. Without factors the cost stays as it is.
type Factors []float64

// Times returns cost multiplied by all factors, in order.
func (f Factors) Times(cost float64) float64 {
	for _, x := range f {
		cost *= x
	}
	return cost
}

// A Solution is what a [Solver] found. Coef has one coefficient for each row of the problem, in the
// original order.
type Solution struct {
	Coef       []float64
	Rho        float64 // offset of the function
	Iterations int
	Objective  float64
}

// A PairError reports for which classes no machine could be trained.
type PairError struct {
	Labels [2]int // of the two classes
	Rest   bool   // the first class against all others; the second label is meaningless
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

// A FoldError reports a fold of a cross-validation for which training failed. Training on all rows
// may still succeed.
type FoldError struct {
	Fold, Folds   int  // index of the fold, from 0, and the number of folds
	Probabilities bool // the cross-validation was for probabilities
	Err           error
}

// Error names the fold (counted from 1), its purpose and the cause.
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

// Error names the row (counted from 1) and the cause.
func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row+1, e.Err) }

// Unwrap returns the cause.
func (e *RowError) Unwrap() error { return e.Err }

// A KernelError reports two rows for which a kernel of the caller's own returned a value that
// cannot be used. The solver finds it when it meets the value. Rows are numbers in the data set, or
// in the Problem if a solver was called directly. (A value of a row with itself is a [RowError].)
type KernelError struct {
	Rows  [2]int  // from 0
	Value float64 // rounded to float32
}

// Error names the rows (counted from 1) and the value.
func (e *KernelError) Error() string {
	return fmt.Sprintf("rows %d and %d: the kernel value is %v in float32, expected a finite number", e.Rows[0]+1, e.Rows[1]+1, e.Value)
}

// Unwrap returns [ErrOverflow].
func (e *KernelError) Unwrap() error { return ErrOverflow }

// kernelErrorOf changes the row numbers of a *KernelError that err wraps from those of a part of a
// data set to those of the whole. rows has the part's rows.
func kernelErrorOf(err error, rows []int) {
	if e := (*KernelError)(nil); errors.As(err, &e) {
		e.Rows = [2]int{rows[e.Rows[0]], rows[e.Rows[1]]}
	}
}

// CheckKernel returns an error unless a model can be trained with k. Errors are what
// kernel.Validate finds, a negative gamma, and a degree that does not fit model files.
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

// CheckRows returns what [CheckKernel] finds, or a [*RowError] for the first row that is not a
// valid vector (see vec.Vector.Check) or that the kernel cannot use:
//
//   - one whose K(x, x) is beyond [MaxKernel]
//   - with a precomputed kernel, one that does not list 0:serial, with a serial number that is a
//     column, followed by a value for every column
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
				return &RowError{from + i, overflow(k, d)}
			}
		}
	}
	return nil
}

// overflow returns the error of a row whose K(x, x) cannot be trained on, with a remedy. Only for
// polynomial kernels can parameters make the values smaller. A kernel of the caller's own may return
// anything for any features, so that its value tells more.
func overflow(k kernel.Kernel, value float64) error {
	if _, ok := k.(kernel.Poly); ok {
		return fmt.Errorf("%w, or lower gamma and degree", ErrOverflow)
	}
	if _, ok := kernel.FileName(k); !ok {
		return selfError(value)
	}
	return ErrOverflow
}

// A selfError is a value K(x, x) of a kernel of the caller's own that cannot be trained on.
type selfError float64

func (e selfError) Error() string {
	return fmt.Sprintf("the kernel value of the row with itself is %v, expected a number up to %.2g", float64(e), float64(MaxKernel))
}

// Unwrap returns ErrOverflow.
func (e selfError) Unwrap() error { return ErrOverflow }

// MaxKernel is the largest magnitude of K(x, x) that can be trained on. Kernel rows are kept in
// float32, where second derivatives are twice as large; LIBSVM's become infinite above this limit,
// and its steps arbitrary.
const MaxKernel = math.MaxFloat32 / 2

// diagRows is the number of rows whose K(x, x) are computed together.
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

// CheckDataset makes the checks of [CheckData] that do not depend on the kernel or on weights. It
// returns what Dataset.Check finds, format.ErrColumns, or a [*RowError] for the first row that is
// not a valid vector.
func CheckDataset(d *format.Dataset) error {
	if err := checkSet(d); err != nil {
		return err
	}
	return checkVectors(&d.X)
}

// checkSet returns what Dataset.Check finds, or format.ErrColumns.
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

// CheckData returns an error unless d can be trained on with kernel k: what Dataset.Check,
// [CheckRows] or [CheckWeights] finds, format.ErrColumns, [ErrNoData] or the context's error.
// weights says whether the method uses row weights. All trainers call it first; so a data set that
// a program made itself is as safe as one read from a file.
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
	return ended.Err(ctx)
}

// CheckWeights returns a [*RowError] for the first row whose weight is not a positive number.
// ([DropZeroWeights] leaves out rows of weight 0.) If used is false, the method does not use
// weights, and a weight other than 1 is [ErrRowWeights].
func CheckWeights(d *format.Dataset, used bool) error {
	if d == nil {
		return d.Check()
	}
	for i, w := range d.Weight {
		switch err := CheckWeight(w); {
		case w == 0: // a program that sets weights only for some rows leaves 0 for the others
			return &RowError{i, errors.New("weight 0 is not a positive number: rows like others have 1, and DropZeroWeights leaves out those of 0")}
		case err != nil:
			return &RowError{i, err}
		case w != 1 && !used:
			return ErrRowWeights
		}
	}
	return nil
}

// CheckTargets returns a [*RowError] for the first row whose target is not finite.
func CheckTargets(d *format.Dataset) error {
	if d == nil {
		return d.Check()
	}
	for i, y := range d.Y {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return &RowError{i, fmt.Errorf("target %v is not finite", y)}
		}
	}
	return nil
}

// CheckWeight is format.CheckWeight.
func CheckWeight(w float64) error { return format.CheckWeight(w) }

// DropZeroWeights returns the rows of d whose weight is not 0, and their row numbers in d, or d and
// nil if that is all rows. Errors: what Dataset.Check finds, a [*RowError] for the first weight
// that is negative or not finite, and [ErrWeightless] if all weights are 0.
func DropZeroWeights(d *format.Dataset) (kept *format.Dataset, rows []int, err error) {
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

// Mistakes of the caller, found before the work begins.
var (
	// ErrNoRand reports that rng is nil although the method draws random numbers.
	ErrNoRand = errors.New("no random stream to draw from: NewRand makes one")

	errNoSolver  = errors.New("no solver")
	errNoTrainer = errors.New("no trainer")
)

// Errors of training data.
var (
	// ErrRowWeights reports a data set with row weights for a method that cannot use them.
	ErrRowWeights = errors.New("the data set weights its rows, which this method cannot")
	// ErrWeightless reports that all rows have weight 0.
	ErrWeightless = errors.New("all rows have weight 0")
	// ErrNoData reports a data set without rows.
	ErrNoData = errors.New("the data set has no rows")
	// ErrOverflow reports that kernel values, or sums of them, left the range of their
	// floating-point type, so that no solution can be computed. Scaling the features helps.
	ErrOverflow = errors.New("kernel values overflow: scale the features")
)
