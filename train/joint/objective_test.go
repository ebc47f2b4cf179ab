package joint

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// random returns an objective on random rows, and a point.
func random(t *testing.T, k kernel.Kernel, name Loss, rows, inputs, vectors, outputs int) (*objective, *point) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(rows), uint64(inputs)))
	f, err := formOf(k)
	if err != nil {
		t.Fatal(err)
	}
	l, err := lossOf(name, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	var x vec.Matrix
	var all []int
	y, weight := make([]target, rows), make([]float64, rows)
	for i := range rows {
		v := vec.Vector{}
		for f := 1; f <= inputs; f++ {
			if r.IntN(4) > 0 {
				v.Index, v.Value = append(v.Index, int32(f)), append(v.Value, r.NormFloat64())
			}
		}
		x.Append(v)
		all = append(all, i)
		y[i] = target{class: r.IntN(max(2, outputs)), value: r.NormFloat64()}
		weight[i] = r.ExpFloat64()
	}
	_, rbf := k.(kernel.RBF)
	o := &objective{
		form: f, vectors: vectors, inputs: inputs, outputs: outputs, loss: l, cost: 0.7,
		norm: 0.6, chunks: newChunks(&x, all, inputs, vectors, y, weight), moveVectors: true, widths: rbf,
		pull: 0.3, home: make([]float64, vectors*inputs), scratch: make(chan *scratch, strips),
	}
	p := &point{z: make([]float64, vectors*inputs), b: make([]float64, vectors*outputs), rho: make([]float64, outputs)}
	for _, s := range [][]float64{p.z, p.b, p.rho, o.home} {
		for i := range s {
			s[i] = r.NormFloat64()
		}
	}
	if rbf {
		p.width = math.Log(0.3)
	}
	return o, p
}

func gradientOf(p *point) *point {
	return &point{z: make([]float64, len(p.z)), b: make([]float64, len(p.b)), rho: make([]float64, len(p.rho))}
}

// TestGradient compares gradients with differences, for all kernels, losses and shapes around those
// of panels, queries and chunks.
func TestGradient(t *testing.T) {
	kernels := []kernel.Kernel{
		kernel.RBF{Gamma: 0.4}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 0.3, Coef0: 0.5},
		kernel.Poly{Degree: 0, Gamma: 1, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1, Coef0: -0.2},
	}
	for _, k := range kernels {
		for _, name := range []Loss{SquaredHinge, Multiclass, Softmax, Squared, Insensitive} {
			for _, shape := range [][4]int{{5, 3, 2, 1}, {40, 2, 7, 3}, {270, 33, 6, 4}, {600, 4, 35, 34}} {
				if (name == Squared || name == Insensitive) && shape[3] > 1 {
					continue
				}
				t.Run(fmt.Sprintf("%T/%s/%v", k, name, shape), func(t *testing.T) {
					o, p := random(t, k, name, shape[0], shape[1], shape[2], shape[3])
					checkGradient(t, o, p)
				})
			}
		}
	}
}

func checkGradient(t *testing.T, o *objective, p *point) {
	g := gradientOf(p)
	ctx := context.Background()
	o.value(ctx, p, g)
	waste := gradientOf(p)
	r := rand.New(rand.NewPCG(1, 1))
	check := func(name string, x *float64, got float64) {
		t.Helper()
		h, at := 1e-5*max(1, math.Abs(*x)), *x
		*x = at + h
		high := o.value(ctx, p, waste)
		*x = at - h
		low := o.value(ctx, p, waste)
		*x = at
		want := (high - low) / (2 * h)
		if !(math.Abs(got-want) <= 2e-5*(1+math.Abs(want)+1e-4*math.Abs(high))) {
			t.Errorf("%s: %v, by differences %v", name, got, want)
		}
	}
	for range 6 {
		i := r.IntN(len(p.z))
		check(fmt.Sprintf("z[%d]", i), &p.z[i], g.z[i])
		i = r.IntN(len(p.b))
		check(fmt.Sprintf("b[%d]", i), &p.b[i], g.b[i])
		i = r.IntN(len(p.rho))
		check(fmt.Sprintf("rho[%d]", i), &p.rho[i], g.rho[i])
	}
	if o.widths {
		check("width", &p.width, g.width)
	}
}

// TestThreads: any number of threads computes the same bits.
func TestThreads(t *testing.T) {
	o, p := random(t, kernel.RBF{Gamma: 0.4}, Multiclass, 9000, 5, 13, 4)
	one := gradientOf(p)
	want := o.value(context.Background(), p, one)
	for _, n := range []int{2, 8} {
		ctx, end := team.With(context.Background(), n)
		g := gradientOf(p)
		if got := o.value(ctx, p, g); got != want || fmt.Sprint(*g) != fmt.Sprint(*one) {
			t.Errorf("%d threads: %v, one %v", n, got, want)
		}
		end()
	}
}
