package reducedset

import (
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// own is a kernel that is not of package kernel.
type own struct{ kernel.RBF }

// negative is a kernel without images: no vector has a length.
type negative struct{ kernel.Linear }

func (k negative) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	k.Linear.RowTo(dst, x, zs)
	negate(dst)
}

func (k negative) DiagTo(dst []float64, zs *vec.Matrix) {
	k.Linear.DiagTo(dst, zs)
	negate(dst)
}

func (k negative) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	k.Linear.EvaluateTo(dst, x, zs)
	negate(dst)
}

func negate(dst []float64) {
	for i := range dst {
		dst[i] = -dst[i]
	}
}

// TestOwnKernel: methods without pre-images reduce a model with any kernel, with the same result as
// with the kernel of package kernel that has the same values. Methods with pre-images refuse it.
func TestOwnKernel(t *testing.T) {
	d := waveform(t, 1)
	rbf := kernel.RBF{Gamma: 0.03125}
	parent := classifier(t, rbf, d)
	same := *parent
	same.Kernel = own{rbf}
	for _, method := range Methods {
		r := quick()
		r.Method = method
		got, err := r.Reduce(t.Context(), &same, d)
		if method.searches() {
			if !errors.Is(err, ErrKernel) {
				t.Errorf("%s: error %v, want ErrKernel", method, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", method, err)
			continue
		}
		if got.Kernel != same.Kernel {
			t.Errorf("%s: a model of kernel %T", method, got.Kernel)
		}
		want, err := r.Reduce(t.Context(), parent, d)
		if err != nil {
			t.Fatal(err)
		}
		if got.Kernel = rbf; text(t, got) != text(t, want) {
			t.Errorf("%s: another model than with the same kernel of package kernel", method)
		}
	}
}

// TestOwnKernelWithoutImages: if no vector can be used, a machine is only its offset.
func TestOwnKernelWithoutImages(t *testing.T) {
	d := waveform(t, 1)
	parent := *classifier(t, kernel.Linear{}, d)
	parent.Kernel = negative{}
	for _, method := range []Method{Random, KMeans} {
		r := quick()
		r.Method = method
		small, err := r.Reduce(t.Context(), &parent, d)
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		if err := small.Validate(); err != nil || small.Vectors.Len() != 0 || len(small.Machines) != 3 {
			t.Errorf("%s: %d vectors, %d machines, %v", method, small.Vectors.Len(), len(small.Machines), err)
		}
	}
}
