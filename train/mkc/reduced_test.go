package mkc

import (
	"context"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
)

// TestReduced, remark 4.4: the last programme has the same solution on the reduced kernel, which
// has the rows with multipliers and the vectors. The programme (10) on it has a similar one.
func TestReduced(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"checkerboard", "ringnorm", "twonorm"} {
		set, ok := generate.Lookup(name)
		if !ok {
			t.Fatalf("no data set %q", name)
		}
		d := set.Generate(250, 3)
		var k kernel.Kernel = kernel.RBF{Gamma: 1 / float64(set.Inputs)}
		if name == "checkerboard" {
			k = kernel.RBF{Gamma: 0.002}
		}
		first := d.Y[0]
		for i, y := range d.Y {
			d.Y[i] = 1
			if y != first {
				d.Y[i] = -1
			}
		}
		s := Default()
		s.Nu = 10
		run := &linearisation{solver: s, points: d.Len()}
		for range d.Y {
			run.weight = append(run.weight, s.Nu)
		}
		var err error
		if run.lps, err = onenorm.New(ctx, k, &d.X, d.Y, &d.X, 1<<20); err != nil {
			t.Fatal(err)
		}
		for !run.finished {
			if err := run.step(ctx); err != nil {
				t.Fatal(err)
			}
		}
		columns := make([]int, d.Len())
		for i := range columns {
			columns[i] = i
		}
		r := run.result(columns)
		if len(r.Vectors) == 0 || len(r.Rows) < len(r.Vectors) || len(r.Rows) > d.Len()*9/10 {
			t.Fatalf("%s: %d x %d", name, len(r.Rows), len(r.Vectors))
		}

		rows, centres := d.X.Select(r.Rows), d.X.Select(r.Vectors)
		var y, cy, cv, ones, nu []float64
		for _, i := range r.Rows {
			y, cy, nu = append(y, d.Y[i]), append(cy, run.cy[i]), append(nu, s.Nu)
		}
		for _, i := range r.Vectors {
			cv, ones = append(cv, run.cv[i]), append(ones, 1)
		}
		solve := func(cy, cv []float64) *onenorm.Solution {
			p, err := onenorm.New(ctx, k, &rows, y, &centres, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			sol, err := p.Solve(ctx, cy, cv)
			if err != nil {
				t.Fatal(err)
			}
			return sol
		}
		small := solve(cy, cv)
		for n, u := range small.U {
			if want := r.Coef[r.Vectors[n]]; !(math.Abs(u-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%s: coefficient %d is %v, on the reduced kernel %v", name, n, want, u)
			}
		}
		if !(math.Abs(small.Gamma-r.Rho) <= 1e-6*(1+math.Abs(r.Rho))) {
			t.Errorf("%s: offset %v, on the reduced kernel %v", name, r.Rho, small.Gamma)
		}
		if apart := disagree(k, &d.X, &centres, small, solve(nu, ones)); apart > d.Len()/10 {
			t.Errorf("%s: the classifier of (10) on the reduced kernel answers %d of %d rows otherwise", name, apart, d.Len())
		} else {
			t.Logf("%s: %d x %d; (10) answers %d of %d rows otherwise", name, len(r.Rows), len(r.Vectors), apart, d.Len())
		}
	}
}

// disagree counts rows that two classifiers of the same centres answer differently.
func disagree(k kernel.Kernel, xs, centres *vec.Matrix, a, b *onenorm.Solution) (n int) {
	values := make([]float64, centres.Len())
	for i := range xs.Len() {
		k.EvaluateTo(values, xs.Row(i), centres)
		f, g := -a.Gamma, -b.Gamma
		for j, v := range values {
			f += a.U[j] * v
			g += b.U[j] * v
		}
		if (f > 0) != (g > 0) {
			n++
		}
	}
	return n
}
