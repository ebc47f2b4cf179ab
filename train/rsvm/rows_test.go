package rsvm

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestSumRows: rows with unusable weights or targets are reported with their numbers, and without
// rows there is no step.
func TestSumRows(t *testing.T) {
	set, _ := generate.Lookup("moons")
	d := set.Generate(20, 1)
	o := DefaultOptions()
	o.Kernel = kernel.RBF{Gamma: 1}
	begin := map[string]func() (*Job, error){
		"classifier": func() (*Job, error) { return Classifier{Options: o}.Begin([]int{-1, 1}, d) },
		"regression": func() (*Job, error) { return Regression{Options: o}.Begin(d) },
	}
	for _, c := range []struct {
		job       string
		y, weight float64
		want      string
	}{
		{"classifier", 1, 1, ""},
		{"classifier", 1, 0, "0"},
		{"classifier", 1, -1, "-1"},
		{"classifier", 1, math.NaN(), "NaN"},
		{"classifier", 1, math.Inf(1), "Inf"},
		{"regression", 1, 1, ""},
		{"regression", 1, 0, "0"},
		{"regression", math.NaN(), 1, "target NaN is not finite"},
		{"regression", math.Inf(-1), 1, "target -Inf is not finite"},
	} {
		j, err := begin[c.job]()
		if err != nil {
			t.Fatal(err)
		}
		_, err = j.Sum(t.Context(), func(yield func(format.Instance, error) bool) {
			_ = yield(format.Instance{X: d.X.Row(0), Y: 1, Weight: 1}, nil) && yield(format.Instance{X: d.X.Row(1), Y: c.y, Weight: c.weight}, nil)
		})
		var at *train.RowError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v: %v", c, err)
		case c.want != "" && (!errors.As(err, &at) || at.Row != 1 || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: error %v", c, err)
		}
	}
	for name, of := range begin {
		j, err := of()
		if err != nil {
			t.Fatal(err)
		}
		p, err := j.Sum(t.Context(), func(func(format.Instance, error) bool) {}) // another part may have some
		if err != nil {
			t.Fatal(err)
		}
		if _, err := j.Step(t.Context(), p); err != train.ErrNoData {
			t.Errorf("%s: a step without rows: %v", name, err)
		}
	}
}

// TestLateFaults: a fault is reported with the number of its row, also if other rows were processed
// before that row was read.
func TestLateFaults(t *testing.T) {
	d := &format.Dataset{Y: []float64{-1, 1}}
	d.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{0}})
	d.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{1}})
	o := DefaultOptions()
	o.Kernel = kernel.RBF{Gamma: 1}
	const late = 3*64*kernel.BatchRows + 777
	for want, fault := range map[string]func(in *format.Instance){
		"weight 0 is not a positive number: rows like others have 1, and DropZeroWeights leaves out those of 0": func(in *format.Instance) { in.Weight = 0 },
		"label 7 is of no class of the problem":      func(in *format.Instance) { in.Y = 7 },
		"feature 1 is NaN, expected a finite number": func(in *format.Instance) { in.X.Value = []float64{math.NaN()} },
		"index 1 follows index 1: indices must increase": func(in *format.Instance) {
			in.X = vec.Vector{Index: []int32{1, 1}, Value: []float64{1, 1}}
		},
		"2 indices but 1 values": func(in *format.Instance) { in.X.Index = []int32{1, 2} },
	} {
		j, err := Classifier{Options: o}.Begin([]int{-1, 1}, d)
		if err != nil {
			t.Fatal(err)
		}
		_, err = j.Sum(t.Context(), func(yield func(format.Instance, error) bool) {
			for i := range late + 300 {
				in := format.Instance{X: d.X.Row(i % 2), Y: d.Y[i%2], Weight: 1}
				if i == late {
					fault(&in)
				}
				if !yield(in, nil) {
					return
				}
			}
		})
		var at *train.RowError
		if !errors.As(err, &at) || at.Row != late || at.Err.Error() != want {
			t.Errorf("%v, want %s in row %d", err, want, late+1)
		}
	}
}

// TestUnevenRows: a row with more indices than values is an error with its number, not a panic, in
// whatever pass over the rows it is met, and an earlier fault comes first.
func TestUnevenRows(t *testing.T) {
	c := Classifier{Options: DefaultOptions()}
	c.Kernel = kernel.RBF{Gamma: 1}
	c.Set = Random{Vectors: 40}
	for first := 1; first <= 4; first++ {
		for _, early := range []bool{false, true} {
			pass := 0
			m, err := c.TrainStream(t.Context(), func(yield func(format.Instance, error) bool) {
				pass++
				for i := range 40 {
					in := format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: float64(i % 2), Weight: 1}
					if i == 17 && pass >= first {
						in.X.Index = []int32{1, 2}
					}
					if i == 4 && early && pass >= first {
						in.X.Value[0] = math.NaN()
					}
					if !yield(in, nil) {
						return
					}
				}
			})
			if pass < first {
				t.Fatalf("%d passes, expected %d", pass, first)
			}
			var at *train.RowError
			if m != nil || !errors.As(err, &at) || at.Row != 17 && !(early && at.Row == 4) || early && at.Row == 17 && pass > 2 {
				t.Errorf("from pass %d on, found in pass %d: %v", first, pass, err)
			}
		}
	}
}
