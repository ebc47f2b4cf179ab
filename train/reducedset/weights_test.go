package reducedset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/linear"
	"github.com/slimsvm/slimsvm/train/smo"
)

// some returns a state with n-1 vectors: the last one, which repeats the first, is not added.
func some(t *testing.T, n int) *state {
	d := waveform(t, 1)
	r := quick()
	s, err := newState(t.Context(), &r, classifier(t, kernel.RBF{Gamma: 0.03125}, d), d)
	if err != nil {
		t.Fatal(err)
	}
	for j := range n {
		if s.add(t.Context(), s.places.x.Row(j%(n-1)), s.common) != (j < n-1) {
			t.Errorf("vector %d of %d: taken %v", j, n, j >= n-1)
		}
	}
	return s
}

// kernelOf returns k(z_j, z_i).
func (s *state) kernelOf(i, j int) float64 {
	k := make([]float64, s.zs.Len())
	s.parent.Kernel.EvaluateTo(k, s.zs.Row(i), &s.zs)
	return k[j]
}

// featuresOf returns the features of row i of the places.
func (p *span) featuresOf(s *state, i int) []float64 {
	at := s.places.at[i]
	r := make([]float64, p.x.Len())
	one := make([]float64, linear.TileRows)
	for k := range r {
		w := make([]float64, len(r))
		w[k] = 1
		clear(one)
		p.x.AddTo(one, w, []int{at / linear.TileRows})
		r[k] = one[at%linear.TileRows]
	}
	return r
}

// TestSpan: R R' is K~ = Kxz Kzz^+ Kxz', although Kzz has no inverse. For rows that are vectors
// themselves, it is the kernel.
func TestSpan(t *testing.T) {
	const n = 9
	s := some(t, n)
	p := s.common
	if p.x.Len() != n-1 || len(p.l) != n-1 || len(p.of) != n-1 || s.zs.Len() != n-1 {
		t.Fatalf("%d features, of %d vectors; %d vectors", p.x.Len(), len(p.of), s.zs.Len())
	}
	for i := range n - 1 {
		for j := range n - 1 {
			if got, want := columns.Dot(p.featuresOf(s, i), p.featuresOf(s, j)), s.kernelOf(i, j); !(math.Abs(got-want) <= 1e-9) {
				t.Fatalf("product of rows %d and %d is %v, the kernel %v", i, j, got, want)
			}
		}
	}
	// coefficients: w.r = sum_j beta_j k(z_j, x)
	rng := rand.New(rand.NewPCG(1, 2))
	w := make([]float64, n-1)
	for k := range w {
		w[k] = rng.NormFloat64()
	}
	beta := p.coefficients(w)
	for _, i := range []int{100, 101, s.places.x.Len() - 1} {
		k := make([]float64, n-1)
		s.parent.Kernel.EvaluateTo(k, s.places.x.Row(i), &s.zs)
		if got, want := columns.Dot(beta, k), columns.Dot(w, p.featuresOf(s, i)); !(math.Abs(got-want) <= 1e-8) {
			t.Errorf("value %v, want %v", got, want)
		}
	}
}

// TestProjection: what a projection leaves of w is orthogonal to every phi(z_j).
func TestProjection(t *testing.T) {
	s := some(t, 7)
	for l := range s.machines {
		c := &s.machines[l]
		b := s.common.projection(s, c)
		for k := range s.ks {
			left := 0.0
			for i, e := range s.eta(c) {
				left += e * s.ks[k][i]
			}
			for j, v := range b {
				left -= v * s.kernelOf(j, k)
			}
			if !(math.Abs(left) <= 1e-7) {
				t.Errorf("machine %d: %v is left in the direction of vector %d", l, left, k)
			}
		}
	}
}

// TestRetrainIsTheSVM: the trained coefficients are those of an SVM with the kernel K~. Compared
// with package smo's solution of it, neither has a lower objective.
func TestRetrainIsTheSVM(t *testing.T) {
	s := some(t, 12)
	if err := s.retrain(t.Context()); err != nil {
		t.Fatal(err)
	}
	for l := range s.machines {
		c := &s.machines[l]
		var x vec.Matrix
		var y []float64
		for _, i := range s.rowsOf(l) {
			r := s.common.featuresOf(s, i)
			v := vec.Vector{Value: r}
			for k := range r {
				v.Index = append(v.Index, int32(k+1))
			}
			x.Append(v)
			at := slices.Index(c.tiles, s.places.at[i]/linear.TileRows)
			y = append(y, c.y[at*linear.TileRows+s.places.at[i]%linear.TileRows])
		}
		solver := smo.DefaultCSVC()
		solver.C = c.cost
		solver.Tolerance = 1e-6
		m, err := train.OneVsOne{Solver: solver, Kernel: kernel.Linear{}, Task: models.CSVC}.Train(t.Context(), &format.Dataset{X: x, Y: y}, nil)
		if err != nil {
			t.Fatal(err)
		}
		objective := func(w []float64, b float64) float64 {
			sum := columns.Dot(w, w) / 2
			for i, side := range y {
				sum += c.cost * max(0, 1-side*(columns.Dot(w, x.Row(i).Value)+b))
			}
			return sum
		}
		w := make([]float64, s.common.x.Len())
		for i, e := range spread(&m.Machines[0], m.GroupStart(), m.Vectors.Len()) {
			columns.Axpy(w, e, m.Vectors.Row(i).Value)
		}
		b := -m.Machines[0].Rho
		if m.Labels[0] == -1 {
			b = -b
			for k := range w {
				w[k] = -w[k]
			}
		}
		got, want := objective(c.trained.W, c.trained.Bias), objective(w, b)
		if !(math.Abs(got-want) <= 1e-4*want) || got > want*(1+1e-6) {
			t.Errorf("machine %d: objective %v, by SMO %v", l, got, want)
		}
	}
}

// TestRetrainFirst: the coefficients of the first vectors, one for each machine, are trained too: the
// sum of the SVM's objective is lower than with Greedy's coefficients of the same vectors.
func TestRetrainFirst(t *testing.T) {
	d := waveform(t, 1)
	for i, y := range d.Y {
		d.Y[i] = min(y, 2)
	}
	parent := classifier(t, kernel.RBF{Gamma: 0.03125}, d)
	reduced := func(method Method) *models.Model {
		r := quick()
		r.Method, r.Vectors, r.Cost = method, 1, 1
		m, err := r.Reduce(t.Context(), parent, d)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	objective := func(m *models.Model) float64 {
		c, z := m.Machines[0].Coef[0], make([]float64, 1)
		m.Kernel.EvaluateTo(z, m.Vectors.Row(0), &m.Vectors)
		sum := c * c * z[0] / 2
		for i, v := range decisionsOf(t, m, d) {
			if int(d.Y[i]) != m.Labels[0] {
				v = -v
			}
			sum += max(0, 1-v)
		}
		return sum
	}
	greedy, retrained := reduced(Greedy), reduced(Retrain)
	if !slices.Equal(greedy.Vectors.Row(0).Value, retrained.Vectors.Row(0).Value) {
		t.Fatal("other vectors")
	}
	if got, most := objective(retrained), objective(greedy); !(got < 0.999*most) {
		t.Errorf("objective %v, of Greedy's coefficients %v", got, most)
	}
}

// TestThreshold: no threshold is better than the one found.
func TestThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		n := 1 + rng.IntN(12)
		c := &machine{}
		var values []float64
		for i := range n {
			values = append(values, float64(rng.IntN(6)))
			c.y, c.weight = append(c.y, float64(2*rng.IntN(2)-1)), append(c.weight, 1+float64(rng.IntN(3)))
			if i%5 == 4 { // a place without a row
				c.y[i], c.weight[i] = 0, 0
			}
		}
		at := func(rho float64) float64 {
			c.values = c.values[:0]
			for _, v := range values {
				c.values = append(c.values, v-rho)
			}
			c.judge()
			return c.wrong
		}
		rho := c.threshold(values)
		got := at(rho)
		for half := -1; half <= 12; half++ {
			if best := at(float64(half)/2 - 0.25); best < got-1e-12 {
				t.Fatalf("round %d: error %v at %v, %v at %v", round, got, rho, best, float64(half)/2-0.25)
			}
		}
	}
}

// TestThresholdOfNeighbours: a threshold divides values between which there is no number, and is
// below all of them if all rows are to be positive.
func TestThresholdOfNeighbours(t *testing.T) {
	next := func(v float64, n int) float64 {
		for range n {
			v = math.Nextafter(v, math.Inf(1))
		}
		return v
	}
	for _, first := range []float64{1, -1, 1e300, 0, -4e-323, next(1, 1), next(-1, 1), -math.MaxFloat64} {
		for _, y := range [][]float64{{-1, 1}, {1, 1, -1, 1}, {1, 1}} {
			c := &machine{y: y, weight: slices.Repeat([]float64{1}, len(y))}
			var values []float64
			for k := range y {
				values = append(values, next(first, k))
			}
			rho := c.threshold(values)
			for _, v := range values {
				c.values = append(c.values, v-rho)
			}
			want := 0.0
			if len(y) > 2 {
				want = 0.25
			}
			if c.judge(); c.wrong != want {
				t.Errorf("values from %v of rows %v: rho %v has %v wrong, want %v", first, y, rho, c.wrong, want)
			}
		}
	}
	c := &machine{y: []float64{-1, 1}, weight: []float64{1, 1}}
	if rho := c.threshold([]float64{-math.MaxFloat64, math.MaxFloat64}); math.IsInf(rho, 0) {
		t.Errorf("rho %v", rho)
	}
}

// TestFit: a fit that grows feature by feature is that of all features at once.
func TestFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x := linear.NewFeatures(1)
	y, v := make([]float64, linear.TileRows), make([]float64, linear.TileRows)
	var f fit
	var columnsOf [][]float64
	want := []float64{3, -2, 0.5}
	for i := range 40 {
		y[i], v[i] = 5, 1+rng.Float64()
	}
	for k := range want {
		r := make([]float64, linear.TileRows)
		for i := range 40 {
			r[i] = rng.NormFloat64()
			y[i] += want[k] * r[i]
		}
		columnsOf = append(columnsOf, r)
	}
	for _, r := range columnsOf {
		x.Append(r)
		if err := f.solve(x, y, v); err != nil {
			t.Fatal(err)
		}
	}
	for k, w := range want {
		if !(math.Abs(f.w[k]-w) <= 1e-6) {
			t.Errorf("weight %d is %v, want %v", k, f.w[k], w)
		}
	}
	if !(math.Abs(f.bias-5) <= 1e-6) {
		t.Errorf("bias %v", f.bias)
	}
	x.Append(slices.Repeat([]float64{math.NaN()}, linear.TileRows))
	if err := f.solve(x, y, v); err == nil {
		t.Error("a fit of what is no number")
	}
}

// TestFitScale: features of any size, far from 0 or not, have a fit without residuals. If all
// features are 0, the fit is the mean.
func TestFitScale(t *testing.T) {
	for _, c := range []struct{ size, mean float64 }{{1, 0}, {1e-6, 0}, {1e-12, 0}, {1e-40, 0}, {1e12, 0}, {1, 1e5}, {1e-6, 1}, {1e-12, 1e-7}, {0, 0}} {
		rng := rand.New(rand.NewPCG(5, 6))
		x := linear.NewFeatures(1)
		y, v := make([]float64, linear.TileRows), make([]float64, linear.TileRows)
		one, two := make([]float64, linear.TileRows), make([]float64, linear.TileRows)
		variance := 0.0
		for i := range 40 {
			a, b := rng.NormFloat64(), rng.NormFloat64()
			one[i], two[i] = c.mean+c.size*a, c.mean+c.size*b
			y[i], v[i] = 2*a-b, 1
			variance += y[i] * y[i]
		}
		x.Append(one)
		x.Append(two)
		var f fit
		if err := f.solve(x, y, v); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		left := 0.0
		for i := range 40 {
			by := f.w[0]*one[i] + f.w[1]*two[i] + f.bias - y[i]
			left += by * by
		}
		if (left > 1e-4*variance) != (c.size == 0) || math.IsNaN(left) {
			t.Errorf("%+v: %v of the variance is left", c, left/variance)
		}
	}
}

// TestWorst: the next vector goes to the machine that is furthest behind its parent, however many
// errors others have that their parents also have, or by the paper's rule to the one with the most
// errors. Of equal machines, it goes to the one with the fewest vectors.
func TestWorst(t *testing.T) {
	s := &state{Reducer: new(Reducer), machines: []machine{
		{wrong: 0.3, parent: 0.3, found: 2}, // hard, but as good as it gets
		{wrong: 0.125, parent: 0, found: 5},
		{wrong: 0.2, parent: 0.25, found: 1}, // better than its parent
		{wrong: 0.25, parent: 0.125, found: 4},
		{wrong: 0.2, parent: 0},
	}}
	for next, want := range map[Next][]int{Behind: {4, 3, 1, 2, 0}, LeastAccurate: {0, 3, 4, 2, 1}} {
		if s.Next = next; !slices.Equal(s.worst(), want) {
			t.Errorf("rule %d: order %v, expected %v", next, s.worst(), want)
		}
	}
}
