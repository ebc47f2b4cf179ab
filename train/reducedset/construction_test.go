package reducedset

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestConstruction: with Orig and Greedy, every coefficient is that of equation (8) of the paper for
// the residual (13), which the earlier vectors of the machine leave of it, and no vector near
// another one comes nearer to that residual. With FixedPoints, the last residual is orthogonal to
// all vectors of the machine.
func TestConstruction(t *testing.T) {
	d := waveform(t, 1)
	k := kernel.RBF{Gamma: 0.03125}
	parent := classifier(t, k, d)
	for _, method := range []Method{Orig, Greedy, FixedPoints} {
		r := quick()
		r.Method, r.Vectors = method, 11
		m, err := r.Reduce(t.Context(), parent, d)
		if err != nil {
			t.Fatal(err)
		}
		for l := range m.Machines {
			eta := spread(&parent.Machines[l], parent.GroupStart(), parent.Vectors.Len())
			beta := spread(&m.Machines[l], m.GroupStart(), m.Vectors.Len())
			known := 0 // vectors in the residual
			value := func(z vec.Vector) (sum float64) {
				of := make([]float64, len(eta))
				k.EvaluateTo(of, z, &parent.Vectors)
				for i, v := range of {
					sum += eta[i] * v
				}
				of = make([]float64, len(beta))
				k.EvaluateTo(of, z, &m.Vectors)
				for j, v := range of[:known] {
					sum -= beta[j] * v
				}
				return sum
			}
			if method == FixedPoints {
				known = len(beta)
			}
			vectors := 0
			for j, b := range beta {
				if b == 0 {
					continue
				}
				vectors++
				z := m.Vectors.Row(j)
				if method == FixedPoints {
					if left := value(z); !(math.Abs(left) <= 1e-7) {
						t.Errorf("%s, machine %d: %v is left in the direction of vector %d", method, l, left, j)
					}
					continue
				}
				known = j
				of := value(z)
				if !(math.Abs(b-of) <= 1e-9*math.Abs(b)) {
					t.Errorf("%s, machine %d: coefficient %v of vector %d, want %v", method, l, b, j, of)
				}
				for f := range z.Value {
					near := vec.Vector{Index: z.Index, Value: append([]float64(nil), z.Value...)}
					for _, step := range []float64{-0.01, 0.01} {
						near.Value[f] = z.Value[f] + step
						if at := math.Abs(value(near)); at > math.Abs(of)*(1+1e-6) {
							t.Errorf("%s, machine %d, vector %d: product %v, with feature %d changed by %v %v", method, l, j, of, f, step, at)
						}
					}
				}
			}
			if want := []int{4, 4, 3}[l]; method == Orig && vectors != want {
				t.Errorf("machine %d has %d vectors, want %d", l, vectors, want)
			}
		}
	}
}

// TestWeightedFit: the values of a regression differ from the parent's by 0 in the mean over the
// rows, each counted by its weight, and with trained coefficients the differences are orthogonal to
// the kernel values of every vector.
func TestWeightedFit(t *testing.T) {
	d := waveform(t, 1)
	for i := range d.Len() {
		d.Y[i] = math.Sin(d.X.Row(i).At(10) / 3)
	}
	svr := smo.EpsilonSVR{C: 1, Epsilon: 0.1, Kernel: kernel.RBF{Gamma: 0.03125}, Options: smo.DefaultOptions()}
	parent, err := svr.Train(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, err := predict.New(parent)
	if err != nil {
		t.Fatal(err)
	}
	d.Weight = make([]float64, d.Len())
	for i := range d.Weight {
		d.Weight[i] = 0.25 + float64(i%5)
	}
	for _, method := range Methods {
		r := quick()
		r.Method, r.Vectors = method, 6
		m, err := r.Reduce(t.Context(), parent, d)
		if err != nil {
			t.Fatal(err)
		}
		after, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		mean, size := 0.0, 0.0
		left, k := make([]float64, m.Vectors.Len()), make([]float64, m.Vectors.Len())
		for i, w := range d.Weight {
			e := after.Predict(d.X.Row(i)) - before.Predict(d.X.Row(i))
			mean += w * e
			size += w * math.Abs(e)
			m.Kernel.EvaluateTo(k, d.X.Row(i), &m.Vectors)
			for j, v := range k {
				left[j] += w * e * v
			}
		}
		if !(math.Abs(mean) <= 1e-9*size) {
			t.Errorf("%s: the mean difference is %v of the mean size", method, mean/size)
		}
		for j, v := range left {
			if method.trains() && !(math.Abs(v) <= 1e-6*size) {
				t.Errorf("%s: %v of the differences is left in the direction of vector %d", method, v/size, j)
			}
		}
	}
}
