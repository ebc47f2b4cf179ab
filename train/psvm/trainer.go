package psvm

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Draws implements train.Forker.
func (t Trainer) Draws(*format.Dataset) int { return 0 }

// A run is one training.
type run struct {
	Trainer
	d       *format.Dataset
	classes *train.Classes
	class   []int // of each row, as a place in classes
	common  int   // the most frequent class
	trial   bool  // forms are being compared on some of the rows
	most    int   // number of rows up to which forms are compared on all
	rising  bool  // sigmoids do not fall
	sparing bool  // HardNegatives is the thesis's, to be compared with AsNegatives
}

// Train implements train.Trainer. It reports train.IterationDone after each iteration,
// train.OneHyperplane if MostWeights says so, and train.NoVectors if no machine is left.
func (t Trainer) Train(ctx context.Context, d *format.Dataset, _ *train.Rand) (*models.Model, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if err := train.CheckData(ctx, kernel.Linear{}, d, false); err != nil {
		return nil, err
	}
	for i, y := range d.Y {
		if y != math.Trunc(y) {
			return nil, &train.RowError{Row: i, Err: fmt.Errorf("label %v: %w", y, ErrNumbers)}
		}
	}
	r, err := newRun(t, d)
	if err != nil {
		return nil, err
	}
	ctx, stop := team.With(ctx, t.Threads)
	defer stop()
	best, err := r.ensemble(ctx)
	if err == nil {
		best, err = r.withRisingSigmoids(ctx, best)
	}
	if err != nil {
		return nil, err
	}
	m := best.ensemble.model()
	if t.Iterations > 0 && !t.Unpruned {
		if m, err = r.prune(ctx, m, best); err != nil {
			return nil, err
		}
	}
	if best.unconverged > 0 {
		t.Report.Send(train.Unconverged{Machines: best.unconverged})
	}
	if m.Probability && t.Ballot != models.ByProbability && !t.Probability {
		m.Probability = false
		for i := range m.Machines {
			m.Machines[i].Sigmoid = nil
		}
	}
	r.HardNegatives = best.hard
	m.Provenance = best.provenance(r.Trainer)
	if len(m.Labels) > 1 && len(m.Machines) == 0 {
		t.Report.Send(train.NoVectors{})
	}
	t.Report.Send(train.ModelAssembled{Vectors: m.Vectors.Len()})
	if t.Lean {
		m = m.Lean()
	}
	return m, nil
}

// withRisingSigmoids returns the best ensemble whose sigmoids do not fall, if it answers more
// held-out rows rightly than o, else o. It is trained only if the exemplar machines with which it
// begins already do so, by more than chance. Exemplar machines alone, which are a baseline, and
// Literal keep the thesis's sigmoids. Votes that are not probabilities need none.
func (r *run) withRisingSigmoids(ctx context.Context, o *outcome) (*outcome, error) {
	if r.Iterations == 0 || r.Form == Literal || r.Ballot != models.ByProbability {
		return o, nil
	}
	if best := (&outcome{accuracy: 1, held: o.held}); !best.surpasses(o) { // this also holds if no row was held out
		return o, nil
	}
	first := *r
	first.rising, first.Iterations, first.Report = true, 0, nil
	exemplars, err := first.ensemble(ctx)
	if err != nil || !exemplars.surpasses(o) {
		return o, err
	}
	again := *r
	again.rising = true
	other, err := again.ensemble(ctx)
	if err != nil || other.accuracy <= o.accuracy {
		return o, err
	}
	other.rising = true
	return other, nil
}

// single reports whether machines have one hyperplane each, as they do with two classes.
func (r *run) single() bool { return r.Single || len(r.classes.Labels) <= 2 }

func newRun(t Trainer, d *format.Dataset) (*run, error) {
	classes, err := train.GroupClasses(d.Y, t.Report)
	if err != nil {
		return nil, err
	}
	if t.Form == Literal && t.HardNegatives == AsNegatives {
		t.HardNegatives = thesisHard
	}
	if t.Iterations > 0 && len(classes.Labels) > MostPaired && !t.Pairs {
		t.Single = true
	}
	t.limit(&d.X, len(classes.Labels))
	r := &run{Trainer: t, d: d, classes: classes, class: make([]int, d.Len()), most: mostCompared}
	for c, rows := range classes.Rows {
		for _, i := range rows {
			r.class[i] = c
		}
		if len(rows) > len(classes.Rows[r.common]) {
			r.common = c
		}
	}
	if len(classes.Labels) == 1 {
		t.Report.Send(train.SingleClass{Label: classes.Labels[0]})
	}
	t.Report.SendMany(len(classes.Labels), d.Len())
	return r, nil
}

// An outcome is the best ensemble of a training.
type outcome struct {
	ensemble    *ensemble
	form        Form
	hard        float64 // HardNegatives
	iteration   int
	accuracy    float64 // on the held-out rows, before members were removed; NaN: there were no such rows
	held        int     // number of held-out rows
	exemplars   int     // number of machines at first
	unconverged int     // number of machines that did not converge
	rows        []int   // trained on or held out
	positives   []int   // number of rows in the positive set of each member
	unpruned    int     // number of members before some were removed; 0: prune was not called
	rising      bool    // sigmoids do not fall
}

func (o *outcome) members() int { return len(o.ensemble.machines) }

// alike reports whether all members are of one class, which then is the answer to each row.
func (o *outcome) alike() bool {
	machines := o.ensemble.machines
	for i := range machines {
		if machines[i].classes[0] != machines[0].classes[0] {
			return false
		}
	}
	return true
}

// surpasses reports whether o answers more held-out rows rightly than other, by more than the
// standard deviation of the difference of two such shares.
func (o *outcome) surpasses(other *outcome) bool {
	wrong := (1 - o.accuracy) + (1 - other.accuracy)
	return o.accuracy-other.accuracy > math.Sqrt(wrong/float64(max(1, o.held)))
}

// provenance says how the ensemble was found.
func (o *outcome) provenance(t Trainer) *models.Provenance {
	p := &models.Provenance{Method: "psvm", Seed: t.Seed}
	if t.Iterations == 0 {
		p.Method = "esvm"
	}
	add := func(name, value string) {
		p.Parameters = append(p.Parameters, models.Parameter{Name: name, Value: value})
	}
	real := func(name string, v float64) { add(name, strconv.FormatFloat(v, 'g', -1, 64)) }
	integer := func(name string, v int) { add(name, strconv.Itoa(v)) }
	real("cost", t.Cost)
	if t.EqualCosts {
		add("equal_costs", "1")
	}
	if t.Single {
		add("one_hyperplane", "1")
	}
	integer("negatives", t.Negatives)
	real("validation", t.Validation)
	if t.Iterations > 0 {
		integer("iterations", t.Iterations)
		add("form", o.form.String())
		if t.HardNegatives == AsNegatives {
			add("hard_negatives", "as-negatives")
		} else {
			real("hard_negatives", t.HardNegatives)
		}
	}
	if t.Sampling > 0 {
		integer("sampling", t.Sampling)
		real("first_share", t.FirstShare)
		real("next_share", t.NextShare)
	}
	if o.rising {
		add("rising_sigmoids", "1")
	}
	integer("exemplars", o.exemplars)
	integer("best_iteration", o.iteration)
	if o.unpruned > 0 {
		integer("unpruned", o.unpruned)
	}
	if !math.IsNaN(o.accuracy) {
		real("validation_accuracy", o.accuracy)
	}
	return p
}
