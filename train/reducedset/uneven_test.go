package reducedset

import (
	"errors"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestUneven: data that were put together by hand may not fit together, or have rows that are no
// vectors.
func TestUneven(t *testing.T) {
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

// TestCutLabels: labels are cut to integers, as training cuts them; rows of no class of the
// model count nowhere.
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

// TestRareClass: what a class has too few rows for are vectors of the others.
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
