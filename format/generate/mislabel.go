package generate

import (
	"fmt"
	"math"
	"slices"
)

// Mislabel gives some rows, selected by the seed, a wrong label: round(share n) of the n rows,
// without replacement, each any other label that occurs, with equal probability (T. G. Dietterich,
// An experimental comparison of three methods for constructing ensembles of decision trees, 2000).
// It returns new labels. If there is only one label, they are the same. It panics unless share is
// from 0 to 1.
func Mislabel(labels []float64, share float64, seed uint64) []float64 {
	if !(share >= 0 && share <= 1) {
		panic(fmt.Sprintf("generate: a share of %v", share))
	}
	noisy := slices.Clone(labels)
	kinds := slices.Compact(slices.Sorted(slices.Values(labels)))
	if len(kinds) < 2 {
		return noisy
	}
	r := newRandom(seed, "wrong labels")
	rows := make([]int, len(labels))
	for i := range rows {
		rows[i] = i
	}
	for n := range int(math.Round(share * float64(len(labels)))) {
		at := n + r.below(len(rows)-n)
		rows[n], rows[at] = rows[at], rows[n]
		own, _ := slices.BinarySearch(kinds, labels[rows[n]])
		other := r.below(len(kinds) - 1)
		if other >= own {
			other++
		}
		noisy[rows[n]] = kinds[other]
	}
	return noisy
}
