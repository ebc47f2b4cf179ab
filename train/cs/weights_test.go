package cs_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// constrained returns nu sum c max(0, 1 - y f) + u'u + gamma^2, and bounds of the number of rows
// with y f <= 1.
func constrained(p *train.Problem, rows []int, c *cs.Classifier, nu float64) (sum float64, least, most int) {
	const near = 1e-3
	for i, f := range c.Decide(p.Kernel, &p.X, rows) {
		cost := nu
		if p.RowWeight != nil {
			cost *= p.RowWeight[i]
		}
		sum += cost * max(0, 1-p.Y[i]*f)
		if p.Y[i]*f <= 1-near {
			least++
		}
		if p.Y[i]*f <= 1+near {
			most++
		}
	}
	for _, u := range c.Coef {
		sum += u * u
	}
	return sum + c.Rho*c.Rho, least, most
}

// dual returns a lower bound of the constrained problem's objective, by coordinate descent on its
// dual: min |sum b_i y_i r_i|^2/4 - sum b_i, 0 <= b_i <= nu c_i, r_i = (K(C, x_i), -1).
func dual(p *train.Problem, all []int, points []vec.Vector, nu float64, sweeps int) float64 {
	n := len(p.Y)
	rows := make([][]float64, n)
	for _, z := range points {
		one := cs.Classifier{Points: []vec.Vector{z}, Coef: []float64{1}}
		for i, v := range one.Decide(p.Kernel, &p.X, all) {
			rows[i] = append(rows[i], p.Y[i]*v)
		}
	}
	for i := range rows {
		rows[i] = append(rows[i], -p.Y[i])
	}
	dot := func(a, b []float64) (sum float64) {
		for k := range a {
			sum += a[k] * b[k]
		}
		return sum
	}
	w, b := make([]float64, len(points)+1), make([]float64, n)
	for range sweeps {
		for i, r := range rows {
			to := min(max(b[i]+2*(1-dot(w, r)/2)/dot(r, r), 0), nu*p.RowWeight[i])
			for k := range w {
				w[k] += (to - b[i]) * r[k]
			}
			b[i] = to
		}
	}
	sum := -dot(w, w) / 4
	for _, v := range b {
		sum += v
	}
	return sum
}

// TestWeighted: (7) with the weights found solves the constrained problem, whose least value is
// that of its dual.
func TestWeighted(t *testing.T) {
	for _, c := range []struct {
		set    string
		kernel kernel.Kernel
		points int
		slow   float64 // the cost from which coordinate descent is
	}{
		{"moons", kernel.RBF{Gamma: 1}, 12, 100},
		{"ndc", kernel.RBF{Gamma: 0.03}, 150, 100},
		{"ringnorm", kernel.RBF{Gamma: 0.1}, 150, 10},
		{"ringnorm", kernel.Poly{Gamma: 0.1, Coef0: 1, Degree: 2}, 20, 1},
	} {
		p := problem(t, c.set, 150, c.kernel)
		p.RowWeight = make([]float64, len(p.Y))
		all := make([]int, len(p.Y))
		var points []vec.Vector
		zero := 0.0
		for i := range all {
			all[i], p.RowWeight[i] = i, 1+float64(i%3)
			zero += p.RowWeight[i]
			if i < c.points {
				points = append(points, p.X.Row(i))
			}
		}
		s := cs.Default().Steps
		s.Form = cs.Weighted
		before := 0.0
		for _, nu := range []float64{1e-3, 0.1, 1, 10, 100, 1e4, 1e6} {
			name := fmt.Sprintf("%s, %v, nu %g", c.set, c.kernel, nu)
			r, err := cs.Classify(context.Background(), p, all, points, nu, s, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			value, least, most := constrained(p, all, &r.Classifier, nu)
			if math.Abs(value-r.Objective) > 1e-6*(1+value) {
				t.Errorf("%s: objective %v, said %v", name, value, r.Objective)
			}
			if !(r.Gap <= 1e-7) || r.Objective > nu*zero || r.Objective < before*(1-1e-6) {
				t.Errorf("%s: objective %v, gap %v; %v with u = 0, %v with a lower nu", name, r.Objective, r.Gap, nu*zero, before)
			}
			if nu == 1 { // in little memory
				s := s
				s.MatrixMB = 1e-3
				if far, err := cs.Classify(context.Background(), p, all, points, nu, s, nil); err != nil || math.Abs(far.Objective-r.Objective) > 1e-6*(1+value) {
					t.Errorf("%s: objective %v, with less memory %v, error %v", name, r.Objective, far.Objective, err)
				}
			}
			if r.SupportVectors < least || r.SupportVectors > most {
				t.Errorf("%s: %d support vectors, want %d to %d", name, r.SupportVectors, least, most)
			}
			if nu < c.slow {
				if g := dual(p, all, points, nu, 1000); value < g*(1-1e-6) || value > g+1e-3*(1+g) {
					t.Errorf("%s: objective %v, dual %v", name, value, g)
				}
			}
			before = r.Objective
		}
	}
}

// TestWeightedLimit: if rounding keeps the weights from being found, that is reported, and the
// classifier is not worse than none.
func TestWeightedLimit(t *testing.T) {
	p := problem(t, "ringnorm", 80, nil)
	d := &format.Dataset{Y: p.Y}
	for i := range p.Y {
		x := p.X.Row(i)
		for k := range x.Value {
			x.Value[k] *= 100
		}
		d.X.Append(x)
	}
	for _, c := range []struct {
		nu   float64
		want bool
	}{{1e-12, false}, {1e10, true}} {
		x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.Poly{Gamma: 1, Coef0: 1, Degree: 3}}
		x.Form, x.Nu, x.Runs, x.Points = cs.Weighted, []float64{c.nu}, 1, 3
		told, objective := false, math.Inf(1)
		x.Report = func(e train.Event) {
			switch e := e.(type) {
			case train.IterationLimit:
				told = true
			case train.Solved:
				objective = e.Objective
			}
		}
		if _, err := x.Train(context.Background(), d, nil); err != nil {
			t.Fatal(err)
		}
		if told != c.want || !(objective <= c.nu*float64(d.Len())*(1+1e-9)) {
			t.Errorf("cost %v: limit told: %v, objective %v of %v", c.nu, told, objective, c.nu*float64(d.Len()))
		}
	}
}
