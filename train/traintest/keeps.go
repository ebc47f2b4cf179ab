package traintest

import (
	"runtime"
	"testing"
	"weak"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// KeepsNoData trains on the data set that learn makes, each of whose rows has a number. It fails if
// the model still holds any of the rows in memory when nothing else does: a server may keep many
// models. It returns the model.
func KeepsNoData(t *testing.T, trainer train.Trainer, learn func() *format.Dataset) *models.Model {
	t.Helper()
	m, rows := trained(t, trainer, learn)
	for range 2 {
		runtime.GC()
	}
	kept := 0
	for _, row := range rows {
		if row.Value() != nil {
			kept++
		}
	}
	if kept > 0 {
		t.Errorf("a model of %d vectors keeps %d of %d rows in memory", m.Vectors.Len(), kept, len(rows))
	}
	return m // until here it is kept
}

// trained returns a model, and pointers to the rows it was trained on that do not keep them.
func trained(t *testing.T, trainer train.Trainer, learn func() *format.Dataset) (*models.Model, []weak.Pointer[float64]) {
	t.Helper()
	d := learn()
	m, err := trainer.Train(t.Context(), d, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]weak.Pointer[float64], d.Len())
	for i := range rows {
		rows[i] = weak.Make(&d.X.Row(i).Value[0])
	}
	return m, rows
}
