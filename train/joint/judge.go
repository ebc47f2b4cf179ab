package joint

import (
	"context"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A judgement says how well rows are answered: first the weight of wrong answers,
// which is 0 for a regression, then the loss.
type judgement struct{ wrong, loss float64 }

func (a judgement) better(b judgement) bool {
	if a.wrong != b.wrong {
		return a.wrong < b.wrong
	}
	return a.loss < b.loss
}

// judge returns how well c answers the rows of o.
func (s *search) judge(ctx context.Context, o *objective, c *candidate) judgement {
	const lanes = vec.PanelRows
	q := o.queries(&c.point)
	parts := make([]judgement, len(o.chunks))
	team.Do(ctx, len(o.chunks), func(_ context.Context, k int) {
		work := o.take()
		defer func() { o.scratch <- work }()
		chunk := &o.chunks[k]
		for p := range (chunk.rows + lanes - 1) / lanes {
			o.kernelValues(&work.values, work.derivative.Panel(p), work.dist, q, chunk, p)
			panelDots(work.f, &work.k, q.outputs, o.outputs, p)
			for i := range min(lanes, chunk.rows-p*lanes) {
				for l := range o.outputs {
					work.row[l] = work.f[l*lanes+i] - q.rho[l]
				}
				y, w := chunk.y[p*lanes+i], chunk.weight[p*lanes+i]
				if s.Task.Classifies() && answer(work.row) != y.class {
					parts[k].wrong += w
				}
				parts[k].loss += float64(w * o.loss.of(work.row, y))
			}
		}
	})
	var sum judgement
	for _, p := range parts {
		sum.wrong += p.wrong
		sum.loss += p.loss
	}
	return sum
}

// answer returns the class that outputs speak for: the first with the largest, or of
// two classes the first if its output is positive.
func answer(f []float64) int {
	if len(f) == 1 {
		if f[0] > 0 {
			return 0
		}
		return 1
	}
	best := 0
	for l, v := range f {
		if v > f[best] {
			best = l
		}
	}
	return best
}
