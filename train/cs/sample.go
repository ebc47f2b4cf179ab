package cs

import "math/rand/v2"

// stream returns the random numbers of a run: their purpose, of the same seed, are
// streams of their own.
func stream(seed uint64, purpose, machine, stage, run int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(purpose)<<56|uint64(machine)<<32|uint64(stage)<<16|uint64(run)))
}

// Purposes of streams.
const (
	forSample = iota
	forStarts
	forTuning
)

// sample draws rows without repetition: some to learn from, others to be held out, each
// with the shares that the classes have in y, but at least one row of each that there
// is. If there are too few rows to hold out, those that are left are.
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
