package train

// An Event is something that happens during training. A trainer passes each to its [Report], in
// order. svm-train prints LIBSVM's messages from events.
type Event interface{ event() }

type (
	// Progress occurs at regular intervals of a solver's iterations.
	Progress struct{ Iterations int }
	// GradientRebuilt occurs when a solver has recomputed its full gradient.
	GradientRebuilt struct{}
	// SlowShrinking occurs before GradientRebuilt when few variables are free, so that training
	// without shrinking may be faster.
	SlowShrinking struct{}
	// IterationLimit occurs when a solver stops before it has converged.
	IterationLimit struct{ Iterations int }
	// Unconverged occurs when a solver reached its limit of iterations for some of the small
	// machines of an ensemble.
	Unconverged struct{ Machines int }
	// Solved occurs when a solver has finished, converged or not.
	Solved struct {
		Iterations int
		// Name and Value are a quantity of the formulation: "nu" for C-SVC and epsilon-SVR, "C" for
		// nu-SVC, "epsilon" for nu-SVR. Name is empty if there is none.
		Name           string
		Value          float64
		Objective, Rho float64
		Vectors        int // rows with a coefficient
		Bounded        int // of these rows, those at the largest possible coefficient
	}
	// Minimised occurs when a machine has been found by linear programmes.
	Minimised struct {
		Programmes        int // number of linear programmes
		FirstPivots       int // of the first programme
		Pivots            int // of all programmes
		Rows              int // rows with a multiplier in the last programme
		Vectors           int // rows with a coefficient
		LeaveOneOutErrors int // rows that may be answered wrongly if they are left out of training
		Of                int // all rows
		// Unfinished says that the limit of linear programmes was reached before one of them
		// brought no gain.
		Unfinished bool
		// LeaveOneOutRows are the rows that LeaveOneOutErrors counts, by their numbers in the data
		// set if the Problem has them, else in the Problem.
		LeaveOneOutRows []int
	}
	// RunDone occurs when a run of a method that works in stages is done. Stages are numbered from
	// 0.
	RunDone struct {
		Stage, Stages int
		Done, Of      int // runs of the stage, or of the choice of its cost
	}
	// StageDone occurs when all runs of a stage are done, for all machines. Steps sum up the
	// classifiers that the runs found: over the points given, of the approximation, and over the
	// points of the approximation.
	StageDone struct {
		Stage, Stages int
		Rows          int       // of each run
		Centres       int       // points that the runs are given; 0: their rows
		Nu            []float64 // cost of errors, for each machine
		Runs          int
		Steps         [3]StepDone
		Evaluations   int // of the approximations
	}
	// StepDone sums up the classifiers of one step of a StageDone. It is not an event.
	StepDone struct {
		Runs           int // runs that have this step
		Points         int // points with a coefficient
		SupportVectors int // rows with a multiplier
		Right, Of      int // right answers, and all, on the rows learned from
		// HeldRight and HeldOut are the same for the held-out rows.
		HeldRight, HeldOut int
		Pivots             int
	}
	// ModelAssembled occurs when the machines of a classifier have become a model. It also occurs
	// for the inner models of a probability estimate.
	ModelAssembled struct{ Vectors int }
	// NoVectors occurs when a classifier has no vectors, so that it gives all rows the same answer.
	NoVectors struct{}
	// ClassesUndrawn occurs when a reduced set has no vector of some classes. Their machines use
	// only vectors of other classes.
	ClassesUndrawn struct{ Classes, Of, Vectors int }
	// NoMargin occurs when nu-SVC finds no margin except by rounding, as when rows of both classes
	// coincide. The coefficients, which are divided by the margin, then mean nothing.
	NoMargin struct{ Margin float64 }
	// SingleClass occurs when a classifier is trained on rows of a single class.
	SingleClass struct{ Label int }
	// WeightUnused occurs when a weight is given for a class that no row has.
	WeightUnused struct{ Label int }
	// LabelsMerged occurs when two different labels become one class because they are truncated to
	// the same integer.
	LabelsMerged struct{ First, Second float64 }
	// ManyClasses occurs when there are so many labels with so few rows each that they look like
	// the targets of a regression.
	ManyClasses struct{ Classes, Rows int }
	// RowsDrawn occurs when a method trains on only Rows of Of rows because there are many.
	// ByDefault says that the caller did not set how many.
	RowsDrawn struct {
		Rows, Of  int
		ByDefault bool
	}
	// OneHyperplane occurs when each machine of an ensemble has one hyperplane because one for each
	// pair of classes would take too much memory.
	OneHyperplane struct{}
	// FoldDone occurs when [CrossValidate] has predicted the rows of a fold. Fold is its index,
	// from 0.
	FoldDone struct{ Fold, Folds int }
	// FoldsReduced occurs when more folds are asked for than there are rows.
	FoldsReduced struct{ Folds, Rows int }
	// GroupsLeftOut occurs when more folds are asked for than there are groups of rows. Each group
	// is then a fold.
	GroupsLeftOut struct{ Folds, Groups int }
	// CalibrationLimit occurs when the fit of a sigmoid stops at its limit of iterations.
	CalibrationLimit struct{}
	// CalibrationStuck occurs when the fit of a sigmoid stops because its line search finds no
	// better point.
	CalibrationStuck struct{}
	// CouplingLimit occurs when the iteration that couples pairwise probabilities stops at its
	// limit.
	CouplingLimit struct{}
	// NoiseEstimated occurs when a regression has estimated the scale of its noise.
	NoiseEstimated struct{ Sigma float64 }
	// RoundDone occurs when a method that adds vectors round by round has judged a round on
	// held-out rows. Score is the share of them that are answered rightly, weighted by the cost of
	// errors on them, or 1 - MSE/variance for a regression. Loss decides between rounds of equal
	// score: for classifiers the mean loss of the held-out rows, for a regression 0.
	RoundDone struct {
		Round, Vectors int
		Score, Loss    float64
	}
	// IterationDone occurs when an ensemble of exemplar or prototype machines has been judged. Accuracy
	// is the share of held-out rows that are answered rightly, NaN if no rows are held out.
	//
	// Form says how machines are shifted, where several ways are compared in a Trial on some of the
	// rows. Rising says that no sigmoid falls as the value grows, because exemplar machines with
	// such sigmoids answered more held-out rows rightly. Sparing says that machines get fewer hard
	// negatives, where this is compared.
	IterationDone struct {
		Round, Iteration, Machines int
		Accuracy                   float64
		Form                       string
		Trial, Rising, Sparing     bool
	}
	// FarTargets occurs when the targets of a smooth regression are far from 0 compared to their
	// spread. The objective includes the offset, so answers are then drawn towards 0.
	FarTargets struct{}
	// TooFewDecisions occurs when a one-class model has too few training rows on one side to
	// estimate probabilities.
	TooFewDecisions struct{}
)

func (FarTargets) event()       {}
func (Progress) event()         {}
func (GradientRebuilt) event()  {}
func (SlowShrinking) event()    {}
func (IterationLimit) event()   {}
func (Unconverged) event()      {}
func (Solved) event()           {}
func (Minimised) event()        {}
func (RunDone) event()          {}
func (StageDone) event()        {}
func (ModelAssembled) event()   {}
func (NoVectors) event()        {}
func (ClassesUndrawn) event()   {}
func (NoMargin) event()         {}
func (SingleClass) event()      {}
func (WeightUnused) event()     {}
func (LabelsMerged) event()     {}
func (ManyClasses) event()      {}
func (FoldsReduced) event()     {}
func (GroupsLeftOut) event()    {}
func (FoldDone) event()         {}
func (RowsDrawn) event()        {}
func (OneHyperplane) event()    {}
func (CalibrationLimit) event() {}
func (CalibrationStuck) event() {}
func (CouplingLimit) event()    {}
func (NoiseEstimated) event()   {}
func (RoundDone) event()        {}
func (IterationDone) event()    {}
func (TooFewDecisions) event()  {}

// A Report receives the events of a training, one at a time, in the order in which they would occur
// on one thread. Any goroutine may call it. Others go on meanwhile, and their events wait until it
// returns. A Report may train. A nil Report ignores events.
type Report func(Event)

// Send calls r with e, unless r is nil.
func (r Report) Send(e Event) {
	if r != nil {
		r(e)
	}
}

// faults returns a Report that leaves out events that say that all is well.
func (r Report) faults() Report {
	if r == nil {
		return nil
	}
	return func(e Event) {
		switch e.(type) {
		case Progress, GradientRebuilt, SlowShrinking, Solved, ModelAssembled:
			return
		}
		r(e)
	}
}
