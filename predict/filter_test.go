package predict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A judged filter compares the filter's values for rows of a model with the exact ones.
type judged struct {
	n     int     // values that have a bound
	worst float64 // the largest difference to the decisions, as a share of the bound
	least float64 // the smallest M', as a share of M
}

// judge compares the values of a model's filter with its decisions. n is 0 if there is no filter.
func judge(t *testing.T, m *models.Model, rows []vec.Vector) judged {
	t.Helper()
	j := judged{least: math.Inf(1)}
	p := predictor(t, m)
	defer p.Release()
	f := newFilter(p)
	if f == nil {
		return j
	}
	defer f.release()
	want := make([]float64, len(m.Machines))
	var s filtered
	for ; len(rows) > 0; rows = rows[min(filterRows, len(rows)):] {
		xs := rows[:min(filterRows, len(rows))]
		s.begin(f, xs)
		for n := range f.blocks {
			s.values(f, xs, n)
			for r, x := range xs {
				p.Decisions(want, x)
				for slot, machine := range s.machines {
					j.add(f, &s, slot, r, want[machine], sizeOf(f, &m.Machines[machine], x))
				}
			}
		}
	}
	return j
}

// add compares the value of the machine in a slot for a row. size is M.
func (j *judged) add(f *filter, s *filtered, slot, r int, want, size float64) {
	bound := s.bound(f, slot, r)
	if !(bound < math.MaxFloat64) || !(math.Abs(want) < math.MaxFloat64) {
		return
	}
	j.n++
	if difference := math.Abs(s.value(f, slot, r) - want); difference != 0 {
		j.worst = max(j.worst, difference/bound)
	}
	if _, found := s.sum(f, slot, r); size > 0x1p-30 {
		j.least = min(j.least, found/size)
	}
}

// sizeOf returns M of a machine for x: that of 1 - K if the filter sums that.
func sizeOf(f *filter, c *models.Machine, x vec.Vector) (size float64) {
	values := make([]float64, f.model.Vectors.Len())
	f.model.Kernel.EvaluateTo(values, x, &f.model.Vectors)
	add := func(i int, coef float64) {
		v := values[i]
		if f.constant != nil {
			v = 1 - v
		}
		size += math.Abs(coef) * math.Abs(v)
	}
	if c.Index != nil {
		for n, i := range c.Index {
			add(int(i), c.Coef[n])
		}
		return size
	}
	n := 0
	for _, span := range c.Spans(f.start) {
		for i := span.From; i < span.To; i++ {
			add(i, c.Coef[n])
			n++
		}
	}
	return size
}

// TestFilterBounds: values of filters differ from the decisions by no more than their bounds, and
// the sizes that bounds are in proportion to are not too small.
func TestFilterBounds(t *testing.T) {
	defer simd.Use(simd.Current())
	anyFilter = true
	defer func() { anyFilter = false }()
	for level := range simd.Best() + 1 {
		simd.Use(level)
		rng := rand.New(rand.NewPCG(7, uint64(level)))
		for _, kind := range []string{"dense", "sparse", "ones", "large", "positive", "tails"} {
			n := 0
			for trial := range 3 * len(answerKernels) {
				k := answerKernels[trial%len(answerKernels)]
				m := randomModel(rng, models.CSVC, k, 2+rng.IntN(3), 1+rng.IntN(90), rng.IntN(3) == 0, rng.IntN(3) == 0)
				total := m.Vectors.Len()
				m.Vectors = vec.Matrix{}
				for range total {
					m.Vectors.Append(vectorKinds[kind](rng))
				}
				if rng.IntN(2) > 0 {
					signed(m)
				}
				rows := make([]vec.Vector, 70)
				for r := range rows {
					rows[r] = vectorKinds[kind](rng)
				}
				j := judge(t, m, rows)
				n += j.n
				// estimates of K may be a tenth too small
				if !(j.worst <= 1) || j.n > 0 && !(j.least >= 0.9) {
					t.Fatalf("%v, %s, %T%+v: a difference of %v times the bound, a size of %v times what it is", level, kind, k, k, j.worst, j.least)
				}
			}
			if n == 0 {
				t.Errorf("%v, %s: no values", level, kind)
			}
		}
	}
}

// alike returns a machine of n vectors z, each with the coefficient c.
func alike(k kernel.Kernel, n int, z vec.Vector, c, rho float64) *models.Model {
	m := &models.Model{Labels: []int{1, 2}, Group: []int{n, 0}, Kernel: k, Machines: []models.Machine{{Pos: 0, Neg: 1, Rho: rho}}}
	for range n {
		m.Vectors.Append(z)
		m.Machines[0].Coef = append(m.Machines[0].Coef, c)
	}
	return m
}

// TestFilterWorst: where all roundings have the same sign, each part of the bound is needed:
// without it the difference would be larger. The limits are what the constructions achieve.
func TestFilterWorst(t *testing.T) {
	defer simd.Use(simd.Current())
	anyFilter = true
	defer func() { anyFilter = false }()
	ones := vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{1, 1, 1}}
	one := func(v float64) vec.Vector { return vec.Vector{Index: []int32{1}, Value: []float64{v}} }
	gauss := kernel.RBF{Gamma: 0.3}
	// the last place of the values is 2^-12 and their sums are 2^17 such places or more, so some of
	// them end near half a place
	var near []*models.Model
	rng := rand.New(rand.NewPCG(8, 8))
	for range 1000 {
		near = append(near, alike(gauss, filterBlock, ones, 1+rng.Float64(), -0x1p40))
	}
	// coefficients of both signs: M is not known from sums
	both := alike(gauss, filterBlock, ones, 1, 0)
	for i := range both.Machines[0].Coef {
		both.Machines[0].Coef[i] = float64(1 - i%2*2)
	}
	for _, c := range []struct {
		name        string
		models      []*models.Model
		row         vec.Vector
		share, size float64 // the largest difference as a share of its bound, and the least M' of one of M
	}{
		// values are 1; from 16 coefficients on all sums lose nearly half of a last place of
		// float32, as the coefficients did
		{"float32", []*models.Model{alike(gauss, filterBlock, ones, 1+7.49*0x1p-23, 0)}, ones, 0.17, 0.9},
		// w is 1024 and its product exact; from 512 values on all sums of the decisions lose nearly
		// half of a last place
		{"float64", []*models.Model{alike(kernel.Linear{}, 1024, one(1), 1, 0)}, one(1 + 255*0x1p-52), 0.025, 1},
		{"offset", near, ones, 0.2, 0.9},
		{"signs", []*models.Model{both}, ones, 0, 1.09},
	} {
		for level := range simd.Best() + 1 {
			simd.Use(level)
			share, size := 0.0, math.Inf(1)
			for _, m := range c.models {
				j := judge(t, m, []vec.Vector{c.row})
				if j.n != 1 {
					t.Fatalf("%s, %v: %d values", c.name, level, j.n)
				}
				share, size = max(share, j.worst), min(size, j.least)
			}
			if !(share >= c.share && share <= 1) || !(size >= c.size) {
				t.Errorf("%s, %v: a difference of %v times its bound, want %v to 1; a size of %v times what it is, want %v", c.name, level, share, c.share, size, c.size)
			}
		}
	}
}

// TestSummable: other kernels than the Gaussian have a filter as long as products of coefficients
// and estimates are far from the limits of float32, where no bound holds.
func TestSummable(t *testing.T) {
	for _, c := range []struct {
		coef float64
		want bool
	}{
		{0, true}, {1, true}, {-1, true}, {1 << 20, true}, {-(1 << 20), true}, {0x1p-100, true}, {-0x1p-100, true},
		{1<<20 + 1, false}, {-(1<<20 + 1), false}, {0x1p-101, false}, {-0x1p-101, false}, {5e-324, false},
	} {
		for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 1}, kernel.Linear{}, kernel.Poly{Degree: 2, Gamma: 1}, kernel.Sigmoid{Gamma: 1}} {
			_, gauss := k.(kernel.RBF)
			f := &filter{layout: layout{model: &models.Model{Kernel: k, Machines: []models.Machine{{Coef: []float64{1}}, {Coef: []float64{-1, c.coef, 1}}}}}}
			if got := f.summable(); got != (c.want || gauss) {
				t.Errorf("%s, coefficient %v: %v", kernel.Name(k), c.coef, got)
			}
		}
	}
}

// TestRestNearTies: with one machine for each class, if the largest values differ by less than the
// errors of estimates, the larger one wins.
func TestRestNearTies(t *testing.T) {
	anyFilter = true
	defer func() { anyFilter = false }()
	rng := rand.New(rand.NewPCG(7, 51))
	for i := range 200 {
		m := &models.Model{Kernel: kernel.RBF{Gamma: 0.05}, Labels: []int{1, 2, 3}, Vote: models.OneVsRest}
		m.Vectors.Append(randomVector(rng, 7))
		m.Vectors.Append(randomVector(rng, 7))
		x := randomVector(rng, 7)
		values := make([]float64, 2)
		m.Kernel.EvaluateTo(values, x, &m.Vectors)
		m.Machines = []models.Machine{
			{Pos: 0, Neg: models.Rest, Coef: []float64{1, 0}},
			{Pos: 1, Neg: models.Rest, Coef: []float64{0, 1}, Rho: values[1] - values[0] + float64(1-i%2*2)*1e-10},
			{Pos: 2, Neg: models.Rest, Coef: []float64{0, 0}, Rho: 9},
		}
		b := predictor(t, m).NewBatch()
		b.Answer(slices.Repeat([]vec.Vector{x}, fewRows))
		if got, want := b.Predict(0), float64(1+i%2); got != want {
			t.Errorf("values %v: class %v, want %v", values, got, want)
		}
	}
}

// TestAnyMixed: coefficients of both signs for a run are found wherever they are, and zeros of either
// sign are of none.
func TestAnyMixed(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	tries := map[bool]int{}
	for n := range 400 {
		task := []models.Task{models.CSVC, models.OneClass}[rng.IntN(2)]
		m := randomModel(rng, task, kernel.RBF{Gamma: 0.3}, 2+rng.IntN(5), 30, rng.IntN(3) == 0, rng.IntN(2) == 0)
		start := m.GroupStart()
		sizes := []float64{1, 0.25, 5e-324, 1e300}
		odd := rng.IntN(2 * len(m.Machines)) // a machine with a coefficient of the wrong sign, or none
		for i := range m.Machines {
			c := &m.Machines[i]
			wrong := rng.IntN(len(c.Coef) + 1)
			for k := range c.Coef {
				sign := 1.0
				if m.Group != nil && (c.Index == nil && k >= m.Group[c.Pos] || c.Index != nil && int(c.Index[k]) >= start[c.Pos+1]) {
					sign = -1
				}
				if i == odd && k == wrong {
					sign = -sign
				}
				c.Coef[k] = sign * sizes[rng.IntN(len(sizes))]
				if rng.IntN(4) == 0 {
					c.Coef[k] = []float64{0, math.Copysign(0, -1)}[rng.IntN(2)]
				}
			}
		}
		f := &filter{layout: layout{m, start}}
		want := false
		f.eachMember(func(e member, _ models.Span) {
			for _, a := range e.coef {
				for _, b := range e.coef {
					want = want || a < 0 && b > 0
				}
			}
		})
		if got := f.anyMixed(); got != want {
			t.Fatalf("model %d, %v: %v, want %v", n, task, got, want)
		}
		tries[want]++
	}
	if tries[false] < 50 || tries[true] < 50 {
		t.Errorf("%d models with coefficients of both signs, %d without", tries[true], tries[false])
	}
}
