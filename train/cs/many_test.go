package cs

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// poolsDrop says that pools do not keep what they are given.
var poolsDrop = false

// manyClasses returns rows rows of each of some classes.
func manyClasses(classes, rows int) *format.Dataset {
	rng := rand.New(rand.NewPCG(3, 4))
	d := new(format.Dataset)
	for i := range rows * classes {
		c := i % classes
		d.Append(format.Instance{
			X: vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(c/6) + 0.3*rng.NormFloat64(), float64(c%6) + 0.3*rng.NormFloat64()}},
			Y: float64(c), Weight: 1,
		})
	}
	return d
}

// TestManyMachines: a machine of few rows takes little more memory than its programmes: the memory
// of batches is reused, and kernel values that are the same for all costs are computed once.
func TestManyMachines(t *testing.T) {
	d := manyClasses(24, 3)
	s := Trainer{Settings: Default(), Kernel: kernel.RBF{Gamma: 0.5}, Threads: 1}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := s.Train(t.Context(), d, nil)
	runtime.ReadMemStats(&after)
	if err != nil || len(m.Machines) != 276 {
		t.Fatalf("%v, %d machines", err, len(m.Machines))
	}
	if taken := int(after.TotalAlloc-before.TotalAlloc) >> 10 / 276; taken > 1000 && !poolsDrop {
		t.Errorf("%d kB for each machine", taken)
	}
}

// TestManyClasses: a machine for each pair of hundreds of classes, as when labels are names of
// rows, takes much time and memory, which is reported. Thousands of such classes are refused.
func TestManyClasses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	told := false
	s := Trainer{Settings: Default(), Kernel: kernel.RBF{Gamma: 0.5}, Threads: 1}
	s.Report = func(e train.Event) {
		if e == (train.ManyClasses{Classes: 101, Rows: 101}) {
			told = true
		}
		cancel()
	}
	if _, err := s.Train(ctx, manyClasses(101, 1), nil); !told || !errors.Is(err, context.Canceled) {
		t.Fatalf("101 classes: told %v, %v", told, err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	_, err := s.Train(ctx, manyClasses(3001, 1), nil)
	if err == nil || !strings.Contains(err.Error(), "would need 4501500 machines") {
		t.Errorf("3001 classes: %v", err)
	}
}

// TestBrief: the events of stages that are not kept are the same.
func TestBrief(t *testing.T) {
	d := manyClasses(4, 30)
	s := Default()
	s.Runs, s.Sizes = 3, []int{10, 20}
	tr := Trainer{Settings: s, Kernel: kernel.RBF{Gamma: 0.5}}
	classes, err := train.GroupClasses(d.Y, nil)
	if err != nil {
		t.Fatal(err)
	}
	var told [2][]train.StageDone
	var stages [2][]Stage
	for i, brief := range []bool{false, true} {
		problems, err := tr.problems(t.Context(), d, classes, new(models.Model))
		if err != nil {
			t.Fatal(err)
		}
		report := func(e train.Event) {
			if done, is := e.(train.StageDone); is {
				told[i] = append(told[i], done)
			}
		}
		if stages[i], _, err = tr.run(t.Context(), problems, report, brief, nil); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(told[0], told[1]) {
		t.Errorf("%+v\n%+v", told[0], told[1])
	}
	for i := range 3 {
		full, brief := stages[0][i], stages[1][i]
		if want := i == 2; len(full.Outcomes) != 6 || (brief.Outcomes != nil) != want || want && !reflect.DeepEqual(full, brief) {
			t.Errorf("stage %d: %d and %d outcomes", i, len(full.Outcomes), len(brief.Outcomes))
		}
	}
}
