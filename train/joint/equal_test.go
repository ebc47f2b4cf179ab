package joint_test

import (
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/joint"
)

// TestEqualVectors: repeated rows make equal vectors. A model has each of them once, and its values
// are those with all of them.
func TestEqualVectors(t *testing.T) {
	var d format.Dataset
	for i := range 120 {
		a, b := i%2, i/2%2
		d.Append(format.Instance{Y: float64(a ^ b), Weight: 1, X: vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(a), float64(b)}}})
	}
	trainer := joint.Default()
	trainer.Kernel, trainer.Vectors, trainer.Evaluations, trainer.Cost, trainer.Threads = kernel.RBF{Gamma: 2}, 30, 0, 100, 1
	m, err := trainer.Train(t.Context(), &d, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if n := m.Vectors.Len(); n != 4 || len(m.Origin) != n {
		t.Errorf("%d vectors, %d origins, want 4", n, len(m.Origin))
	}
	seen := map[string]bool{}
	for i := range m.Vectors.Len() {
		text := fmt.Sprint(m.Vectors.Row(i))
		if seen[text] {
			t.Errorf("vector %s again", text)
		}
		seen[text] = true
	}
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Len() {
		if got := p.Predict(d.X.Row(i)); got != d.Y[i] {
			t.Fatalf("row %d is %v, want %v", i, got, d.Y[i])
		}
	}
}
