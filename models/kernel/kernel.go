// Package kernel holds the kernels of support vector machines: linear,
// polynomial, Gaussian (RBF), sigmoid, and precomputed.
//
// All follow LIBSVM's order of operations, so that their values have its bits:
// dot products are summed in ascending index order in float64, without fused
// operations; the Gaussian kernel in training is computed from squared norms
// and a dot product, in prediction from the sum of squared differences, and the
// two may differ in their last bits.
package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
)

// A Kernel is a symmetric function of two vectors. Implementations are small
// comparable values without state.
type Kernel interface {
	// RowTo sets dst[i] = K(x, zs[i]) for the first len(dst) rows of zs, in
	// the form used in training.
	RowTo(dst []float64, x vec.Vector, zs *vec.Matrix)
	// DiagTo sets dst[i] = K(zs[i], zs[i]), in the form used in training.
	DiagTo(dst []float64, zs *vec.Matrix)
	// EvaluateTo sets dst[i] = K(x, zs[i]) for the first len(dst) rows of zs,
	// in the form used in prediction.
	EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix)
}

var (
	_ Kernel = Linear{}
	_ Kernel = Poly{}
	_ Kernel = RBF{}
	_ Kernel = Sigmoid{}
	_ Kernel = Precomputed{}
)

// Validate returns an error unless k can be computed: it is there, a value and no pointer to one, its
// parameters are finite, and its degree is not negative. A negative Gamma can be, and model files may have it.
func Validate(k Kernel) error {
	switch k := k.(type) {
	case nil:
		return errors.New("no kernel")
	case Poly:
		if k.Degree < 0 {
			return fmt.Errorf("degree %d is negative", k.Degree)
		}
		return cmp.Or(checkParameter("gamma", k.Gamma), checkParameter("coef0", k.Coef0))
	case RBF:
		return checkParameter("gamma", k.Gamma)
	case Sigmoid:
		return cmp.Or(checkParameter("gamma", k.Gamma), checkParameter("coef0", k.Coef0))
	case *Linear, *Poly, *RBF, *Sigmoid, *Precomputed:
		return fmt.Errorf("a kernel of type %T, expected the value that it points to", k)
	}
	return nil
}

func checkParameter(name string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s %v is not finite", name, v)
	}
	return nil
}

// Name returns the name of a kernel, as model files have it; of one that is not of this
// package its type's.
func Name(k Kernel) string {
	if name, ok := FileName(k); ok {
		return name
	}
	return fmt.Sprintf("%T", k)
}

// FileName returns the name that model files have for a kernel, and false if it is not of this
// package: they have none for others.
func FileName(k Kernel) (name string, ok bool) {
	switch k.(type) {
	case Linear:
		return "linear", true
	case Poly:
		return "polynomial", true
	case RBF:
		return "rbf", true
	case Sigmoid:
		return "sigmoid", true
	case Precomputed:
		return "precomputed", true
	}
	return "", false
}

// OfDots replaces dot products by values of a kernel that is a function of them:
// linear, polynomial or sigmoid. It panics for others.
func OfDots(k Kernel, dots []float64) {
	switch k := k.(type) {
	case Linear:
	case Poly:
		k.mapDots(dots)
	case Sigmoid:
		k.mapDots(dots)
	default:
		panic(fmt.Sprintf("kernel: %T is no function of dot products", k))
	}
}
