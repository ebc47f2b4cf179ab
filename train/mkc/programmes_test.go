package mkc_test

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/mkc"
)

// TestProgrammes: each programme minimises the costs (26) at the solution of the one before, with
// the weights of classes and rows, and the gain (27) of the last one is the first to be small. An
// optimum under other costs has another value.
func TestProgrammes(t *testing.T) {
	p := board(t, 150)
	p.Weight.Pos, p.Weight.Neg = train.Factors{2}, train.Factors{0.5}
	for i := range p.Y {
		p.RowWeight = append(p.RowWeight, 1+float64(i%3))
	}
	s := mkc.Default()
	s.Nu, s.Mu, s.Alpha = 3, 1.5, 4
	nu := make([]float64, len(p.Y))
	for i, y := range p.Y {
		nu[i] = s.Nu * p.RowWeight[i] * map[float64]float64{1: 2, -1: 0.5}[y]
	}
	sizes := func(r *mkc.Result) (y, v []float64) {
		for i, label := range p.Y {
			y = append(y, max(0, 1-label*value(r, p, p, i)))
			v = append(v, math.Abs(r.Coef[i]))
		}
		return y, v
	}
	whole := classify(t, s, p)
	if whole.Programmes < 3 {
		t.Fatalf("%d programmes", whole.Programmes)
	}
	var y, v []float64 // of the last programme
	for n := 1; n <= whole.Programmes; n++ {
		s.Programmes = n
		r := classify(t, s, p)
		newY, newV := sizes(r)
		want, before := 0.0, 0.0
		for i := range p.Y {
			cy, cv := nu[i], 1.0
			if n > 1 {
				cy *= 1 + s.Mu*s.Alpha*math.Exp(-s.Alpha*y[i])
				cv += s.Mu * s.Alpha * math.Exp(-s.Alpha*v[i])
				before += cy*y[i] + cv*v[i]
			}
			want += cy*newY[i] + cv*newV[i]
		}
		if !(math.Abs(r.Objective-want) <= 1e-7*want) {
			t.Errorf("programme %d has the objective %v, by (26) %v", n, r.Objective, want)
		}
		if n > 1 {
			if ends := want-before > -1e-6*(1+before); ends != (n == whole.Programmes) {
				t.Errorf("programme %d of %d changes its objective by %v, from %v", n, whole.Programmes, want-before, before)
			}
		}
		y, v = newY, newV
	}
}
