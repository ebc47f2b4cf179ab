package rsvm

import (
	"errors"
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

// TestChangedRows: rows that change between passes, as when a file is replaced, are an error,
// whatever is drawn from them.
func TestChangedRows(t *testing.T) {
	d := made(t, "gauss5", 200)
	n := d.Len()
	for name, other := range map[string]func(i int) (y float64, times int){
		"a class is gone": func(i int) (float64, int) {
			if d.Y[i] == 2 {
				return 2, 0
			}
			return d.Y[i], 1
		},
		"a class is another": func(i int) (float64, int) {
			if d.Y[i] == 2 {
				return 1, 1
			}
			return d.Y[i], 1
		},
		"fewer": func(i int) (float64, int) { return d.Y[i], min(1, n-1-i) },
		"more":  func(i int) (float64, int) { return d.Y[i], 1 + i/(n-1) },
	} {
		for _, set := range []Set{Random{Vectors: 10, Centres: true}, Random{Vectors: 10}, Full{}} {
			for from := 2; from <= 4; from++ {
				pass := 0
				rows := func(yield func(format.Instance, error) bool) {
					pass++
					for i := range n {
						y, times := d.Y[i], 1
						if pass >= from {
							y, times = other(i)
						}
						for range times {
							if !yield(format.Instance{X: d.X.Row(i), Y: y, Weight: 1}, nil) {
								return
							}
						}
					}
				}
				o := testOptions()
				o.Set = set
				var m *models.Model
				var err error
				if m, err = (Classifier{Options: o}).TrainStream(t.Context(), rows); !errors.Is(err, format.ErrChanged) || m != nil {
					t.Errorf("%s from pass %d on, %T: error %v", name, from, set, err)
				}
				pass = 0
				_, err = Regression{Options: o, Epsilon: 0.1}.TrainStream(t.Context(), rows)
				if same := name == "a class is another"; same != (err == nil) || !same && !errors.Is(err, format.ErrChanged) {
					t.Errorf("regression, %s from pass %d on, %s: error %v", name, from, fmt.Sprint(set), err)
				}
			}
		}
	}
}
