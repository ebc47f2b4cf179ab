package linear

import (
	"context"
	"math"
)

// Problem: with large features, such as the linear kernel's of rows that are not scaled, w and a of
// rows that can be separated are tiny. The absolute parts of the tolerances hide them, and a sigma in
// proportion to the cost leaves nothing of I in I + sigma R_F'R_F.
//
// Method: with r = S r', w = w'/S and a = a'/S^2, the problem is the same one for rows r' and costs
// S^2 C. S is a power of 2, so that nothing is rounded, and makes the mean of |r'|^2 about 1. sigma
// begins where it suits such rows, whatever their costs.

// trainScaled trains as Train does, from the beginning. top is the largest cost.
func trainScaled(ctx context.Context, x *Features, tiles []int, y, cost []float64, top float64) (*Machine, error) {
	square, n := 0.0, 0
	for i, s := range y {
		if s == 0 {
			continue
		}
		n++
		tile := x.tiles[tiles[i/TileRows]]
		for k := range x.count {
			v := tile[k*TileRows+i%TileRows]
			square += float64(v * v)
		}
	}
	_, e := math.Frexp(math.Sqrt(square / float64(n)))
	most := math.Ldexp(top, 2*e)
	if !(square > 0) || !(most > 0) || math.IsInf(most, 0) || math.IsInf(square, 0) {
		return nil, ErrNotConverged
	}
	small := NewFeatures(len(tiles))
	values := make([]float64, len(y))
	for k := range x.count {
		for j, t := range tiles {
			for i, v := range x.tiles[t][k*TileRows : (k+1)*TileRows] {
				values[j*TileRows+i] = math.Ldexp(v, -e)
			}
		}
		small.Append(values)
	}
	costs := make([]float64, len(cost))
	for i, c := range cost {
		costs[i] = math.Ldexp(c, 2*e)
	}
	s := newSearch(small, small.All(), y, costs, nil)
	s.sigma = min(firstSigma*most, 1)
	m, err := s.converge(ctx)
	if m == nil {
		return nil, err
	}
	distance := math.Ldexp(m.distance(), -2*e)
	m.Objective = math.Ldexp(m.Objective, -2*e)
	m.Gap = distance / (1 + math.Abs(m.Objective))
	for k := range m.W {
		m.W[k] = math.Ldexp(m.W[k], -e)
	}
	for i, a := range m.Alpha {
		m.Alpha[i] = math.Ldexp(a, -2*e)
	}
	return m, err
}

// distance returns primal minus dual.
func (m *Machine) distance() float64 { return m.Gap * (1 + math.Abs(m.Objective)) }
