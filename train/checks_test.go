package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// ownKernel is a kernel of a user's own.
type ownKernel struct{ kernel.Linear }

// TestCheckDataset: data without labels for all rows, and a row whose indices do not increase, are
// found without a kernel.
func TestCheckDataset(t *testing.T) {
	d := rowsOf(4, false)
	if err := CheckDataset(d); err != nil {
		t.Error(err)
	}
	if err := CheckDataset(&format.Dataset{X: d.X, Y: d.Y[:3]}); err == nil || err.Error() != "4 rows but 3 labels" {
		t.Errorf("too few labels: %v", err)
	}
	columns := &format.Header{Attributes: []format.Attribute{{Name: "a"}}}
	if err := CheckDataset(&format.Dataset{Header: columns, X: d.X, Y: d.Y}); !errors.Is(err, format.ErrColumns) {
		t.Errorf("columns that are not encoded: %v", err)
	}
	d.Append(format.Instance{X: vec.Vector{Index: []int32{3, 2}, Value: []float64{1, 1}}, Weight: 1})
	var row *RowError
	if err := CheckDataset(d); !errors.As(err, &row) || err.Error() != "row 5: index 2 follows index 3: indices must increase" {
		t.Errorf("a row in disorder: %v", err)
	}
}

// TestCheckKernel: parameters that make no model are named in an error before any work; those that
// LIBSVM takes are taken.
func TestCheckKernel(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	d := rowsOf(4, false)
	large, tooLarge := int64(math.MaxInt32)+1, "degree 2147483648 is more than 2147483647"
	if int64(int(large)) != large { // an int has 32 bits
		large, tooLarge = math.MaxInt32, ""
	}
	for _, c := range []struct {
		k    kernel.Kernel
		want string
	}{
		{kernel.Poly{Degree: int(large), Gamma: 1e-3, Coef0: 0.5}, tooLarge},
		{kernel.Linear{}, ""},
		{kernel.Poly{}, ""},
		{kernel.Poly{Degree: 2, Gamma: 0.1, Coef0: -3}, ""},
		{kernel.Poly{Degree: math.MaxInt32, Coef0: 0.5}, ""},
		{kernel.RBF{}, ""},
		{kernel.RBF{Gamma: math.Copysign(0, -1)}, ""},
		{kernel.Sigmoid{Gamma: 1e-3, Coef0: -1}, ""},
		{ownKernel{}, ""},
		{nil, "no kernel"},
		{&kernel.RBF{Gamma: 1}, "a kernel of type *kernel.RBF, expected the value that it points to"},
		{(*kernel.Linear)(nil), "a kernel of type *kernel.Linear, expected the value that it points to"},
		{new(kernel.Poly), "a kernel of type *kernel.Poly, expected the value that it points to"},
		{new(kernel.Sigmoid), "a kernel of type *kernel.Sigmoid, expected the value that it points to"},
		{new(kernel.Precomputed), "a kernel of type *kernel.Precomputed, expected the value that it points to"},
		{kernel.Poly{Degree: -3, Gamma: 1}, "degree -3 is negative"},
		{kernel.Poly{Degree: 2, Gamma: -1}, "gamma -1 is negative"},
		{kernel.Poly{Degree: 2, Gamma: nan}, "gamma NaN is not finite"},
		{kernel.Poly{Degree: 2, Coef0: inf}, "coef0 +Inf is not finite"},
		{kernel.RBF{Gamma: -0.5}, "gamma -0.5 is negative"},
		{kernel.RBF{Gamma: nan}, "gamma NaN is not finite"},
		{kernel.RBF{Gamma: inf}, "gamma +Inf is not finite"},
		{kernel.Sigmoid{Gamma: -1e-300}, "gamma -1e-300 is negative"},
		{kernel.Sigmoid{Gamma: -inf}, "gamma -Inf is not finite"},
		{kernel.Sigmoid{Coef0: nan}, "coef0 NaN is not finite"},
	} {
		for name, trainer := range map[string]Trainer{
			"one-vs-one":  OneVsOne{Solver: signs{}, Kernel: c.k},
			"one-vs-rest": OneVsRest{Solver: signs{}, Kernel: c.k},
		} {
			got := ""
			if _, err := trainer.Train(t.Context(), d, nil); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s with %#v: %q, want %q", name, c.k, got, c.want)
			}
		}
	}
}

// TestUnequalLengths: functions that take a data set report parts of different lengths before anything is
// trained.
func TestUnequalLengths(t *testing.T) {
	d := rowsOf(6, true)
	for want, uneven := range map[string]*format.Dataset{
		"6 rows but 5 labels":  {X: d.X, Y: d.Y[:5]},
		"6 rows but 7 labels":  {X: d.X, Y: append([]float64{1}, d.Y...)},
		"6 rows but 0 weights": {X: d.X, Y: d.Y, Weight: []float64{}},
		"6 rows but 5 weights": {X: d.X, Y: d.Y, Weight: d.Weight[:5]},
	} {
		var given []*format.Dataset
		trainer := memory{models.EpsilonSVR, &given, nil}
		for name, take := range map[string]func() error{
			"CheckData": func() error { return CheckData(t.Context(), kernel.Linear{}, uneven, true) },
			"DropZeroWeights": func() error {
				_, _, err := DropZeroWeights(uneven)
				return err
			},
			"CrossValidate": func() error {
				_, err := CrossValidate(t.Context(), trainer, uneven, PlainFolds(6, 2, NewRand(1)), nil, nil)
				return err
			},
			"EstimateNoise": func() error {
				_, err := EstimateNoise(t.Context(), trainer, uneven, NewRand(1), nil)
				return err
			},
			"Calibrated": func() error {
				_, err := Calibrated{Trainer: trainer, Task: models.EpsilonSVR}.Train(t.Context(), uneven, NewRand(1))
				return err
			},
			"OneVsRest": func() error {
				_, err := OneVsRest{Solver: signs{}, Kernel: kernel.Linear{}}.Train(t.Context(), uneven, NewRand(1))
				return err
			},
		} {
			if err := take(); err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}
		if len(given) > 0 {
			t.Errorf("%s: %d trainings", want, len(given))
		}
	}
}

// TestCalibratedFolds: if each row is a class of its own, all are in one fold, and nothing is left
// to train on. This is reported before anything is trained. A single class needs no folds.
func TestCalibratedFolds(t *testing.T) {
	d := rowsOf(12, false)
	var given []*format.Dataset
	c := Calibrated{Trainer: memory{models.CSVC, &given, nil}, Task: models.CSVC}
	_, err := c.Train(t.Context(), d, NewRand(1))
	if want := "probabilities: fold 5 of 5 holds 12 of the 12 rows: too few are left to train on"; err == nil || err.Error() != want || len(given) > 0 {
		t.Errorf("error %v after %d trainings, want %s", err, len(given), want)
	}
	for i := range d.Y {
		d.Y[i] = 6
	}
	c.Trainer = OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}}
	if _, err := c.Train(t.Context(), d, NewRand(1)); err != nil {
		t.Errorf("one class: %v", err)
	}
}

// TestCheckTargets: the first target that is not finite is named.
func TestCheckTargets(t *testing.T) {
	d := rowsOf(4, false)
	if err := CheckTargets(d); err != nil {
		t.Error(err)
	}
	for _, y := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		d.Y[1], d.Y[3] = y, math.NaN()
		var row *RowError
		if err := CheckTargets(d); !errors.As(err, &row) || row.Row != 1 {
			t.Errorf("target %v: %v", y, err)
		}
	}
}

// BenchmarkCheckData checks data of the shape of a9a and ijcnn1.
func BenchmarkCheckData(b *testing.B) {
	for _, s := range []struct {
		name               string
		rows, nnz, columns int
	}{
		{"a9a", 32561, 14, 123},
		{"ijcnn1", 49990, 13, 22},
	} {
		r := rand.New(rand.NewPCG(1, uint64(s.columns)))
		d := new(format.Dataset)
		for range s.rows {
			x := vec.Vector{}
			for i := range int32(s.columns) {
				if r.IntN(s.columns-int(i)) < s.nnz-len(x.Index) {
					x.Index, x.Value = append(x.Index, i), append(x.Value, r.Float64())
				}
			}
			d.Append(format.Instance{X: x, Y: 1, Weight: 1})
		}
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				if err := CheckData(context.Background(), kernel.RBF{Gamma: 1}, d, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A fixedKernel is a kernel of a program's own that has the same value everywhere.
type fixedKernel struct{ value float64 }

func (k fixedKernel) RowTo(dst []float64, _ vec.Vector, _ *vec.Matrix) { k.DiagTo(dst, nil) }

func (k fixedKernel) EvaluateTo(dst []float64, _ vec.Vector, _ *vec.Matrix) { k.DiagTo(dst, nil) }

func (k fixedKernel) DiagTo(dst []float64, _ *vec.Matrix) {
	for i := range dst {
		dst[i] = k.value
	}
}

// TestOwnKernelOverflow: that features should be scaled is no help where a program's kernel gives a
// value that is none; the value is.
func TestOwnKernelOverflow(t *testing.T) {
	var x vec.Matrix
	x.Append(vec.FromSlice([]float64{1}))
	for value, want := range map[float64]string{
		math.Inf(-1): "row 1: the kernel value of the row with itself is -Inf, expected a number up to 1.7e+38",
		2e38:         "row 1: the kernel value of the row with itself is 2e+38, expected a number up to 1.7e+38",
	} {
		err := CheckRows(fixedKernel{value}, &x)
		if err == nil || err.Error() != want || !errors.Is(err, ErrOverflow) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := CheckRows(fixedKernel{math.NaN()}, &x); err == nil || !strings.Contains(err.Error(), "is NaN, expected") {
		t.Error(err)
	}
	if err := CheckRows(fixedKernel{-MaxKernel}, &x); err != nil {
		t.Error(err)
	}
}
