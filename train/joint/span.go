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

// mostSpanned is the number of rows up to which their span is looked for.
var mostSpanned = span.MostRows

// mostSpread bounds gamma times the squared length of rows of which coordinates are found by
// dot products: an error of 2^-40 in these, relative to squared lengths, moves no kernel value by
// more than some 10^-9.
const mostSpread = 0x1p10

// spanning returns the rows and the vectors given to begin with, if it pays to work with
// coordinates in what they span, else nil.
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

// appendGiven appends the vectors that are given, with features numbered as those of d are.
func (s *search) appendGiven(to *vec.Matrix, given Given) {
	for j := range min(given.Zs.Len(), s.Vectors) {
		to.Append(vec.Renumbered(given.Zs.Row(j), s.features))
	}
}

// spanPays reports whether coordinates of so many dimensions take at most half of the time of
// features. An evaluation goes through all values of dense rows, or those that sparse ones list,
// and L-BFGS dozens of times through its vectors. With vector instructions, which only
// dense rows have much of, a value that is listed takes some 3 to 20 times as long as a dense
// one, and an element of all these vectors, with twenty pairs of changes, some 130 to 900 times.
func (s *search) spanPays(dimensions int) bool {
	const (
		listed = 8
		memory = 400
	)
	rows, features := float64(s.d.X.Len()), float64(s.columns())
	now := (rows + memory) * features
	if vec.Few(s.entries, s.d.X.Len(), s.columns()) {
		now = float64(listed*float64(s.entries)) + float64(memory*features)
	}
	return (rows+memory)*float64(dimensions) <= now/2
}

// spannable reports whether dot products say all of what the kernel's values are made of.
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

// useSpan has coordinates in the span of points, the first of which are the rows, take the
// place of features.
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
