// Package psvm trains ensembles of exemplar and prototype support vector machines (A. T. Shen,
// Prototype support vector machines: supervised classification in complex datasets, Williams
// College, 2013).
//
// Call Train on what [Default] returns: see the package example. There is no kernel to choose.
//
// # Problem
//
// Separate classes of any shape without choosing a kernel. Each row d_i is the exemplar of a linear
// machine between the positive set P_i = {d_i} and the negative set N_i, a few near rows of other
// classes. A machine votes for its exemplar's class where its value is positive, and abstains
// elsewhere. Together the machines are a classifier: see models.Ballot.
//
// # Method
//
// Algorithms 1 (TRAIN) and 3 (SHIFT): exemplars become prototypes in s iterations. In each,
//
//   - every row goes to the nearest exemplar of its class whose machine calls the row positive, and
//     joins that machine's positive set
//   - rows of other classes that a machine calls positive join its negative set with some
//     probability
//   - machines to which no row goes are dropped
//   - all machines are trained again
//
// Some rows are held out; the ensemble that answers most of them rightly is the result. The
// ensemble of iteration 0 is the exemplar machines of Malisiewicz, Gupta and Efros, 2011.
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
// A machine is LIBSVM's one-against-one classifier of all classes in P_i and N_i, as the thesis
// says: a hyperplane and a sigmoid for each pair of classes. It calls a row positive if its
// exemplar's class has the most votes; its probability comes from coupling those of the pairs. With
// Trainer.Single it has one hyperplane, between P_i and N_i.
//
// Finally, machines that the best ensemble does not need are removed, which is not in the thesis:
// see Trainer.Unpruned.
//
// # Where the thesis is open
//
//   - Where a row goes and what a machine calls positive is chosen by the held-out rows: see
//     [Form].
//   - Sets contain a row once. A row in the place of the exemplar is not a negative.
//   - A machine that gets no row is dropped, not only one that calls no row positive ("fails to
//     capture any data").
//   - Samples are drawn with replacement. Held-out rows are a share of each class.
//   - Of equally good ensembles the later one is taken, of equally near exemplars the first.
//   - Positives cost more than negatives if they are fewer, as in exemplar machines.
//   - How many of the rows that a machine wrongly calls positive join its negative set depends on
//     the machine: see [AsNegatives]. With the thesis's probability, 0.5 %, of some hundred rows
//     hardly any do, and machines of many classes or features never see most of the rows that they
//     must tell apart.
//   - With more than MostPaired classes, a machine that is shifted has one hyperplane: see
//     Trainer.Single. So has every machine if there may be more than MostWeights weights.
//   - Sigmoids are fitted to values from five folds, which the seed's random stream draws anew for
//     each machine, as svm-train -b 1 does for that machine alone. If exemplar machines whose
//     sigmoids do not fall answer more held-out rows than the best ensemble, all machines are
//     trained again with such sigmoids (fit.go).
//
// The thesis's figures do not show which reading it uses. With Literal, Trainer.EqualCosts and
// Trainer.Single, ensembles have sizes near the thesis's, although one hyperplane is not what it
// says of its machines. On several classes, however, they answer worse than the thesis's, most of
// all with wrong labels; the default answers better there.
package psvm

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// A Trainer trains ensembles. It draws nothing from rng, which may be nil; random choices follow
// from Seed.
type Trainer struct {
	// Iterations is how often the machines are shifted; 0: they stay exemplar machines.
	Iterations int
	Negatives  int     // rows of other classes in a machine's first negative set
	Validation float64 // share of each class to hold out, below 1; 0: none, the last ensemble is the result
	// HardNegatives is the probability with which a row that a machine wrongly calls positive joins
	// its negative set. AsNegatives: each machine has its own.
	HardNegatives float64
	// Rows is the largest number of rows to train on, held-out rows included; 0: MostRows. If there
	// are more, each class is sampled in proportion to its size, rounded, and with at least one
	// row, so the total can be a little above Rows. With Sampling, rows are drawn from all rows
	// unless Rows is set.
	Rows int
	// Sampling is the number of rounds of weighted sampling (algorithm 5); 0: train on all rows at
	// once.
	Sampling int
	// FirstShare is the number of draws in the first round, and NextShare that in each further
	// round, from rows answered wrongly; both are relative to the number of rows. A row that is
	// drawn again is in the sample once, so samples are smaller.
	FirstShare, NextShare float64

	Cost float64 // of margin errors of a machine
	// EqualCosts gives positives the cost of negatives even if there are more negatives, as LIBSVM
	// does by default. Ensembles are smaller, and far worse if labels are wrong.
	EqualCosts bool
	// Single trains one hyperplane for each machine, between its class and all others, instead of
	// one for each pair of the classes in its sets. With more than MostPaired classes this is done
	// anyway, unless Pairs is set or there are no iterations, and with more than MostWeights weights,
	// unless Pairs is set.
	Single, Pairs bool
	Form          Form // how machines are shifted
	// Unpruned keeps machines without which the ensemble answers no fewer training rows rightly.
	// Ensembles are then two to ten times larger, and mostly worse.
	Unpruned bool

	Ballot models.Ballot // what machines give their class
	// Probability asks for the machines' probabilities even if votes do not need them.
	Probability bool
	Lean        bool   // leave out of the model what is not needed to answer
	Seed        uint64 // of all random choices
	Threads     int    // machines trained at once; 0: one for each processor
	Report      train.Report
}

var _ train.Forker = Trainer{}

// AsNegatives, for Trainer.HardNegatives, has as many rows as Trainer.Negatives, on average, join a
// machine's negative set in each iteration, or all that it wrongly calls positive if they are
// fewer; but each with the thesis's probability, 0.005, at least. If rows are held out, they choose
// between this and the thesis's probability for all. With Literal it is that probability.
const AsNegatives = -1

// Default returns the thesis's parameters, without sampling, except that HardNegatives is
// AsNegatives.
func Default() Trainer {
	return Trainer{
		Iterations: 10, Negatives: 7, Validation: 0.25, HardNegatives: AsNegatives,
		FirstShare: 0.5, NextShare: 0.25, Cost: 1, Ballot: models.ByProbability, Seed: 1,
	}
}

// MostRows is the largest number of rows that are all trained on unless Trainer.Rows or
// Trainer.Sampling is set. Time and memory grow with the square of the number of rows.
const MostRows = 20000

// MostPaired is the largest number of classes with which machines have a hyperplane for each pair
// of the classes in their sets unless Trainer.Pairs is set. Time and memory grow with the number of
// pairs, and iterations bring more and more classes into the sets. With more classes, Trainer.Pairs
// answers mostly better, by ensembles that are hundreds of times larger. Exemplar machines, without
// iterations, have Trainer.Negatives rows of other classes at most, and a hyperplane for each pair
// however many classes there are, up to MostWeights.
const MostPaired = 20

// Rounds is the thesis's number of rounds of sampling, for Trainer.Sampling.
const Rounds = 2

// Validate returns an error that names the first parameter that is out of range.
func (t Trainer) Validate() error {
	share := func(v float64) bool { return v > 0 && v <= 1 }
	switch {
	case t.Negatives == 0 && t.FirstShare == 0:
		return errors.New("Negatives and FirstShare are 0: Default sets them")
	case t.Iterations < 0:
		return fmt.Errorf("%d iterations: expected 0 or more", t.Iterations)
	case t.Negatives < 1:
		return fmt.Errorf("%d negatives: expected 1 or more", t.Negatives)
	case !(t.Validation >= 0 && t.Validation < 1):
		return fmt.Errorf("validation share %v: expected 0 or more, and less than 1", t.Validation)
	case t.HardNegatives != AsNegatives && !(t.HardNegatives >= 0 && t.HardNegatives <= 1):
		return fmt.Errorf("probability %v of hard negatives: expected 0 to 1, or AsNegatives", t.HardNegatives)
	case t.Rows < 0:
		return fmt.Errorf("%d rows to train on: expected 0, for the default, or more", t.Rows)
	case t.Sampling < 0:
		return fmt.Errorf("%d rounds of sampling: expected 0 or more", t.Sampling)
	case !share(t.FirstShare) || !share(t.NextShare):
		return fmt.Errorf("shares %v and %v to sample: expected more than 0, and 1 at most", t.FirstShare, t.NextShare)
	case !(t.Cost > 0 && t.Cost <= math.MaxFloat32):
		return fmt.Errorf("cost %v: expected a positive number, and at most %.3g", t.Cost, math.MaxFloat32)
	case t.Single && t.Pairs:
		return errors.New("both Single and Pairs are set")
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

// ErrNumbers reports labels that are not classes.
var ErrNumbers = errors.New("exemplar and prototype machines predict classes, for which whole numbers stand; they cannot predict numbers")
