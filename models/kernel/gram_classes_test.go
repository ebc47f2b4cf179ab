package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// raceEnabled is set by the race detector's build, in which a sync.Pool drops some of what it holds.
var raceEnabled bool

func always() bool { return true }

func serially(n int, f func(part int)) {
	for k := range n {
		f(k)
	}
}

// classesOf deals rows into classes of the given sizes, in random order.
func classesOf(r *rand.Rand, rows int, sizes []int) [][]int {
	order := r.Perm(rows)
	var classes [][]int
	for _, n := range sizes {
		classes, order = append(classes, order[:n]), order[n:]
	}
	return classes
}

// wantPair checks all values of a part of two classes: of all rows in their order, of some of them,
// and after exchanges.
func wantPair(t *testing.T, r *rand.Rand, p *kernel.Store, k kernel.Kernel, x *vec.Matrix, rows []int) {
	t.Helper()
	if p.Len() != len(rows) {
		t.Errorf("a part of %d rows, want %d", p.Len(), len(rows))
	}
	places := identity(len(rows))
	for trial := range 3 {
		of := make([]int, len(places))
		for i, at := range places {
			of[i] = rows[at]
		}
		g := p.Gram(k, places)
		wantGram(t, g, k, x, of)
		copied := make([][]float32, len(of))
		if !g.CopyRows(func(i int) []float32 { copied[i] = make([]float32, len(of)+1); return copied[i] }) {
			t.Error("a part's rows are not copied")
		}
		stride := len(of) + trial
		together, diag, want := make([]float32, len(of)*stride), make([]float64, len(of)), make([]float64, len(of))
		if !p.PartTo(together, stride, diag, k, places) {
			t.Error("a part does not give its values")
		}
		g.DiagTo(want)
		if !slices.EqualFunc(diag, want, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Errorf("%v: the values of rows with themselves are %v, want %v", k, diag, want)
		}
		row := make([]float32, len(of))
		for i := range of {
			if !equalBits(together[i*stride:][:len(of)], copied[i][:len(of)]) {
				t.Errorf("%v: row %d of all values differs", k, i)
			}
			if g.RowsTo([][]float32{row}, []int{i}, 0, len(of)); !equalBits(copied[i][:len(of)], row) {
				t.Errorf("%v: row %d was copied otherwise", k, i)
			}
		}
		for range trial * 20 {
			i, j := r.IntN(len(of)), r.IntN(len(of))
			g.Swap(i, j)
			of[i], of[j] = of[j], of[i]
		}
		wantGram(t, g, k, x, of)
		g.Release()
		places = r.Perm(len(rows))[:1+r.IntN(len(rows))]
	}
}

func equalBits(a, b []float32) bool {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestClasses: the values of a pair of classes are those of a Gram of its rows, for all kernels and
// forms; afterwards no strip is left. Sets of columns, which are as quick to compute, have no
// Classes.
func TestClasses(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		tried := 0
		for _, shape := range shapes {
			r := rand.New(rand.NewPCG(31, 7))
			x := shape.make(r)
			if x.Len() < 129 {
				continue
			}
			s := kernel.NewStore(x)
			for trial, k := range gramKernels {
				classes := classesOf(r, x.Len(), [][]int{{1, 2, 30, 7, 40, 1, 33, 15}, {20, 20, 20, 20, 20, 20, 9}, {64, 5, 17, 3, 20, 20}}[trial%3])
				c := s.Classes(always, 1, serially, k, classes)
				if sets := shape.form == "sets" || shape.form == "rows"; c == nil {
					if !sets {
						t.Errorf("%s: no classes", shape.name)
					}
					continue
				}
				tried++
				for i := range classes {
					for j := i + 1; j < len(classes); j++ {
						p := c.Part(i, j)
						if p == nil {
							if len(classes[i]) <= 40 && len(classes[j]) <= 40 {
								t.Errorf("%s: no part of classes of %d and %d rows", shape.name, len(classes[i]), len(classes[j]))
							}
							continue
						}
						if (i+j)%4 == trial%4 { // all take long
							wantPair(t, r, p, k, x, append(append([]int{}, classes[i]...), classes[j]...))
						}
						p.Release()
					}
				}
				if held, free := kernel.StripsOf(c); held != 0 || free == 0 || free > 1 {
					t.Errorf("%s: %d strips are held, memory of %d is free", shape.name, held, free)
				}
				c.Release()
			}
		}
		if tried < 30 {
			t.Errorf("only %d cases", tried)
		}
	})
}

// TestClassesBeside: several goroutines that need the same strip do not wait for each other, and have
// the same values.
func TestClassesBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 31))
	x := random(r, 300, 20, 1, r.NormFloat64)
	s, k := kernel.NewStore(x), kernel.RBF{Gamma: 0.125}
	classes := classesOf(r, 300, []int{50, 10, 60, 30, 40, 50, 60})
	c := s.Classes(always, 1, serially, k, classes)
	kernel.HoldStrips(c)
	for j := 1; j < len(classes); j++ {
		p := c.Part(0, j)
		wantPair(t, r, p, k, x, append(append([]int{}, classes[0]...), classes[j]...))
		p.Release()
	}
	c.Release()
	c = s.Classes(always, 1, serially, k, classes)
	var all sync.WaitGroup
	for worker := range 4 {
		r := rand.New(rand.NewPCG(uint64(worker), 32))
		all.Go(func() {
			for at := range 21 {
				if at%4 != worker {
					continue
				}
				i, j := 0, at+1
				for j >= len(classes) {
					i++
					j -= len(classes) - 1 - i
				}
				p := c.Part(i, j)
				wantPair(t, r, p, k, x, append(append([]int{}, classes[i]...), classes[j]...))
				p.Release()
			}
		})
	}
	all.Wait()
	if held, _ := kernel.StripsOf(c); held != 0 {
		t.Errorf("%d strips are held", held)
	}
}

// TestNoClasses: kernels that need not be symmetric, few classes and a training that has ended have no
// Classes; a class of many rows is in no part. A part that is asked for again has its values again.
func TestNoClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 31))
	x := random(r, 300, 20, 1, r.NormFloat64)
	s, k := kernel.NewStore(x), kernel.RBF{Gamma: 0.125}
	classes := classesOf(r, 300, []int{64, 10, 65, 30, 40, 50})
	if s.Classes(always, 1, serially, kernel.Precomputed{}, classes) != nil || s.Classes(always, 1, serially, shifted{}, classes) != nil {
		t.Error("classes for values that may depend on the order of two rows")
	}
	if s.Classes(always, 1, serially, k, classes[:5]) != nil {
		t.Error("classes though only four are small")
	}
	if s.Classes(func() bool { return false }, 1, serially, k, classes) != nil {
		t.Error("classes for a training that has ended")
	}
	if c := (*kernel.Classes)(nil); c.Part(0, 1) != nil {
		t.Error("a part of no classes")
	} else {
		c.Release()
	}
	c := s.Classes(always, 1, serially, k, classes)
	if c.Part(0, 2) != nil || c.Part(2, 3) != nil {
		t.Error("a part of a class of 65 rows")
	}
	for range 3 {
		p := c.Part(1, 5)
		wantPair(t, r, p, k, x, append(append([]int{}, classes[1]...), classes[5]...))
		p.Release()
	}
	c.Release()
}

// TestClassesAskedAgain: values stay as long as a part needs them, even if other pairs were asked for
// more than once. Such a part takes no new memory.
func TestClassesAskedAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 31))
	x := random(r, 120, 20, 1, r.NormFloat64)
	s, k := kernel.NewStore(x), kernel.RBF{Gamma: 0.125}
	classes := classesOf(r, 120, []int{20, 20, 20, 20, 20, 20})
	c := s.Classes(always, 1, serially, k, classes)
	held := c.Part(0, 1)
	const asked = 5*20 - 1 // and once before: a multiple of the number of pairs that need these values
	if n := testing.AllocsPerRun(asked, func() { c.Part(0, 2).Release() }); n >= 1 && !raceEnabled {
		t.Errorf("%v allocations for a part", n)
	}
	other := c.Part(1, 2) // takes the memory of a strip that is free
	wantPair(t, r, held, k, x, append(append([]int{}, classes[0]...), classes[1]...))
	other.Release()
	held.Release()
	c.Release()
	c.Release()
	if a, b := s.Gram(k, classes[0]), s.Gram(k, classes[1]); a == b {
		t.Error("two Grams have the same memory")
	}
}

// TestClassesStrips: the values of later classes, and what keeps account of them, lie in the memory of
// those of earlier ones.
func TestClassesStrips(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has pools drop what they are given")
	}
	r := rand.New(rand.NewPCG(7, 31))
	x := random(r, 1200, 20, 1, r.NormFloat64)
	s, k := kernel.NewStore(x), kernel.RBF{Gamma: 0.125}
	sizes := make([]int, 120)
	for i := range sizes {
		sizes[i] = 10
	}
	classes := classesOf(r, 1200, sizes)
	c := s.Classes(always, 1, serially, k, classes)
	defer c.Release()
	all := func() {
		for i := range classes {
			for j := i + 1; j < len(classes); j++ {
				c.Part(i, j).Release()
			}
		}
	}
	if n := testing.AllocsPerRun(1, all); n > 60 { // after a first run, in which Parts are made
		t.Errorf("%v allocations for strips of %d classes", n, len(classes))
	}
	for _, of := range [][2]int{{0, 1}, {0, 119}, {50, 60}, {118, 119}} {
		p := c.Part(of[0], of[1])
		wantPair(t, r, p, k, x, append(append([]int{}, classes[of[0]]...), classes[of[1]]...))
		p.Release()
	}
}
