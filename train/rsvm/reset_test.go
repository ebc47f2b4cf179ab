package rsvm

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestResetEnds: a training that is cancelled ends without clearing all of a Hessian.
func TestResetEnds(t *testing.T) {
	s := newSum(t.Context(), 600)
	last := len(s.wide) - 1
	if last <= clearedAtOnce {
		t.Fatalf("%d numbers are cleared in one go", last+1)
	}
	s.wide[last] = 1
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.reset(ctx, 600)
	if s.wide[last] != 1 {
		t.Error("cleared though cancelled")
	}
	s.reset(t.Context(), 600)
	for i, v := range s.wide {
		if v != 0 {
			t.Fatalf("number %d is %v", i, v)
		}
	}
}

// allocated returns how many bytes of the garbage collector's memory f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestLargeSums: the memory for a large Hessian comes from the system, which clears it page by
// page, and the Hessian is set in place.
func TestLargeSums(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is taken from the system on Linux")
	}
	const unknowns, size = 1000, 8 * 1000 * 1000
	s := arenaSum()
	if got := allocated(func() { s.reset(t.Context(), unknowns) }); got > size/10 {
		t.Errorf("a sum of %d bytes takes %d of the collector", size, got)
	}
	for i := range s.wide {
		if s.wide[i] != 0 {
			t.Fatalf("number %d is %v", i, s.wide[i])
		}
		s.wide[i] = 1
	}
	s.reset(t.Context(), unknowns/2) // in the same memory
	for i := range s.wide {
		if s.wide[i] != 0 {
			t.Fatalf("used again, number %d is %v", i, s.wide[i])
		}
	}
	s.release()
	if s.wide != nil || s.Hessian != nil {
		t.Error("memory is used that was given back")
	}

	p := newSum(t.Context(), unknowns)
	for i := range p.wide {
		p.wide[i] = 1
	}
	if got := allocated(func() { p.finish(t.Context()) }); got > size/10 {
		t.Errorf("the Hessian takes another %d bytes", got)
	}
	for i := range unknowns {
		for k, v := range p.Hessian[i*unknowns : (i+1)*unknowns] {
			if want := map[bool]float64{true: 1}[k >= i]; v != want {
				t.Fatalf("line %d, column %d of the Hessian: %v, want %v", i, k, v, want)
			}
		}
	}
}

// TestSumsGivenBack: trainings give back the memory of their sums.
func TestSumsGivenBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is taken from the system on Linux")
	}
	size := func() int { // mapped memory, in pages
		text, err := os.ReadFile("/proc/self/statm")
		if err != nil {
			t.Skip(err)
		}
		n, err := strconv.Atoi(strings.Fields(string(text))[0])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	rng := rand.New(rand.NewPCG(5, 6))
	d := new(format.Dataset)
	for i := range 400 {
		d.X.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{rng.NormFloat64(), rng.NormFloat64()}})
		d.Y = append(d.Y, float64(i%2))
	}
	c := Classifier{Options: DefaultOptions()}
	c.Kernel, c.Set, c.Steps = kernel.RBF{Gamma: 1}, Full{}, 1
	var before int
	const trainings = 60
	for k := range trainings {
		if k == trainings/3 {
			before = size()
		}
		if _, err := c.Train(t.Context(), d, nil); err != nil {
			t.Fatal(err)
		}
	}
	if more, kept := (size()-before)*os.Getpagesize(), trainings*2/3*(16<<20); more > kept/2 {
		t.Errorf("%d trainings have left %d MB", trainings*2/3, more>>20)
	}
}
