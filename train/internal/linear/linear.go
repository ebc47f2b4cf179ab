// Package linear trains linear support vector machines with few features on many
// rows, to optimality.
package linear

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Problem: rows r_i of m features with signs y_i and costs C_i; the weights w and
// the bias b of
//
//	min  |w|^2/2 + sum_i C_i max(0, 1 - y_i (w.r_i + b)).
//
// Its dual, with A = diag(y) R and Q = A A', is
//
//	max  sum_i a_i - a'Qa/2,   0 <= a_i <= C_i,   y'a = 0,   and w = A'a.
//
// A primal-dual interior-point method solves it in some twenty steps whatever the
// costs: Mehrotra's predictor and corrector. A step solves (Q + D) v = g with a
// diagonal D, for which
//
//	(D + A A')^-1 = D^-1 - D^-1 A (I + A' D^-1 A)^-1 A' D^-1,
//
// so that a step costs rows x features^2, and no matrix of rows x rows is needed:
// Ferris and Munson, "Interior-point methods for massive support vector machines",
// SIAM Journal on Optimization 13 (2002).

// A Machine is the trained function w.r + b.
type Machine struct {
	W    []float64
	Bias float64
	// Alpha is the dual solution: a_i of each row.
	Alpha []float64
	// Objective is the primal's value, and Gap its distance to the dual's,
	// divided by 1 + |Objective|.
	Objective, Gap float64
	Steps          int
}

// ErrNotConverged is the answer when the gap cannot be closed, as rounding may
// have it for costs that are large beyond measure. The machine then is the best
// that was found.
var ErrNotConverged = errors.New("the interior-point method did not converge")

// tolerance is the Gap at which a machine is optimal; boundary keeps steps from
// the bounds; maxSteps ends what does not converge.
const (
	tolerance = 1e-7
	boundary  = 0.995
	maxSteps  = 200
)

// Train returns the machine of rows (n x m) with the signs y, +1 or -1, and costs
// above 0.
func Train(ctx context.Context, rows *mat.Dense, y, cost []float64) (*Machine, error) {
	n, m := rows.Dims()
	if len(y) != n || len(cost) != n {
		panic("linear: signs or costs do not fit the rows")
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i, s := range y {
		if s != 1 && s != -1 {
			panic(fmt.Sprintf("linear: sign %v", s))
		}
		if !(cost[i] > 0) || math.IsInf(cost[i], 0) {
			return nil, fmt.Errorf("cost %v of row %d is not positive and finite", cost[i], i+1)
		}
		low, high = min(low, s), max(high, s)
	}
	if low == high { // y'a = 0 leaves a = 0
		return &Machine{W: make([]float64, m), Bias: low, Alpha: make([]float64, n)}, nil
	}
	p := newPoint(rows, y, cost)
	var best *Machine
	for step := range maxSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		now := p.machine()
		now.Steps = step
		if best == nil || now.Gap < best.Gap {
			best = now
		}
		if best.Gap <= tolerance {
			return best, nil
		}
		if !p.advance() {
			break
		}
	}
	return best, ErrNotConverged
}
