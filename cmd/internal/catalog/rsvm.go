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

	rsvmSharpness = Option{Name: "sharpness", Symbol: "α", Usage: "how near the smooth plus function is to the plus function; inf: that itself", Default: rsvmDefault.Alpha}
	rsvmTolerance = Option{Name: "newton-tolerance", Usage: "norm of the gradient at the end, relative to 1 + the norm of the solution", Default: rsvmDefault.Tolerance}
	rsvmSteps     = Option{Name: "newton-steps", Usage: "most Newton steps", Default: rsvmDefault.Steps}

	rsvmShare = Option{Name: "share", Usage: "share of the rows to draw for the reduced set, up to --max-vectors", Default: rsvmRandom.Share, Text: "0.1, of fewer than 200 rows 20 of them"}
	rsvmMost  = Option{Name: "max-vectors", Usage: "most vectors of the reduced set", Default: rsvmSystematic.MaxVectors}

	rsvmDraw = Option{Name: "draw", Usage: "what the vectors are: rows, drawn by chance, or kmeans, centres of the rows of each class", Default: drawRows}
	rsvmEach = Option{Name: "per-class", Usage: "how many vectors a class has: share, in proportion to its rows, or even, as many as the others", Default: eachShare}

	rsvmInitial    = Option{Name: "initial", Usage: "number of rows that the reduced set begins with", Default: rsvmSystematic.Initial}
	rsvmParts      = Option{Name: "parts", Symbol: "k", Usage: "number of rows that a round adds for each class, at most, from those answered wrongly", Default: rsvmSystematic.Parts}
	rsvmPick       = Option{Name: "pick", Usage: "which row of a part: random, or first, the one nearest to the boundary", Default: pickRandom}
	rsvmValidation = Option{Name: "validation", Usage: "share of the rows that are held out to judge the rounds", Default: rsvmSystematic.Validation}
	rsvmThreshold  = Option{Name: "threshold", Usage: "what ends the growth on these rows: a share of right answers, by what errors on them cost, classes included, or of a regression 1 - MSE/variance; 0: nothing does", Default: 0.0}
	rsvmKeep       = Option{Name: "keep", Usage: "which round to keep: best, the one that did best on these rows, of equal ones by what the errors of the machines cost there, or last", Default: keepBest}
	rsvmPatience   = Option{Name: "patience", Usage: "number of rounds without gain that end the growth", Default: rsvmSystematic.Patience}
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
			"rsvm", "rsvr", "rows drawn by chance, or their centres, are the vectors", []Option{vectors, rsvmShare, rsvmMost, rsvmDraw, rsvmEach}, drawn,
		},
		{
			"ssrsvm", "ssrsvr", "vectors are added from rows that are answered wrongly",
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
		return false, fmt.Errorf("--%s %q: expected %s or %s", o.Name, word, no, yes)
	}
}
