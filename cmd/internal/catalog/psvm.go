package catalog

import (
	"fmt"
	"strconv"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/psvm"
)

// The options of ensembles of exemplar and prototype machines.
var (
	psvmDefault = psvm.Default()

	psvmIterations = Option{Name: "iterations", Symbol: "s", Usage: "number of iterations; each moves every machine to the rows assigned to it", Default: psvmDefault.Iterations, Range: FromZero}
	psvmNegatives  = Option{Name: "negatives", Symbol: "k", Usage: "number of rows of other classes that a machine starts with", Default: psvmDefault.Negatives, Range: FromOne}
	psvmValidation = Option{Name: "validation-share", Symbol: "v", Usage: "share of each class held out to choose the iteration and the form; 0: none, take the last iteration that has machines; esvm, which has nothing to choose, only tells the accuracy on these rows", Default: psvmDefault.Validation, Range: below}
	psvmHard       = Option{Name: "hard-negatives", Symbol: "p", Usage: "probability that a row which a machine wrongly calls positive joins its negatives", Default: psvmDefault.HardNegatives, Text: "such that about --negatives rows join in each iteration, at least 0.005; held-out rows choose between this and 0.005 for all machines; with --form literal 0.005", Range: ZeroToOne}
	psvmEqual      = Option{Name: "equal-costs", Usage: "let errors on a machine's few positives cost no more than on its negatives: smaller ensembles, worse where labels are wrong", Default: psvmDefault.EqualCosts}
	psvmSingle     = Option{Name: "one-hyperplane", Usage: "one hyperplane per machine, between its class and all others, instead of one per pair of the classes in its sets; with more than " + strconv.Itoa(psvm.MostPaired) + " classes psvm does so anyway, and with more than " + strconv.Itoa(psvm.MostWeights/1000000) + " million weights (rows times pairs of classes times features) both methods do, unless it is =false", Default: psvmDefault.Single}
	psvmForm       = Option{Name: "form", Usage: "which machine a row is assigned to: others (the nearest other machine that calls it positive, its own only if there is none) or own (its own counts as the nearest); these decide by votes what is positive, others-likely and own-likely by probability; auto: held-out rows choose; literal: as the thesis words it, which with --equal-costs --one-hyperplane gives ensembles as small as the thesis's", Default: psvmDefault.Form.String(), Words: textsOf(psvm.Auto, psvm.Literal)}
	psvmUnpruned   = Option{Name: "unpruned", Usage: "keep machines that the training rows do not need: ensembles are larger and usually worse", Default: psvmDefault.Unpruned}
	psvmRows       = Option{Name: "rows", Usage: "maximum number of training rows, held-out rows included; each class keeps its share, at least one row; time and memory grow with the square", Default: psvmDefault.Rows, Text: fmt.Sprintf("%d; psvm with --sampling: all", psvm.MostRows), Range: orDefault}
	psvmSampling   = Option{Name: "sampling", Symbol: "r", Usage: "rounds of training on samples, each of which adds wrongly predicted rows; the thesis uses 2", Default: psvmDefault.Sampling, Text: "0: no samples", Range: FromZero}
	psvmFirst      = Option{Name: "first-share", Symbol: "f", Usage: "draws for the first sample, with replacement, as a multiple of the number of rows; repeated rows count once, so 0.5 gives about 39% of the rows and 1 about 63%", Default: psvmDefault.FirstShare, Range: Share}
	psvmNext       = Option{Name: "next-share", Symbol: "f'", Usage: "like --first-share, for each further sample, drawn from wrongly predicted rows", Default: psvmDefault.NextShare, Range: Share}
	psvmVote       = Option{Name: "vote", Usage: "what a positive machine adds to its class's votes: probability, decision (its decision value) or count (1)", Default: psvmDefault.Ballot.String(), Words: textsOf(models.ByProbability, models.ByCount)}
	psvmLean       = Option{Name: "lean", Usage: "store only the hyperplanes and what votes need", Default: psvmDefault.Lean}
)

// textsOf returns the names of consecutive constants.
func textsOf[T interface {
	~int
	String() string
}](first, last T) []string {
	var all []string
	for v := first; v <= last; v++ {
		all = append(all, v.String())
	}
	return all
}

// ofPSVM returns the methods of train/psvm.
func ofPSVM() []Method {
	uses := []string{"cost", "probability"}
	return []Method{
		{
			Name: "psvm", Doc: "prototype machines: an ensemble of linear machines, each moved from a row to the rows around it", Task: models.CSVC,
			Uses: uses, Together: true, Linear: true, WholeLabels: true,
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
			Uses: uses, Together: true, Linear: true, WholeLabels: true,
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
	if !t.Single {
		_, t.Pairs = p.Values[psvmSingle.Name]
	}
	t.Ballot, err = models.ParseBallot(valueOf[string](p, psvmVote))
	return t, err
}
