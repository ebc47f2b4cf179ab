package kernel

import "github.com/slimsvm/slimsvm/format/vec"

// RBF is the Gaussian kernel K(x, z) = exp(-Gamma |x-z|^2). Set Gamma: 0 makes all values 1.
type RBF struct {
	Gamma float64
}

// RowTo implements Kernel. It computes exp(-Gamma (|x|^2 + |z|^2 - 2 x.z)).
func (k RBF) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	zs.DotTo(dst, x)
	norm := vec.SquaredNorm(x)
	for i, dot := range dst {
		dst[i] = Exp(-k.Gamma * (norm + zs.SquaredNorm(i) - float64(2*dot)))
	}
}

// DiagTo implements Kernel. Every value is 1, or NaN if |z|^2 overflows.
func (k RBF) DiagTo(dst []float64, zs *vec.Matrix) {
	Linear{}.DiagTo(dst, zs)
	k.mapNorms(dst)
}

// mapNorms replaces squared norms by the kernel of their vectors with themselves.
func (k RBF) mapNorms(dst []float64) {
	for i, norm := range dst {
		dst[i] = Exp(-k.Gamma * (norm + norm - float64(2*norm)))
	}
}

// EvaluateTo implements Kernel. It sums the squared differences in index order.
func (k RBF) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	zs.SquaredDistanceTo(dst, x)
	for i, d := range dst {
		dst[i] = Exp(-k.Gamma * d)
	}
}
