// Package linear trains linear support vector machines with few features on many rows, to
// optimality.
package linear

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// Problem: given rows r_i of m features with signs y_i and costs C_i, find the weights w and the
// bias b of
//
//	min  |w|^2/2 + sum_i C_i max(0, 1 - y_i (w.r_i + b)).
//
// Its dual in signed variables a_i, from 0 to y_i C_i, is
//
//	max  sum_i y_i a_i - |u|^2/2,   sum_i a_i = 0,   u = sum_i a_i r_i,   and w = u.
//
// Method: the augmented Lagrangian, which is the proximal point method on the dual (Rockafellar
// 1976). Around an anchor a^k it minimises a convex function of w and b, piecewise quadratic and
// once differentiable, with the gradient
//
//	w - sum_i a_i r_i,   -sum_i a_i,   where  a_i = a^k_i + sigma (y_i - w.r_i - b)
//
// clipped to its bounds. The a_i at the minimum are the next anchor. Newton steps with an exact
// line search find the minimum after finitely many steps: only the rows F that are not at a bound
// enter the matrix I + sigma R_F'R_F. There are about as many such rows as features; if they are
// fewer, rows.go has a smaller matrix. Starting from the machine of one feature less, few steps are
// needed. The method ends when the gap between primal and dual is closed, so that the result does
// not depend on the path.

// A Machine is the trained function w.r + b.
type Machine struct {
	W    []float64
	Bias float64
	// Alpha is the dual solution: a_i of each place of the training rows, with the row's sign.
	Alpha []float64
	// Values has w.r + b of these rows.
	Values []float64
	// Objective is the value of the primal, and Gap its distance from the dual's, divided by 1 +
	// |Objective|.
	Objective, Gap float64
	Steps          int // Newton steps
}

// ErrNotConverged reports that the gap between primal and dual cannot be closed, because of
// rounding with extremely large costs. The machine is then the best that was found.
var ErrNotConverged = errors.New("the linear machine did not converge")

// tolerance is the Gap at which a machine is optimal. near is the distance between primal and dual,
// as a share of the primal, above which a machine that did not converge is trained again (scaled.go).
const (
	tolerance = 1e-7
	near      = 1e-5
)

// maxAnchors ends a search that does not converge; maxSteps ends the Newton steps about one anchor.
const (
	maxAnchors = 60
	maxSteps   = 200
)

// firstSigma is the first sigma of a start at 0, as a share of the largest cost: half of it leaves
// all rows between their bounds. warmSigma is the same for a given start, which is trusted more.
// growth is the factor from one sigma to the next.
const (
	firstSigma = 0.5
	warmSigma  = 8
	growth     = 4
)

// Train returns the machine of the rows in some tiles of x. y and cost have an element for each
// place in these tiles: y is +1 or -1 and cost is above 0, or both are 0 if the place has no row.
// start, if not nil, is a machine of the same rows to start from, with as many features or fewer,
// the first ones. The result does not depend on it beyond the tolerance.
func Train(ctx context.Context, x *Features, tiles []int, y, cost []float64, start *Machine) (*Machine, error) {
	n := len(tiles) * TileRows
	if len(y) != n || len(cost) != n {
		panic("linear: signs or costs do not fit the rows")
	}
	low, high, top := math.Inf(1), math.Inf(-1), 0.0
	for i, s := range y {
		switch {
		case s == 0 && cost[i] == 0:
			continue
		case s != 1 && s != -1:
			panic(fmt.Sprintf("linear: sign %v", s))
		case !(cost[i] > 0) || math.IsInf(cost[i], 0):
			return nil, fmt.Errorf("cost %v of row %d is not positive and finite", cost[i], i+1)
		}
		low, high, top = min(low, s), max(high, s), max(top, cost[i])
	}
	if low >= high { // all signs are equal: the sum of a can be 0 only if a = 0
		m := &Machine{W: make([]float64, x.Len()), Bias: low, Alpha: make([]float64, n), Values: make([]float64, n)}
		for i := range m.Values {
			m.Values[i] = low
		}
		return m, nil
	}
	s := newSearch(x, tiles, y, cost, start)
	s.sigma = firstSigma * top
	if start != nil {
		s.sigma = warmSigma * top
	}
	m, err := s.converge(ctx)
	if !errors.Is(err, ErrNotConverged) || m.distance() <= near*math.Abs(m.Objective) {
		return m, err
	}
	other, err := trainScaled(ctx, x, tiles, y, cost, top)
	switch {
	case err == nil, other != nil && other.Gap < m.Gap:
		return other, err
	case ctx.Err() != nil:
		return nil, ended.Err(ctx)
	}
	return m, ErrNotConverged
}

// converge moves the anchor until the gap is closed, while sigma grows. If that fails, it returns the
// best machine and ErrNotConverged.
func (s *search) converge(ctx context.Context) (*Machine, error) {
	var best *Machine
	steps := 0
	for range maxAnchors {
		s.place(0)
		for range maxSteps {
			if err := ended.Err(ctx); err != nil {
				return nil, err
			}
			if steps++; !s.newton() {
				break
			}
		}
		copy(s.anchor, s.a)
		now := s.machine()
		now.Steps = steps
		if best == nil || now.Gap < best.Gap {
			best = now
		}
		if best.Gap <= tolerance {
			return best, nil
		}
		s.sigma *= growth
	}
	return best, ErrNotConverged
}
