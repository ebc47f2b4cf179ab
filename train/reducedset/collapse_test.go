package reducedset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// sectors returns rows of some classes around the middle of two features; with more features these
// are sums of the two, so that the planes between classes stay in two dimensions.
func sectors(rows, classes, features int) *format.Dataset {
	rng := rand.New(rand.NewPCG(7, 1))
	d := new(format.Dataset)
	for i := range rows {
		angle := (float64(i%classes) + 0.6*rng.Float64()) * 2 * math.Pi / float64(classes)
		x, y := math.Cos(angle), math.Sin(angle)
		v := vec.Vector{Index: []int32{3, 5}, Value: []float64{x, y}}
		for k := 2; k < features; k++ {
			v.Index, v.Value = append(v.Index, int32(5+k)), append(v.Value, x+float64(k)*y)
		}
		d.Append(format.Instance{X: v, Y: float64(i % classes), Weight: 1})
	}
	return d
}

// TestCollapse: under the linear kernel nothing is lost, with a vector for each machine, or for
// each feature if these are fewer, or for each dimension of the planes if there are too many of
// both.
func TestCollapse(t *testing.T) {
	for _, c := range []struct {
		d                *format.Dataset
		asked, got, need int
	}{
		{waveform(t, 1), 12, 3, 3},
		{sectors(240, 12, 2), 12, 2, 2},
		{sectors(240, 12, 2), 2, 2, 2},
		{sectors(120, 4, 9), 7, 6, 2},
		{sectors(120, 4, 9), 5, 2, 2},
		{waveform(t, 1), 1000, 3, 3}, // more than there are: fewer are equivalent
	} {
		parent := classifier(t, kernel.Linear{}, c.d)
		for _, method := range Methods {
			r := quick()
			r.Method, r.Vectors = method, c.asked
			small, err := r.Reduce(t.Context(), parent, c.d)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s, %d vectors for %d machines", method, c.asked, len(parent.Machines))
			if small.Vectors.Len() != c.got {
				t.Errorf("%s: %d, expected %d", name, small.Vectors.Len(), c.got)
			}
			want, got := decisionsOf(t, parent, c.d), decisionsOf(t, small, c.d)
			for i := range want {
				if !(math.Abs(want[i]-got[i]) <= 1e-9*(1+math.Abs(want[i]))) {
					t.Fatalf("%s: value %v, was %v", name, got[i], want[i])
				}
			}
		}
		if parent.Vectors.Len() <= c.got {
			t.Fatalf("%d vectors: the test is void", parent.Vectors.Len())
		}
		for vectors := range 15 {
			if exact, err := Exact(t.Context(), parent, vectors); err != nil || exact != (vectors >= c.need) {
				t.Errorf("%d machines in %d vectors: %v, %v", len(parent.Machines), vectors, exact, err)
			}
		}
	}
	if exact, _ := Exact(t.Context(), classifier(t, kernel.RBF{Gamma: 1}, sectors(20, 2, 2)), 100); exact {
		t.Error("a RBF kernel is reduced without loss")
	}
	if _, err := Exact(t.Context(), &models.Model{Kernel: kernel.Linear{}, Machines: []models.Machine{{Pos: 3}}}, 1); err == nil {
		t.Error("an invalid model has no error")
	}
}

// TestCollapseFew: fewer vectors than dimensions approximate the machines as well as possible, and
// each size is reported.
func TestCollapseFew(t *testing.T) {
	d, test := waveform(t, 1), waveform(t, 2)
	parent := classifier(t, kernel.Linear{}, d)
	base := errorsOn(t, parent, test)
	r := quick()
	r.Vectors = 2 // of three machines, for three classes
	var sizes []int
	r.Each = func(m *models.Model) error { sizes = append(sizes, m.Vectors.Len()); return nil }
	small, err := r.Reduce(t.Context(), parent, d)
	if err != nil || small.Vectors.Len() != 2 || !slices.Equal(sizes, []int{1, 2}) {
		t.Fatalf("%v, sizes %v", err, sizes)
	}
	if got := errorsOn(t, small, test); got > base+0.02 {
		t.Errorf("error %v with two vectors, with three %v", got, base)
	}
	r.Each = func(*models.Model) error { return ErrEnough }
	if m, err := r.Reduce(t.Context(), parent, d); err != nil || m.Vectors.Len() != 1 {
		t.Errorf("enough: %v, %v", m, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.Each = nil
	if _, err := r.Reduce(ctx, parent, d); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := r.Reduce(t.Context(), parent, &format.Dataset{}); !errors.Is(err, ErrLabels) {
		t.Errorf("no data: %v", err)
	}
}

// TestLeading: what the leading vectors leave of others is given by their smallest singular values,
// whatever the units of the vectors.
func TestLeading(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, size := range []float64{1, 1e-200, 1e200} {
		const vectors, features, dimensions = 7, 5, 4
		w := mat.NewDense(vectors, features, nil)
		whole := make([][]float64, vectors)
		for l := range whole {
			whole[l] = make([]float64, features)
			if l == 3 { // one that is 0
				continue
			}
			for range 2 {
				for k := range dimensions {
					whole[l][k] += rng.NormFloat64() * float64(1+k) * size
				}
			}
			whole[l][dimensions] = whole[l][0] - whole[l][1]
			for k, v := range whole[l] {
				w.Set(l, k, v/size)
			}
		}
		var svd mat.SVD
		if !svd.Factorize(w, mat.SVDNone) {
			t.Fatal("no singular values")
		}
		values := svd.Values(nil)
		left := make([][]float64, vectors)
		for l, v := range whole {
			left[l] = slices.Clone(v)
		}
		f, err := newFrame(t.Context(), left)
		if err != nil || len(f.basis) != dimensions {
			t.Fatalf("%v, %d vectors, expected %d", err, len(f.basis), dimensions)
		}
		for most := range dimensions + 1 {
			zs, err := f.leading(t.Context(), most)
			if err != nil || len(zs) != most {
				t.Fatalf("%v, %d vectors, expected %d", err, len(zs), most)
			}
			rest := 0.0
			for _, v := range whole {
				v = slices.Clone(v)
				for k := range v {
					v[k] /= size
				}
				for _, z := range zs {
					dot := 0.0
					for k := range v {
						dot += v[k] * z[k]
					}
					for k := range v {
						v[k] -= dot * z[k]
					}
				}
				for _, x := range v {
					rest += x * x
				}
			}
			want := 0.0
			for _, s := range values[most:] {
				want += s * s
			}
			if math.Abs(rest-want) > 1e-12*values[0]*values[0] {
				t.Errorf("size %v: %d vectors leave %v, want %v", size, most, rest, want)
			}
		}
	}
}

// TestCollapseOthers: a regression and a one-class model need one vector.
func TestCollapseOthers(t *testing.T) {
	d := waveform(t, 1)
	svr := smo.EpsilonSVR{C: 0.1, Epsilon: 0.1, Kernel: kernel.Linear{}, Options: smo.DefaultOptions()}
	one := smo.OneClass{Nu: 0.3, Kernel: kernel.Linear{}, Options: smo.DefaultOptions()}
	for name, trainer := range map[string]train.Trainer{"regression": svr, "one-class": one} {
		parent, err := trainer.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range Methods {
			r := quick()
			r.Method, r.Vectors = method, 1
			small, err := r.Reduce(t.Context(), parent, d)
			if err != nil || small.Vectors.Len() != 1 {
				t.Fatalf("%s, %s: %v", name, method, err)
			}
			want, got := decisionsOf(t, parent, d), decisionsOf(t, small, d)
			for i := range want {
				if !(math.Abs(want[i]-got[i]) <= 1e-9*(1+math.Abs(want[i]))) {
					t.Fatalf("%s, %s: value %v, was %v", name, method, got[i], want[i])
				}
			}
		}
	}
}

// TestCollapseIdle: a machine whose weights are all 0 needs no vector, and a model that is small
// enough gets fewer vectors if these are equivalent.
func TestCollapseIdle(t *testing.T) {
	m := &models.Model{Kernel: kernel.Linear{}, Vote: models.OneVsRest, Labels: []int{1, 2, 3}, Machines: []models.Machine{
		{Pos: 0, Neg: models.Rest, Coef: []float64{1, 1}},
		{Pos: 1, Neg: models.Rest, Coef: []float64{0, 0}, Rho: 1},
		{Pos: 2, Neg: models.Rest, Coef: []float64{0, 0}, Rho: 2},
	}}
	for _, x := range []float64{1, 2} {
		m.Vectors.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{x, 1}})
	}
	r := quick()
	small, err := r.Reduce(t.Context(), m, nil)
	if err != nil || small.Vectors.Len() != 1 || !slices.Equal(small.Vectors.Row(0).Value, []float64{3, 2}) {
		t.Errorf("%+v, %v", small, err)
	}
	if exact, err := Exact(t.Context(), m, 1); err != nil || !exact {
		t.Errorf("one vector is exact: %v, %v", exact, err)
	}
}

// TestCollapseOverflow: weights that are not finite, as with enormous coefficients, are an error.
func TestCollapseOverflow(t *testing.T) {
	d := new(format.Dataset)
	for i := range 6 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{2}, Value: []float64{float64(2 + i%2)}}, Y: float64(i % 2), Weight: 1})
	}
	parent := classifier(t, kernel.Linear{}, d)
	r := quick()
	r.Vectors = 1
	for _, coef := range []float64{1.5e308, -1.5e308} {
		for i := range parent.Machines[0].Coef {
			parent.Machines[0].Coef[i] = coef
		}
		if _, err := r.Reduce(t.Context(), parent, d); !errors.Is(err, train.ErrOverflow) {
			t.Errorf("Reduce: %v", err)
		}
		if _, err := Exact(t.Context(), parent, 1); !errors.Is(err, train.ErrOverflow) {
			t.Errorf("Exact: %v", err)
		}
	}
}
