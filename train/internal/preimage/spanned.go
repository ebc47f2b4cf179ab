package preimage

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/span"
)

// Problem: targets made of text have ten thousand features, and so has each vector that a descent
// moves. In every step, the descent goes through all features, and through all that L-BFGS stores
// for them.
//
// Method: a descent adds multiples of the target's points and of the vectors themselves to a
// vector, so it never leaves the span of the points and the starts. The kernels here are functions
// of dot products and distances. So coordinates in an orthonormal basis of that span, at most as
// many as points and starts, can replace the features. Only rounding differs.

// spanFrom is the number of features from which a span is considered: with fewer, a descent takes
// little time anyway. Tests change it.
var spanFrom = 512

// mostSpread bounds gamma times the squared length of the vectors whose coordinates are computed
// from dot products. With this bound, an error of 2^-40 of the dot products, relative to squared
// lengths, changes no kernel value by more than about 10^-9.
const mostSpread = 0x1p10

// spanPays reports whether coordinates in the span of the points and zs can replace the features,
// and are less than half as many.
func (t *Target) spanPays(zs []vec.Vector) bool {
	n := t.count + len(zs)
	if t.dim() < spanFrom || 2*n > t.dim() || n > span.MostRows || t.origin != nil {
		return false
	}
	gamma := 0.0
	if rbf, is := t.given.kernel.(kernel.RBF); is {
		gamma = math.Abs(rbf.Gamma)
	}
	plain := func(norm float64) bool {
		return norm == 0 || norm >= 0x1p-900 && norm <= 0x1p900 && gamma*norm <= mostSpread
	}
	for i, e := range t.given.eta {
		if e != 0 && !plain(t.given.points.SquaredNorm(i)) {
			return false
		}
	}
	for _, z := range zs {
		if z = vec.Renumbered(z, t.index); !plain(vec.Dot(z, z)) {
			return false
		}
	}
	return true
}

// spanned is descend in coordinates. Vectors that do not move stay exactly as they were.
func (s Descent) spanned(ctx context.Context, t *Target, zs []vec.Vector, box []float64) (*Approximation, error) {
	all := new(vec.Matrix)
	var eta []float64
	for i, e := range t.given.eta {
		if e != 0 {
			all.Append(vec.Renumbered(t.given.points.Row(i), t.index))
			eta = append(eta, e)
		}
	}
	for _, z := range zs {
		all.Append(vec.Renumbered(z, t.index))
	}
	sp, coordinates, err := span.New(ctx, all, t.dim())
	if err != nil {
		return nil, err
	}
	points := coordinates.Slice(0, len(eta))
	inner, err := newTarget(t.given.kernel, &points, eta, sp.Dimension())
	if err != nil {
		return nil, err
	}
	inner.transpose(inner.dim())
	starts := make([]vec.Vector, len(zs))
	for j := range starts {
		starts[j] = coordinates.Row(len(eta) + j)
	}
	a, err := s.descend(ctx, inner, starts, box)
	if err != nil {
		return nil, err
	}
	b := make([]float64, sp.Dimension())
	for j, z := range a.Z {
		var v vec.Vector
		add := func(k int, value float64) {
			if value != 0 {
				v.Index, v.Value = append(v.Index, t.index[k]), append(v.Value, value)
			}
		}
		if slices.Equal(z.Index, starts[j].Index) && slices.Equal(z.Value, starts[j].Value) {
			for k, f := range all.Row(len(eta) + j).Index {
				add(int(f-1), all.Row(len(eta) + j).Value[k])
			}
		} else {
			clear(b)
			for k, f := range z.Index {
				b[f-1] = z.Value[k]
			}
			for k, value := range sp.Vector(b) {
				add(k, value)
			}
		}
		a.Z[j] = v
	}
	return a, nil
}
