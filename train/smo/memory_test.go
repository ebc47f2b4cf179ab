package smo

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// poolsDrop says that sync.Pools do not keep what they are given.
var poolsDrop = false

// allocated returns how many bytes f allocates at least, if pools hold what earlier calls left
// there. For this it stops garbage collection; a goroutine that moves to another processor may
// still miss some.
func allocated(t *testing.T, f func()) int {
	if poolsDrop {
		t.Skip("pools drop what they are given")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	least := uint64(math.MaxUint64)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return int(least)
}

// noisy returns n rows with this number of columns. Their labels are those of classes, or arbitrary
// numbers if there are no classes.
func noisy(n, columns, classes int) *format.Dataset {
	r := rand.New(rand.NewPCG(uint64(n), uint64(classes)))
	d := new(format.Dataset)
	for i := range n {
		var x vec.Vector
		y := 0.0
		for k := range columns {
			x.Index, x.Value = append(x.Index, int32(k+1)), append(x.Value, r.NormFloat64())
			y += x.Value[k]
		}
		if classes > 0 {
			y = float64(i % classes)
		}
		d.X.Append(x)
		d.Y = append(d.Y, y+0.5*r.NormFloat64()*float64(1-min(classes, 1)))
	}
	return d
}

// TestMemoryOfPairs: with many classes, each pair allocates what the model holds of it and little
// more: an entry, eight coefficients, and its reports. Probabilities take one more training and
// prediction for each of five parts.
func TestMemoryOfPairs(t *testing.T) {
	const classes, rows = 64, 4
	d := noisy(classes*rows, 3, classes)
	for probability, most := range map[bool]int{false: 400, true: 8000} {
		s := DefaultCSVC()
		s.Threads = 1
		tr := train.OneVsOne{Solver: s, Kernel: kernel.RBF{Gamma: 0.5}, Task: models.CSVC, Threads: 1, Probability: probability}
		run := func() {
			if _, err := tr.Train(context.Background(), d, train.NewRand(1)); err != nil {
				t.Fatal(err)
			}
		}
		if used := allocated(t, run) / models.Pairs(classes); used > most {
			t.Errorf("probabilities %v: %d bytes a pair, want %d or less", probability, used, most)
		}
	}
}

// TestMemoryOfFolds: a fold of a regression only allocates its result and its model, but neither
// work vectors nor room for rows or packed rows.
func TestMemoryOfFolds(t *testing.T) {
	const rows, columns = 600, 4
	d := noisy(rows, columns, 0)
	o := DefaultOptions()
	o.Threads = 1
	k := kernel.RBF{Gamma: 0.25}
	for _, c := range []struct {
		train.Trainer
		most int
	}{
		{EpsilonSVR{C: 1, Epsilon: 0.1, Kernel: k, Options: o}, 135},
		{NuSVR{C: 1, Nu: 0.5, Kernel: k, Options: o}, 108},
		{OneClass{Nu: 0.5, Kernel: k, Options: o}, 105},
	} {
		run := func(folds int) int {
			return allocated(t, func() {
				f := train.PlainFolds(rows, folds, train.NewRand(1))
				if _, err := train.CrossValidate(context.Background(), c.Trainer, d, f, train.NewRand(1), nil); err != nil {
					t.Fatal(err)
				}
			})
		}
		if used := (run(10) - run(5)) / 5 / rows; used > c.most {
			t.Errorf("%T: %d bytes a row of a fold, want %d or less", c.Trainer, used, c.most)
		}
	}
}

// TestIterationsAllocate: an iteration allocates nothing, nor does a row that is computed again and
// again, for all kinds of rows.
func TestIterationsAllocate(t *testing.T) {
	if poolsDrop {
		t.Skip("pools drop what they are given")
	}
	defer func(most int) { mostActive = most }(mostActive)
	mostActive = 1 // with more, rows would be kept at hand
	defer simd.Use(simd.Best())
	r := rand.New(rand.NewPCG(7, 7))
	const rows = 200
	of := func(columns, listed int, value func() float64) *format.Dataset {
		d := new(format.Dataset)
		for range rows {
			var x vec.Vector
			for k := range columns {
				if r.IntN(columns) < listed {
					x.Index, x.Value = append(x.Index, int32(k+1)), append(x.Value, value())
				}
			}
			d.X.Append(x)
			d.Y = append(d.Y, float64(r.IntN(2)))
		}
		return d
	}
	one := func() float64 { return 1 }
	for name, c := range map[string]struct {
		data *format.Dataset
		k    kernel.Kernel
	}{
		"panels":               {of(10, 10, r.NormFloat64), kernel.RBF{Gamma: 0.1}},
		"panels, linear":       {of(10, 10, r.NormFloat64), kernel.Linear{}},
		"panels, polynomial":   {of(10, 10, r.NormFloat64), kernel.Poly{Gamma: 0.1, Coef0: 1, Degree: 3}},
		"panels, sigmoid":      {of(10, 10, r.NormFloat64), kernel.Sigmoid{Gamma: 0.05}},
		"sets":                 {of(70, 20, one), kernel.RBF{Gamma: 0.02}},
		"sets, linear":         {of(70, 20, one), kernel.Linear{}},
		"sets of many columns": {of(3000, 40, one), kernel.RBF{Gamma: 0.02}},
		"lists":                {of(3000, 30, r.NormFloat64), kernel.RBF{Gamma: 0.02}},
		"lists, linear":        {of(3000, 30, r.NormFloat64), kernel.Linear{}},
	} {
		for l := simd.Portable; l <= simd.Best(); l++ {
			simd.Use(l)
			for _, regression := range []bool{false, true} {
				if _, gauss := c.k.(kernel.RBF); regression && !gauss {
					continue // its rows are the same as without
				}
				o := DefaultOptions()
				o.Threads, o.CacheMB = 1, 0.01 // room for a dozen rows
				iterations := 0
				o.Report = func(e train.Event) {
					if s, ok := e.(train.Solved); ok {
						iterations = s.Iterations
					}
				}
				var tr train.Trainer = EpsilonSVR{C: 10, Epsilon: 0.01, Kernel: c.k, Options: o}
				if !regression {
					s := DefaultCSVC()
					s.C, s.Options = 10, o
					tr = train.OneVsOne{Solver: s, Kernel: c.k, Task: models.CSVC, Threads: 1, Report: o.Report}
				}
				run := func() {
					if _, err := tr.Train(context.Background(), c.data, train.NewRand(1)); err != nil {
						t.Fatal(err)
					}
				}
				run()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				run()
				runtime.ReadMemStats(&after)
				if n := after.Mallocs - before.Mallocs; iterations < 150 || int(n) > 100+iterations/4 {
					t.Errorf("%s, %v, regression %v: %d allocations, %d iterations", name, l, regression, n, iterations)
				}
			}
		}
	}
}
