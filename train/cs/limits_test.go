package cs_test

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// TestClosedCosts: an offset or an objective that overflows is an error.
func TestClosedCosts(t *testing.T) {
	d := &format.Dataset{}
	for i := range 7 {
		d.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{100 * float64(i)}})
		d.Y = append(d.Y, 1)
	}
	d.Y[6] = -1
	for _, form := range []cs.Form{cs.Uniform, cs.Weighted} {
		for _, nu := range []float64{1e308, 1e307, 1e200} {
			x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 10}}
			x.Form, x.Nu = form, []float64{nu}
			if _, err := x.Train(context.Background(), d, nil); !errors.Is(err, cs.ErrCosts) {
				t.Errorf("%s, cost %v: error %v", form, nu, err)
			}
		}
	}
}

// TestTaskNumbers: machines of many classes have numbers that fit a task.
func TestTaskNumbers(t *testing.T) {
	for _, c := range []struct {
		machine, stage, run int
		want                bool
	}{{32768, 0, 0, true}, {1<<24 - 1, 32767, 32767, true}, {1 << 24, 0, 0, false}, {0, 32768, 0, false}, {0, 0, 32768, false}, {-1, 0, 0, false}} {
		task := cs.Task{Machine: c.machine, Stage: c.stage, Run: c.run, Nu: 1, Steps: cs.Default().Steps}
		if err := task.Validate(10); (err == nil) != c.want {
			t.Errorf("%v: error %v", c, err)
		}
	}
}

// TestCoordinateNone: without runs there are no points.
func TestCoordinateNone(t *testing.T) {
	if centres, start := cs.Coordinate(nil); centres != nil || start != nil {
		t.Errorf("%v, %v", centres, start)
	}
}

// TestTaskEnd: text after a task is an error.
func TestTaskEnd(t *testing.T) {
	const text = `{"Nu":1,"Form":"lp","Points":1,"Starts":1,"Evaluations":1,"MatrixMB":1}`
	for more, want := range map[string]bool{"": true, " \n": true, " {}": false, "x": false, "]": false} {
		if _, err := cs.ReadTask(strings.NewReader(text+more), 10); (err == nil) != want {
			t.Errorf("%q: error %v", more, err)
		}
		cut := errors.New("the line was cut")
		broken := io.MultiReader(strings.NewReader(text+more), iotest.ErrReader(cut))
		if _, err := cs.ReadTask(broken, 10); errors.Is(err, cut) != want {
			t.Errorf("%q, and then reading fails: error %v", more, err)
		}
	}
}

// TestProvenance: the support vectors that a model's provenance counts are those of its machines,
// whichever step they are of.
func TestProvenance(t *testing.T) {
	p, _, _ := line(60)
	d := &format.Dataset{X: p.X, Y: p.Y}
	for i := range 20 {
		d.Y[3*i] *= -1
	}
	for _, whole := range []bool{false, true} {
		x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 0.1}}
		x.Nu, x.Sizes, x.Runs, x.Points, x.Whole = []float64{10}, []int{30}, 2, 2, whole
		want := 0
		x.Report = func(e train.Event) {
			if s, is := e.(train.StageDone); is && s.Stage == s.Stages-1 {
				step := 0
				if whole {
					step = 2
				}
				if want = s.Steps[step].SupportVectors; whole && want == s.Steps[0].SupportVectors {
					t.Error("the steps have as many: the test tells nothing")
				}
			}
		}
		m, err := x.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := parameter(m, "support_vectors"); got != strconv.Itoa(want) {
			t.Errorf("last stage whole: %v: %s support vectors, want %d", whole, got, want)
		}
	}
}

// parameter returns a parameter of a model's provenance.
func parameter(m *models.Model, name string) string {
	for _, p := range m.Provenance.Parameters {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}
