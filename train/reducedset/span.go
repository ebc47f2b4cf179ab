package reducedset

import (
	"math"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/linear"
)

// A span is the subspace of feature space that the images of some vectors span,
// with an orthonormal basis of it: Kzz = L L' with a lower triangular L, and the
// features of a row x are L^-1 k(z, x), its products with the basis. A vector more
// adds a row to L and a feature. Vectors whose images lie in the span already, as
// far as can be told, are left out of L and have coefficient 0: Kzz of the others
// has full rank.
//
// A sigmoid kernel is no product of images: Kzz may have no root. There each vector is a
// feature of its own, L = I, as in RSVM (train/rsvm), and coefficients are weights.
type span struct {
	of    []int       // vectors
	basis []int       // places in of of those that L is for
	l     [][]float64 // rows of L
	x     *linear.Features
}

// rank is the share of a vector's squared length that must be outside of a span for
// the vector to widen it.
const rank = 1e-10

func (s *state) newSpan() *span { return &span{x: linear.NewFeatures(s.places.tiles())} }

// add takes vector j in; kx has its kernel values at the places.
func (p *span) add(s *state, j int, kx []float64) {
	p.of = append(p.of, j)
	row := make([]float64, len(p.basis), len(p.basis)+1)
	if _, ok := s.parent.Kernel.(kernel.Sigmoid); ok {
		p.x.Append(append([]float64(nil), kx...))
		p.basis = append(p.basis, len(p.of)-1)
		p.l = append(p.l, append(row, 1))
		return
	}
	for k, b := range p.basis {
		i := p.of[b]
		row[k] = s.kz[max(i, j)][min(i, j)]
	}
	for k, l := range p.l {
		row[k] = (row[k] - columns.Dot(l[:k], row[:k])) / l[k]
	}
	rest := s.kz[j][j] - columns.Dot(row, row)
	if !(rest > rank*s.kz[j][j]) {
		return
	}
	root := math.Sqrt(rest)
	feature := append([]float64(nil), kx...)
	minus := make([]float64, len(row))
	for k, v := range row {
		minus[k] = -v
	}
	p.x.AddTo(feature, minus, p.x.All())
	for i := range feature {
		feature[i] /= root
	}
	p.x.Append(feature)
	p.basis = append(p.basis, len(p.of)-1)
	p.l = append(p.l, append(row, root))
}

// coefficients returns beta, with beta'phi(z) = w'(basis), for all vectors.
func (p *span) coefficients(w []float64) []float64 {
	b := append([]float64(nil), w...)
	for i := len(p.l) - 1; i >= 0; i-- {
		b[i] /= p.l[i][i]
		columns.Axpy(b[:i], -b[i], p.l[i])
	}
	beta := make([]float64, len(p.of))
	for k, v := range b {
		beta[p.basis[k]] = v
	}
	return beta
}

// shadow returns the coefficients Kzz^+ Kzs eta of the projection of a machine's
// w on the span: what is left of w is the best residual for these vectors.
func (p *span) shadow(s *state, c *machine) []float64 {
	u := make([]float64, len(p.basis))
	for k, b := range p.basis {
		product := columns.Dot(c.eta, s.ks[p.of[b]]) // w.phi(z_j)
		u[k] = (product - columns.Dot(p.l[k][:k], u[:k])) / p.l[k][k]
	}
	return p.coefficients(u)
}
