package cs

import "math/rand/v2"

// stream returns a stream of random numbers for a run. With the same seed, each purpose has a
// stream of its own.
func stream(seed uint64, purpose, machine, stage, run int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(purpose)<<56|uint64(machine)<<32|uint64(stage)<<16|uint64(run)))
}

// Purposes of streams.
const (
	forSample = iota
	forStarts
	forTuning
)

// sample draws rows without repetition: some to learn from, others to hold out. Both have the
// classes in the proportions of y, and at least one row of each class. If too few rows of a class
// are left to hold out, all of these are held out.
func sample(y []float64, learn, held int, rng *rand.Rand) (rows, out []int) {
	var classes [2][]int
	for i, v := range y {
		c := 0
		if v < 0 {
			c = 1
		}
		classes[c] = append(classes[c], i)
	}
	learn = min(learn, len(y))
	share := func(n, of int) int { // of n, rounded
		return int((int64(n)*int64(of) + int64(len(y))/2) / int64(len(y)))
	}
	for c, of := range classes {
		if len(of) == 0 {
			continue
		}
		want := func(n int) int {
			k := share(n, len(classes[0]))
			if c == 1 { // what the other class left
				k = n - k
			}
			return max(1, k)
		}
		n := min(want(learn), len(of))
		k := 0
		if held > 0 {
			k = min(want(held), len(of)-n)
		}
		order := rng.Perm(len(of))
		for _, i := range order[:n] {
			rows = append(rows, of[i])
		}
		for _, i := range order[n : n+k] {
			out = append(out, of[i])
		}
	}
	return rows, out
}
