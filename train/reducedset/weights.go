package reducedset

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train/internal/linear"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: find the best coefficients for given vectors z_1..z_M.
//
// Method: with an orthonormal basis of the span of the phi(z_j) (see span), the rows' features R
// have the products R R' = Kxz Kzz^+ Kxz' = K~, the kernel after projection to the span. Equations
// (17) to (19) are a linear SVM on R, whose weights are those of the basis. It is solved to
// optimality, with a certificate, so the paper's rule for solvers that do not converge is needed
// only for costs beyond what float64 can resolve.

// retrain trains the coefficients of every machine on all vectors.
func (s *state) retrain(ctx context.Context) error {
	errs := make([]error, len(s.machines))
	team.Do(ctx, len(s.machines), func(ctx context.Context, l int) {
		c := &s.machines[l]
		if errs[l] = s.trainOn(ctx, c, s.common); errs[l] != nil {
			return
		}
		c.own = s.common.of
		switch {
		case c.fit != nil:
			c.beta, c.rho = s.common.coefficients(c.fit.w), -c.fit.bias
		default:
			c.beta, c.rho = s.common.coefficients(c.trained.W), -c.trained.Bias
			copy(c.values, c.trained.Values)
			c.judge()
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ended.Err(ctx)
}

// trainOn sets c.trained or, for a model without classes, c.fit to the best function in a span.
func (s *state) trainOn(ctx context.Context, c *machine, p *span) error {
	if !s.parent.Task.Classifies() {
		if c.fit == nil {
			c.fit = &fit{}
		}
		return c.fit.solve(p.x, c.y, c.weight)
	}
	cost := make([]float64, len(c.weight))
	for i, w := range c.weight {
		cost[i] = c.cost * w
	}
	m, err := linear.Train(ctx, p.x, c.tiles, c.y, cost, c.trained)
	if m == nil {
		return err
	}
	if err != nil { // the gap could not be closed: m is the best machine found
		without := slices.Clone(m.Values)
		for i := range without {
			without[i] -= m.Bias
		}
		rho := c.threshold(without)
		m.Bias = -rho
		for i := range without {
			m.Values[i] = without[i] - rho
		}
	}
	c.trained = m
	return ended.Err(ctx)
}

// offset chooses the best rho for the machine's own vectors and coefficients. For a model without
// classes, it makes the mean of the values right.
func (s *state) offset(c *machine) {
	values := make([]float64, len(c.y))
	s.valuesTo(values, c)
	if !s.parent.Task.Classifies() {
		sum, total := 0.0, 0.0
		for i, v := range values {
			sum += float64(c.weight[i] * (v - c.y[i]))
			total += c.weight[i]
		}
		c.rho = sum / total
		return
	}
	c.rho = c.threshold(values)
	for i, v := range values {
		c.values[i] = v - c.rho
	}
	c.judge()
}

// threshold returns the rho with the fewest errors on the machine's rows, in the middle of its
// interval; of equally good intervals, the widest between two values. It puts all rows on the same
// side only if that has fewer errors.
func (c *machine) threshold(values []float64) float64 {
	var order []int
	positive, negative := 0.0, 0.0
	for i, w := range c.weight {
		if w == 0 {
			continue
		}
		order = append(order, i)
		if c.y[i] > 0 {
			positive += w
		} else {
			negative += w
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	low, high := values[order[0]], values[order[len(order)-1]]
	wrong, least, width, rho := negative, math.Inf(1), 0.0, 0.0
	for k, i := range order[:len(order)-1] {
		if c.y[i] > 0 {
			wrong += c.weight[i]
		} else {
			wrong -= c.weight[i]
		}
		gap := values[order[k+1]] - values[i]
		if gap == 0 {
			continue
		}
		if wrong < least || wrong == least && gap > width {
			least, width = wrong, gap
			rho = between(values[i], values[order[k+1]])
		}
	}
	edge := edgeOf(low, high)
	if negative < least { // with rho below all values every row is positive
		least, rho = negative, min(low-edge, math.Nextafter(low, math.Inf(-1)))
	}
	if positive < least {
		rho = high + edge
	}
	return rho
}

// between returns the middle of two values, or the lower one if they are neighbours with no number
// between them: with this rho, the lower value is negative and the higher positive.
func between(low, high float64) float64 {
	if middle := low + float64((high-low)/2); middle < high {
		return middle
	}
	return low
}

// edgeOf returns the distance of a rho beyond all values, in proportion to their range.
func edgeOf(low, high float64) float64 {
	switch {
	case high > low:
		return (high - low) / 2
	case low != 0:
		return math.Abs(low) / 2
	}
	return 0.5
}
