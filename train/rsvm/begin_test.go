package rsvm

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestBegin: arguments of which no job can be made are errors at once, and a job that was not begun
// does nothing.
func TestBegin(t *testing.T) {
	set, _ := generate.Lookup("moons")
	d := set.Generate(20, 1)
	o := DefaultOptions()
	o.Kernel = kernel.RBF{Gamma: 1}
	c, g, none := Classifier{Options: o}, Regression{Options: o}, new(format.Dataset)
	for _, b := range []struct {
		begin func() (*Job, error)
		want  string
	}{
		{func() (*Job, error) { return c.Begin([]int{-1, 1}, d) }, ""},
		{func() (*Job, error) { return g.Begin(d) }, ""},
		{func() (*Job, error) { return c.Begin(nil, d) }, "labels of 0 classes, expected 2 or more"},
		{func() (*Job, error) { return c.Begin([]int{1}, d) }, "labels of 1 classes, expected 2 or more"},
		{func() (*Job, error) { return c.Begin([]int{1, 1}, d) }, "label 1 is listed twice"},
		{func() (*Job, error) { return c.Begin([]int{3, -1, 1, -1}, d) }, "label -1 is listed twice"},
		{func() (*Job, error) { return c.Begin([]int{1, 2}, d) }, "label -1 is of no class of the problem"},
		{func() (*Job, error) { return c.Begin([]int{-1, 1}, none) }, "the reduced set has no rows"},
		{func() (*Job, error) { return g.Begin(none) }, "the reduced set has no rows"},
		{func() (*Job, error) { return c.Begin([]int{-1, 1}, nil) }, "no data set"},
		{func() (*Job, error) { return g.Begin(nil) }, "no data set"},
	} {
		switch j, err := b.begin(); {
		case b.want == "" && (err != nil || j == nil):
			t.Errorf("error %v", err)
		case b.want != "" && (err == nil || !strings.HasSuffix(err.Error(), b.want) || j != nil):
			t.Errorf("error %v, want %s", err, b.want)
		}
	}
	if _, err := new(Job).Step(t.Context(), new(Partial)); err != errNoJob {
		t.Errorf("a step of no job: %v", err)
	}
	if _, err := new(Job).Sum(t.Context(), rowsUntil(d, 20, nil)); err != errNoJob {
		t.Errorf("a sum of no job: %v", err)
	}
	j, err := c.Begin([]int{-1, 1}, d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Step(t.Context(), nil); err != ErrMismatch {
		t.Errorf("a step with nothing: %v", err)
	}
	if _, err := j.Sum(t.Context(), nil); err == nil || err.Error() != "no rows" {
		t.Errorf("a sum of nothing: %v", err)
	}
}

// rowsUntil returns the rows of d. At row n it calls leave, which may panic.
func rowsUntil(d *format.Dataset, n int, leave func()) iter.Seq2[format.Instance, error] {
	return func(yield func(format.Instance, error) bool) {
		for i := range d.Len() {
			if i == n {
				leave()
			}
			if !yield(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1}, nil) {
				return
			}
		}
	}
}

// TestRowsPanic: if rows panic, the caller that asked for a sum over them can recover the value.
func TestRowsPanic(t *testing.T) {
	set, _ := generate.Lookup("moons")
	d := set.Generate(3000, 1)
	o := DefaultOptions()
	o.Kernel = kernel.RBF{Gamma: 1}
	j, err := Classifier{Options: o}.Begin([]int{-1, 1}, &format.Dataset{X: d.X.Slice(0, 9), Y: d.Y[:9]})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 2999} {
		func() {
			defer func() {
				if v := fmt.Sprint(recover()); !strings.HasPrefix(v, "no such row") {
					t.Errorf("row %d: panic %s", n, v)
				}
			}()
			p, err := j.Sum(t.Context(), rowsUntil(d, n, func() { panic("no such row") }))
			t.Errorf("row %d: %v, %v", n, p, err)
		}()
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // so that what waits for ever fails
	defer cancel()
	for _, n := range []int{0, 1, 2999} { // the caller's goroutine ends if rows end theirs
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			p, err := j.Sum(ctx, rowsUntil(d, n, runtime.Goexit))
			t.Errorf("row %d: %v, %v", n, p, err)
		}()
		<-ended
	}
}
