package train

// An Event is something that happens during training. Methods that report
// events call a function of their caller's with each, in order; svm-train
// prints LIBSVM's messages from them.
type Event interface{ event() }

type (
	// Progress occurs at regular numbers of iterations of a solver.
	Progress struct{ Iterations int }
	// Rebuilt occurs when a solver has set up its full gradient again.
	Rebuilt struct{}
	// SlowShrinking occurs before Rebuilt when few variables are free, so that
	// training without shrinking may be faster.
	SlowShrinking struct{}
	// IterationLimit occurs when a solver stops before it has converged.
	IterationLimit struct{ Iterations int }
	// Unconverged occurs when some of the small machines of an ensemble were not found
	// within a solver's limit of iterations.
	Unconverged struct{ Machines int }
	// Solved occurs when a solver is done, converged or not.
	Solved struct {
		Iterations int
		// Name and Value are a quantity that belongs to the formulation: "nu"
		// for C-SVC and epsilon-SVR, "C" for nu-SVC, "epsilon" for nu-SVR.
		// Name is empty where there is none.
		Name           string
		Value          float64
		Objective, Rho float64
		Vectors        int // rows with a coefficient
		Bounded        int // of them, with the largest possible one
	}
	// Minimised occurs when a machine was found by linear programmes.
	Minimised struct {
		Programmes  int // number of linear programmes
		FirstPivots int // of the first
		Pivots      int // of all
		Rows        int // rows with a multiplier in the last programme
		Vectors     int // rows with a coefficient
		Missable    int // rows whose absence from training may make them an error
		Of          int // rows
		// Unfinished says that the limit of linear programmes ended their course before
		// one of them found no gain.
		Unfinished bool
		// MissableRows are the Missable rows, by their numbers in the data set if the
		// Problem tells these, else in the Problem.
		MissableRows []int
	}
	// RunDone occurs when a run of a method that goes by stages is done; stages are
	// numbered from 0.
	RunDone struct {
		Stage, Stages int
		Done, Of      int // runs of the stage, or of the choice of its cost
	}
	// StageDone occurs when all runs of a stage are done, of all machines. Steps sum up
	// the classifiers that the runs found, step by step: those over the points given,
	// those of the approximation, those over the points of the approximation.
	StageDone struct {
		Stage, Stages int
		Rows          int       // of a run
		Centres       int       // points that the runs are given; 0: their rows
		Nu            []float64 // cost of errors, of each machine
		Runs          int
		Steps         [3]StepDone
		Evaluations   int // of the approximations
	}
	// StepDone sums up the classifiers of a step of a StageDone. It is no event.
	StepDone struct {
		Runs           int // that have the step
		Points         int // with a coefficient
		SupportVectors int // rows with a multiplier
		Right, Of      int // answers on rows learned from
		// HeldRight and HeldOut are those on rows held out.
		HeldRight, HeldOut int
		Pivots             int
	}
	// Assembled occurs when the machines of a classifier have become a model,
	// the inner models of a probability estimation included.
	Assembled struct{ Vectors int }
	// NoVectors occurs when a classifier has no vectors, and so answers all rows alike.
	NoVectors struct{}
	// ClassesUndrawn occurs when a reduced set has no vector of some classes, whose machines are
	// left with those of others.
	ClassesUndrawn struct{ Classes, Of, Vectors int }
	// NoMargin occurs when nu-SVC finds no margin but what rounding makes, as where rows of both
	// classes coincide: what is divided by it means nothing.
	NoMargin struct{ Margin float64 }
	// SingleClass occurs when a classifier is trained on one class only.
	SingleClass struct{ Label int }
	// WeightUnused occurs when a weight is given for a class that no row has.
	WeightUnused struct{ Label int }
	// LabelsMerged occurs when two labels that differ are cut to one integer.
	LabelsMerged struct{ First, Second float64 }
	// ManyClasses occurs when so many labels occur so rarely that they look
	// like the targets of a regression.
	ManyClasses struct{ Classes, Rows int }
	// RowsDrawn occurs when a method trains on some of the rows, since there are many. Unasked
	// says that nobody has told it how many.
	RowsDrawn struct {
		Rows, Of int
		Unasked  bool
	}
	// FoldsReduced occurs when more folds are asked for than there are rows.
	FoldsReduced struct{ Folds, Rows int }
	// GroupsLeftOut occurs when more folds are asked for than there are groups of rows, each of which
	// then is a fold.
	GroupsLeftOut struct{ Folds, Groups int }
	// CalibrationLimit occurs when the fit of a sigmoid ends at its limit of
	// iterations.
	CalibrationLimit struct{}
	// CalibrationStuck occurs when the fit of a sigmoid ends since its line search finds
	// no better point.
	CalibrationStuck struct{}
	// CouplingLimit occurs when the pairwise coupling of probabilities ends at its limit of rounds.
	CouplingLimit struct{}
	// NoiseEstimated occurs when a regression has estimated its noise.
	NoiseEstimated struct{ Sigma float64 }
	// Grown occurs when a method that adds vectors round by round has judged a
	// round: Score is the share of rows held out, by what errors on them cost, that are
	// answered rightly, of a regression 1 - MSE/variance. Loss is what decides between rounds of
	// equal scores: of classifiers the mean loss of these rows, of a regression 0.
	Grown struct {
		Round, Vectors int
		Score, Loss    float64
	}
	// Shifted occurs when an ensemble of exemplar or prototype machines has been
	// judged: Accuracy is the share of rows held out that are answered rightly, NaN
	// if none are. Form is how machines are shifted where several ways are compared, of a
	// Trial on some of the rows; Rising says that sigmoids do not fall, because exemplar machines
	// answered more of the rows held out so.
	Shifted struct {
		Round, Iteration, Machines int
		Accuracy                   float64
		Form                       string
		Trial, Rising              bool
	}
	// FarTargets occurs when the targets of a smooth regression are so far from 0, beside how
	// they differ, that the offset, which counts in what is minimised, draws answers towards 0.
	FarTargets struct{}
	// TooFewDecisions occurs when a one-class model has too few training rows
	// on one side to estimate probabilities.
	TooFewDecisions struct{}
)

func (FarTargets) event()       {}
func (Progress) event()         {}
func (Rebuilt) event()          {}
func (SlowShrinking) event()    {}
func (IterationLimit) event()   {}
func (Unconverged) event()      {}
func (Solved) event()           {}
func (Minimised) event()        {}
func (RunDone) event()          {}
func (StageDone) event()        {}
func (Assembled) event()        {}
func (NoVectors) event()        {}
func (ClassesUndrawn) event()   {}
func (NoMargin) event()         {}
func (SingleClass) event()      {}
func (WeightUnused) event()     {}
func (LabelsMerged) event()     {}
func (ManyClasses) event()      {}
func (FoldsReduced) event()     {}
func (GroupsLeftOut) event()    {}
func (RowsDrawn) event()        {}
func (CalibrationLimit) event() {}
func (CalibrationStuck) event() {}
func (CouplingLimit) event()    {}
func (NoiseEstimated) event()   {}
func (Grown) event()            {}
func (Shifted) event()          {}
func (TooFewDecisions) event()  {}

// A Report is told the events of a training, one at a time, in the order in which
// they would occur on one thread; the call may come from any goroutine. A nil
// Report is told nothing.
type Report func(Event)

// Send reports e.
func (r Report) Send(e Event) {
	if r != nil {
		r(e)
	}
}

// faults returns a Report that leaves out what tells that all is well.
func (r Report) faults() Report {
	if r == nil {
		return nil
	}
	return func(e Event) {
		switch e.(type) {
		case Progress, Rebuilt, SlowShrinking, Solved, Assembled:
			return
		}
		r(e)
	}
}
