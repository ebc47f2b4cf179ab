package cs_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// TestBasis: a basis has as many points as asked for, whatever the number of classes, and the same
// for the same seed. They serve classes against the rest, one after the other.
func TestBasis(t *testing.T) {
	set, _ := generate.Lookup("gauss5")
	d := set.Generate(150, 1)
	classes, err := train.GroupClasses(d.Y, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := cs.Basis{Settings: settings(), Kernel: kernel.RBF{Gamma: 0.1}}
	for _, n := range []int{0, 3, 5, 12} {
		rng := rand.New(rand.NewPCG(1, 1))
		zs, err := b.Vectors(context.Background(), &d.X, classes.Rows, n, rng)
		if err != nil || zs.Len() != n {
			t.Fatalf("%d of %d points, %v", zs.Len(), n, err)
		}
		again, _ := b.Vectors(context.Background(), &d.X, classes.Rows, n, rand.New(rand.NewPCG(1, 1)))
		for i := range n {
			if a, b := zs.Row(i), again.Row(i); a.At(1) != b.At(1) {
				t.Fatal("not the same again")
			}
		}
	}
	// of one point for each class, each lies among the rows of its own
	zs, err := b.Vectors(context.Background(), &d.X, classes.Rows, len(classes.Rows), rand.New(rand.NewPCG(2, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range zs.Len() {
		best, most := -1, 0.0
		for c, rows := range classes.Rows {
			near := 0.0
			for _, row := range rows {
				near += kernel.Exp(-0.1*vec.SquaredDistance(zs.Row(i), d.X.Row(row))) / float64(len(rows))
			}
			if near > most {
				best, most = c, near
			}
		}
		if best != i {
			t.Errorf("the point of class %d lies among the rows of class %d", i, best)
		}
	}
	if _, err := b.Vectors(context.Background(), &d.X, classes.Rows[:1], 3, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("no error for one class")
	}
}

// TestShare: machines that share points have no more vectors together, and each has an objective
// that is no worse.
func TestShare(t *testing.T) {
	set, _ := generate.Lookup("gauss5")
	d := set.Generate(200, 1)
	s := settings()
	var objective [2]float64
	var vectors [2]int
	for k, share := range []bool{false, true} {
		s.Share = share
		m, err := cs.Trainer{Settings: s, Kernel: kernel.RBF{Gamma: 0.1}, OneVsRest: true, Report: func(e train.Event) {
			if e, ok := e.(train.Solved); ok {
				objective[k] += e.Objective
			}
		}}.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		vectors[k] = m.Vectors.Len()
	}
	if objective[1] >= objective[0] || vectors[1] > vectors[0] {
		t.Errorf("objectives %v and %v, %v vectors", objective[0], objective[1], vectors)
	}
}

// TestSmallPairs: pairs of classes with few rows also hold out some of them, which choose a cost.
func TestSmallPairs(t *testing.T) {
	set, _ := generate.Lookup("gauss5")
	all := set.Generate(400, 1)
	d := &format.Dataset{}
	count := map[float64]int{}
	for i, y := range all.Y {
		if count[y]++; y < 3 || count[y] <= 8 {
			d.Append(format.Instance{X: all.X.Row(i), Y: y, Weight: 1})
		}
	}
	s := settings()
	s.Nu, s.Grid, s.Sizes, s.Share = nil, []float64{1e-3, 3}, []int{60, 100}, false
	stages := 0
	m, err := cs.Trainer{Settings: s, Kernel: kernel.RBF{Gamma: 0.1}, Report: func(e train.Event) {
		done, is := e.(train.StageDone)
		if !is {
			return
		}
		stages++
		hopeless := 0
		for _, nu := range done.Nu {
			if nu != 3 {
				hopeless++
			}
		}
		if hopeless > 2 { // as few rows may tie
			t.Errorf("stage %d: costs %v", done.Stage, done.Nu)
		}
	}}.Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if stages != 3 || len(m.Machines) != 10 {
		t.Errorf("%d stages, %d machines", stages, len(m.Machines))
	}
}
