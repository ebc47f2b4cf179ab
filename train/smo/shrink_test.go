package smo

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestState checks the state whenever a solution reports something: variables are in their boxes
// and at the bounds that where says, positions are a permutation, and the two gradients are equal
// to what they stand for.
func TestState(t *testing.T) {
	swaps, shrunk, looks := 0, 0, 0
	for seed := range seeds(200) {
		s := newSetting(seed)
		nu := s.IntN(2) == 0 && s.x.Len() > 1
		src := &countingSource{Source: newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), s.opt.CacheMB)}
		q := s.randomQP(src, nu)
		original := q.clone(src)
		k := rounded(s.k, &s.x)
		var st *state
		s.opt.Shrinking = true
		s.opt.Report = func(e train.Event) {
			if st == nil || t.Failed() {
				return
			}
			looks++
			if st.active < st.n {
				shrunk++
			}
			if fault := st.fault(original, k); fault != "" {
				t.Errorf("seed %d, iteration %d, %T: %s", seed, st.iterations, e, fault)
			}
		}
		st, err := newState(context.Background(), q, s.opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := st.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		swaps += src.swaps
	}
	t.Logf("%d looks, %d at a shrunken programme, %d swaps", looks, shrunk, swaps)
	if swaps < 100 || shrunk < 100 {
		t.Errorf("hardly any shrinking: %d swaps, %d looks", swaps, shrunk)
	}
}

type countingSource struct {
	Source
	swaps int
}

func (c *countingSource) Swap(pairs []Pair) {
	c.swaps += len(pairs)
	c.Source.Swap(pairs)
}

// fault returns what is wrong with the state of a solution of q, whose kernel matrix, in original
// order, is k.
func (s *state) fault(q *QP, k dense) string {
	if sorted := slices.Sorted(slices.Values(s.order)); sorted[0] != 0 || sorted[s.n-1] != s.n-1 || len(slices.Compact(sorted)) != s.n {
		return fmt.Sprintf("order is no permutation: %v", s.order)
	}
	b, far := make([]float64, s.n), make([]float64, s.n)
	for i, o := range s.order {
		if s.p[i] != q.P[o] || s.lower[i] != q.Lower[o] || s.upper[i] != q.Upper[o] {
			return fmt.Sprintf("position %d does not hold variable %d", i, o)
		}
		want := uint8(free)
		switch s.b[i] {
		case s.lower[i]:
			want = atLower
		case s.upper[i]:
			want = atUpper
		}
		if s.where[i] != want {
			return fmt.Sprintf("where[%d] = %d for %v in [%v,%v]", i, s.where[i], s.b[i], s.lower[i], s.upper[i])
		}
		if i >= s.active && want == free {
			return fmt.Sprintf("the free variable %d is left out", i)
		}
		b[o] = s.b[i]
		if math.Abs(s.b[i]) == s.upper[i]-s.lower[i] {
			far[o] = s.b[i]
		}
	}
	f, g := k.times(b), k.times(far)
	size := max(k.weight(q.Lower), k.weight(q.Upper))
	slack := (size + 1) * float64(s.iterations+s.n) * 0x1p-52
	for i, o := range s.order {
		if i < s.active && !(math.Abs(s.f[i]-(f[o]+s.p[i])) <= slack) {
			return fmt.Sprintf("f[%d] = %v, want %v (+-%.2g)", i, s.f[i], f[o]+s.p[i], slack)
		}
		if s.far != nil && !(math.Abs(s.far[s.farOf(i)]-g[o]) <= slack) {
			return fmt.Sprintf("far[%d] = %v, want %v (+-%.2g)", i, s.far[s.farOf(i)], g[o], slack)
		}
	}
	return ""
}

// TestRebuild compares the gradient of variables that were left out with the sum in order of
// position, to the last bit. If the matrix is not symmetric, rebuilding takes the rows of the
// variables left out where these are few.
func TestRebuild(t *testing.T) {
	rebuilt, blocks, byRow, byFree := 0, 0, 0, 0
	for seed := range 300 {
		s := newSetting(seed)
		if s.x.Len() < 3 {
			continue
		}
		lopsided := s.k == kernel.Precomputed{}
		if lopsided {
			for i := range s.x.Len() {
				for j, v := range s.x.Row(i).Value[1:] {
					if j != i {
						s.x.Row(i).Value[1+j] = v + s.Float64()
					}
				}
			}
		}
		src := newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), s.opt.CacheMB)
		s.opt.Shrinking = true
		st, err := newState(context.Background(), s.randomQP(src, false), s.opt)
		if err != nil {
			t.Fatal(err)
		}
		for range s.IntN(30) {
			i, j := st.selectPair()
			if j < 0 {
				break
			}
			st.update(i, j)
		}
		st.addPending()
		// leave out some of the variables that are at a bound
		stay := []int{1, 4, 12}[seed/len(sizes)%3]
		for i := 0; i < st.active; {
			if st.where[i] != free && s.IntN(stay) == 0 {
				st.active--
				st.exchange(i, st.active)
				src.Swap([]Pair{{i, st.active}})
				continue
			}
			i++
		}
		if st.active == st.n {
			continue
		}
		nfree := 0
		for i := range st.active {
			if st.where[i] == free {
				nfree++
			}
		}
		left := lopsided && nfree*st.n > 2*st.active*(st.n-st.active)
		want := slices.Clone(st.f)
		for j := st.active; j < st.n; j++ {
			want[j] = st.far[j] + st.p[j]
			for i := range st.active {
				if st.where[i] != free {
					continue
				}
				k := src.Row(i, st.n)[j]
				if left {
					k = src.Row(j, st.n)[i]
				}
				want[j] += float64(st.b[i] * float64(k))
			}
		}
		switch {
		case left:
			byRow++
		case lopsided && nfree > 0:
			byFree++
		}
		slow := 2*nfree < st.active
		s.log = nil
		if err := st.rebuild(context.Background()); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(st.f, want) {
			t.Errorf("seed %d: %d free of %d active of %d: f = %v, want %v", seed, nfree, st.active, st.n, st.f, want)
		}
		if got := count[train.SlowShrinking](s.log) == 1; got != slow {
			t.Errorf("seed %d: %d free of %d active: slow shrinking reported: %t", seed, nfree, st.active, got)
		}
		rebuilt++
		if nfree > PartRows {
			blocks++
		}
	}
	t.Logf("%d rebuilds, %d of them in several blocks of rows, %d and %d of matrices that are not symmetric", rebuilt, blocks, byRow, byFree)
	if rebuilt < 10 || blocks < 3 || byRow == 0 || byFree == 0 {
		t.Errorf("only %d rebuilds, %d of several blocks, %d and %d of matrices that are not symmetric", rebuilt, blocks, byRow, byFree)
	}
}

// TestShrinkingKeepsTheObjective solves classifiers to a high precision with and without shrinking.
func TestShrinkingKeepsTheObjective(t *testing.T) {
	rebuilds := 0
	for seed := range seeds(30) {
		s := newSetting(len(sizes)*seed + len(sizes) - 1 - seed%2) // 200 and 90 rows
		k := kernel.RBF{Gamma: []float64{0.1, 0.5, 20}[seed%3]}    // flatter kernels take too many steps
		s.x = randomRows(s.Rand, s.x.Len(), 6)
		s.opt.Tolerance = 1e-6
		var objective [2]float64
		y := make([]float64, s.x.Len())
		for i := range y {
			y[i] = math.Copysign(1, float64(s.IntN(3))-0.5)
		}
		for i, shrinking := range []bool{false, true} {
			s.opt.Shrinking = shrinking
			s.log = nil
			p := &train.Problem{X: s.x.Clone(), Y: y, Kernel: k}
			r, err := CSVC{C: 0.5, Options: s.opt}.Solve(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			objective[i] = r.Objective
		}
		rebuilds += count[train.GradientRebuilt](s.log) - 1
		near(t, fmt.Sprintf("seed %d: the objective with shrinking", seed), objective[1], objective[0], 1e-6*max(1, math.Abs(objective[0])))
	}
	if rebuilds == 0 && !testing.Short() {
		t.Error("no programme was shrunk")
	}
}

// TestRebuildEven: where the rows of the variables left out and those of the free variables take
// equally much work, those of the free variables give the gradient.
func TestRebuildEven(t *testing.T) {
	k := vec.Matrix{}
	for i := range 4 {
		v := vec.Vector{Index: []int32{0, 1, 2, 3, 4}, Value: []float64{float64(i + 1), 0, 0, 0, 0}}
		for j := range 4 {
			v.Value[1+j] = float64(10*i + j) // K_ij is not K_ji
		}
		v.Value[1+i] = 100
		k.Append(v)
	}
	src := newRowSource(context.Background(), kernel.NewGram(kernel.Precomputed{}, &k), 100)
	q := &QP{Q: src, P: make([]float64, 4), Lower: make([]float64, 4), Upper: []float64{1, 1, 1, 1}, Start: []float64{0.25, 0.5, 0, 1}}
	o := DefaultOptions()
	s, err := newState(context.Background(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	s.active = 2 // 2 free variables times 4 are 2 times 2 active variables times 2 that are left out
	if err := s.rebuild(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := []float64{32 + 0.25*2 + 0.5*12, 100 + 0.25*3 + 0.5*13} // row 3 at its bound, then rows 0 and 1
	if !slices.Equal(s.f[2:], want) {
		t.Errorf("gradient %v, want %v", s.f[2:], want)
	}
}
