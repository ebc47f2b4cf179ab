package catalog

import (
	"fmt"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/psvm"
)

// The options of ensembles of exemplar and prototype machines.
var (
	psvmDefault = psvm.Default()

	psvmIterations = Option{Name: "iterations", Symbol: "s", Usage: "number of times to shift the machines", Default: psvmDefault.Iterations}
	psvmNegatives  = Option{Name: "negatives", Symbol: "k", Usage: "number of rows of other classes that a machine begins with", Default: psvmDefault.Negatives}
	psvmValidation = Option{Name: "validation-share", Symbol: "v", Usage: "share of each class that is held out to choose the iteration, and the form; 0: none, the last iteration is taken", Default: psvmDefault.Validation}
	psvmHard       = Option{Name: "hard-negatives", Symbol: "p", Usage: "probability of a row that a machine wrongly calls positive to join its negative set", Default: psvmDefault.HardNegatives}
	psvmEqual      = Option{Name: "equal-costs", Usage: "errors of a machine's few positives cost no more than those of its negatives, for smaller ensembles; worse where labels are wrong", Default: psvmDefault.EqualCosts}
	psvmSingle     = Option{Name: "one-hyperplane", Usage: "a machine has one hyperplane, between its class and all others; else one for each pair of the classes in its sets", Default: psvmDefault.Single}
	psvmForm       = Option{Name: "form", Usage: "where a row goes: others (to the nearest other machine that calls it positive, to its own only if there is none) or own (its own is the nearest); positive is by votes, or by probability with others-likely and own-likely; auto: the rows held out choose; literal: by the thesis's words, and with --equal-costs --one-hyperplane ensembles are as small as in the thesis", Default: psvmDefault.Form.String()}
	psvmUnpruned   = Option{Name: "unpruned", Usage: "keep machines without which the training rows are answered as well: ensembles are larger, and mostly worse", Default: psvmDefault.Unpruned}
	psvmRows       = Option{Name: "rows", Usage: "most rows to train on, those held out included, of each class its share, rounded, and one at least; time and memory grow by the square", Default: psvmDefault.Rows, Text: fmt.Sprintf("%d; with --sampling all, of which it draws", psvm.MostRows)}
	psvmSampling   = Option{Name: "sampling", Symbol: "r", Usage: "rounds of training on samples, to which each adds rows that were answered wrongly; 2 in the thesis", Default: psvmDefault.Sampling, Text: "0, without samples"}
	psvmFirst      = Option{Name: "first-share", Symbol: "f", Usage: "draws for the first sample, with replacement, relative to the number of rows: a row that is drawn again is in it once, so that 0.5 makes about 0.39 of the rows, and 1 about 0.63", Default: psvmDefault.FirstShare}
	psvmNext       = Option{Name: "next-share", Symbol: "f'", Usage: "the same for a further sample, of rows that are answered wrongly", Default: psvmDefault.NextShare}
	psvmVote       = Option{Name: "vote", Usage: "what a machine whose value is positive gives its class: probability, decision (the value) or count (1)", Default: psvmDefault.Ballot.String()}
	psvmLean       = Option{Name: "lean", Usage: "keep nothing but the hyperplanes and what votes need", Default: psvmDefault.Lean}
)

// ofPSVM returns the methods of train/psvm.
func ofPSVM() []Method {
	uses := []string{"cost", "probability"}
	return []Method{
		{
			Name: "psvm", Doc: "prototype machines: an ensemble of linear machines, each moved from a row to the rows around it", Task: models.CSVC,
			Uses: uses, Together: true, Linear: true,
			Options: []Option{psvmIterations, psvmNegatives, psvmValidation, psvmHard, psvmEqual, psvmSingle, psvmForm, psvmUnpruned, psvmRows, psvmSampling, psvmFirst, psvmNext, psvmVote, psvmLean},
			New: func(p Parameters) (train.Trainer, error) {
				t, err := p.psvm()
				t.Iterations, t.HardNegatives = valueOf[int](&p, psvmIterations), valueOf[float64](&p, psvmHard)
				t.Sampling, t.Unpruned = valueOf[int](&p, psvmSampling), valueOf[bool](&p, psvmUnpruned)
				t.FirstShare, t.NextShare = valueOf[float64](&p, psvmFirst), valueOf[float64](&p, psvmNext)
				if err == nil {
					t.Form, err = psvm.ParseForm(valueOf[string](&p, psvmForm))
				}
				if err == nil {
					err = t.Validate()
				}
				return t, err
			},
		},
		{
			Name: "esvm", Doc: "exemplar machines: an ensemble of linear machines, each between one row and the rows of other classes near it; psvm with 0 iterations", Task: models.CSVC,
			Uses: uses, Together: true, Linear: true,
			Options: []Option{psvmNegatives, psvmValidation, psvmEqual, psvmSingle, psvmRows, psvmVote, psvmLean},
			New: func(p Parameters) (train.Trainer, error) {
				t, err := p.psvm()
				t.Iterations = 0
				if err == nil {
					err = t.Validate()
				}
				return t, err
			},
		},
	}
}

// psvm returns a trainer with the parameters that both methods have.
func (p *Parameters) psvm() (t psvm.Trainer, err error) {
	t = psvmDefault
	t.Cost, t.Seed, t.Threads, t.Report, t.Probability = p.Cost, p.Seed, p.Solver.Threads, p.Solver.Report, p.Probability
	t.Rows = valueOf[int](p, psvmRows)
	t.Negatives, t.Validation = valueOf[int](p, psvmNegatives), valueOf[float64](p, psvmValidation)
	t.Lean, t.EqualCosts, t.Single = valueOf[bool](p, psvmLean), valueOf[bool](p, psvmEqual), valueOf[bool](p, psvmSingle)
	t.Ballot, err = models.ParseBallot(valueOf[string](p, psvmVote))
	return t, err
}
