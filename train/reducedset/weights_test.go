package reducedset

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// some returns a state with n vectors, the last of which repeats the first.
func some(t *testing.T, n int) *state {
	d := waveform(t, 1)
	r := quick()
	s, err := newState(t.Context(), &r, classifier(t, kernel.RBF{Gamma: 0.03125}, d), d)
	if err != nil {
		t.Fatal(err)
	}
	for j := range n {
		s.add(t.Context(), d.X.Row(j%(n-1)), 0)
	}
	return s
}

// R R' is K~ = Kxz Kzz^+ Kxz', though Kzz has no inverse: for rows that are
// themselves vectors it is the kernel.
func TestFeatures(t *testing.T) {
	const n = 9
	s := some(t, n)
	p := s.project(s.all())
	if _, m := p.basis.Dims(); m != n-1 {
		t.Errorf("%d directions, want %d", m, n-1)
	}
	rows := make([]int, n-1)
	for i := range rows {
		rows[i] = i
	}
	r := s.features(p, rows)
	var products mat.Dense
	products.Mul(r, r.T())
	for i := range rows {
		for j := range rows {
			if got, want := products.At(i, j), s.kz[i][j]; math.Abs(got-want) > 1e-9 {
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
	far := s.features(p, []int{100, 101})
	for a, i := range []int{100, 101} {
		want := 0.0
		for k, v := range w {
			want += v * far.At(a, k)
		}
		got := 0.0
		for j, b := range beta {
			got += b * s.kx[j][i]
		}
		if math.Abs(got-want) > 1e-8 {
			t.Errorf("value %v, want %v", got, want)
		}
	}
}

// What a projection leaves of w is orthogonal to every phi(z_j).
func TestShadow(t *testing.T) {
	s := some(t, 7)
	p := s.project(s.all())
	for l := range s.machines {
		c := &s.machines[l]
		b := s.shadow(c, p)
		for k := range s.kz {
			left := 0.0
			for i, e := range c.eta {
				left += e * s.ks[k][i]
			}
			for j, v := range b {
				left -= v * s.kz[j][k]
			}
			if math.Abs(left) > 1e-7 {
				t.Errorf("machine %d: %v is left in the direction of vector %d", l, left, k)
			}
		}
	}
}

// The offset is as good as the best of all thresholds.
func TestOffset(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		n := 1 + rng.IntN(12)
		s := &state{Reducer: &Reducer{Method: Orig}, parent: &models.Model{}, kx: [][]float64{make([]float64, n)}}
		c := &machine{own: []int{0}, beta: []float64{1}}
		for i := range n {
			s.kx[0][i] = float64(rng.IntN(6))
			c.rows, c.y, c.weight = append(c.rows, i), append(c.y, float64(2*rng.IntN(2)-1)), append(c.weight, 1+float64(rng.IntN(3)))
		}
		s.offset(c)
		got := s.errors(c)
		rho := c.rho
		for half := -1; half <= 12; half++ {
			c.rho = float64(half)/2 - 0.25
			if best := s.errors(c); best < got-1e-12 {
				t.Fatalf("round %d: error %v at %v, %v at %v", round, got, rho, best, c.rho)
			}
		}
	}
}

func TestLeastSquares(t *testing.T) {
	r := mat.NewDense(4, 2, []float64{1, 0, 0, 1, 1, 1, 2, -1})
	y := make([]float64, 4)
	for i := range y {
		y[i] = 3*r.At(i, 0) - 2*r.At(i, 1) + 5
	}
	w, bias, err := leastSquares(r, y, []float64{1, 2, 1, 1})
	if err != nil || math.Abs(w[0]-3) > 1e-6 || math.Abs(w[1]+2) > 1e-6 || math.Abs(bias-5) > 1e-6 {
		t.Errorf("%v, %v, %v", w, bias, err)
	}
	if _, _, err := leastSquares(mat.NewDense(1, 1, []float64{math.NaN()}), []float64{1}, []float64{1}); err == nil {
		t.Error("a fit of what is no number")
	}
}
