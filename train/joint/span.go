package joint

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/span"
)

// Problem: rows with many more features than there are rows. Vectors, their gradients, and what
// L-BFGS remembers of them are as long as rows.
//
// Method: a descent adds to a vector multiples of rows and of the vector itself, so it never leaves
// the span of the rows and the initial vectors. The kernels here are functions of dot products and
// distances, and so are the penalty and the metric. Coordinates in that span can therefore replace
// the features, with no difference but rounding. At the end, vectors that have moved are computed
// from their coordinates; the others are unchanged.

// mostSpanned is the largest number of rows and initial vectors whose span is used. Tests change
// it.
var mostSpanned = span.MostRows

// mostSpread bounds gamma times the squared length of rows whose coordinates are computed from dot
// products. With this bound, an error of 2^-40 of the dot products, relative to squared lengths,
// changes no kernel value by more than about 10^-9.
const mostSpread = 0x1p10

// spanning returns the rows and the given initial vectors, if it pays to work with coordinates in
// their span, else nil.
func (s *search) spanning() *vec.Matrix {
	all := s.d.X.Clone()
	for _, basis := range s.Starts {
		switch b := basis.(type) {
		case KMeans, RandomRows: // made of rows
		case Given:
			s.appendGiven(&all, b)
		case *Given:
			s.appendGiven(&all, *b)
		default:
			return nil
		}
	}
	if all.Len() > mostSpanned || !s.spanPays(all.Len()) || !s.spannable(&all) {
		return nil
	}
	return &all
}

// appendGiven appends the given vectors, with features numbered as those of d.
func (s *search) appendGiven(to *vec.Matrix, given Given) {
	for j := range min(given.Zs.Len(), s.Vectors) {
		to.Append(vec.Renumbered(given.Zs.Row(j), s.features))
	}
}

// spanPays reports whether coordinates of the given number of dimensions take at most half the time
// of features. An evaluation goes through all values of dense rows, or through the entries of
// sparse rows, and L-BFGS goes dozens of times through its vectors. Vector instructions help mostly
// with dense rows, so an entry of a sparse row takes about 3 to 20 times as long as a dense value.
// An element of all the vectors of L-BFGS, with twenty pairs of changes, takes about 130 to 900
// times as long.
func (s *search) spanPays(dimensions int) bool {
	const (
		listed = 8
		memory = 400
	)
	rows, features := float64(s.d.X.Len()), float64(s.columns())
	now := (rows + memory) * features
	if vec.IsSparse(s.entries, s.d.X.Len(), s.columns()) {
		now = float64(listed*float64(s.entries)) + float64(memory*features)
	}
	return (rows+memory)*float64(dimensions) <= now/2
}

// spannable reports whether kernel values can be computed from dot products without loss.
func (s *search) spannable(points *vec.Matrix) bool {
	gamma := 0.0
	if rbf, ok := s.Kernel.(kernel.RBF); ok {
		gamma = math.Abs(rbf.Gamma)
	}
	for i := range points.Len() {
		norm := points.SquaredNorm(i)
		if norm != 0 && !(norm >= 0x1p-900 && norm <= 0x1p900) || !(gamma*norm <= mostSpread) {
			return false
		}
	}
	return true
}

// useSpan replaces the features by coordinates in the span of points, the first of which are the
// rows.
func (s *search) useSpan(ctx context.Context, points *vec.Matrix) error {
	sp, coordinates, err := span.New(ctx, points, s.columns())
	if err != nil {
		return err
	}
	x := coordinates.Slice(0, s.d.X.Len())
	s.span, s.x, s.inputs, s.entries = sp, &x, max(1, sp.Dimension()), x.NNZ()
	return nil
}

// vector returns vector j of a candidate, with the features of the data.
func (s *search) vector(c *candidate, j int) vec.Vector {
	of := c.z[j*s.inputs : (j+1)*s.inputs]
	var z vec.Vector
	add := func(k int, v float64) {
		if v != 0 {
			z.Index, z.Value = append(z.Index, s.features[k]), append(z.Value, v)
		}
	}
	switch {
	case s.span == nil:
		for k, v := range of {
			add(k, v)
		}
	case slices.Equal(of, c.begun[j*s.inputs:(j+1)*s.inputs]):
		was := c.proposed.Row(j)
		for k, f := range was.Index {
			add(int(f)-1, was.Value[k])
		}
	default:
		for k, v := range s.span.Vector(of) {
			add(k, v)
		}
	}
	return z
}
