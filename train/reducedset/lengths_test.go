package reducedset

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestInvalidDatasets: data sets whose parts differ in length, or with rows that are not valid vectors, are
// an error.
func TestInvalidDatasets(t *testing.T) {
	d := waveform(t, 1)
	m := classifier(t, kernel.RBF{Gamma: 0.05}, d)
	r := Default()
	r.Method, r.Vectors = Random, 5
	for want, uneven := range map[string]*format.Dataset{
		"400 rows but 399 labels": {X: d.X, Y: d.Y[:399]},
		"399 rows but 400 labels": {X: d.X.Slice(0, 399), Y: d.Y},
		"400 rows but 1 weights":  {X: d.X, Y: d.Y, Weight: []float64{1}},
	} {
		if _, err := r.Reduce(t.Context(), m, uneven); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	faulty := &format.Dataset{X: d.X.Clone(), Y: append(d.Y[:400:400], 1)}
	faulty.X.Append(vec.Vector{Index: []int32{3, 2}, Value: []float64{1, 1}})
	var row *train.RowError
	if _, err := r.Reduce(t.Context(), m, faulty); !errors.As(err, &row) || row.Row != 400 {
		t.Errorf("indices that decrease: %v", err)
	}
}

// TestCutLabels: labels are truncated to integers, as in training. Rows of no class of the model
// are ignored.
func TestCutLabels(t *testing.T) {
	d := waveform(t, 1)
	m := classifier(t, kernel.RBF{Gamma: 0.05}, d)
	r := Default()
	r.Method, r.Vectors = Random, 5
	want, err := r.Reduce(t.Context(), m, d)
	if err != nil {
		t.Fatal(err)
	}
	cut := &format.Dataset{X: d.X.Clone()}
	for _, y := range d.Y {
		cut.Y = append(cut.Y, y+0.75)
	}
	for _, y := range []float64{math.NaN(), math.Inf(1), 1e300, 1 << 32, -0.5} {
		cut.X.Append(d.X.Row(0))
		cut.Y = append(cut.Y, y)
	}
	got, err := r.Reduce(t.Context(), m, cut)
	if err != nil || text(t, got) != text(t, want) {
		t.Errorf("another model of labels with fractions: %v", err)
	}
}

// TestRareClass: vectors for which a class has too few rows go to the others.
func TestRareClass(t *testing.T) {
	d := rings(120, 2, 1)
	for i := range 3 {
		d.Y[i] = 5
	}
	m := classifier(t, kernel.RBF{Gamma: 1}, d)
	for _, method := range []Method{Random, KMeans} {
		r := Default()
		r.Method, r.Vectors = method, 30
		small, err := r.Reduce(t.Context(), m, d)
		if err != nil || small.Vectors.Len() != r.Vectors {
			t.Errorf("%s: %d vectors of %d, %d expected: %v", method, small.Vectors.Len(), m.Vectors.Len(), r.Vectors, err)
		}
	}
}

// TestWeights: an invalid weight is an error with its row, and so is a data set in which all rows
// have weight 0.
func TestWeights(t *testing.T) {
	d := waveform(t, 1)
	linear := classifier(t, kernel.Linear{}, d)
	for _, m := range []*models.Model{classifier(t, kernel.RBF{Gamma: 0.05}, d), linear} {
		r := quick()
		if m == linear {
			r.Vectors = 1 // for which coefficients are trained again
		}
		for _, bad := range []float64{math.NaN(), -1, math.Inf(1)} {
			weighted := *d
			weighted.Weight = slices.Repeat([]float64{1}, d.Len())
			weighted.Weight[4] = bad
			_, err := r.Reduce(t.Context(), m, &weighted)
			if row, ok := errors.AsType[*train.RowError](err); !ok || row.Row != 4 {
				t.Errorf("weight %g: %v", bad, err)
			}
		}
		weighted := *d
		weighted.Weight = make([]float64, d.Len())
		if _, err := r.Reduce(t.Context(), m, &weighted); !errors.Is(err, train.ErrWeightless) {
			t.Errorf("all of weight 0: %v", err)
		}
	}
	one := smo.DefaultOneClass()
	one.Kernel = kernel.RBF{Gamma: 0.05}
	m, err := one.Train(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := quick()
	if _, err := r.Reduce(t.Context(), m, &format.Dataset{}); !errors.Is(err, train.ErrNoData) {
		t.Errorf("one class without rows: %v", err)
	}
}

// TestCostsOfNothing: an invalid model or data set is also an error of CostsOf.
func TestCostsOfNothing(t *testing.T) {
	d := waveform(t, 1)
	if _, err := CostsOf(t.Context(), nil, d); err == nil {
		t.Error("no model")
	}
	if _, err := CostsOf(t.Context(), classifier(t, kernel.RBF{Gamma: 0.05}, d), nil); err == nil {
		t.Error("no data set")
	}
}
