package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// Rows that are drawn since there are many are reported; not where --rows says how many.
func TestRowsDrawn(t *testing.T) {
	w := &watcher{warner: warner{kept: true}}
	w.report(train.RowsDrawn{Rows: 200, Of: 1000})
	if len(w.said) != 0 {
		t.Errorf("said %q", w.said)
	}
	w.report(train.RowsDrawn{Rows: 20000, Of: 20400, ByDefault: true})
	if want := []string{"warning: trained on 20000 of 20400 rows, drawn at random: --rows sets the limit; time and memory grow with its square"}; !slices.Equal(w.said, want) {
		t.Errorf("said %q, want %q", w.said, want)
	}
}

// TestIterationsOf: what the bar counts grows while each method trains: that of ensembles stood at 0.
func TestIterationsOf(t *testing.T) {
	d := new(format.Dataset)
	for i := range 60 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i * i % 17), float64(i % 13)}}, Y: float64(i % 3), Weight: 1})
	}
	for _, m := range catalog.Methods {
		if m.Name != "psvm" && m.Name != "esvm" && m.Name != "csvc" {
			continue
		}
		w := &watcher{warner: warner{kept: true}}
		p := catalog.Parameters{Kernel: kernel.RBF{Gamma: 0.5}, Cost: 1, Seed: 1, Solver: smo.Options{Tolerance: 0.001, CacheMB: 1, Report: w.report}}
		trainer, err := m.New(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trainer.Train(t.Context(), d, train.NewRand(1)); err != nil {
			t.Fatal(err)
		}
		if n := w.iterationsOf(m)(); n == 0 || m.Has("negatives") && n != int64(len(w.shifts)) {
			t.Errorf("%s: %d iterations are counted, %d told of", m.Name, n, len(w.shifts))
		}
	}
}

// TestMachinesOf: as many machines are announced as are solved, also where there is one for each class: the bar
// of those of many classes ended far from its end.
func TestMachinesOf(t *testing.T) {
	for _, classes := range []int{1, 2, 3, 6} {
		d := new(format.Dataset)
		for i := range 20 * classes {
			d.Append(format.Instance{X: vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i * i % 17), float64(i % 13)}}, Y: float64(i % classes), Weight: 1})
		}
		for _, oneVsRest := range []bool{false, true} {
			for _, probability := range []bool{false, true} {
				w := &watcher{warner: warner{kept: true}}
				trainer, err := catalog.Methods[0].New(catalog.Parameters{
					Kernel: kernel.RBF{Gamma: 0.5}, Cost: 1, OneVsRest: oneVsRest, Probability: probability,
					Solver: smo.Options{Tolerance: 0.001, CacheMB: 1, Report: w.report},
				})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := trainer.Train(t.Context(), d, train.NewRand(1)); err != nil {
					t.Fatal(err)
				}
				if got, want := int64(machinesOf(models.CSVC, d.Y, oneVsRest, probability)), w.solved.Load(); got != want {
					t.Errorf("%d classes, one against the rest %v, probability %v: %d machines, want %d", classes, oneVsRest, probability, got, want)
				}
			}
		}
	}
}

// TestMachineMemory: before machines take much memory, the warning about many classes says how much, as
// svm-train's does; those against the rest are fewer, but have a coefficient for each row.
func TestMachineMemory(t *testing.T) {
	for _, c := range []struct {
		trainer train.Trainer
		told    train.ManyClasses
		want    string
	}{
		{train.OneVsOne{}, train.ManyClasses{Classes: 1000, Rows: 5000}, "1000 classes in 5000 rows: if"},
		{train.OneVsOne{}, train.ManyClasses{Classes: 4000, Rows: 12000}, "4000 classes in 12000 rows, whose 7998000 machines take up to 1.0 GB of memory: if"},
		{train.OneVsRest{}, train.ManyClasses{Classes: 4000, Rows: 12000}, "4000 classes in 12000 rows: if"},
		{train.OneVsRest{}, train.ManyClasses{Classes: 9990, Rows: 59940}, "9990 classes in 59940 rows, whose 9990 machines take up to 4.8 GB of memory: if"},
		{nil, train.ManyClasses{Classes: 4000, Rows: 12000}, "4000 classes in 12000 rows: if"},
	} {
		w := &watcher{warner: warner{kept: true}, trainer: c.trainer}
		w.report(c.told)
		if len(w.said) != 1 || !strings.HasPrefix(w.said[0], "warning: "+c.want) {
			t.Errorf("%T, %+v: %q, want %q", c.trainer, c.told, w.said, c.want)
		}
	}
	data := filepath.Join(t.TempDir(), "data")
	rocRows(t, data, 3)
	for options, want := range map[string]train.Trainer{"": train.OneVsOne{}, "--multiclass ovr ": train.OneVsRest{}} {
		app := newApp(&env{stdout: io.Discard, stderr: io.Discard})
		for _, c := range app.Commands {
			if c.Name == "train" {
				c.Action = func(c *cli.Context) error {
					e, w := &env{stdout: io.Discard, stderr: io.Discard}, new(watcher)
					p, err := e.load(c, data)
					if err == nil {
						_, err = p.prepare(c.Context, c, p.rows, 0, w)
					}
					if fmt.Sprintf("%T", w.trainer) != fmt.Sprintf("%T", want) {
						t.Errorf("train %s: the watcher has trainer %T, want %T", options, w.trainer, want)
					}
					return err
				}
			}
		}
		if err := app.RunContext(t.Context(), strings.Fields("slimsvm train "+options+data)); err != nil {
			t.Fatal(err)
		}
	}
}
