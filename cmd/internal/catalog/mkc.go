package catalog

import (
	"fmt"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/mkc"
)

// The options of the methods of linear programmes.
var (
	mkcMu         = Option{Name: "mu", Symbol: "μ", Usage: "fixed cost of every error and every vector, relative to the cost of its size", Default: mkc.Default().Mu, Range: mkcMus}
	mkcAlpha      = Option{Name: "alpha", Symbol: "α", Usage: "steepness of the smooth step by which --mu counts errors and vectors", Default: mkc.Default().Alpha, Range: upToLargest}
	mkcColumns    = Option{Name: "columns", Symbol: "m̄", Usage: "number of rows that may become vectors", Default: 0, Text: "all up to 1000 rows; 1000 up to 5000 rows; beyond that 5,000,000 / rows, at least 100", Range: orDefault}
	mkcSample     = Option{Name: "sample", Usage: "how the rows of --columns are chosen: random or systematic", Default: string(mkc.Random), Words: []string{string(mkc.Random), string(mkc.Systematic)}}
	mkcMatrixMB   = Option{Name: "matrix-mb", Usage: "memory for the kernel matrix of a machine, in MB; parts of a larger matrix are recomputed when needed", Default: mkc.Default().MatrixMB, Range: Positive}
	mkcProgrammes = Option{Name: "programmes", Usage: "maximum number of linear programs per machine", Default: mkc.Default().Programmes, Range: FromOne}
)

// The numbers that mu and alpha may be.
var (
	mkcMus      = &Range{fmt.Sprintf("0 to %g", Largest), func(v float64) bool { return v >= 0 && v <= Largest }}
	upToLargest = &Range{fmt.Sprintf("a number above 0 and at most %g", Largest), func(v float64) bool { return v > 0 && v <= Largest }}
)

// ofMKC returns the methods of train/mkc.
func ofMKC() []Method {
	return []Method{
		{
			Name: "mkc", Doc: "minimal kernel classifier: few vectors, found by linear programs; one machine per class against the rest", Task: models.CSVC,
			Uses: []string{"cost", "weight", "probability"}, Cost: mkc.Default().Nu, CostSymbol: "ν",
			Options: []Option{mkcMu, mkcAlpha, mkcColumns, mkcSample, mkcProgrammes, mkcMatrixMB},
			New: func(p Parameters) (train.Trainer, error) {
				s := p.mkc()
				s.Mu, s.Alpha = valueOf[float64](&p, mkcMu), valueOf[float64](&p, mkcAlpha)
				s.Programmes = valueOf[int](&p, mkcProgrammes)
				return p.ofMKC(s), s.Validate()
			},
		},
		{
			Name: "lp1", Doc: "1-norm support vector machine: one linear program; one machine per class against the rest", Task: models.CSVC,
			Uses: []string{"cost", "weight", "probability"}, Cost: mkc.Default().Nu, CostSymbol: "ν",
			Options: []Option{mkcColumns, mkcSample, mkcMatrixMB},
			New: func(p Parameters) (train.Trainer, error) {
				s := p.mkc()
				s.Mu = 0
				return p.ofMKC(s), s.Validate()
			},
		},
	}
}

// mkc returns the solver with the parameters that both methods have.
func (p *Parameters) mkc() mkc.Solver {
	s := mkc.Default()
	s.Nu, s.MatrixMB, s.Seed, s.Report = p.Cost, valueOf[float64](p, mkcMatrixMB), p.Seed, p.Solver.Report
	s.Columns, s.Sample = valueOf[int](p, mkcColumns), mkc.Sample(valueOf[string](p, mkcSample))
	return s
}

func (p *Parameters) ofMKC(s mkc.Solver) train.Trainer {
	return p.calibrated(mkc.Trainer{Solver: s, Kernel: p.Kernel, Weights: p.Weights, Threads: p.Solver.Threads}, models.CSVC)
}
