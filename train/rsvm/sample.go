package rsvm

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Purposes of random streams. Each has a stream of its own.
const (
	forSet uint64 = iota + 1
	forValidation
	forParts
	forCentres
)

// random returns the stream of a purpose.
func random(seed, purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }

// stratify divides n among classes in proportion to their counts: each gets its share rounded down,
// and the rest goes to the largest remainders. If n is at least the number of classes, a class that
// would get none gets one from the class with the largest share.
func stratify(counts []int, n int) []int {
	total := 0
	for _, c := range counts {
		total += c
	}
	n = min(n, total)
	share, order, left := make([]int, len(counts)), make([]int, len(counts)), n
	if total == 0 {
		return share
	}
	remainder := func(c int) int { return int(int64(counts[c]) * int64(n) % int64(total)) }
	for c, count := range counts {
		order[c] = c
		share[c] = int(int64(count) * int64(n) / int64(total))
		left -= share[c]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainder(b), remainder(a)) })
	for _, c := range order[:left] {
		share[c]++
	}
	if n < len(counts) {
		return share
	}
	for c := range share {
		if share[c] == 0 && counts[c] > 0 {
			most := slices.Index(share, slices.Max(share))
			share[most]--
			share[c]++
		}
	}
	return share
}

// draw chooses n of the rows of all classes, from each class in proportion to its count. For each
// class it returns the places of the chosen rows among its rows, ascending.
func draw(counts []int, n int, rng *rand.Rand) [][]int {
	chosen := make([][]int, len(counts))
	for c, k := range stratify(counts, n) {
		chosen[c] = choose(counts[c], k, rng)
	}
	return chosen
}

// choose returns k of the numbers below n, ascending. All such sets are equally likely. Memory and
// time are proportional to k: Floyd's method.
func choose(n, k int, rng *rand.Rand) []int {
	in := make(map[int]bool, k)
	out := make([]int, 0, k)
	for top := n - k; top < n; top++ {
		v := rng.IntN(top + 1)
		if in[v] {
			v = top
		}
		in[v] = true
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}
