// Package partition says which rows go where: into the first of two files, or into the folds of a cross-validation.
package partition

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// A Plan says which rows of a data set go first.
type Plan struct {
	Rows    int     // how many; 0: share says it
	Share   float64 // of the rows
	Random  bool    // labels are not heeded
	InOrder bool    // those that stand first
	Folds   int     // all but those of one fold; 0: there are none
	Fold    int     // from 1
	Seed    uint32

	Groups        []int         // of the rows, -1 for those without; nil: there are none
	MissingGroups map[int]error // what is said of the rows without
}

// UsesLabels reports whether it matters which labels rows have.
func (d *Plan) UsesLabels() bool { return !d.Random && !d.InOrder || d.Folds > 0 }

// First reports of each row whether it goes first. A label may be NaN: the row has none. The error is a *train.RowError if
// folds cannot be made of a label.
func (d *Plan) First(labels []float64) ([]bool, error) {
	if len(labels) < 2 {
		return nil, fmt.Errorf("%s cannot be divided", phrase.Count(len(labels), "row"))
	}
	if d.Folds > 0 {
		return d.outside(labels)
	}
	n := d.Rows
	if n == 0 {
		n = int(math.Round(float64(d.Share * float64(len(labels)))))
	}
	switch {
	case n >= len(labels):
		return nil, fmt.Errorf("%s of %s leave none for others", phrase.Count(n, "row"), phrase.Count(len(labels), "row"))
	case n == 0:
		return nil, fmt.Errorf("a share of %v of %s is less than one", d.Share, phrase.Count(len(labels), "row"))
	}
	keep := make([]bool, len(labels))
	if d.InOrder {
		for i := range n {
			keep[i] = true
		}
		return keep, nil
	}
	rng := train.NewRand(d.Seed)
	if d.Groups != nil {
		return d.firstGroups(labels, n, rng)
	}
	var strata [][]int
	if d.Random {
		strata = [][]int{make([]int, len(labels))}
		for i := range labels {
			strata[0][i] = i
		}
	} else {
		strata = Strata(labels)
	}
	for s, quota := range quotas(strata, n, len(labels), rng) {
		rng.Shuffle(strata[s])
		for _, i := range strata[s][:quota] {
			keep[i] = true
		}
	}
	return keep, nil
}

// outside reports of each row whether it is outside of a fold. Rows without a label are in
// none, as in cross-validation.
func (d *Plan) outside(labels []float64) ([]bool, error) {
	var rows []int
	var y []float64
	keep := make([]bool, len(labels))
	for i, v := range labels {
		keep[i] = true
		if v == v {
			rows, y = append(rows, i), append(y, v)
		}
	}
	task := models.CSVC
	if d.Random {
		task = models.EpsilonSVR
	}
	var groups []int
	if d.Groups != nil {
		groups = make([]int, len(rows))
		for k, i := range rows {
			if groups[k] = d.Groups[i]; groups[k] < 0 {
				return nil, d.MissingGroups[i]
			}
		}
	}
	folds, err := Folds(task, y, groups, d.Folds, train.NewRand(d.Seed), nil)
	if r := (*train.RowError)(nil); errors.As(err, &r) {
		return nil, &train.RowError{Row: rows[r.Row], Err: r.Err}
	}
	if err != nil {
		return nil, err
	}
	if d.Fold >= len(folds.Start) && groups != nil {
		return nil, fmt.Errorf("%d groups make only as many folds: there is no fold %d", len(folds.Start)-1, d.Fold)
	}
	if d.Fold >= len(folds.Start) {
		return nil, fmt.Errorf("%s with a label make only %d folds: there is no fold %d", phrase.Count(len(y), "row"), len(folds.Start)-1, d.Fold)
	}
	for _, k := range folds.Perm[folds.Start[d.Fold-1]:folds.Start[d.Fold]] {
		keep[rows[k]] = false
	}
	if groups != nil { // rows in no fold go where their group goes
		held := map[int]bool{}
		for i, first := range keep {
			if !first {
				held[d.Groups[i]] = true
			}
		}
		for i, g := range d.Groups {
			keep[i] = !held[g]
		}
	}
	return keep, nil
}

// firstGroups reports of each row whether it goes first, of which there are to be about n, and all of a group or none.
func (d *Plan) firstGroups(labels []float64, n int, rng *train.Rand) ([]bool, error) {
	for i, g := range d.Groups {
		if g < 0 {
			return nil, d.MissingGroups[i]
		}
	}
	if CountGroups(d.Groups) < 2 {
		return nil, errors.New("all rows are of one group, which cannot be divided")
	}
	var strata *train.Classes
	if !d.Random {
		strata = &train.Classes{Rows: Strata(labels)}
	}
	parts := train.GroupedParts(d.Groups, strata, []float64{float64(n), float64(len(labels) - n)}, rng)
	keep := make([]bool, len(labels))
	for _, i := range parts.Perm[:parts.Start[1]] {
		keep[i] = true
	}
	return keep, nil
}

// Strata returns the rows of each label, in the order in which labels first occur.
func Strata(labels []float64) [][]int {
	var strata [][]int
	place := map[float64]int{}
	missing := -1 // NaN is no key that is found again
	for i, y := range labels {
		at, ok := place[y]
		if y != y {
			at, ok = missing, missing >= 0
		}
		if !ok {
			at = len(strata)
			strata = append(strata, nil)
			if y != y {
				missing = at
			} else {
				place[y] = at
			}
		}
		strata[at] = append(strata[at], i)
	}
	return strata
}

// quotas returns how many rows of each stratum are among n of all rows: its share, rounded
// down, and one more for those that lack most by that, those that lack the same in random
// order, until there are n.
func quotas(strata [][]int, n, all int, rng *train.Rand) []int {
	list := make([]int, len(strata))
	lack := make([]int64, len(strata))
	order := make([]int, len(strata))
	left := n
	for s, rows := range strata {
		exact := int64(len(rows)) * int64(n)
		list[s], lack[s], order[s] = int(exact/int64(all)), exact%int64(all), s
		left -= list[s]
	}
	rng.Shuffle(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lack[b], lack[a]) })
	for _, s := range order[:left] {
		list[s]++
	}
	return list
}

// Folds draws the folds of a cross-validation, of groups if there are any.
func Folds(task models.Task, y []float64, groups []int, k int, rng *train.Rand, report train.Report) (train.Folds, error) {
	if groups == nil {
		return train.CrossValidationFolds(task, y, k, rng, report)
	}
	return train.CrossValidationGroupedFolds(task, y, groups, k, rng, report)
}

// CountGroups returns how many different groups a list of groups has.
func CountGroups(groups []int) int {
	seen := map[int]bool{}
	for _, g := range groups {
		seen[g] = true
	}
	return len(seen)
}
