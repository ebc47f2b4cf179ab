package joint

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A choice has the settings that held-out rows choose.
type choice struct {
	loss       Loss
	cost       float64 // factor on C
	start      int     // index of Starts
	iterations int     // of the descent; 0: the vectors stay where they start
	gamma      float64 // of vectors that stay; 0: Kernel's
}

// A trial has the judgements of rows held out, without which a choice was tried.
type trial struct {
	curve []judgement // of the start, then look by look
	still []judgement // of the start with each of search.others
}

// losses returns the losses to choose from.
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

// fewRows is the largest number of rows of which several parts are held out in turn. Tests
// change it.
var fewRows = 4000

// choose returns the choice that is best on held-out rows. With few rows, several parts are held
// out, one after the other, and their judgements are added up.
func (s *search) choose(ctx context.Context) (choice, error) {
	parts := 1
	if s.own <= fewRows {
		parts = s.fewParts()
	}
	if !s.holds(parts) {
		return choice{loss: s.losses()[0], cost: 1, iterations: math.MaxInt}, nil
	}
	all := s.choices()
	if len(all) == 1 && s.Evaluations == 0 {
		return all[0], nil
	}
	trials := make([]trial, len(all)*parts) // of each choice and part
	behind := make([]bool, len(all))
	for from, to := 0, s.firstParts(parts); from < parts; from, to = to, parts {
		if err := s.tryParts(ctx, all, behind, trials, from, to); err != nil {
			return choice{}, err
		}
		if to < parts {
			behind = fallenBehind(trials, parts, to)
		}
	}
	pooled := make([]trial, len(all))
	for k := range all {
		of := trials[k*parts : (k+1)*parts]
		if behind[k] {
			for part := range of {
				of[part].curve = of[part].curve[:1]
			}
		}
		pooled[k] = poolTrials(of)
	}
	return s.bestOf(all, pooled), nil
}

// tryParts sets the trials of all choices without each of the parts from one to another. Those that
// have fallen behind make no descents.
func (s *search) tryParts(ctx context.Context, all []choice, behind []bool, trials []trial, from, to int) error {
	n, parts := to-from, len(trials)/len(all)
	errs := make([]error, len(all)*n)
	team.DoLimited(ctx, len(errs), s.together(), func(ctx context.Context, k int) {
		a, part := k/n, from+k%n
		trials[a*parts+part], errs[k] = s.try(ctx, all[a], part, parts, !behind[a])
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ended.Err(ctx) // judgements may lack rows
}

// choices returns what to choose from.
func (s *search) choices() []choice {
	costs := []float64{1}
	switch {
	case s.own > fewRows || s.oneCost:
	case s.ChooseCost:
		costs = freeCosts
	default:
		costs = fewCosts
	}
	var all []choice
	for _, l := range s.losses() {
		for _, cost := range costs {
			for start := range s.Starts {
				a := choice{loss: l, cost: cost, start: start}
				if s.tenfold != nil && s.tenfold[start] {
					a.cost = tenfold
				}
				all = append(all, a)
			}
		}
	}
	return all
}

// try begins with a choice, without one of the parts, and descends if it is to move.
func (s *search) try(ctx context.Context, a choice, part, parts int, move bool) (of trial, err error) {
	if err := ended.Err(ctx); err != nil {
		return of, err // before the chunks are made, which takes time
	}
	classes, held := s.split(part, parts)
	rows := newChunks(s.x, s.withExtra(classes...), s.inputs, s.Vectors, s.y, s.weight)
	judges := newChunks(s.x, held, s.inputs, s.Vectors, s.y, s.weight)
	c, err := s.begin(ctx, a, classes, rows)
	if err != nil {
		return of, err
	}
	curve := []judgement{s.judge(ctx, s.objective(c, judges), c)}
	of.curve = curve
	if s.Evaluations == 0 {
		return of, nil
	}
	for _, gamma := range s.others {
		other, err := s.widened(ctx, c, gamma, rows)
		if err != nil {
			return of, err
		}
		of.still = append(of.still, s.judge(ctx, s.objective(other, judges), other))
	}
	if !move {
		return of, nil
	}
	if c, err = s.lead(ctx, c, a.start, part, rows); err != nil {
		return of, err
	}
	var values []float64
	err = s.descend(ctx, c, rows, math.MaxInt, func(now *candidate, value float64) bool {
		curve = append(curve, s.judge(ctx, s.objective(now, judges), now))
		if values = append(values, value); parts > 1 {
			return s.inputs < manyDimensions || !settled(curve[1:], values)
		}
		return sinceBest(curve[1:]) < s.Patience
	})
	if len(curve) == 1 { // a short descent is judged at its end
		curve = append(curve, s.judge(ctx, s.objective(c, judges), c))
	}
	of.curve = curve
	return of, err
}

// bestOf returns the best of the choices: one whose vectors move, for as many iterations as were
// best, if that gains enough over the best one whose vectors stay. trials has the judgements of each.
func (s *search) bestOf(all []choice, trials []trial) choice {
	start, moved := -1, -1
	var least [2]judgement // of starts, of vectors that have moved
	for k, of := range trials {
		curve := of.curve
		if start < 0 || curve[0].errors() < least[0].errors() {
			start, least[0] = k, curve[0]
		}
		if len(curve) == 1 {
			continue
		}
		looks := smooth(curve[1:])
		look := best(looks)
		all[k].iterations = (look + 1) * lookEvery
		if moved < 0 || looks[look].errors() < least[1].errors() {
			moved, least[1] = k, looks[look]
		}
	}
	still := all[start]
	still.iterations = 0
	given := least[0]
	for k, of := range trials {
		for g, now := range of.still {
			if s.wins(now, given, least[0]) {
				still, least[0] = all[k], now
				still.iterations, still.gamma = 0, s.others[g]
			}
		}
	}
	if moved >= 0 && least[1].gains(least[0], deviations(s.own)) {
		return all[moved]
	}
	return still
}

// fewParts is the largest number of parts that are held out in turn if there are few rows. fewCosts
// are the factors on C that are tried then: the cost that is best for a machine with all its
// vectors is often too high for vectors that move. freeCosts are those if nobody has chosen C.
const (
	fewParts = 5
	tenfold  = 10
)

var (
	fewCosts  = []float64{1, 0.1}
	freeCosts = []float64{1, 0.1, tenfold}
)

// fewParts returns how many parts are held out in turn if there are few rows.
func (s *search) fewParts() int {
	if s.FewHeldOut == 0 {
		return fewParts
	}
	return int(max(1, min(fewParts, 1/s.FewHeldOut)))
}

// deviations returns by how many standard deviations moving the vectors must be better than not
// moving them on the held-out rows. The best of many looks gains something by chance, and if there
// are few rows, those that mislead the cross-validation also mislead the descent. Examples are
// samples of the generated data set waveform, on which the centres of k-means can hardly be
// improved. Of 60 descents on 600 rows, 15 gained more than half a deviation and made the test
// error worse by 0.37 points on average; three gained more than 1000/600 deviations and made it
// worse by 0.16. Of 24 on 1000 rows, none gained more than one deviation. Of 24 on 5000 rows, ten
// gained more than half a deviation and made it better by 0.07.
func deviations(rows int) float64 { return max(0.5, min(2, 1000/float64(rows))) }

// sinceBest returns how many judgements there are after the one with the least doubt.
func sinceBest(curve []judgement) int {
	least := 0
	for k, j := range curve {
		if j.doubt < curve[least].doubt {
			least = k
		}
	}
	return len(curve) - 1 - least
}

// If several parts are held out in turn, a descent has settled when, over settledLooks looks, the
// objective has decreased by at most the share settledValue, and the answers to at most the share
// settledRows of the held-out rows have become right or wrong. In hundreds of dimensions, the
// objective decreases for long by fitting rows one by one: on text, descents go on five times as
// long as they have any effect on answers. In few dimensions, descents end soon.
const (
	settledLooks = 4
	settledValue = 4e-3
	settledRows  = 0.01
)

// settled reports whether the last looks of a descent differ so little that it has settled. values
// are those of its objective.
func settled(curve []judgement, values []float64) bool {
	n := len(curve) - 1
	if n < settledLooks || !(values[n-settledLooks]-values[n] <= settledValue*values[n]) {
		return false
	}
	a, b := curve[n-settledLooks], curve[n]
	if a.wrong == nil {
		return math.Abs(a.doubt-b.doubt) <= settledValue*a.doubt
	}
	changed := 0
	for i, w := range a.wrong {
		if w != b.wrong[i] {
			changed++
		}
	}
	return float64(changed) <= settledRows*float64(len(a.wrong))
}

// best returns the index of the best judgement.
func best(curve []judgement) int {
	best, least := 0, math.Inf(1)
	for k, j := range curve {
		if v := j.errors() + j.doubt; v < least {
			best, least = k, v
		}
	}
	return best
}

// smooth returns judgements in which wrong answers are means over five looks.
func smooth(curve []judgement) []judgement {
	means := make([]judgement, len(curve))
	for k, j := range curve {
		near := curve[max(0, k-2):min(k+3, len(curve))]
		means[k].doubt, means[k].losses = j.doubt, j.losses
		for i := range j.wrong {
			sum := 0.0
			for _, n := range near {
				sum += n.wrong[i]
			}
			means[k].wrong = append(means[k].wrong, sum/float64(len(near)))
		}
	}
	return means
}

// pool adds the judgements of several curves at the same look. A descent that has ended counts with
// its last judgement.
func pool(curves [][]judgement) []judgement {
	var sum []judgement
	for look := range slices.MaxFunc(curves, func(a, b []judgement) int { return len(a) - len(b) }) {
		var j judgement
		for _, c := range curves {
			j.add(c[min(look, len(c)-1)])
		}
		sum = append(sum, j)
	}
	return sum
}

// poolTrials pools the trials of a choice without each of the parts.
func poolTrials(parts []trial) trial {
	sum := trial{still: make([]judgement, len(parts[0].still))}
	var curves [][]judgement
	for _, of := range parts {
		curves = append(curves, of.curve)
		for g, j := range of.still {
			sum.still[g].add(j)
		}
	}
	sum.curve = pool(curves)
	return sum
}

// holds reports whether any row is held out: a small share of few rows may be less than one.
func (s *search) holds(parts int) bool {
	for part := 0; part < parts && s.HeldOut > 0; part++ {
		if _, held := s.split(part, parts); len(held) > 0 {
			return true
		}
	}
	return false
}

// split holds out a part of the rows, the same share of each class, and returns the others by
// class. Parts do not overlap.
func (s *search) split(part, parts int) (learn [][]int, held []int) {
	rng := newRand(s.seed, 1)
	share := s.HeldOut
	switch {
	case s.own <= fewRows && s.FewHeldOut > 0:
		share = s.FewHeldOut
	case parts > 1:
		share = 1 / float64(parts)
	}
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
