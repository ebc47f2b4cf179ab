package smo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// Each formulation's solution minimises a primal problem. Its value at the function that was found,
// less that of the dual, is the sum of what all conditions of optimality leave open: at most the
// tolerance for each unit of the boxes.

// A found is a solution of one of the formulations: f(x) = sum b_i K(x_i, x) - rho.
type found struct {
	b   []float64
	rho float64
	e   train.Solved
}

// A primal has the value of a formulation's primal problem without the term 1/2 b'Kb, the value of
// its dual without -1/2 b'Kb, and the sum of its boxes.
type primal struct{ loss, gain, room float64 }

func hinge(x float64) float64 { return max(0, x) }

// ofModel returns the only machine of a model as a found.
func (s *setting) ofModel(t *testing.T, m *models.Model, err error) *found {
	t.Helper()
	if err != nil {
		t.Error(err)
		return nil
	}
	r := &found{b: make([]float64, s.x.Len()), rho: m.Machines[0].Rho, e: last[train.Solved](t, s.log)}
	for k, row := range m.Origin {
		r.b[row-1] = m.Machines[0].Coef[k]
	}
	return r
}

func (s *setting) ofSolution(t *testing.T, r *train.Solution, err error) *found {
	t.Helper()
	if err != nil {
		t.Error(err)
		return nil
	}
	return &found{b: r.Coef, rho: r.Rho, e: last[train.Solved](t, s.log)}
}

// check tests the gap between primal and dual and the objective, and counts vectors. bound returns
// the largest coefficient of a row; decide turns the values Kb - rho into the primal's.
func (r *found) check(t *testing.T, s *setting, k dense, bound func(i int) float64, decide func(f []float64) primal) {
	t.Helper()
	kb := k.times(r.b)
	f := make([]float64, len(kb))
	vectors, bounded, size := 0, 0, 0.0
	for i, b := range r.b {
		f[i] = kb[i] - r.rho
		size = max(size, bound(i))
		if b != 0 {
			vectors++
		}
		if math.Abs(b) == bound(i) {
			bounded++
		}
		if !(math.Abs(b) <= bound(i)) {
			t.Errorf("coefficient %d is %v, the largest may be %v", i, b, bound(i))
		}
	}
	if r.e.Vectors != vectors || r.e.Bounded != bounded {
		t.Errorf("%d vectors and %d bounded are reported, want %d and %d", r.e.Vectors, r.e.Bounded, vectors, bounded)
	}
	steps := float64(r.e.Iterations + 2*len(r.b) + 10)
	slack := (k.weight(r.b)+1)*(singleError+(2*math.Sqrt(steps)+steps/50)*0x1p-52) + steps*size*0x1p-52
	p := decide(f)
	norm := dot(r.b, kb)
	near(t, "the objective", r.e.Objective, norm/2-p.gain, slack*(total(r.b)+1))
	gap, allowance := norm+p.loss-p.gain, 2*slack*(p.room+1)
	if !(gap >= -allowance && gap <= s.opt.Tolerance*p.room+allowance) {
		t.Errorf("the gap between primal and dual is %v, tolerance %v (+%.2g)", gap, s.opt.Tolerance*p.room, allowance)
	}
}

// classes returns the rows' labels 1 and -1, which depend on the first feature, and the number of
// either.
func (s *setting) classes() (y []float64, pos, neg int) {
	y = make([]float64, s.x.Len())
	for i := range y {
		y[i] = math.Copysign(1, s.x.Row(i).At(1)+s.NormFloat64())
		if y[i] > 0 {
			pos++
		} else {
			neg++
		}
	}
	return y, pos, neg
}

func TestDualCSVC(t *testing.T) {
	eachSetting(t, func(t *testing.T, s *setting, k dense) {
		y, pos, neg := s.classes()
		if pos == 0 || neg == 0 {
			return
		}
		p := &train.Problem{X: s.x.Clone(), Y: y, Kernel: s.k}
		ofClasses, ofRows := s.IntN(2) == 0, s.IntN(2) == 0
		if ofClasses {
			p.Weight.Pos, p.Weight.Neg = train.Factors{0.5, 3}, train.Factors{0.7}
		}
		if ofRows {
			for range y {
				p.RowWeight = append(p.RowWeight, 0.5+s.Float64())
			}
		}
		equal := !ofClasses && !ofRows
		r, err := CSVC{C: s.c, Options: s.opt}.Solve(context.Background(), p)
		f := s.ofSolution(t, r, err)
		if f == nil {
			return
		}
		cost := func(i int) float64 {
			c := s.c
			switch {
			case ofClasses && y[i] > 0:
				c *= 0.5 * 3
			case ofClasses:
				c *= 0.7
			}
			if ofRows {
				c *= p.RowWeight[i]
			}
			return c
		}
		f.check(t, s, k, cost, func(values []float64) (v primal) {
			for i, f := range values {
				v.loss += cost(i) * hinge(1-y[i]*f)
				v.room += cost(i)
			}
			v.gain = dot(y, f.b)
			return v
		})
		near(t, "the sum of the coefficients", sum(f.b), 0, 1e-12*s.c*float64(len(y)))
		switch {
		case !equal:
			if f.e.Name != "" {
				t.Errorf("%s is reported, with unequal costs", f.e.Name)
			}
		case f.e.Name != "nu":
			t.Errorf("%q is reported, want nu", f.e.Name)
		default:
			near(t, "nu", f.e.Value, total(f.b)/(s.c*float64(len(y))), 1e-12)
		}
		for i, b := range f.b {
			if b*y[i] < 0 || math.Signbit(b) != (y[i] < 0) {
				t.Errorf("coefficient %v of a row of class %v", b, y[i])
			}
		}
	})
}

func TestDualNuSVC(t *testing.T) {
	solved, negative := 0, 0
	eachSetting(t, func(t *testing.T, s *setting, k dense) {
		y, pos, neg := s.classes()
		n := float64(len(y))
		if pos == 0 || neg == 0 {
			return
		}
		nu := 2 * float64(min(pos, neg)) / n * (0.05 + 0.9*s.Float64())
		r, err := NuSVC{Nu: nu, Options: s.opt}.Solve(context.Background(), &train.Problem{X: s.x.Clone(), Y: y, Kernel: s.k})
		if errors.Is(err, errNoMargin) {
			return
		}
		f := s.ofSolution(t, r, err)
		if f == nil {
			return
		}
		solved++
		if f.e.Name != "C" {
			t.Errorf("%q is reported, want C", f.e.Name)
		}
		// back to the scale of the problem with 0 <= a <= 1 and margin r
		margin := 1 / f.e.Value
		if margin < 0 {
			negative++
			// a negative margin is possible where kernels are indefinite; else it is at least 0,
			// within the tolerance
			if _, ok := s.k.(kernel.Precomputed); !ok && convex(s.k) && margin < -s.opt.Tolerance {
				t.Errorf("the margin is %v", margin)
			}
			return
		}
		sums := [2]float64{}
		for i := range f.b {
			f.b[i] *= margin
			if size := math.Abs(f.b[i]); math.Abs(size-1) < 1e-15 {
				f.b[i] /= size
			}
			if y[i] > 0 {
				sums[0] += f.b[i]
			} else {
				sums[1] -= f.b[i]
			}
		}
		f.rho *= margin
		f.e.Objective *= margin * margin
		for _, sum := range sums {
			near(t, "the sum of a class", sum, nu*n/2, 1e-12*n)
		}
		f.check(t, s, k, func(int) float64 { return 1 }, func(values []float64) (v primal) {
			v.loss = -nu * n * margin
			for i, f := range values {
				v.loss += hinge(margin - y[i]*f)
			}
			v.room = n
			return v
		})
		f.checkNu(t, nu)
	})
	t.Logf("%d margins, %d of them negative", solved, negative)
	if solved < 2*negative+seeds(50) {
		t.Errorf("only %d settings have a margin, %d of them a negative one", solved, negative)
	}
}

// checkNu tests that nu bounds the share of bounded rows from above and that of vectors from below.
func (r *found) checkNu(t *testing.T, nu float64) {
	t.Helper()
	n := float64(len(r.b))
	if float64(r.e.Bounded) > nu*n*(1+1e-12) || float64(r.e.Vectors) < nu*n*(1-1e-12) {
		t.Errorf("%d of %v rows are bounded and %d vectors, with nu %v", r.e.Bounded, n, r.e.Vectors, nu)
	}
}

func TestDualOneClass(t *testing.T) {
	eachSetting(t, func(t *testing.T, s *setting, k dense) {
		n := float64(s.x.Len())
		nu := []float64{0.1, 0.5, 0.999 * s.Float64(), 1 / n}[s.IntN(4)]
		if !(nu > 0 && nu < 1) {
			return
		}
		d := &format.Dataset{X: s.x.Clone(), Y: make([]float64, s.x.Len())}
		m, err := OneClass{Nu: nu, Kernel: s.k, Options: s.opt}.Train(context.Background(), d, nil)
		f := s.ofModel(t, m, err)
		if f == nil {
			return
		}
		near(t, "the sum of the coefficients", sum(f.b), nu*n, 1e-12*n)
		f.check(t, s, k, func(int) float64 { return 1 }, func(values []float64) (v primal) {
			v.loss = -nu * n * f.rho
			for _, f := range values {
				v.loss += hinge(-f)
			}
			v.room = n
			return v
		})
		f.checkNu(t, nu)
	})
}

// targets returns the rows with targets that depend on the first feature.
func (s *setting) targets() *format.Dataset {
	d := &format.Dataset{X: s.x.Clone()}
	for i := range s.x.Len() {
		d.Y = append(d.Y, 2*math.Sin(s.x.Row(i).At(1))+s.NormFloat64()/2)
	}
	return d
}

// tubeLoss returns the sum of the amounts by which residuals leave a tube on either side. The width
// that nu-SVR finds may be negative by the tolerance.
func tubeLoss(values, y []float64, width float64) float64 {
	loss := 0.0
	for i, f := range values {
		loss += hinge(y[i]-f-width) + hinge(f-y[i]-width)
	}
	return loss
}

func TestDualEpsilonSVR(t *testing.T) {
	eachSetting(t, func(t *testing.T, s *setting, k dense) {
		d := s.targets()
		epsilon := []float64{0, 0.01, 0.1, 1}[s.IntN(4)]
		m, err := EpsilonSVR{C: s.c, Epsilon: epsilon, Kernel: s.k, Options: s.opt}.Train(context.Background(), d, nil)
		f := s.ofModel(t, m, err)
		if f == nil {
			return
		}
		near(t, "the sum of the coefficients", sum(f.b), 0, 1e-12*s.c*float64(d.Len()))
		f.check(t, s, k, func(int) float64 { return s.c }, func(values []float64) (v primal) {
			v.loss = s.c * tubeLoss(values, d.Y, epsilon)
			v.gain = dot(d.Y, f.b) - epsilon*total(f.b)
			v.room = 2 * s.c * float64(d.Len())
			return v
		})
		if f.e.Name != "nu" {
			t.Errorf("%q is reported, want nu", f.e.Name)
		}
		near(t, "nu", f.e.Value, total(f.b)/(s.c*float64(d.Len())), 1e-12)
	})
}

func TestDualNuSVR(t *testing.T) {
	eachSetting(t, func(t *testing.T, s *setting, k dense) {
		s.c = min(s.c, 100) // with a larger C some settings take millions of iterations
		d := s.targets()
		nu, n := 0.05+0.9*s.Float64(), float64(d.Len())
		m, err := NuSVR{C: s.c, Nu: nu, Kernel: s.k, Options: s.opt}.Train(context.Background(), d, nil)
		f := s.ofModel(t, m, err)
		if f == nil {
			return
		}
		if f.e.Name != "epsilon" {
			t.Errorf("%q is reported, want epsilon", f.e.Name)
		}
		near(t, "the sum of the coefficients", sum(f.b), 0, 1e-12*s.c*n)
		f.check(t, s, k, func(int) float64 { return s.c }, func(values []float64) (v primal) {
			v.loss = s.c * (nu*n*f.e.Value + tubeLoss(values, d.Y, f.e.Value))
			v.gain = dot(d.Y, f.b)
			v.room = 2 * s.c * n
			return v
		})
		if f.e.Value > s.opt.Tolerance { // else a row may be on both sides of the tube
			f.checkNu(t, nu)
			near(t, "the sum of sizes", total(f.b), s.c*nu*n, 1e-12*s.c*n)
		}
	})
}

// TestMirroredTargets: targets of the opposite sign have the solution of the opposite sign, within
// what the tolerance leaves open.
func TestMirroredTargets(t *testing.T) {
	eachSetting(t, func(t *testing.T, s *setting, k dense) {
		if _, ok := s.k.(kernel.RBF); !ok || s.c > 100 {
			return
		}
		d := s.targets()
		mirror := &format.Dataset{X: d.X.Clone()}
		for _, y := range d.Y {
			mirror.Y = append(mirror.Y, -y)
		}
		for name, trainer := range map[string]train.Trainer{
			"epsilon-SVR": EpsilonSVR{C: s.c, Epsilon: 0.1, Kernel: s.k, Options: s.opt},
			"nu-SVR":      NuSVR{C: s.c, Nu: 0.4, Kernel: s.k, Options: s.opt},
		} {
			m, err := trainer.Train(context.Background(), d, nil)
			f := s.ofModel(t, m, err)
			m, err = trainer.Train(context.Background(), mirror, nil)
			g := s.ofModel(t, m, err)
			if f == nil || g == nil {
				return
			}
			allowance := s.opt.Tolerance*s.c*float64(d.Len()) + 1e-5*(1+math.Abs(f.e.Objective))
			near(t, name+": the objective for mirrored targets", g.e.Objective, f.e.Objective, allowance)
		}
	})
}

// eachSetting runs a test for many settings, with the kernel matrix of each.
func eachSetting(t *testing.T, test func(t *testing.T, s *setting, k dense)) {
	for seed := range seeds(150) {
		s := newSetting(1000 + seed)
		t.Run(fmt.Sprintf("%d: %T n=%d C=%g", seed, s.k, s.x.Len(), s.c), func(t *testing.T) {
			test(t, s, exact(s.k, &s.x))
			if count[train.IterationLimit](s.log) > 0 {
				t.Error("stops at the limit of iterations")
			}
		})
	}
}
