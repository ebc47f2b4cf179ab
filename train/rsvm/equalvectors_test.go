package rsvm

import (
	"bytes"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// TestEqualVectors: of equal rows a reduced set has one. Machines that share all vectors have no
// equal ones; machines with vectors of their own classes may have equal ones of different classes.
func TestEqualVectors(t *testing.T) {
	const places = 6
	for _, classes := range []int{2, 3} {
		d := new(format.Dataset)
		for i := range 120 { // each place has rows of all classes
			k := i * 7 % places
			d.Append(format.Instance{X: vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(k % 3), float64(k / 3)}}, Y: float64(i % 5 % classes), Weight: 1})
		}
		for name, c := range map[string]struct {
			set  Set
			rest bool
			want int
		}{
			"all":                 {set: Full{}, want: map[int]int{2: places, 3: 3 * places}[classes]},
			"all, one-vs-rest":    {set: Full{}, rest: true, want: places},
			"random":              {set: Random{Vectors: 60}, want: places},
			"random, one-vs-rest": {set: Random{Vectors: 60}, rest: true, want: places},
			"centres":             {set: Random{Vectors: 60, Centres: true}, want: places},
		} {
			o := DefaultOptions()
			o.Kernel, o.Set = kernel.RBF{Gamma: 0.5}, c.set
			by := Classifier{Options: o, OneVsRest: c.rest}
			m, err := by.Train(t.Context(), d, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Validate(); err != nil || m.Vectors.Len() != c.want {
				t.Errorf("%d classes, %s: %d vectors, want %d; %v", classes, name, m.Vectors.Len(), c.want, err)
			}
			for i, row := range m.Origin {
				if !slices.Equal(d.X.Row(row-1).Value, m.Vectors.Row(i).Value) {
					t.Errorf("%d classes, %s: vector %d is not row %d", classes, name, i+1, row)
				}
			}
			streamed, err := by.TrainStream(t.Context(), rowsOf(d, 0, d.Len()))
			if err != nil {
				t.Fatal(err)
			}
			var a, b bytes.Buffer
			if models.Write(&a, m) != nil || models.Write(&b, streamed) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("%d classes, %s: rows of a stream give another model", classes, name)
			}
			p, err := predict.New(m)
			if err != nil {
				t.Fatal(err)
			}
			for k := range places { // the answer of each place is the class that most of its rows have
				count := make([]int, classes)
				x := vec.Vector{}
				for i, y := range d.Y {
					if i*7%places == k {
						x = d.X.Row(i)
						count[int(y)]++
					}
				}
				if got := int(p.Predict(x)); count[got] != slices.Max(count) {
					t.Errorf("%d classes, %s: place %d is answered %d, of %v rows", classes, name, k, got, count)
				}
			}
		}
	}
	var r format.Dataset
	for i := range 40 {
		r.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i % 4)}}, Y: float64(i % 4), Weight: 1})
	}
	o := DefaultOptions()
	o.Kernel, o.Set = kernel.RBF{Gamma: 0.5}, Random{Vectors: 30}
	m, err := train.Trainer(Regression{Options: o, Epsilon: 0.1}).Train(t.Context(), &r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Vectors.Len() != 4 {
		t.Errorf("a regression: %d vectors, want 4", m.Vectors.Len())
	}
}
