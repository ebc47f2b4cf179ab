package main

import (
	"slices"
	"testing"

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
