package joint

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: choose the width of an RBF kernel with which descents begin, where nobody has.
//
// The width is a variable like others, and descents from very different widths end with similar
// ones, but at different minima. If the kernel is narrow at first, each vector becomes a bump for
// the rows about it, and few bumps do not suffice for many features. If it is wide, the first
// machines are smooth functions of all features, which a few vectors can follow; but many vectors
// are then nearly dependent, and the descent is slow.
//
// Method: gamma is the given one or usualShares over the usual squared distance between rows. With
// each, a short descent begins on a sample of the rows, for each part of the rows that is held out,
// and is judged on its way by rows that are not in the sample. Descents that overfit are ended
// early by held-out rows, so what counts is the best that a width has led to, not its end. The
// width with the best judgement is chosen if it gains more than chance might. If that is the given
// one, all goes on as without a choice. Otherwise the descents on all rows begin where the short
// ones were one look before the best, so that they can end there: from the same width with the same
// starting vectors, they might lead to another minimum. Of those of several parts, the one with the
// least objective on all rows is taken.
//
// If nobody has chosen C either, and one part of many rows is held out, another short descent has
// ten times C, which is taken if it gains more than chance might. For few rows, costs are chosen by
// whole descents (choose.go).

// usualShares are the products of gamma and the usual squared distance that are tried. A product
// that is near the given one, by less than a factor of two, is not.
var usualShares = []float64{0.125, 0.5, 2, 8}

// mostSampled is the largest number of rows of a sample. Tests change it.
var mostSampled = 2000

const (
	shortFew   = 100            // iterations of a short descent if there are several parts
	shortOne   = 150            // and if there is one
	shortMany  = 20             // and in many dimensions, where text and images of digits need no more
	mostPairs  = 1000           // pairs of rows that tell the usual distance
	pairStream = math.MaxUint64 // of random numbers that draw them

	extraStream = math.MaxUint64 - 1 // of random numbers that draw extra rows
)

// chooseWidth makes the short descents of every start, with a single width if that is chosen already.
func (s *search) chooseWidth(ctx context.Context) error {
	rbf, ok := s.Kernel.(kernel.RBF)
	if !ok || !s.ChooseWidth || s.FixedWidth || !(rbf.Gamma > 0) {
		return nil
	}
	// With few evaluations, short descents are no more than the same share of the time.
	parts, iterations := 1, min(shortOne, s.Evaluations/2)
	if s.own <= fewRows {
		parts = s.fewParts()
	}
	if parts > 1 {
		iterations = min(shortFew, s.Evaluations/3)
	}
	if s.inputs >= manyDimensions { // where other descents settle early, too
		iterations = min(iterations, shortMany)
	}
	gammas, held := s.gammas(rbf.Gamma), iterations > 0 && s.holds(parts)
	switch {
	case s.begun == 0 && (!held || len(gammas) == 1):
		return nil
	case !held:
		s.Kernel = kernel.RBF{Gamma: s.begun}
		return nil
	case s.begun > 0:
		gammas = []float64{s.begun}
		s.others = gammas
	default:
		s.others = gammas[1:]
	}
	s.led, s.tenfold = make([][]*candidate, len(s.Starts)), make([]bool, len(s.Starts))
	for start := range s.Starts {
		var err error
		if s.led[start], err = s.tryWidths(ctx, start, parts, iterations, gammas); err != nil {
			return err
		}
	}
	return nil
}

// gammas returns what gamma may be when descents begin, the given one first.
func (s *search) gammas(given float64) []float64 {
	all := []float64{given}
	usual := s.usualDistance()
	for _, share := range usualShares {
		if g := share / usual; g > 0 && !math.IsInf(g, 0) && max(g, given) >= 2*min(g, given) {
			all = append(all, g)
		}
	}
	return all
}

// usualDistance returns the median of squared distances between rows that differ; 0 if none do.
func (s *search) usualDistance() float64 {
	rng := newRand(s.seed, pairStream)
	var all []float64
	for range mostPairs {
		d := vec.SquaredDistance(s.d.X.Row(rng.IntN(s.own)), s.d.X.Row(rng.IntN(s.own)))
		if d > 0 && !math.IsInf(d, 0) {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// A short has what short descents without one part of the rows begin with and are judged by.
type short struct {
	rows, judges []chunk
	start        *candidate
}

// tryWidths returns where short descents have led with the best width, by part; nil if that is the
// first. Their candidates take as much memory as trainings, so those of one width are tried at a
// time, and one that was best on its way descends once more instead of being kept at each look.
func (s *search) tryWidths(ctx context.Context, start, parts, iterations int, gammas []float64) ([]*candidate, error) {
	shorts := make([]short, parts)
	err := s.eachPart(ctx, parts, func(ctx context.Context, part int) (err error) {
		shorts[part], err = s.short(ctx, start, part, parts)
		return err
	})
	if err != nil {
		return nil, err
	}
	tryWidth := func(gamma, cost float64, iterations int) (ends []*candidate, pooled []judgement, err error) {
		ends, curves := make([]*candidate, parts), make([][]judgement, parts)
		err = s.eachPart(ctx, parts, func(ctx context.Context, part int) (err error) {
			ends[part], curves[part], err = s.tryWidth(ctx, &shorts[part], gamma, cost, iterations)
			return err
		})
		if err == nil {
			pooled = pool(curves)
		}
		return ends, pooled, err
	}
	var led []*candidate
	var given, least judgement
	var gamma float64
	most := 0 // number of iterations with gamma
	for k, g := range gammas {
		ends, curve, err := tryWidth(g, 1, iterations)
		if err != nil {
			return nil, err
		}
		looks := smooth(curve)
		look := best(looks)
		now := looks[look]
		switch {
		case k == 0 && s.begun == 0:
			given, least, gamma = now, now, g
		case s.begun > 0 || s.wins(now, given, least):
			led, least, gamma, most = ends, now, g, oneBefore(look, looks, iterations)
		}
	}
	cost := 1.0
	if s.ChooseCost && !s.oneCost && s.own > fewRows {
		ends, curve, err := tryWidth(gamma, tenfold, iterations)
		if err != nil {
			return nil, err
		}
		looks := smooth(curve)
		look := best(looks)
		if s.wins(looks[look], least, least) {
			cost, s.tenfold[start] = tenfold, true
			if led != nil {
				led, most = ends, oneBefore(look, looks, iterations)
			}
		}
	}
	if led != nil && most < iterations {
		led, _, err = tryWidth(gamma, cost, most)
	}
	return led, err
}

// oneBefore returns the number of iterations that lead to one look before the best, or all of them if
// that is the last.
func oneBefore(best int, looks []judgement, all int) int {
	if best < len(looks)-1 {
		return best * lookEvery
	}
	return all
}

// tryWidth makes a short descent from a width, with so many times C, and returns where it ends and
// the judgements look by look, the last one of the end.
func (s *search) tryWidth(ctx context.Context, of *short, gamma, cost float64, iterations int) (*candidate, []judgement, error) {
	begin := of.start
	if cost != 1 {
		begin = begin.clone()
		begin.cost *= cost
		if err := s.refit(ctx, begin, of.rows); err != nil {
			return nil, nil, err
		}
	}
	c, err := s.widened(ctx, begin, gamma, of.rows)
	if err != nil {
		return nil, nil, err
	}
	var curve []judgement
	look := func(now *candidate, _ float64) bool {
		curve = append(curve, s.judge(ctx, s.objective(now, of.judges), now))
		return true
	}
	if iterations > 0 {
		err = s.walk(of.rows, iterations, look).move(ctx, c, s.Evaluations) // no vectors are replaced
	}
	look(c, 0)
	return c, curve, err
}

// widened returns c with another width, and weights fitted to rows; if the width is the same, those
// of c.
func (s *search) widened(ctx context.Context, c *candidate, gamma float64, rows []chunk) (*candidate, error) {
	to := c.clone()
	if gamma == c.gamma {
		return to, nil
	}
	to.gamma, to.width = gamma, kernel.Log(gamma)
	return to, s.refit(ctx, to, rows)
}

// wins reports whether a width with a judgement is to be taken: it gains more than chance might over
// the given width, and is better than the best so far.
func (s *search) wins(now, given, best judgement) bool {
	return now.surpasses(given, max(1, deviations(s.own))) && now.errors()+now.doubt < best.errors()+best.doubt
}

// eachPart calls f for each part that is held out, as many at once as memory allows.
func (s *search) eachPart(ctx context.Context, parts int, f func(ctx context.Context, part int) error) error {
	errs := make([]error, parts)
	team.DoLimited(ctx, parts, s.together(), func(ctx context.Context, part int) { errs[part] = f(ctx, part) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ended.Err(ctx)
}

// short returns the sample without a part of the rows, and fits weights to it. The part is judged,
// and as many other rows as the sample has, as far as there are so many. Both have about the same
// share of each class.
func (s *search) short(ctx context.Context, start, part, parts int) (of short, err error) {
	if err := ended.Err(ctx); err != nil {
		return of, err
	}
	classes, held := s.split(part, parts)
	n := 0
	for _, rows := range classes {
		n += len(rows)
	}
	share := min(1, float64(mostSampled)/float64(n))
	for k, rows := range classes {
		take := max(1, int(float64(share*float64(len(rows)))))
		classes[k] = rows[:take]
		held = append(held, rows[take:min(2*take, len(rows))]...)
	}
	of.rows = newChunks(s.x, s.sampleExtra(s.withExtra(classes...), share), s.inputs, s.Vectors, s.y, s.weight)
	of.judges = newChunks(s.x, held, s.inputs, s.Vectors, s.y, s.weight)
	of.start, err = s.begin(ctx, choice{loss: s.losses()[0], cost: 1, start: start}, classes, of.rows)
	return of, err
}

// sampleExtra returns rows with no more than a share of the extra ones of which it is not known from
// which rows they are made, and no more than mostSampled of these. The share is that of the other
// rows, and copies of these are as many as the rows.
func (s *search) sampleExtra(rows []int, share float64) []int {
	unknown := 0
	for _, i := range rows {
		if i >= s.own && s.from[i-s.own] < 0 {
			unknown++
		}
	}
	take := min(mostSampled, int(math.Ceil(float64(share*float64(unknown)))))
	drawn, next := newRand(s.seed, extraStream).Perm(unknown), 0
	return slices.DeleteFunc(rows, func(i int) bool {
		if i < s.own || s.from[i-s.own] >= 0 {
			return false
		}
		next++
		return drawn[next-1] >= take
	})
}

// lead returns where the short descents without a part have led, with weights fitted to rows by the
// loss and the cost of c; c itself if there were none, or the width that was given is the best.
func (s *search) lead(ctx context.Context, c *candidate, start, part int, rows []chunk) (*candidate, error) {
	if s.led == nil || s.led[start] == nil {
		return c, nil
	}
	to := s.led[start][part].clone()
	to.loss, to.cost = c.loss, c.cost
	return to, s.refit(ctx, to, rows)
}

// leadAll is lead for the part whose candidate has the least objective on rows, which are all.
func (s *search) leadAll(ctx context.Context, c *candidate, start int, rows []chunk) (*candidate, error) {
	best, err := s.lead(ctx, c, start, 0, rows)
	if best == c {
		return c, err
	}
	for part := 1; part < len(s.led[start]) && err == nil; part++ {
		var next *candidate
		if next, err = s.lead(ctx, c, start, part, rows); err == nil && next.value < best.value {
			best = next
		}
	}
	return best, err
}
