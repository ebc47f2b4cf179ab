package main

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/train"
)

// A stage is one of a method that goes by stages: means over its runs.
type stage struct {
	Rows        int               `json:"rows"`    // of a run
	Centres     int               `json:"centres"` // points that the runs are given; 0: their rows
	Costs       []jsonline.Number `json:"costs"`   // of each machine
	Runs        int               `json:"runs"`
	Evaluations jsonline.Number   `json:"evaluations"` // of an approximation
	Steps       []stepped         `json:"steps"`
	Seconds     jsonline.Number   `json:"seconds"`
}

// stepped is a step of a stage: b, the classifier over the points given; c, that of
// the approximation; d, the one over the points of the approximation.
type stepped struct {
	Step           string          `json:"step"`
	Points         jsonline.Number `json:"points"`
	SupportVectors jsonline.Number `json:"support_vectors"`
	Correct        jsonline.Number `json:"correct"`  // share of right answers on the rows learned from
	HeldOut        jsonline.Number `json:"held_out"` // on rows held out; not a number where there are none
	Pivots         jsonline.Number `json:"pivots"`
}

// staging follows the stages.
type staging struct {
	stages []stage
	since  time.Time // the end of the last stage
}

func (s *staging) add(e train.StageDone) {
	now := time.Now()
	of := stage{Rows: e.Rows, Centres: e.Centres, Runs: e.Runs, Seconds: jsonline.Number(now.Sub(s.since).Seconds())}
	s.since = now
	for _, nu := range e.Nu {
		of.Costs = append(of.Costs, jsonline.Number(nu))
	}
	if e.Runs > 0 {
		of.Evaluations = jsonline.Number(float64(e.Evaluations) / float64(e.Runs))
	}
	for k, step := range e.Steps {
		if step.Runs == 0 {
			continue
		}
		n := float64(step.Runs)
		of.Steps = append(of.Steps, stepped{
			Step: "bcd"[k : k+1], Points: jsonline.Number(float64(step.Points) / n), SupportVectors: jsonline.Number(float64(step.SupportVectors) / n),
			Correct: ratio(step.Right, step.Of), HeldOut: ratio(step.HeldRight, step.HeldOut), Pivots: jsonline.Number(float64(step.Pivots) / n),
		})
	}
	s.stages = append(s.stages, of)
}

// where says which stage is under way.
func (w *watcher) where() string {
	at := w.stage.Load()
	switch {
	case at == nil:
		return "training"
	case at.Done == at.Of:
		return fmt.Sprintf("stage %d of 0 to %d ended", at.Stage, at.Stages-1)
	}
	return fmt.Sprintf("stage %d of 0 to %d, %d of %d runs done", at.Stage, at.Stages-1, at.Done, at.Of)
}

func ratio(part, whole int) jsonline.Number {
	if whole == 0 {
		return jsonline.Number(math.NaN())
	}
	return jsonline.Number(float64(part) / float64(whole))
}

// printStages prints the table of stages, unless there are none.
func (e *env) printStages(stages []stage) {
	if len(stages) == 0 {
		return
	}
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "stage\trows\truns\tcost\tstep\tpoints\tsupport vectors\tcorrect %\theld out %\t")
	for i, s := range stages {
		for k, step := range s.Steps {
			head := "\t\t\t\t"
			if k == 0 {
				head = fmt.Sprintf("%d\t%d\t%d\t%s\t", i, s.Rows, s.Runs, costText(s.Costs))
			}
			held := ""
			if v := float64(step.HeldOut); !math.IsNaN(v) {
				held = fmt.Sprintf("%.2f", 100*v)
			}
			support := ""
			if step.Step != "c" {
				support = fmt.Sprintf("%.1f", float64(step.SupportVectors))
			}
			fmt.Fprintf(t, "%s%s\t%.1f\t%s\t%.2f\t%s\t\n", head, step.Step, float64(step.Points), support, 100*float64(step.Correct), held)
		}
	}
	t.Flush()
	for line := range strings.Lines(table.String()) {
		fmt.Fprintln(e.stderr, strings.TrimRight(line, " \n"))
	}
	var seconds []string
	for i, s := range stages {
		seconds = append(seconds, fmt.Sprintf("stage %d %.2f s", i, float64(s.Seconds)))
	}
	fmt.Fprintf(e.stderr, "time: %s\n", strings.Join(seconds, ", "))
}

// costText says the costs of the machines: the one that they share, or the least and
// the most.
func costText(costs []jsonline.Number) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range costs {
		low, high = min(low, float64(c)), max(high, float64(c))
	}
	if low == high {
		return fmt.Sprintf("%g", low)
	}
	return strings.Join([]string{fmt.Sprintf("%g", low), fmt.Sprintf("%g", high)}, " to ")
}
