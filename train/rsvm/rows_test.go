package rsvm

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestSumRows: rows whose weights or targets no machine can heed are told of by their
// numbers, and without rows there is no step.
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
