// Package kernel holds the kernels of support vector machines: [Linear], [Poly], [RBF] (Gaussian),
// [Sigmoid] and [Precomputed].
//
// A kernel is a value such as kernel.RBF{Gamma: 0.5}, which trainers and models have as a field. A
// program may implement [Kernel] itself, see its example; model files have no name for such a
// kernel. With [Precomputed] a program gives the values themselves, for objects of any kind.
//
// There are no default parameters. A Gamma of 0 is valid, as in LIBSVM, but makes all kernel values
// the same, so that nothing is learned. LIBSVM's commands take 1/n, where n is the highest feature,
//
//	kernel.RBF{Gamma: 1 / float64(d.X.MaxIndex())}
//
// and for a polynomial kernel the degree 3.
//
// The other types compute many values at once for training ([Gram], [Store], [Classes]) and
// prediction ([Basis], [Batch], [Estimator]). Packages train and predict use them; most programs do
// not need them.
//
// All kernels follow LIBSVM's order of operations, so that their values have its bits. Dot products
// are summed in ascending index order in float64, without fused multiply-add. The RBF kernel is
// computed from squared norms and a dot product in training, and from the sum of squared
// differences in prediction, as in LIBSVM; the two may differ in their last bits.
package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
)

// A Kernel is a symmetric function of two vectors. An implementation must be a small comparable
// value without state, whose methods several goroutines may call at once. They must not keep or
// change x and zs.
type Kernel interface {
	// RowTo sets dst[i] = K(x, zs[i]) for the first len(dst) rows of zs, in the form used in
	// training.
	RowTo(dst []float64, x vec.Vector, zs *vec.Matrix)
	// DiagTo sets dst[i] = K(zs[i], zs[i]), in the form used in training.
	DiagTo(dst []float64, zs *vec.Matrix)
	// EvaluateTo sets dst[i] = K(x, zs[i]) for the first len(dst) rows of zs, in the form used in
	// prediction.
	EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix)
}

var (
	_ Kernel = Linear{}
	_ Kernel = Poly{}
	_ Kernel = RBF{}
	_ Kernel = Sigmoid{}
	_ Kernel = Precomputed{}
)

// Validate returns an error if k is nil or a pointer to a kernel of this package, if a parameter is
// not finite, or if the degree is negative. A negative Gamma is valid: model files may have one.
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

// Name returns the name of a kernel as in model files, or the name of its Go type if it is not from
// this package.
func Name(k Kernel) string {
	if name, ok := FileName(k); ok {
		return name
	}
	return fmt.Sprintf("%T", k)
}

// FileName returns the name of a kernel in model files. ok is false for kernels that are not from
// this package: they have no name there.
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

// FromDots replaces dot products by the values of a kernel that is a function of them: linear,
// polynomial or sigmoid. It panics for other kernels.
func FromDots(k Kernel, dots []float64) {
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
