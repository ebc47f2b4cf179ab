package cs

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Stage is what the runs of a stage found: Outcomes[machine][run].
type Stage struct {
	Rows     int          // of a sample; the largest over the machines
	Last     bool         // the stage has all rows
	Nu       []float64    // for each machine
	Centres  []int        // number of points in C_i, for each machine; 0: the sample itself
	Outcomes [][]*Outcome // by machine and run
}

// A stageRun is the state of a run through the stages.
type stageRun struct {
	*Settings
	problems []*train.Problem // of each machine
	report   train.Report
	stages   int // number of stages, with the last

	centres []*vec.Matrix // C_i of each machine; nil: its sample
	start   []*Classifier // Z_i and w_i
	brief   bool          // what was found before the last stage is not kept
	costs   []float64     // of errors of each machine in the last stage, if it is not given for all; nil or 0: to be chosen
	pivots  int           // number of pivots reported so far
}

// Run goes through the stages for the problems of all machines and returns what each stage found.
// It reports train.RunDone for every task and train.StageDone for every stage.
func (s *Settings) Run(ctx context.Context, problems []*train.Problem, report train.Report) ([]Stage, error) {
	stages, _, err := s.run(ctx, problems, report, false, nil)
	return stages, err
}

// run is Run, and also returns the number of pivots that it has reported. If brief, the outcomes of
// the stages before the last are only summed up: with many machines, their points are many. costs,
// if not nil, has the cost of errors of each machine in the last stage, 0 if it is to be chosen.
func (s *Settings) run(ctx context.Context, problems []*train.Problem, report train.Report, brief bool, costs []float64) (stages []Stage, pivots int, err error) {
	if err := s.Validate(); err != nil {
		return nil, 0, err
	}
	if len(problems) > mostMachines {
		return nil, 0, fmt.Errorf("%d machines: expected %d at most", len(problems), mostMachines)
	}
	most := 0
	for k, p := range problems {
		if err := checkProblem(p); err != nil {
			return nil, 0, fmt.Errorf("machine %d: %w", k+1, err)
		}
		most = max(most, len(p.Y))
	}
	sizes := s.Sizes
	if sizes == nil {
		sizes = SizesOf(most)
	}
	last := len(sizes)
	for last > 1 && s.sampleOf(sizes[last-1], most) == s.sampleOf(sizes[last-2], most) {
		last--
	}
	c := &stageRun{
		Settings: s, problems: problems, report: report, stages: last + 1,
		centres: make([]*vec.Matrix, len(problems)), start: make([]*Classifier, len(problems)), brief: brief, costs: costs,
	}
	for i := range c.stages {
		var stage *Stage
		var event *train.StageDone
		if i < last {
			stage, event, err = c.next(ctx, i, sizes[i], false, s.nuOf(i))
		} else {
			stage, event, err = c.next(ctx, i, 0, true, s.nuOf(len(sizes)))
		}
		if err != nil {
			return nil, 0, err
		}
		stages = append(stages, *stage)
		report.Send(*event)
	}
	return stages, c.pivots, nil
}

// Limits of the samples on which a cost is chosen: their number for each machine and, in the last
// stage, their rows.
const (
	tuneRuns = 3
	tuneMost = 20000
)

// sampleOf returns the number of rows in a sample, given the number asked for and that of all rows.
func (s *Settings) sampleOf(size, all int) int {
	n := min(size, all)
	if s.HeldOut > 0 { // leave rows to hold out
		n = min(n, max(2, int(float64(all)/(1+s.HeldOut))))
	}
	return n
}

// next goes through one stage, whose cost of errors is nu or, if that is 0, is to be chosen, and
// sums it up. The last stage has all rows, others samples of the given size.
func (c *stageRun) next(ctx context.Context, at, size int, last bool, nu float64) (*Stage, *train.StageDone, error) {
	stage, tasks := c.newStage(at, size, last, nu)
	if nu == 0 && c.Form == Uniform { // u and gamma of (6) are proportional to nu, so answers do not depend on it
		for _, t := range tasks {
			t.Nu = slices.Min(c.Grid)
		}
	} else if nu == 0 {
		if err := c.tune(ctx, at, tasks, last); err != nil {
			return nil, nil, err
		}
	}
	runs := c.runsOf(last)
	left := make([]atomic.Int32, len(c.problems)) // runs of each machine
	for k := range left {
		left[k].Store(int32(runs))
	}
	var sum tally
	outcomes := make([]*Outcome, len(tasks))
	err := c.runTasks(ctx, at, tasks, func(i int, o *Outcome) {
		outcomes[i] = o
		k := o.Machine
		if left[k].Add(-1) > 0 || last {
			return
		}
		of := outcomes[k*runs : (k+1)*runs]
		centres, start := Coordinate(of)
		c.centres[k], c.start[k] = matrixOf(centres), start.packed()
		if c.brief {
			sum.add(of)
			clear(of)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	e := &sum.StageDone
	for k := range c.problems {
		stage.Nu[k] = tasks[k*runs].Nu
		if of := outcomes[k*runs : (k+1)*runs]; last || !c.brief {
			stage.Outcomes = append(stage.Outcomes, of)
			sum.add(of)
		}
		e.Centres = max(e.Centres, stage.Centres[k])
	}
	e.Stage, e.Stages, e.Rows, e.Nu = at, c.stages, stage.Rows, slices.Clone(stage.Nu)
	return stage, e, nil
}

// runsOf returns the number of runs of each machine in a stage.
func (c *stageRun) runsOf(last bool) int {
	if last {
		return 1
	}
	return c.Runs
}

// newStage returns a stage without outcomes, and its tasks: as many runs of each machine, machine by
// machine.
func (c *stageRun) newStage(at, size int, last bool, nu float64) (*Stage, []*Task) {
	stage := &Stage{Last: last, Nu: make([]float64, len(c.problems))}
	runs := c.runsOf(last)
	var tasks []*Task
	for k, p := range c.problems {
		n := len(p.Y)
		if !last {
			n = c.sampleOf(size, n)
		}
		stage.Rows = max(stage.Rows, n)
		known := 0
		if c.centres[k] != nil {
			known = c.centres[k].Len()
		}
		stage.Centres = append(stage.Centres, known)
		for run := range runs {
			t := &Task{
				Machine: k, Stage: at, Run: run, Seed: c.Seed, Rows: n, HeldOut: heldOf(n, c.HeldOut, len(p.Y)),
				Nu: nu, packed: c.centres[k], Start: c.start[k], Steps: c.Steps,
			}
			if last {
				t.Rows, t.HeldOut, t.OnlyB = 0, 0, !c.Whole
				if nu == 0 && c.costs != nil {
					t.Nu = c.costs[k]
				}
			}
			tasks = append(tasks, t)
		}
	}
	return stage, tasks
}

// heldOf returns how many of all rows a sample of n holds out.
func heldOf(n int, share float64, all int) int {
	return int(min(share*float64(n), float64(max(0, all-n))))
}

// Coordinate is the step between two stages. centres is the union of the points of runs. start, for
// the approximations of the next stage, is the result of step (c) of the run whose classifier is
// right on most held-out rows, weighted by their costs, or if no rows are held out, on most of its
// sample. Both are nil if there are no runs.
func Coordinate(runs []*Outcome) (centres []vec.Vector, start *Classifier) {
	if len(runs) == 0 {
		return nil, nil
	}
	best, most := 0, -1.0
	for r, o := range runs {
		if o == nil {
			panic(fmt.Sprintf("cs: outcome %d of %d is none", r+1, len(runs)))
		}
		centres = append(centres, o.Z...)
		if right := o.C.heldShare(); right > most {
			best, most = r, right
		}
	}
	return centres, &runs[best].C.Classifier
}

// packed returns a copy whose points are in one piece of memory.
func (c *Classifier) packed() *Classifier {
	return &Classifier{Points: rowsOf(matrixOf(c.Points), allRows(len(c.Points))), Coef: slices.Clone(c.Coef), Rho: c.Rho}
}

// heldShare returns the share of right answers on held-out rows, or on the sample if there are
// none, weighted by the costs of the rows. If the costs are not known, answers are counted.
func (f *Metrics) heldShare() float64 {
	switch {
	case f.HeldOutWeight > 0:
		return f.HeldRightWeight / f.HeldOutWeight
	case f.HeldOut > 0:
		return float64(f.HeldRight) / float64(f.HeldOut)
	case f.OfWeight > 0:
		return f.RightWeight / f.OfWeight
	}
	return float64(f.Right) / float64(max(1, f.Of))
}

// tune chooses the cost for the tasks of a stage that have none, machine by machine: the one with
// which step (b) has the most right answers on held-out rows of some samples, weighted by the costs
// of the rows; of equally good ones the smallest. The samples are not those of the runs. They have
// as many rows, or in the last stage two thirds of all, up to tuneMost.
func (c *stageRun) tune(ctx context.Context, at int, tasks []*Task, last bool) error {
	var trials []*Task
	for _, t := range tasks {
		if t.Run >= tuneRuns || t.Nu > 0 {
			continue
		}
		runs, n := 1, len(c.problems[t.Machine].Y)
		trial := *t
		trial.Try = c.Grid
		if last {
			runs = min(tuneRuns, c.Runs)
			trial.Rows = max(1, min(2*n/3, tuneMost))
			trial.HeldOut = heldOf(trial.Rows, 0.5, n)
		}
		trial.HeldOut = max(1, trial.HeldOut)
		for run := range runs {
			one := trial
			one.Run += run
			trials = append(trials, &one)
		}
	}
	outcomes := make([]*Outcome, len(trials))
	if err := c.runTasks(ctx, at, trials, func(i int, o *Outcome) { outcomes[i] = o }); err != nil {
		return err
	}
	of := make([][]*Outcome, len(c.problems))
	for _, o := range outcomes {
		of[o.Machine] = append(of[o.Machine], o)
	}
	nu := make([]float64, len(of))
	for k := range of {
		nu[k] = c.bestOf(of[k])
	}
	for _, t := range tasks {
		if t.Nu == 0 {
			t.Nu = nu[t.Machine]
		}
	}
	return nil
}

// bestOf returns the cost that does best in the trials of a machine.
func (c *stageRun) bestOf(trials []*Outcome) float64 {
	best, most := 0, -1.0
	for g, nu := range c.Grid {
		right := 0.0
		for _, o := range trials {
			if r := &o.Tried[g]; r.HeldOut > 0 {
				right += r.HeldRightWeight
			} else { // too few rows
				right += r.RightWeight
			}
		}
		if right > most || right == most && nu < c.Grid[best] {
			best, most = g, right
		}
	}
	return c.Grid[best]
}

// runTasks does tasks, several at once if ctx has a team, and calls take with each outcome.
func (c *stageRun) runTasks(ctx context.Context, stage int, tasks []*Task, take func(i int, o *Outcome)) error {
	tell := newProgressReporter(c.report, len(tasks), c.pivots)
	tell.runs = &train.RunDone{Stage: stage, Stages: c.stages, Of: len(tasks)}
	defer func() { c.pivots = tell.sum }()
	return team.Try(ctx, len(tasks), func(ctx context.Context, i int) error {
		o, err := tasks[i].Do(ctx, c.problems[tasks[i].Machine], func(pivots int) { tell.progress(i, pivots) })
		if err == nil {
			take(i, o)
			tell.finished(i)
		}
		return err
	})
}

// A tally sums up a stage.
type tally struct {
	mu sync.Mutex
	train.StageDone
}

// add adds the figures of runs. They are whole numbers, so the order of the runs does not matter.
func (t *tally) add(runs []*Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, o := range runs {
		t.Runs++
		for step, r := range []*Result{&o.B, &o.C, &o.D} {
			to := &t.Steps[step]
			if r.Of == 0 {
				continue
			}
			to.Runs++
			to.Points += r.Used
			to.SupportVectors += r.SupportVectors
			to.Right += r.Right
			to.Of += r.Of
			to.HeldRight += r.HeldRight
			to.HeldOut += r.HeldOut
			to.Pivots += r.Pivots
		}
		t.Evaluations += o.Evaluations
	}
}
