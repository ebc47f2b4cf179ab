package joint

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A choice is what held-out rows decide about.
type choice struct {
	loss       Loss
	start      int // index of Starts
	iterations int // of the descent; 0: the vectors stay where they start
}

// losses returns those to choose from.
func (s *search) losses() []Loss {
	switch {
	case s.Loss != "":
		return []Loss{s.Loss}
	case !s.Task.Classifies():
		return []Loss{Insensitive}
	case s.outputs == 1 || s.own > fewRows || s.HeldOut == 0:
		return []Loss{SquaredHinge}
	}
	return []Loss{SquaredHinge, Multiclass}
}

// fewRows is the number of rows up to which several parts are held out in turn.
const fewRows = 4000

// choose returns the choice that is best for held-out rows. Of few rows several parts
// are held out, one after the other, and their judgements added up.
func (s *search) choose(ctx context.Context) (choice, error) {
	losses := s.losses()
	if s.HeldOut == 0 {
		return choice{losses[0], 0, math.MaxInt}, nil
	}
	var all []choice
	for _, l := range losses {
		for start := range s.Starts {
			all = append(all, choice{loss: l, start: start})
		}
	}
	parts := 1
	if s.own <= fewRows {
		parts = int(min(1/s.HeldOut, mostParts))
	}
	if len(all) == 1 && s.Evaluations == 0 {
		return all[0], nil
	}
	curves := make([][]judgement, len(all)*parts) // by look
	errs := make([]error, len(curves))
	team.Do(ctx, len(curves), func(ctx context.Context, k int) {
		classes, held := s.split(k%parts, parts)
		rows := newChunks(&s.d.X, s.withExtra(classes...), s.inputs, s.y, s.weight)
		judges := newChunks(&s.d.X, held, s.inputs, s.y, s.weight)
		c, err := s.begin(ctx, all[k/parts], classes, rows)
		if err == nil {
			curves[k] = []judgement{s.judge(ctx, s.objective(c, judges), c)}
			if s.Evaluations > 0 {
				err = s.descend(ctx, c, rows, math.MaxInt, func(now *candidate) bool {
					curves[k] = append(curves[k], s.judge(ctx, s.objective(now, judges), now))
					return parts > 1 || sinceBest(curves[k]) < s.Patience
				})
			}
		}
		errs[k] = err
	})
	for _, err := range errs {
		if err != nil {
			return choice{}, err
		}
	}
	start, moved := -1, -1
	var least [2]judgement // of starts, of vectors that have moved
	for k := range all {
		pooled := pool(curves[k*parts : (k+1)*parts])
		if start < 0 || pooled[0].better(least[0]) {
			start, least[0] = k, pooled[0]
		}
		if len(pooled) == 1 {
			continue
		}
		look := 1 + leastLoss(pooled[1:])
		all[k].iterations = look * lookEvery
		if moved < 0 || pooled[look].better(least[1]) {
			moved, least[1] = k, pooled[look]
		}
	}
	if moved >= 0 && s.gains(least[0], least[1]) {
		return all[moved], ctx.Err()
	}
	all[start].iterations = 0
	return all[start], ctx.Err()
}

// gains reports whether b is better than a by more than chance: for a classifier by
// more than the deviation of the number of wrong answers.
func (s *search) gains(a, b judgement) bool {
	if !s.Task.Classifies() {
		return b.loss < a.loss
	}
	total := 0.0
	for _, w := range s.weight[:s.own] {
		total += w
	}
	mean := total / float64(s.own)
	return a.wrong-b.wrong > mean*math.Sqrt(b.wrong/mean)
}

// mostParts is the largest number of parts that are held out.
const mostParts = 5

// sinceBest returns how many judgements there are after the one with the least loss.
func sinceBest(curve []judgement) int { return len(curve) - 1 - leastLoss(curve) }

// leastLoss returns the place of the judgement with the least loss. Of one descent it
// tells more than the number of wrong answers, which jumps.
func leastLoss(curve []judgement) int {
	best := 0
	for k, j := range curve {
		if j.loss < curve[best].loss {
			best = k
		}
	}
	return best
}

// pool adds judgements at the same look. A descent that has ended counts as its end.
func pool(curves [][]judgement) []judgement {
	var sum []judgement
	for look := range slices.MaxFunc(curves, func(a, b []judgement) int { return len(a) - len(b) }) {
		var j judgement
		for _, c := range curves {
			at := c[min(look, len(c)-1)]
			j.wrong += at.wrong
			j.loss += at.loss
		}
		sum = append(sum, j)
	}
	return sum
}

// split holds a part of the rows out, as many of each class as its share says, and
// returns the others by class. Parts do not overlap.
func (s *search) split(part, parts int) (learn [][]int, held []int) {
	rng := newRand(s.seed, 1)
	share := s.HeldOut
	learn = make([][]int, len(s.rows))
	for c, rows := range s.rows {
		n := len(rows)
		from, to := int(float64(share*float64(part*n))), int(float64(share*float64((part+1)*n)))
		for k, i := range rng.Perm(n) {
			if k >= from && k < min(to, n-1) {
				held = append(held, rows[i])
			} else {
				learn[c] = append(learn[c], rows[i])
			}
		}
	}
	return learn, held
}
