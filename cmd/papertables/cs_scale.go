package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// The experiment on many rows: how many, those to test with, the kernel and the cost of
// the SVM that it is compared with.
const (
	scaleRows  = 200_000
	scaleTest  = 20_000
	scaleGamma = 0.03
	scaleC     = 10
)

const scaleSVM = "svm-train, as many rows"

// csScaleTable is of many rows.
func csScaleTable() table {
	t := table{
		name: "cs/scale", title: "Chunking-synthetic classifiers: 200,000 rows", protocol: honest,
		about: `Normally distributed clusters (slimsvm generate ndc, seed 1): 32 features, 200,000 rows to train, 20,000 of another seed to test. Kernel
exp(-0.03 |x-y|^2); the costs are chosen on rows held out, all else is the default of slimsvm train --method cs, with one thread.
"testing" of a stage is the mean of its runs' (d) on the rows that they hold out, of all rows that of the model on the test rows.
svm-train is the installed LIBSVM, -c 10, with rows doubled from 5000 on for as long as it takes no more CPU than ours with
200,000.`,
		corner: "", columns: []string{"rows", "vectors", "SVs", "training, %", "testing, %", "CPU seconds"},
		digits: map[string]int{"rows": 0, "vectors": 0, "SVs": 0, "training, %": 2, "testing, %": 2}, splits: 1, version: 1,
	}
	const all, model = "all rows", "model"
	for k := range 5 {
		t.rows = append(t.rows, fmt.Sprint("stage ", k))
	}
	t.rows = append(t.rows, all, model)
	t.job("cs", nil, t.rows, func(ctx context.Context, b *bench, _ int) (f figures, err error) {
		learn, test, err := b.clusters(scaleRows, scaleTest)
		if err != nil {
			return nil, err
		}
		begin := cpuSeconds()
		last := begin
		trainer := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: scaleGamma}, Threads: 1, Report: func(e train.Event) {
			s, is := e.(train.StageDone)
			if !is {
				return
			}
			row, step := fmt.Sprint("stage ", s.Stage), s.Steps[2]
			if s.Stage == s.Stages-1 {
				row, step = all, s.Steps[0]
			}
			f.add(row, "rows", float64(s.Rows))
			f.add(row, "vectors", float64(step.Points)/float64(step.Runs))
			f.add(row, "SVs", float64(step.SupportVectors)/float64(step.Runs))
			f.add(row, "training, %", 100*float64(step.Right)/float64(step.Of))
			if step.HeldOut > 0 {
				f.add(row, "testing, %", 100*float64(step.HeldRight)/float64(step.HeldOut))
			}
			now := cpuSeconds()
			f.add(row, "CPU seconds", tenths(now-last))
			last = now
		}}
		m, err := trainer.Train(ctx, learn, nil)
		if err != nil {
			return nil, err
		}
		cost := cpuSeconds() - begin
		e, err := b.errorRate(ctx, m, test)
		f.add(model, "rows", float64(learn.Len()))
		f.add(model, "vectors", float64(m.Vectors.Len()))
		f.add(model, "testing, %", 100-e)
		f.add(model, "CPU seconds", tenths(cost))
		return f, err
	})
	t.rows = append(t.rows, scaleSVM)
	t.job("svm-train", nil, []string{scaleSVM}, func(ctx context.Context, b *bench, _ int) (f figures, err error) {
		ours, ok := b.store.lookup(t.name, "cs", 1, t.version)
		if !ok {
			return nil, fmt.Errorf("cs/scale/cs comes first")
		}
		limit := ours.Figures.at(model, "CPU seconds")
		for rows := 5000; rows <= scaleRows; rows *= 2 {
			if b.quick {
				rows = 300
			}
			next, cost, err := b.svmTrain(ctx, rows)
			if err != nil {
				return nil, err
			}
			if f != nil && cost > limit {
				break
			}
			if f = next; b.quick || cost > limit/2 {
				break // twice the rows take more than twice as long
			}
		}
		return f, nil
	})
	t.jobs[len(t.jobs)-1].programs = []string{"svm-train"}
	return t
}

// clusters returns rows to train and to test.
func (b *bench) clusters(rows, test int) (learn, other *format.Dataset, err error) {
	set, ok := generate.Lookup("ndc")
	if !ok {
		return nil, nil, fmt.Errorf("there is no generated set ndc")
	}
	if b.quick {
		rows, test = min(rows, 600), min(test, 300)
	}
	return set.Generate(rows, 1), set.Generate(test, 2), nil
}

// svmTrain trains by the installed svm-train on so many rows, and returns its figures
// and CPU seconds.
func (b *bench) svmTrain(ctx context.Context, rows int) (f figures, cost float64, err error) {
	learn, test, err := b.clusters(rows, scaleTest)
	if err != nil {
		return nil, 0, err
	}
	data, out := filepath.Join(b.dir, "ndc"), filepath.Join(b.dir, "ndc.model")
	file, err := os.Create(data)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	w := libsvmfmt.NewWriter(file)
	for i, y := range learn.Y {
		if err := w.Write(format.Instance{X: learn.X.Row(i), Y: y, Weight: 1}); err != nil {
			return nil, 0, err
		}
	}
	if err := w.Flush(); err != nil {
		return nil, 0, err
	}
	cmd := exec.CommandContext(ctx, "svm-train", "-q", "-c", fmt.Sprint(scaleC), "-g", fmt.Sprint(scaleGamma), data, out)
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, 0, fmt.Errorf("svm-train: %w: %s", err, text)
	}
	in, err := os.Open(out)
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	m, err := models.Read(in)
	if err != nil {
		return nil, 0, err
	}
	right, err := b.errorRate(ctx, m, learn)
	if err != nil {
		return nil, 0, err
	}
	e, err := b.errorRate(ctx, m, test)
	cost = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	f.add(scaleSVM, "rows", float64(learn.Len()))
	f.add(scaleSVM, "vectors", float64(m.Vectors.Len()))
	f.add(scaleSVM, "training, %", 100-right)
	f.add(scaleSVM, "testing, %", 100-e)
	f.add(scaleSVM, "CPU seconds", tenths(cost))
	return f, cost, err
}
