package rsvm

import (
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train"
)

// Problem: the objective includes the offset, by 1/2 gamma^2, as in the paper, so a regression
// depends on where 0 is. Where the derivative by gamma is 0, values are off by gamma / (nu sum_i
// c_i) on average, towards 0. In single rows they are off by many times that, because the few
// vectors must make up for what gamma leaves, and they are not equally good everywhere. If the
// targets are far from 0 compared to their spread, the answers are then dominated by this.
//
// Method: it is reported if the mean of the targets, in place of gamma, makes the average more than
// farShare of the targets' deviation. On a sine and a parabola with noise, 200 rows, the errors are
// then about doubled, or more.
const farShare = 0.005

// targets are the moments of the targets of a regression.
type targets struct {
	cost, mean, squares float64 // sum of the costs; mean; sum of squares about the mean, weighted by costs
}

// add adds a row.
func (t *targets) add(y, cost float64) {
	t.cost += cost
	d := y - t.mean
	t.mean += d * cost / t.cost
	t.squares += float64(cost * d * (y - t.mean))
}

// far reports whether the targets are too far from 0 for this cost of errors.
func (t *targets) far(nu float64) bool {
	deviation := math.Sqrt(t.squares / t.cost)
	return deviation > 0 && math.Abs(t.mean) > farShare*deviation*(1+float64(nu*t.cost))
}

// report sends train.FarTargets if the targets are too far from 0.
func (t *targets) report(o *Options) {
	if t.far(o.Cost) {
		o.Report.Send(train.FarTargets{})
	}
}

// watched returns rows that add their targets to t as they are read.
func (t *targets) watched(rows Rows) Rows {
	return func(yield func(in format.Instance, err error) bool) {
		for in, err := range rows {
			if err == nil {
				t.add(in.Y, in.Weight)
			}
			if !yield(in, err) {
				return
			}
		}
	}
}
