package cs_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// line returns n rows with one feature each, whose classes are on different sides of 0.
func line(n int) (p *train.Problem, points []vec.Vector, rows []int) {
	p = &train.Problem{Kernel: kernel.Linear{}}
	for i := range n {
		v := vec.Vector{Index: []int32{1}, Value: []float64{float64(2*(i%2)-1) * float64(1+i)}}
		p.X.Append(v)
		p.Y = append(p.Y, math.Copysign(1, v.Value[0]))
		points, rows = append(points, v), append(rows, i)
	}
	return p, points, rows
}

// TestCounts: rows count as support vectors by their own costs, points by what they add to a row's
// value, and not by the sizes of numbers.
func TestCounts(t *testing.T) {
	ctx := context.Background()
	steps := cs.Default().Steps
	p, points, rows := line(40)
	r := rand.New(rand.NewPCG(1, 1))
	wrong := 0
	for i := range p.Y {
		p.RowWeight = append(p.RowWeight, 1)
		if i >= 20 && r.IntN(3) == 0 { // of little weight, on the other class's side
			p.Y[i] *= -1
			p.RowWeight[i] = 1e-10
			wrong++
		}
	}
	c, err := cs.Classify(ctx, p, rows, points, 10, steps, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.SupportVectors <= wrong || c.SupportVectors == len(rows) || c.Right != len(rows)-wrong {
		t.Errorf("%d support vectors, %d right of %d, %d of them on the wrong side", c.SupportVectors, c.Right, len(rows), wrong)
	}

	p, points, rows = line(20)
	for i, v := range points { // every second row has another feature, which is large
		if i%4 >= 2 {
			v.Index[0], v.Value[0] = 2, 1e6*v.Value[0]
		}
	}
	p.X = vec.Matrix{}
	for _, v := range points {
		p.X.Append(v)
	}
	if c, err = cs.Classify(ctx, p, rows, points, 10, steps, nil); err != nil {
		t.Fatal(err)
	}
	if c.Used != 2 || c.Right != len(rows) {
		t.Errorf("%d points, %d right of %d", c.Used, c.Right, len(rows))
	}
}

// TestClassifyCost: a cost that is not a positive number is an error with every form.
func TestClassifyCost(t *testing.T) {
	p, points, rows := line(10)
	for _, form := range []cs.Form{cs.Programme, cs.Uniform, cs.Weighted} {
		step := cs.Default().Steps
		step.Form = form
		for _, nu := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			want := fmt.Sprintf("cost %v is not a positive number", nu)
			if _, err := cs.Classify(context.Background(), p, rows, points, nu, step, nil); err == nil || err.Error() != want {
				t.Errorf("%s: error %v, want %s", form, err, want)
			}
		}
	}
}
