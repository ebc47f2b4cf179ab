package joint

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// far returns 400 rows of a checkerboard, or of a wave, all of them moved away from 0 by offset,
// followed by rows whose second feature is a number that stands for a missing value.
func far(task models.Task, offset float64, missing ...float64) *format.Dataset {
	r := rand.New(rand.NewPCG(3, 1))
	d := new(format.Dataset)
	add := func(a, b, y float64) {
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{a, b}}
		d.Append(format.Instance{X: x, Y: y, Weight: 1})
	}
	for range 400 {
		a, b := 2*r.Float64(), 2*r.Float64()
		y := float64((int(a) + int(b)) % 2)
		if task.Regresses() {
			y = math.Sin(2*a) + b
		}
		add(a+offset, b+offset, y)
	}
	for _, v := range missing {
		add(2*r.Float64()+offset, v, 1)
	}
	return d
}

// TestFarRows: rows that are far from others do not affect the answers for these, nor does it matter if
// all rows are far from 0, with vectors that are fixed and with vectors that move.
func TestFarRows(t *testing.T) {
	for _, task := range []models.Task{models.CSVC, models.EpsilonSVR} {
		for _, evaluations := range []int{0, 60} {
			errors := func(d *format.Dataset) float64 {
				c := Default()
				c.Task, c.Kernel, c.Vectors, c.Cost, c.Evaluations, c.HeldOut = task, kernel.RBF{Gamma: 2}, 20, 10, evaluations, 0.2
				c.FewHeldOut = 0.5
				m, err := c.Train(t.Context(), d, train.NewRand(1))
				if err != nil {
					t.Fatal(err)
				}
				p, err := predict.New(m)
				if err != nil {
					t.Fatal(err)
				}
				sum := 0.0
				for i := range 400 {
					by := p.Predict(d.X.Row(i)) - d.Y[i]
					sum += by * by
				}
				return sum
			}
			base := errors(far(task, 0))
			for name, d := range map[string]*format.Dataset{
				"one row of 9999999":    far(task, 0, 9999999),
				"one row of 1e30":       far(task, 0, 1e30),
				"one row of 1e150":      far(task, 0, 1e150),
				"four rows of -1234567": far(task, 0, -1234567, -1234567, -1234567, -1234567),
				"two far places":        far(task, 0, 1e7, 1e9, 1e7, 1e9),
				"all rows at 1e4":       far(task, 1e4),
				"all rows at 1e7":       far(task, 1e7),
			} {
				if got := errors(d); !(got <= 1.5*base+6) {
					t.Errorf("%v, %d evaluations, %s: errors %v, without %v", task, evaluations, name, got, base)
				}
			}
		}
	}
}

// TestFarValues: kernel values of rows and vectors, and of vectors with each other, are those of
// the differences, wherever they are. A panel has rows near and far.
func TestFarValues(t *testing.T) {
	const vectors, inputs = 40, 3
	for _, offset := range []float64{0, 1e3, 1e5, 1e8} {
		o, p := random(t, kernel.RBF{Gamma: 0.3}, SquaredHinge, 300, inputs, vectors, 1)
		r := rand.New(rand.NewPCG(5, 6))
		var x vec.Matrix
		var all []int
		for i := range 300 {
			v := vec.Vector{Index: []int32{1, 2, 3}, Value: make([]float64, inputs)}
			for k := range v.Value {
				v.Value[k] = r.NormFloat64()
				if i%5 == 0 {
					v.Value[k] += offset
				}
			}
			x.Append(v)
			all = append(all, i)
		}
		for j := range vectors {
			copy(p.z[j*inputs:(j+1)*inputs], x.Row((j*7)%300).Value)
		}
		o.chunks = newChunks(&x, all, inputs, vectors, make([]target, 300), make([]float64, 300))
		o.cacheValues(t.Context(), p)
		want := func(a, b []float64) float64 {
			d := 0.0
			for k := range a {
				d += (a[k] - b[k]) * (a[k] - b[k])
			}
			return math.Exp(-math.Exp(p.width) * d)
		}
		near := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-7) {
				t.Fatalf("offset %v, %s: %v, want %v", offset, what, got, want)
			}
		}
		for j := range vectors {
			z := p.z[j*inputs : (j+1)*inputs]
			for i := range 300 {
				c, at := o.cached.chunks[i/chunkRows].k.Panel(i%chunkRows/vec.PanelRows), j*vec.PanelRows+i%vec.PanelRows
				near(fmt.Sprint("row ", i, ", vector ", j), c[at], want(x.Row(i).Value, z))
			}
			for i := range vectors {
				near(fmt.Sprint("vectors ", i, ", ", j), o.entry(o.cached.kzz, i, j), want(p.z[i*inputs:(i+1)*inputs], z))
			}
		}
	}
}
