package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// gonzalez is the paper of the tables cs/...
const gonzalez = "F. Gonzalez-Castano and R. Meyer, Chunking-synthetic approaches to large-scale kernel machines, 2000"

var csTables = []table{csUSPSTable(), csTextTable(), csStandardTable(), csNoisyTable(), csHonestTable(), csScaleTable()}

// csColumns are those of the paper's tables, and the points that have a coefficient.
var csColumns = []string{"points used", "training, %", "SVs", "testing, %"}

// csDigits are the decimals of the columns.
var csDigits = map[string]int{"points used": 1, "training, %": 2, "SVs": 1, "testing, %": 2}

// csRow makes the paper's figures of a row: training, SVs, testing, points; 0 where it
// gives none.
func csRow(m map[cell]float64, row string, training, svs, testing, points float64) {
	for column, v := range map[string]float64{"training, %": training, "SVs": svs, "testing, %": testing, "points used": points} {
		if v != 0 {
			m[cell{row, column}] = v
		}
	}
}

// of8 returns the problem of a digit's class against the rest.
func of8(d *format.Dataset, label float64) *train.Problem {
	p := &train.Problem{X: d.X, Kernel: kernel.RBF{Gamma: uspsGamma}}
	for _, y := range d.Y {
		if y == label {
			p.Y = append(p.Y, 1)
		} else {
			p.Y = append(p.Y, -1)
		}
	}
	return p
}

// eight is the label of digit 8.
const eight = 9

// A chain is the stages of a seed by the paper's protocol: as many rows to test as to
// learn from, and the start of an approximation by the test rows.
type chain struct {
	p        *train.Problem
	settings cs.Settings
	stages   []cs.Stage
}

// chainOf goes through the stages.
func (b *bench) chainOf(ctx context.Context, p *train.Problem, sizes []int, nu []float64, seed int) (*chain, error) {
	s := cs.Default()
	s.Sizes, s.Nu, s.HeldOut, s.Seed, s.Box = sizes, nu, 1, uint64(seed), cs.PaperBox
	if b.quick {
		s.Runs, s.Sizes = 2, nil
		for k := range sizes {
			s.Sizes = append(s.Sizes, len(p.Y)*(k+1)/12)
		}
	}
	stages, err := s.Run(ctx, []*train.Problem{p}, nil)
	return &chain{p, s, stages}, err
}

// task returns a run of a stage.
func (c *chain) task(stage, run int) *cs.Task {
	t := &cs.Task{
		Stage: stage, Run: run, Seed: c.settings.Seed, Rows: c.settings.Sizes[stage], HeldOut: c.settings.Sizes[stage],
		Nu: c.settings.Nu[min(stage, len(c.settings.Nu)-1)], Steps: c.settings.Steps,
	}
	t.HeldOut = min(t.HeldOut, len(c.p.Y)-t.Rows)
	if stage > 0 {
		t.Centres, t.Start = cs.Coordinate(c.stages[stage-1].Outcomes[0])
	}
	return t
}

// classify returns the mean figures of the programme over some points for the samples
// of a stage. most bounds the samples.
func (c *chain) classify(ctx context.Context, stage, most int, points func(run int, rows []int) ([]vec.Vector, error)) (m csMean, err error) {
	for run := range min(most, c.settings.Runs) {
		t := c.task(stage, run)
		rows, held := t.Sample(c.p)
		zs, err := points(run, rows)
		if err != nil {
			return m, err
		}
		r, err := cs.Classify(ctx, c.p, rows, zs, t.Nu, t.Steps, held)
		if err != nil {
			return m, err
		}
		m.add(&r.Metrics)
	}
	return m, nil
}

// rowsAs returns rows of the problem as points.
func (c *chain) rowsAs(rows []int) []vec.Vector {
	points := make([]vec.Vector, len(rows))
	for k, i := range rows {
		points[k] = c.p.X.Row(i)
	}
	return points
}

// random returns n of the rows.
func (c *chain) random(n int) func(run int, rows []int) ([]vec.Vector, error) {
	return func(run int, rows []int) ([]vec.Vector, error) {
		rng := rand.New(rand.NewPCG(c.settings.Seed, uint64(1000+run)))
		var some []int
		for _, k := range rng.Perm(len(rows))[:min(n, len(rows))] {
			some = append(some, rows[k])
		}
		return c.rowsAs(some), nil
	}
}

// A csMean adds figures up.
type csMean struct{ used, svs, right, of, heldRight, held, n float64 }

func (m *csMean) add(f *cs.Metrics) {
	m.used += float64(f.Used)
	m.svs += float64(f.SupportVectors)
	m.right += float64(f.Right)
	m.of += float64(f.Of)
	m.heldRight += float64(f.HeldRight)
	m.held += float64(f.HeldOut)
	m.n++
}

// put adds the means as a row. The classifier of an approximation has no support
// vectors.
func (m csMean) put(f *figures, row string) {
	if m.n == 0 {
		return
	}
	f.add(row, "points used", m.used/m.n)
	f.add(row, "training, %", 100*m.right/m.of)
	if m.svs > 0 {
		f.add(row, "SVs", m.svs/m.n)
	}
	if m.held > 0 {
		f.add(row, "testing, %", 100*m.heldRight/m.held)
	}
}

// step returns the mean of a step, 'b', 'c' or 'd', of a stage.
func (c *chain) step(stage int, step byte) (m csMean) {
	for _, o := range c.stages[stage].Outcomes[0] {
		m.add(map[byte]*cs.Metrics{'b': &o.B.Metrics, 'c': &o.C.Metrics, 'd': &o.D.Metrics}[step])
	}
	return m
}

// largest classifies again over the points of the largest coefficients of the
// programme over all rows of the sample; it returns the figures of both.
func (c *chain) largest(ctx context.Context, stage, most int) (small, whole csMean, err error) {
	for run := range min(most, c.settings.Runs) {
		t := c.task(stage, run)
		rows, held := t.Sample(c.p)
		all, err := cs.Classify(ctx, c.p, rows, c.rowsAs(rows), t.Nu, t.Steps, held)
		if err != nil {
			return small, whole, err
		}
		whole.add(&all.Metrics)
		if points := all.Largest(t.Points); len(points) > 0 {
			r, err := cs.Classify(ctx, c.p, rows, points, t.Nu, t.Steps, held)
			if err != nil {
				return small, whole, err
			}
			small.add(&r.Metrics)
		}
	}
	return small, whole, nil
}

// alternate does the runs of a stage by the alternate algorithm, from the same points.
func (c *chain) alternate(ctx context.Context, stage int) (m csMean, err error) {
	for run := range c.settings.Runs {
		t := c.task(stage, run)
		t.Alternate = true
		o, err := t.Do(ctx, c.p, nil)
		if err != nil {
			return m, err
		}
		m.add(&o.D.Metrics)
	}
	return m, nil
}

// sizedRow names a row of the paper's tables.
func sizedRow(rows int, allowed int, source string) string {
	return fmt.Sprintf("%d/%d, %d, %s", rows, rows, allowed, source)
}
