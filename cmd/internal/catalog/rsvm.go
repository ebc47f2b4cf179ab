package catalog

import (
	"fmt"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// The options of the smooth support vector machines.
var (
	rsvmDefault    = rsvm.DefaultOptions()
	rsvmRandom     = rsvm.DefaultRandom()
	rsvmSystematic = rsvm.DefaultSystematic()

	rsvmSharpness = Option{Name: "sharpness", Symbol: "α", Usage: "how closely the smooth plus function follows the plus function max(0, x); inf uses max(0, x) itself", Default: rsvmDefault.Alpha, Range: Above}
	rsvmTolerance = Option{Name: "newton-tolerance", Usage: "stop when the gradient's norm is at most this times (1 + the solution's norm)", Default: rsvmDefault.Tolerance, Range: Positive}
	rsvmSteps     = Option{Name: "newton-steps", Usage: "maximum number of Newton steps", Default: rsvmDefault.Steps, Range: FromOne}

	rsvmShare = Option{Name: "share", Usage: "share of the rows to draw as vectors, up to --max-vectors", Default: rsvmRandom.Share, Text: "0.1, at least 20 rows", Range: Share}
	rsvmMost  = Option{Name: "max-vectors", Usage: "maximum number of vectors", Default: rsvmSystematic.MaxVectors, Range: FromOne}

	rsvmDraw = Option{Name: "draw", Usage: "what the vectors are: rows (drawn at random) or kmeans (k-means centres of each class)", Default: drawRows, Words: []string{drawRows, drawKMeans}}
	rsvmEach = Option{Name: "per-class", Usage: "vectors per class: share (in proportion to its rows) or even (the same number for each)", Default: eachShare, Words: []string{eachShare, eachEven}}

	rsvmInitial    = Option{Name: "initial", Usage: "number of vectors to start with", Default: rsvmSystematic.Initial, Range: FromOne}
	rsvmParts      = Option{Name: "parts", Symbol: "k", Usage: "each round cuts the wrongly predicted rows of a class, in the order of their distance to the boundary, into at most this many parts and adds one row of each", Default: rsvmSystematic.Parts, Range: FromOne}
	rsvmPick       = Option{Name: "pick", Usage: "which row of each part to add: random, or first (the one nearest to the boundary)", Default: pickRandom, Words: []string{pickRandom, pickFirst}}
	rsvmValidation = Option{Name: "validation", Usage: "share of the rows held out to judge the rounds", Default: rsvmSystematic.Validation, Range: between}
	rsvmThreshold  = Option{Name: "threshold", Usage: "stop adding vectors when the score on held-out rows reaches this: the share of correct predictions, weighted by the cost of errors, class weights included; for regression 1 - MSE/variance; 0: never", Default: 0.0, Range: ZeroToOne}
	rsvmKeep       = Option{Name: "keep", Usage: "which round's model to keep: best (best on held-out rows, then lowest cost of the machines' errors there) or last", Default: keepBest, Words: []string{keepBest, keepLast}}
	rsvmPatience   = Option{Name: "patience", Usage: "stop after this many rounds without improvement on held-out rows", Default: rsvmSystematic.Patience, Range: FromOne}
)

// rsvmCost is the cost when none is given. Few vectors leave little to overfit with,
// so that it may be large, says the paper, which gives no number.
const rsvmCost = 100

const (
	drawRows   = "rows"
	drawKMeans = "kmeans"
	eachShare  = "share"
	eachEven   = "even"
	pickRandom = "random"
	pickFirst  = "first"
	keepBest   = "best"
	keepLast   = "last"
)

// ofRSVM returns the methods of train/rsvm: three ways to the reduced set, each for
// classes and for numbers.
func ofRSVM() []Method {
	newton := []Option{rsvmSharpness, rsvmTolerance, rsvmSteps}
	var all []Method
	for _, way := range []struct {
		classify, regress, doc string
		options                []Option
		set                    func(p *Parameters) (rsvm.Set, error)
	}{
		{
			"ssvm", "ssvr", "all rows are vectors", nil,
			func(*Parameters) (rsvm.Set, error) { return rsvm.Full{}, nil },
		},
		{
			"rsvm", "rsvr", "the vectors are rows drawn at random, or k-means centres", []Option{vectors, rsvmShare, rsvmMost, rsvmDraw, rsvmEach}, drawn,
		},
		{
			"ssrsvm", "ssrsvr", "adds vectors from wrongly predicted rows",
			[]Option{rsvmInitial, rsvmParts, rsvmPick, rsvmValidation, rsvmThreshold, rsvmPatience, rsvmKeep, rsvmMost}, systematic,
		},
	} {
		all = append(all, Method{
			Name: way.classify, Doc: "smooth support vector machine: " + way.doc, Task: models.CSVC,
			Uses: []string{"cost", "weight", "probability", "multiclass", "cache-mb"}, Cost: rsvmCost, CostSymbol: "ν", Options: append(way.options, newton...), Together: true, Streams: way.classify != "ssrsvm",
			New: func(p Parameters) (train.Trainer, error) {
				o, err := p.rsvm(way.set)
				c := rsvm.Classifier{Options: o, OneVsRest: p.OneVsRest, Weights: p.Weights}
				if err == nil {
					err = c.Validate()
				}
				return p.calibrated(c, models.CSVC), err
			},
		}, Method{
			Name: way.regress, Doc: "smooth support vector regression: " + way.doc, Task: models.EpsilonSVR,
			Uses: []string{"cost", "epsilon", "probability", "cache-mb"}, Cost: rsvmCost, CostSymbol: "ν", Options: append(way.options, newton...), Together: true, Streams: way.classify != "ssrsvm",
			New: func(p Parameters) (train.Trainer, error) {
				o, err := p.rsvm(way.set)
				g := rsvm.Regression{Options: o, Epsilon: p.Epsilon}
				if err == nil {
					err = g.Validate()
				}
				return p.calibrated(g, models.EpsilonSVR), err
			},
		})
	}
	return all
}

// rsvm returns the options that all smooth machines have.
func (p *Parameters) rsvm(set func(*Parameters) (rsvm.Set, error)) (o rsvm.Options, err error) {
	o = rsvm.Options{
		Kernel: p.Kernel, Cost: p.Cost, Alpha: valueOf[float64](p, rsvmSharpness),
		Tolerance: valueOf[float64](p, rsvmTolerance), Steps: valueOf[int](p, rsvmSteps),
		MemoryMB: p.Solver.CacheMB, Seed: p.Seed, Threads: p.Solver.Threads, Report: p.Solver.Report,
	}
	o.Set, err = set(p)
	return o, err
}

func drawn(p *Parameters) (rsvm.Set, error) {
	s := rsvm.Random{
		Vectors: valueOf[int](p, vectors), Share: valueOf[float64](p, rsvmShare), MaxVectors: valueOf[int](p, rsvmMost),
	}
	if _, given := p.Values[rsvmShare.Name]; !given {
		s.Least = rsvmRandom.Least
	}
	var err error
	if s.Centres, err = either(p, rsvmDraw, drawRows, drawKMeans); err == nil {
		s.Even, err = either(p, rsvmEach, eachShare, eachEven)
	}
	return s, err
}

func systematic(p *Parameters) (rsvm.Set, error) {
	s := rsvm.Systematic{
		Initial: valueOf[int](p, rsvmInitial), Parts: valueOf[int](p, rsvmParts),
		Validation: valueOf[float64](p, rsvmValidation), Threshold: valueOf[float64](p, rsvmThreshold),
		Patience: valueOf[int](p, rsvmPatience), MaxVectors: valueOf[int](p, rsvmMost),
	}
	if s.Initial > s.MaxVectors {
		return s, fmt.Errorf("--%s %d: expected at most --%s %d", rsvmInitial.Name, s.Initial, rsvmMost.Name, s.MaxVectors)
	}
	var err error
	if s.First, err = either(p, rsvmPick, pickRandom, pickFirst); err == nil {
		s.Last, err = either(p, rsvmKeep, keepBest, keepLast)
	}
	return s, err
}

// either reports which of two words is the value of an option.
func either(p *Parameters, o Option, no, yes string) (bool, error) {
	switch word := valueOf[string](p, o); word {
	case no:
		return false, nil
	case yes:
		return true, nil
	default:
		return false, CheckWord(o.Name, word, o.Words)
	}
}
