package models_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestWriteIndexed: machines that list their vectors are written like those that have all of them.
func TestWriteIndexed(t *testing.T) {
	m := classifier()
	wantSameText(t, "classifier", mustWrite(t, m), `svm_type c_svc
kernel_type rbf
gamma 1
nr_class 3
total_sv 5
rho 0 inf 2
label 5 -3 8
probA -1 -1 -1
probB 0 1 2
nr_sv 2 1 2
SV
1 0 0:1 
2 1 1:1 
-3 0 2:1 
-1 0 3:1 
0 0 4:1 
`)
	r := function(models.EpsilonSVR)
	r.Machines[0] = models.Machine{Index: []int32{1}, Coef: []float64{0.1}, Rho: math.Inf(-1)}
	wantSameText(t, "regression", mustWrite(t, r), `svm_type epsilon_svr
kernel_type precomputed
nr_class 2
total_sv 2
rho -inf
probA 0.5
SV
0 0:1 
0.10000000000000001 0:7 
`)
}

// TestWriteDigits: parameters and coefficients have 17 digits, features 8.
func TestWriteDigits(t *testing.T) {
	m := &models.Model{
		Task:     models.OneClass,
		Kernel:   kernel.Poly{Degree: 3, Gamma: 1. / 3, Coef0: 1e-20},
		Machines: []models.Machine{{Coef: []float64{2. / 3}, Rho: 1e22}},
	}
	m.Vectors.Append(vec.Vector{
		Index: []int32{0, 1, 2, 3, 4, 5, 6, math.MaxInt32},
		Value: []float64{1. / 3, 123456789, 99999999.5, math.MaxFloat64, 5e-324, 0, math.Copysign(0, -1), 1e5},
	})
	text := mustWrite(t, m)
	wantSameText(t, "digits", text, `svm_type one_class
kernel_type polynomial
degree 3
gamma 0.33333333333333331
coef0 9.9999999999999995e-21
nr_class 2
total_sv 1
rho 1e+22
SV
0.66666666666666663 0:0.33333333 1:1.2345679e+08 2:1e+08 3:1.7976931e+308 4:4.9406565e-324 5:0 6:-0 2147483647:100000 
`)
	wantSameText(t, "read and written", mustWrite(t, mustRead(t, text)), text)
}

type failingWriter struct{ left int }

var errFull = errors.New("full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		n := w.left
		w.left = 0
		return n, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

func TestWriteError(t *testing.T) {
	m := function(models.NuSVR)
	m.Inputs = []byte(strings.Repeat("x", 10000) + "\n")
	size := len(mustWrite(t, m))
	for _, left := range []int{0, 1, 100, 4096, size - 1} {
		if err := models.Write(&failingWriter{left}, m); err != errFull {
			t.Errorf("room for %d of %d bytes: %v, want %v", left, size, err, errFull)
		}
	}
	if err := models.Write(&failingWriter{size}, m); err != nil {
		t.Errorf("room for all: %v", err)
	}
}

// TestWriteUnknownKernel: a kernel that model files have no name for is reported before anything is
// written.
func TestWriteUnknownKernel(t *testing.T) {
	type unknown struct{ kernel.Linear }
	m := function(models.NuSVR)
	m.Kernel = unknown{}
	var b strings.Builder
	err := models.Write(&b, m)
	if err == nil || err.Error() != "model files have no name for the kernel models_test.unknown" || b.Len() > 0 {
		t.Errorf("error %v after %q", err, b.String())
	}
}

// TestWriteManySerials: of the vectors of a precomputed kernel the serial number is written alone,
// however many values they have.
func TestWriteManySerials(t *testing.T) {
	for _, columns := range []int{3, 50_000} {
		m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Precomputed{}, Machines: []models.Machine{{Coef: []float64{1, -0.5}}}}
		for serial := range 2 {
			var v vec.Vector
			for i := range columns {
				v.Index, v.Value = append(v.Index, int32(i)), append(v.Value, float64(serial+i+1))
			}
			m.Vectors.Append(v)
		}
		if _, vectors, _ := strings.Cut(mustWrite(t, m), "SV\n"); vectors != "1 0:1 \n-0.5 0:2 \n" {
			t.Errorf("%d columns: %.60q", columns, vectors)
		}
	}
}
