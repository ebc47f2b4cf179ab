package reducedset

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/linear"
)

// A span is the subspace of feature space that the images of some vectors span, with an orthonormal
// basis of it: Kzz = L L' with a lower triangular L, and the features of a row x are L^-1 k(z, x),
// its products with the basis. Another vector adds a row to L and a feature. A vector whose image
// already lies in the span, except for rounding, is not added: so Kzz has full rank.
//
// A sigmoid kernel is no product of images, and Kzz may have no Cholesky factor. With it, each
// vector is a feature of its own, L = I, as in RSVM (train/rsvm), and coefficients are weights.
// Only a vector that is there already is not added.
type span struct {
	of []int       // numbers of the vectors
	l  [][]float64 // rows of L
	x  *linear.Features
}

// rank is the share of a vector's squared length that must be outside of a span for the vector to
// be added.
const rank = 1e-10

func (s *state) newSpan() *span { return &span{x: linear.NewFeatures(s.places.tiles())} }

// widen returns the row that a vector z adds to L, or nil if z is not to be added. kz has the
// kernel values of z and all vectors so far, and at the end that of z and itself.
func (p *span) widen(s *state, z vec.Vector, kz []float64) []float64 {
	row := make([]float64, len(p.of), len(p.of)+1)
	if _, ok := s.parent.Kernel.(kernel.Sigmoid); ok {
		for _, j := range p.of {
			if other := s.zs.Row(j); slices.Equal(z.Index, other.Index) && slices.Equal(z.Value, other.Value) {
				return nil
			}
		}
		return append(row, 1)
	}
	for k, j := range p.of {
		row[k] = kz[j]
	}
	for k, l := range p.l {
		row[k] = (row[k] - columns.Dot(l[:k], row[:k])) / l[k]
	}
	own := kz[len(kz)-1]
	rest := own - columns.Dot(row, row)
	if !(rest > rank*own) {
		return nil
	}
	return append(row, math.Sqrt(rest))
}

// add adds vector j, with its row of L. kx has its kernel values at the places.
func (p *span) add(j int, row, kx []float64) {
	feature := append([]float64(nil), kx...)
	minus := make([]float64, len(p.of))
	for k := range minus {
		minus[k] = -row[k]
	}
	p.x.AddTo(feature, minus, p.x.All())
	for i := range feature {
		feature[i] /= row[len(p.of)]
	}
	p.x.Append(feature)
	p.of, p.l = append(p.of, j), append(p.l, row)
}

// coefficients returns the beta of all vectors for which beta'phi(z) = w'(basis).
func (p *span) coefficients(w []float64) []float64 {
	b := append([]float64(nil), w...)
	for i := len(p.l) - 1; i >= 0; i-- {
		b[i] /= p.l[i][i]
		columns.Axpy(b[:i], -b[i], p.l[i])
	}
	return b
}

// projection returns the coefficients Kzz^-1 Kzs eta of the projection of a machine's w on the
// span. What it leaves of w is the smallest residual for these vectors.
func (p *span) projection(s *state, c *machine) []float64 {
	u, eta := make([]float64, len(p.of)), s.eta(c)
	for k, j := range p.of {
		product := columns.Dot(eta, s.ks[j]) // w.phi(z_j)
		u[k] = (product - columns.Dot(p.l[k][:k], u[:k])) / p.l[k][k]
	}
	return p.coefficients(u)
}
