package catalog

import (
	"fmt"
	"math"
	"strings"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// The options of chunking-synthetic classifiers.
var (
	csDefault = cs.Default()

	csStages     = Option{Name: "stages", Symbol: "|Y_i|", Usage: "rows in the sample of each stage, as `N,N,...`; samples always leave rows to hold out, and a last stage uses all rows", Default: "", List: true, Text: "500, doubling up to two thirds of the rows and at most 8000", Range: csSizes}
	csCosts      = Option{Name: "stage-costs", Symbol: "ν", Usage: "cost of errors in each stage, as `NUMBER,NUMBER,...`; the last one holds for all further stages", Default: "", List: true, Text: "for each stage the best of 0.1, 0.3, 1 ... 100 on held-out rows", Range: upToLargest}
	csRuns       = Option{Name: "runs", Symbol: "p", Usage: "number of independent runs per stage", Default: csDefault.Runs, Range: csRunsRange}
	csPoints     = Option{Name: "points", Symbol: "t", Usage: "number of synthetic points per run", Default: csDefault.Points, Range: FromOne}
	csBox        = Option{Name: "box", Symbol: "α", Usage: "bound on the weights of an approximation, relative to the coefficients of its starting points; 0: no bound; the paper uses 1.25", Default: csDefault.Box, Range: Least}
	csDescents   = Option{Name: "descents", Usage: "number of descents per approximation, from different starting points; the closest result is kept", Default: csDefault.Starts, Range: FromOne}
	csAlternate  = Option{Name: "alternate", Usage: "approximate twice, the second time from random points, and use both sets of points", Default: csDefault.Alternate}
	csClassifier = Option{Name: "classifier", Usage: "problem that a classifier solves: lp (linear program); uniform (closed form; large margins offset errors, so usually far less accurate, above all where class sizes differ); weighted (iterative, without that offset)", Default: string(csDefault.Form), Words: []string{string(cs.Programme), string(cs.Uniform), string(cs.Weighted)}}
	csLast       = Option{Name: "last-stage", Usage: "vectors of a machine: union (chosen by the linear program from the points of all runs) or points (approximated once more, at most --points of them, with --alternate twice as many)", Default: lastUnion, Words: []string{lastUnion, lastPoints}}
	csHeldOut    = Option{Name: "held-out-ratio", Usage: "rows that a run holds out, as a multiple of its sample size", Default: csDefault.HeldOut, Range: csRatios}
	csApart      = Option{Name: "apart", Usage: "with more than two classes, let each machine choose only from its own points", Default: !csDefault.Share}
)

// The numbers that options of chunking-synthetic classifiers may be.
var (
	csSizes     = &Range{"whole numbers from 2, each above the one before", func(v float64) bool { return v >= 2 && v <= math.MaxInt32 && v == math.Trunc(v) }}
	csRatios    = &Range{fmt.Sprintf("a number from 0 to %d", math.MaxInt32), func(v float64) bool { return v >= 0 && v <= math.MaxInt32 }}
	csRunsRange = &Range{"1 to 32768", func(v float64) bool { return v >= 1 && v <= 32768 }}
)

const (
	lastUnion  = "union"
	lastPoints = "points"
)

// ofCS returns the methods of train/cs.
func ofCS() []Method {
	return []Method{{
		Name: "cs", Doc: "chunking-synthetic classifier: few synthetic points, found by linear programs on growing samples of the rows", Task: models.CSVC,
		Kernels:  []string{"linear", "poly", "rbf"},
		Uses:     []string{"weight", "multiclass", "probability"},
		Options:  []Option{csStages, csCosts, csRuns, csPoints, csBox, csDescents, csAlternate, csClassifier, csLast, csHeldOut, csApart, mkcMatrixMB},
		Together: true,
		New: func(p Parameters) (train.Trainer, error) {
			s, err := p.cs()
			t := cs.Trainer{Settings: s, Kernel: p.Kernel, OneVsRest: p.OneVsRest, Weights: p.Weights, Report: p.Solver.Report, Threads: p.Solver.Threads}
			if err == nil {
				err = t.Validate()
			}
			return p.calibrated(t, models.CSVC), err
		},
	}}
}

func (p *Parameters) cs() (s cs.Settings, err error) {
	s = cs.Default()
	sizes, err := numbers(p, csStages)
	if err != nil {
		return s, err
	}
	for i, v := range sizes {
		if i > 0 && v <= sizes[i-1] {
			return s, fmt.Errorf("--%s %q: expected %s, found %v behind %v", csStages.Name, valueOf[string](p, csStages), csSizes.Expected, v, sizes[i-1])
		}
		s.Sizes = append(s.Sizes, int(v))
	}
	if s.Nu, err = numbers(p, csCosts); err != nil {
		return s, err
	}
	s.Seed, s.Runs, s.Points = p.Seed, valueOf[int](p, csRuns), valueOf[int](p, csPoints)
	s.Box, s.Starts = valueOf[float64](p, csBox), valueOf[int](p, csDescents)
	s.Alternate, s.Form = valueOf[bool](p, csAlternate), cs.Form(valueOf[string](p, csClassifier))
	if s.HeldOut = valueOf[float64](p, csHeldOut); s.HeldOut == 0 && len(s.Nu) == 0 {
		return s, fmt.Errorf("--%s 0: costs are chosen on the rows held out: expected a number above 0, or --%s", csHeldOut.Name, csCosts.Name)
	}
	s.Share = !valueOf[bool](p, csApart)
	s.MatrixMB = valueOf[float64](p, mkcMatrixMB)
	s.Whole, err = either(p, csLast, lastUnion, lastPoints)
	return s, err
}

// numbers returns those of an option that lists some.
func numbers(p *Parameters, o Option) (all []float64, err error) {
	text := valueOf[string](p, o)
	if text == "" {
		return nil, nil
	}
	for _, word := range strings.Split(text, ",") {
		v, err := textscan.Number(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("--%s %q: expected numbers with commas, found %q", o.Name, text, word)
		}
		if !o.Range.Has(v) {
			return nil, fmt.Errorf("--%s %q: expected %s, found %q", o.Name, text, o.Range.Expected, word)
		}
		all = append(all, v)
	}
	return all, nil
}
