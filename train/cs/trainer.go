package cs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Trainer trains classifiers of any number of classes: one machine for each pair of classes, or
// one for each class against the rest. It draws nothing from rng, which may be nil; random choices
// follow from the settings' Seed.
type Trainer struct {
	Settings
	Kernel    kernel.Kernel       // must be set; see CheckKernel
	OneVsRest bool                // one machine for each class against the rest, instead of for each pair
	Weights   []train.ClassWeight // factors on the cost of errors on classes
	Report    train.Report
	Threads   int // 0: one for each processor. The model does not depend on it.

	chosen map[sides]float64 // costs of the last stage, see WithSettingsOf; nil: as Settings has them
}

var _ train.Forker = Trainer{}

// Validate returns an error that names the first parameter that is out of range.
func (t *Trainer) Validate() error {
	for _, w := range t.Weights {
		if !(w.Weight > 0) || math.IsInf(w.Weight, 0) {
			return fmt.Errorf("weight %v of class %d is not a positive number", w.Weight, w.Label)
		}
	}
	if err := CheckKernel(t.Kernel); err != nil {
		return err
	}
	return t.Settings.Validate()
}

// Fork implements train.Forker.
func (t Trainer) Fork(report train.Report) train.Trainer {
	t.Report = report
	return t
}

// Draws implements train.Forker.
func (t Trainer) Draws(*format.Dataset) int { return 0 }

// Workers implements train.Forker.
func (t Trainer) Workers() int { return t.Threads }

// Train implements train.Trainer.
func (t Trainer) Train(ctx context.Context, d *format.Dataset, _ *train.Rand) (*models.Model, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if err := train.CheckData(ctx, t.Kernel, d, true); err != nil {
		return nil, err
	}
	classes, err := train.GroupClasses(d.Y, t.Report)
	if err != nil {
		return nil, err
	}
	m := &models.Model{Task: models.CSVC, Kernel: t.Kernel, Labels: classes.Labels}
	if len(classes.Labels) == 1 {
		t.Report.Send(train.SingleClass{Label: classes.Labels[0]})
		m.Group = []int{0}
		return m, nil
	}
	if err := classes.Check(t.Report); err != nil {
		return nil, err
	}
	problems, err := t.problems(ctx, d, classes, m)
	if err != nil {
		return nil, err
	}
	ctx, end := team.With(ctx, t.Threads)
	defer end()
	stages, pivots, err := t.run(ctx, problems, t.Report, true, t.costs(m))
	if err != nil {
		return nil, err
	}
	final := stages[len(stages)-1]
	var found []Result
	for _, of := range final.Outcomes {
		if t.Whole {
			found = append(found, of[0].D)
		} else {
			found = append(found, of[0].B)
		}
	}
	var shared []vec.Vector
	var places [][]int32
	if t.Share && len(problems) > 1 {
		if shared, places, found, err = t.share(ctx, problems, found, final.Nu, pivots); err != nil {
			return nil, err
		}
	}
	if places != nil {
		bank(m, shared, places, found)
	} else {
		bankApart(m, found)
	}
	m.Provenance = t.provenance(stages, found)
	for k := range found {
		r := &found[k]
		if r.Gap > closedGap {
			t.Report.Send(train.IterationLimit{Iterations: r.Steps})
		}
		t.Report.Send(train.Solved{
			Iterations: r.Pivots, Name: "cs", Objective: r.Objective, Rho: r.Rho, Vectors: r.Used,
		})
	}
	if m.Vectors.Len() == 0 {
		t.Report.Send(train.NoVectors{})
	}
	t.Report.Send(train.ModelAssembled{Vectors: m.Vectors.Len()})
	return m, nil
}

// problems returns the machines' problems, and notes the machines in m. It ends early if ctx is
// cancelled.
func (t *Trainer) problems(ctx context.Context, d *format.Dataset, classes *train.Classes, m *models.Model) (all []*train.Problem, err error) {
	factors, err := t.factors(d, classes)
	if err != nil {
		return nil, err
	}
	of := make([]int, d.Len()) // the class of each row
	for c, rows := range classes.Rows {
		for _, i := range rows {
			of[i] = c
		}
	}
	add := func(pos, neg int) {
		if ctx.Err() != nil {
			return
		}
		m.Machines = append(m.Machines, models.Machine{Pos: pos, Neg: neg})
		rows := allRows(d.Len())
		if neg != models.Rest {
			rows = slices.Concat(classes.Rows[pos], classes.Rows[neg])
			slices.Sort(rows)
		}
		all = append(all, t.problem(d, rows, of, pos, factors))
	}
	k := len(classes.Labels)
	if t.OneVsRest && k > 2 {
		m.Vote = models.OneVsRest
		for c := range k {
			add(c, models.Rest)
		}
		return all, ended.Err(ctx)
	}
	for i := range k {
		for j := i + 1; j < k; j++ {
			add(i, j)
		}
	}
	return all, ended.Err(ctx)
}

// factors returns the weights of the classes, or an error if a cost of errors is none with them and
// the weights of the rows.
func (t *Trainer) factors(d *format.Dataset, classes *train.Classes) ([]train.Factors, error) {
	factors := make([]train.Factors, len(classes.Labels))
	for _, w := range t.Weights {
		unused := true
		for c, label := range classes.Labels {
			if label == w.Label {
				factors[c], unused = append(factors[c], w.Weight), false
			}
		}
		if unused {
			t.Report.Send(train.WeightUnused{Label: w.Label})
		}
	}
	for c, rows := range classes.Rows {
		if err := train.CheckCost(factors[c].Times(1)*t.leastNu(), train.OfClass); err != nil {
			return nil, err
		}
		if d.Weight == nil {
			continue
		}
		for _, i := range rows {
			if err := train.CheckCost(factors[c].Times(d.Weight[i])*t.leastNu(), train.OfRow); err != nil {
				return nil, &train.RowError{Row: i, Err: err}
			}
		}
	}
	return factors, nil
}

// problem returns the problem of a class, pos, against the others among the rows. of has the class
// of each row.
func (t *Trainer) problem(d *format.Dataset, rows, of []int, pos int, factors []train.Factors) *train.Problem {
	p := &train.Problem{Kernel: t.Kernel}
	weighted := d.Weight != nil || len(t.Weights) > 0
	for _, i := range rows {
		c, y := of[i], -1.0
		if c == pos {
			y = 1
		}
		p.Y = append(p.Y, y)
		if weighted {
			w := 1.0
			if d.Weight != nil {
				w = d.Weight[i]
			}
			p.RowWeight = append(p.RowWeight, factors[c].Times(w))
		}
	}
	p.X = d.X.Select(rows)
	return p
}

// bank gives m the classifiers over shared points as its machines; places says which points each
// has. Points that no machine has a coefficient for are left out.
func bank(m *models.Model, shared []vec.Vector, places [][]int32, found []Result) {
	at := make([]int32, len(shared)) // place among the vectors of each shared point, from 1; 0: none
	for _, of := range places {
		for _, j := range of {
			at[j] = 1
		}
	}
	for j, used := range at {
		if used > 0 {
			m.Vectors.Append(shared[j])
			at[j] = int32(m.Vectors.Len())
		}
	}
	for k := range found {
		machine := &m.Machines[k]
		machine.Rho, machine.Index, machine.Coef = found[k].Rho, []int32{}, found[k].Coef
		for _, j := range places[k] {
			machine.Index = append(machine.Index, at[j]-1)
		}
	}
	m.Origin = make([]int, m.Vectors.Len())
}

// bankApart gives m the classifiers as its machines, each over its own points.
func bankApart(m *models.Model, found []Result) {
	for k := range found {
		machine := &m.Machines[k]
		machine.Rho, machine.Index = found[k].Rho, []int32{}
		for j, u := range found[k].Coef {
			if u != 0 {
				machine.Index, machine.Coef = append(machine.Index, int32(m.Vectors.Len())), append(machine.Coef, u)
				m.Vectors.Append(found[k].Points[j])
			}
		}
	}
	m.Origin = make([]int, m.Vectors.Len())
}

// provenance says how the machines were found. found has their classifiers.
func (t *Trainer) provenance(stages []Stage, found []Result) *models.Provenance {
	p := &models.Provenance{Method: "cs", Seed: t.Seed}
	add := func(name, value string) {
		p.Parameters = append(p.Parameters, models.Parameter{Name: name, Value: value})
	}
	real := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	var sizes []string
	for _, s := range stages {
		sizes = append(sizes, strconv.Itoa(s.Rows))
	}
	add("classifier", string(t.Form))
	add("stages", strings.Join(sizes, ","))
	add("runs", strconv.Itoa(t.Runs))
	if _, is := t.Kernel.(kernel.Linear); !is { // a linear kernel has approximations of one point
		add("points", strconv.Itoa(t.Points))
		add("box", real(t.Box))
		if t.Starts != 1 {
			add("descents", strconv.Itoa(t.Starts))
		}
		if t.Alternate {
			add("alternate", "1")
		}
	}
	if t.Whole {
		add("last_stage", "points")
	}
	if usual := Default(); t.HeldOut != usual.HeldOut {
		add("held_out_ratio", real(t.HeldOut))
	}
	if !t.Share && len(found) > 1 {
		add("apart", "1")
	}
	var nus []string
	for _, nu := range stages[len(stages)-1].Nu {
		nus = append(nus, real(nu))
	}
	add("nu", strings.Join(nus, ","))
	vectors := 0
	for k := range found {
		vectors += found[k].SupportVectors
	}
	add("support_vectors", strconv.Itoa(vectors))
	return p
}
