package mkc

import (
	"context"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// A Trainer trains classifiers of any number of classes: one machine for two classes, else one for
// each class against the rest, of which the largest value wins. It draws nothing from rng, which
// may be nil; random choices follow from the solver's seed.
//
// The model's Provenance has, summed over the machines, m1, m2 and the number of linear programmes.
// Its loo_correct and loo_error are the bounds (12) and (13) for leaving one row out, of the
// classifier of the first programmes: see [LeaveOneOutErrors].
type Trainer struct {
	Solver  Solver
	Kernel  kernel.Kernel       // must be set
	Weights []train.ClassWeight // factors on the cost of errors on classes
	Threads int                 // machines trained at once; 0: one for each processor
}

var _ train.Forker = Trainer{}

// Fork implements train.Forker.
func (t Trainer) Fork(report train.Report) train.Trainer {
	t.Solver.Report = report
	return t
}

// Draws implements train.Forker.
func (t Trainer) Draws(*format.Dataset) int { return 0 }

// Workers implements train.Forker.
func (t Trainer) Workers() int { return t.Threads }

// Train implements train.Trainer.
func (t Trainer) Train(ctx context.Context, d *format.Dataset, rng *train.Rand) (*models.Model, error) {
	if err := ended.Err(ctx); err != nil {
		return nil, err
	}
	var machines []train.Minimised
	scheme := train.OneVsRest{
		Solver: t.Solver, Kernel: t.Kernel, Task: models.CSVC, Weights: t.Weights, Threads: t.Threads,
		Report: func(e train.Event) {
			if m, is := e.(train.Minimised); is {
				machines = append(machines, m)
			}
			t.Solver.Report.Send(e)
		},
	}
	m, err := scheme.Train(ctx, d, rng)
	if err != nil {
		return nil, err
	}
	m.Provenance = t.Solver.provenance(machines)
	if m.Vectors.Len() == 0 && len(m.Machines) > 0 {
		t.Solver.Report.Send(train.NoVectors{})
	}
	return m, nil
}

// provenance says how the machines were found.
func (s Solver) provenance(machines []train.Minimised) *models.Provenance {
	p := &models.Provenance{Method: s.name(), Seed: s.Seed}
	add := func(name, value string) {
		p.Parameters = append(p.Parameters, models.Parameter{Name: name, Value: value})
	}
	real := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	add("nu", real(s.Nu))
	if s.Mu > 0 {
		add("mu", real(s.Mu))
		add("alpha", real(s.Alpha))
	}
	if len(machines) == 0 {
		return p
	}
	var sum train.Minimised
	for _, m := range machines {
		sum.Rows += m.Rows
		sum.Vectors += m.Vectors
		sum.Programmes += m.Programmes
	}
	failures, of := LeaveOneOutErrors(machines)
	add("m1", strconv.Itoa(sum.Rows))
	add("m2", strconv.Itoa(sum.Vectors))
	add("programmes", strconv.Itoa(sum.Programmes))
	add("loo_correct", real(float64(of-failures)/float64(of)))
	add("loo_error", real(float64(failures)/float64(of)))
	return p
}

// LeaveOneOutErrors returns the number of rows that may be answered wrongly if they are left out of
// training, by (13), and the number of all rows. A row counts if (13) counts it for any of the
// machines' first programmes. If any other row is left out, each machine is the same and has the
// row on the right side, at the margin or beyond, so the class of the row has the largest value.
func LeaveOneOutErrors(machines []train.Minimised) (failures, of int) {
	seen := map[int]bool{}
	for _, m := range machines {
		of = max(of, m.Of)
		for _, i := range m.LeaveOneOutRows {
			seen[i] = true
		}
	}
	return len(seen), of
}

// name returns the method's name on the command line.
func (s Solver) name() string {
	if s.Mu == 0 {
		return "lp1"
	}
	return "mkc"
}
