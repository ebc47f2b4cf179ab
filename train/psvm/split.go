package psvm

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Streams of random numbers, one for each purpose. A number is added to tell the streams of one
// purpose apart.
const (
	splitStream = 1 + iota<<48 // plus the round of sampling
	sampleStream
	shiftStream // plus a number of round, iteration and exemplar
	foldStream  // the same
	compareStream
	pruneStream
	rowsStream
)

func (r *run) stream(purpose, n uint64) *rand.Rand {
	return rand.New(rand.NewPCG(r.Seed, purpose+n))
}

// split divides rows into those to train on, D, and those held out, V: the share v of each class,
// rounded, except that at least one row of each class stays in D. Both are in order.
func (r *run) split(rows []int, round int) (d, v []int) {
	rng := r.stream(splitStream, uint64(round))
	byClass := make([][]int, len(r.classes.Labels))
	for _, i := range rows {
		byClass[r.class[i]] = append(byClass[r.class[i]], i)
	}
	for _, of := range byClass {
		rng.Shuffle(len(of), func(a, b int) { of[a], of[b] = of[b], of[a] })
		held := r.heldOut(len(of))
		v = append(v, of[:held]...)
		d = append(d, of[held:]...)
	}
	slices.Sort(d)
	slices.Sort(v)
	return d, v
}

// heldOut returns how many rows of a class are held out, given their number.
func (r *run) heldOut(rows int) int {
	return min(int(math.Round(r.Validation*float64(rows))), max(0, rows-1))
}
