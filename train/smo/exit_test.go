package smo_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// An ending is a kernel that ends its goroutine in some row of the matrix, as a test's FailNow in a
// kernel does, or that panics.
type ending struct {
	kernel.RBF
	rows *atomic.Int32
	last int32
	by   error // nil: it does not panic
}

func (k ending) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	if k.rows.Add(1) == k.last {
		if k.by != nil {
			panic(k.by)
		}
		runtime.Goexit()
	}
	k.RBF.RowTo(dst, x, zs)
}

// TestKernelEnds: a kernel that ends its goroutine, or panics, ends the goroutine of the training's
// caller, or makes it panic, whichever of several threads has called the kernel. By then no thread
// uses the memory of the training any more.
func TestKernelEnds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	r := rand.New(rand.NewPCG(3, 4))
	d := new(format.Dataset)
	for i := range 6000 {
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{r.NormFloat64() + float64(i%2), r.NormFloat64()}}
		d.Append(format.Instance{X: x, Y: float64(i % 2), Weight: 1})
	}
	mine := errors.New("mine")
	for last := int32(1); last < 200; last += 22 {
		for _, by := range []error{nil, mine} {
			ended := make(chan error)
			go func() {
				defer func() {
					err, _ := recover().(error)
					ended <- err
				}()
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // so that the test fails instead of waiting for ever
				defer cancel()
				k := ending{kernel.RBF{Gamma: 1}, new(atomic.Int32), last, by}
				_, err := train.OneVsOne{Solver: smo.DefaultCSVC(), Task: models.CSVC, Kernel: k, Threads: 2}.Train(ctx, d, nil)
				t.Errorf("call %d: Train returns, error %v", last, err)
			}()
			if err := <-ended; !errors.Is(err, by) {
				t.Errorf("call %d: panic %v, want %v", last, err, by)
			}
		}
	}
}
