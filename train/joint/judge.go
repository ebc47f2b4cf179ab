package joint

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A judgement says how well rows are answered.
type judgement struct {
	wrong  []float64 // weights of the rows of a classifier that are answered wrongly, else 0
	losses []float64 // of the rows of a regression, by weight
	// doubt is the loss of a regression. For a classifier, it is a sum over the rows: the row's
	// weight if the answer is wrong by at least the margin, half of it if two answers are equally
	// near, and 0 if the answer is right by at least the margin. Like the number of wrong answers,
	// it depends less on outliers than the loss, but it is continuous.
	doubt float64
}

// errors returns the weight of wrong answers or, for a regression, the loss.
func (j judgement) errors() float64 {
	if j.wrong == nil {
		return j.doubt
	}
	sum := 0.0
	for _, w := range j.wrong {
		sum += w
	}
	return sum
}

// doubt returns the doubt of a row of weight 1, from 0 to 1.
func doubt(f []float64, class int, loss Loss) float64 {
	m := 0.0 // the margin is 1
	if len(f) == 1 {
		if m = f[0]; class != 0 {
			m = -m
		}
	} else {
		other := math.Inf(-1)
		for l, v := range f {
			if l != class {
				other = max(other, v)
			}
		}
		if m = f[class] - other; loss == SquaredHinge {
			m /= 2
		}
	}
	return min(1, max(0, (1-m)/2))
}

// judge returns how well c answers the rows of o. If the context is done, some rows are missing.
func (s *search) judge(ctx context.Context, o *objective, c *candidate) judgement {
	q := o.queries(&c.point)
	parts := make([]judgement, len(o.chunks))
	n := min(strips, len(o.chunks))
	team.Do(ctx, n, func(ctx context.Context, strip int) {
		work := o.take()
		for k := strip * len(o.chunks) / n; k < (strip+1)*len(o.chunks)/n && ctx.Err() == nil; k++ {
			parts[k] = s.judgeChunk(o, work, q, &o.chunks[k], c.loss)
		}
		o.scratch <- work
	})
	var sum judgement
	for _, p := range parts {
		sum.add(p)
	}
	return sum
}

// judgeChunk returns how well a chunk's rows are answered.
func (s *search) judgeChunk(o *objective, work *scratch, q *queries, chunk *chunk, loss Loss) (j judgement) {
	const lanes = vec.PanelRows
	for p := range (chunk.rows + lanes - 1) / lanes {
		o.kernelValues(&work.values, work.derivative.Panel(p), work.dist, q, chunk, p)
		panelDots(work.f, &work.k, q.outputs, o.outputs, p)
		for i := range min(lanes, chunk.rows-p*lanes) {
			for l := range o.outputs {
				work.row[l] = work.f[l*lanes+i] - q.rho[l]
			}
			y, w := chunk.y[p*lanes+i], chunk.weight[p*lanes+i]
			if !s.Task.Classifies() {
				loss := float64(w * o.loss.of(work.row, y))
				j.losses = append(j.losses, loss)
				j.doubt += loss
				continue
			}
			wrong := 0.0
			if answer(work.row) != y.class {
				wrong = w
			}
			j.wrong = append(j.wrong, wrong)
			j.doubt += float64(w * doubt(work.row, y.class, loss))
		}
	}
	return j
}

// add adds the judgement of other rows.
func (a *judgement) add(b judgement) {
	a.doubt += b.doubt
	a.wrong = append(a.wrong, b.wrong...)
	a.losses = append(a.losses, b.losses...)
}

// gains reports whether b is better than a, a judgement of the same rows: for a classifier by more
// than chance might, for a regression at all.
func (b judgement) gains(a judgement, deviations float64) bool {
	if a.wrong == nil {
		return b.doubt < a.doubt
	}
	return less(b.wrong, a.wrong, deviations)
}

// surpasses is gains, but that a regression too has to gain more than chance might.
func (b judgement) surpasses(a judgement, deviations float64) bool {
	if a.wrong == nil {
		return less(b.losses, a.losses, deviations)
	}
	return less(b.wrong, a.wrong, deviations)
}

// less reports whether the errors of rows are less than others of the same rows by more than the
// given number of standard deviations of the difference, which come from the rows whose errors
// differ.
func less(errors, others []float64, deviations float64) bool {
	gain, variance := 0.0, 0.0
	for i, e := range others {
		d := e - errors[i]
		gain += d
		variance += float64(d * d)
	}
	return gain > deviations*math.Sqrt(variance)
}

// answer returns the class that the outputs give: the first one with the largest output or, with a
// single output for two classes, the first class if it is positive.
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
