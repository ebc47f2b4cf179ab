// Package psvm trains ensembles of exemplar and prototype support vector machines
// (A. T. Shen, Prototype support vector machines: supervised classification in complex
// datasets, Williams College, 2013).
//
// Problem: separate classes of any shape without the choice of a kernel. Each row d_i is
// the exemplar of a linear machine between the positive set P_i = {d_i} and N_i, a few
// near rows of other classes; a machine speaks for its exemplar's class where its value
// is positive, and is silent elsewhere. Together the machines are a classifier, see
// models.Ballot.
//
// Method, algorithms 1 (TRAIN) and 3 (SHIFT): exemplars become prototypes in s
// iterations. Every row goes to the nearest exemplar of its class whose machine calls
// the row positive, and joins its positive set; rows of other classes that a machine
// calls positive join its negative set by chance; machines to which no row goes are
// dropped; then all are trained again. Some rows are held out, and the ensemble that
// answers the most of them rightly is the result. That of iteration 0 are the exemplar
// machines of Malisiewicz, Gupta and Efros, 2011.
//
//	thesis   here
//	s        Trainer.Iterations
//	k        Trainer.Negatives
//	v        Trainer.Validation
//	p        Trainer.HardNegatives
//	r        Trainer.Sampling
//	f, f'    Trainer.FirstShare, Trainer.NextShare
//	C        Trainer.Cost
//	D, V     the rows to train on, and those held out; of one TRAIN
//
// A machine is LIBSVM's one-against-one classifier of all classes in P_i and N_i, as the
// thesis says of its own: a hyperplane and a sigmoid for each pair of them. It calls a row
// positive if its exemplar's class has the most of their votes; its probability is that of
// coupling the pairs'. With Trainer.Single it has one hyperplane, between P_i and N_i.
//
// From the best ensemble machines go that it does not need, which is not in the thesis: see
// Trainer.Unpruned.
//
// What the thesis leaves open: where a row goes, and what a machine calls positive, is
// chosen by the rows held out, see Form. Sets are sets; machines that
// get no row go, not only those that call none positive ("fails to capture any data"); a row in
// its exemplar's place is no negative; samples are drawn with replacement; of equally good
// ensembles the later is taken, of equally near exemplars the first; held-out rows are a
// share of each class. Positives cost more than negatives as they are fewer, as in exemplar
// machines, where the thesis says nothing. Sigmoids are fitted to values in five folds, which
// the random stream of the seed chooses afresh for each machine, as svm-train -b 1 does for
// that machine alone; but where exemplar machines whose sigmoids do not fall answer more of the rows
// held out than the best ensemble, all are trained again with such, see fit.go.
//
// Which of these readings the thesis has, its figures do not tell. With Literal,
// Trainer.EqualCosts and Trainer.Single ensembles have sizes near the thesis's, though one
// hyperplane is not what it says of its machines; but on several classes they answer worse than
// its do, most of all where labels are wrong. Ours answer better there.
package psvm

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// A Trainer trains ensembles. It draws nothing from rng; random choices are by Seed.
type Trainer struct {
	// Iterations is the number of times to shift the machines; 0: they stay exemplar
	// machines.
	Iterations int
	Negatives  int     // rows of other classes in a machine's first negative set
	Validation float64 // share of each class to hold out, below 1; 0: none, the last ensemble is the result
	// HardNegatives is the probability of a row that a machine wrongly calls positive to
	// join its negative set.
	HardNegatives float64
	// Rows is the most rows to be trained on, held-out ones included; 0: MostRows. Of more
	// each class has its share drawn, rounded, and one row at least, by which there may be more
	// than Rows. Where there is sampling, it draws from all rows unless
	// Rows says otherwise.
	Rows int
	// Sampling is the number of rounds of weighted sampling (algorithm 5); 0: all rows
	// are trained on at once.
	Sampling int
	// FirstShare is the number of draws for the first round, NextShare that of each
	// further round, of rows answered wrongly, relative to the number of rows. A row that
	// is drawn again is in the sample once, which so has a smaller share.
	FirstShare, NextShare float64

	Cost float64 // of margin errors of a machine
	// EqualCosts has errors of positives cost no more than those of negatives even where
	// there are more negatives, LIBSVM's default: ensembles are smaller, and far worse
	// where labels are wrong.
	EqualCosts bool
	// Single has one hyperplane a machine, between its class and all others; else there is
	// one for each pair of the classes in its sets.
	Single bool
	Form   Form // how machines are shifted
	// Unpruned leaves machines in the ensemble without which it answers no fewer training rows
	// rightly: ensembles are two to ten times larger, and mostly worse.
	Unpruned bool

	Ballot models.Ballot // what machines give their class
	// Probability asks for the machines' probabilities even if votes do not need them.
	Probability bool
	Lean        bool // leave out of the model what is not needed to answer
	Seed        uint64
	Threads     int // machines at once; 0: one a processor
	Report      train.Report
}

var _ train.Forker = Trainer{}

// Default returns the thesis's parameters, without sampling.
func Default() Trainer {
	return Trainer{
		Iterations: 10, Negatives: 7, Validation: 0.25, HardNegatives: 0.005,
		FirstShare: 0.5, NextShare: 0.25, Cost: 1, Ballot: models.ByProbability, Seed: 1,
	}
}

// MostRows is the number of rows up to which all are trained on where nothing else is said:
// time and memory grow by its square.
const MostRows = 20000

// Rounds is the thesis's number of rounds of sampling.
const Rounds = 2

// Validate returns an error that names the first parameter that is out of range.
func (t Trainer) Validate() error {
	share := func(v float64) bool { return v > 0 && v <= 1 }
	switch {
	case t.Iterations < 0:
		return fmt.Errorf("%d iterations: expected 0 or more", t.Iterations)
	case t.Negatives < 1:
		return fmt.Errorf("%d negatives: expected 1 or more", t.Negatives)
	case !(t.Validation >= 0 && t.Validation < 1):
		return fmt.Errorf("validation share %v: expected 0 or more, and less than 1", t.Validation)
	case !(t.HardNegatives >= 0 && t.HardNegatives <= 1):
		return fmt.Errorf("probability %v of hard negatives: expected 0 to 1", t.HardNegatives)
	case t.Rows < 0:
		return fmt.Errorf("%d rows to train on: expected 0, for the default, or more", t.Rows)
	case t.Sampling < 0:
		return fmt.Errorf("%d rounds of sampling: expected 0 or more", t.Sampling)
	case !share(t.FirstShare) || !share(t.NextShare):
		return fmt.Errorf("shares %v and %v to sample: expected more than 0, and 1 at most", t.FirstShare, t.NextShare)
	case !(t.Cost > 0 && t.Cost <= math.MaxFloat32):
		return fmt.Errorf("cost %v: expected a positive number, and at most %.3g", t.Cost, math.MaxFloat32)
	case t.Form < Auto || t.Form > Literal:
		return fmt.Errorf("unknown form %v", t.Form)
	case t.Ballot < models.ByProbability || t.Ballot > models.ByCount:
		return fmt.Errorf("unknown vote %v", t.Ballot)
	}
	return nil
}

// Fork implements train.Forker.
func (t Trainer) Fork(report train.Report) train.Trainer {
	t.Report = report
	return t
}

// Workers implements train.Forker.
func (t Trainer) Workers() int { return t.Threads }

// ErrNumbers is the answer to labels that are not classes.
var ErrNumbers = errors.New("labels of exemplar and prototype machines are classes, for which whole numbers stand; they cannot predict numbers")
