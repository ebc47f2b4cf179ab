package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// A division says which rows of a data set go first.
type division struct {
	rows    int     // how many; 0: share says it
	share   float64 // of the rows
	random  bool    // labels are not heeded
	inOrder bool    // those that stand first
	folds   int     // all but those of one fold; 0: there are none
	fold    int     // from 1
	seed    uint32

	groups  []int         // of the rows, -1 for those without; nil: there are none
	lacking map[int]error // of the rows without
}

// divisionOf returns what the options say.
func divisionOf(c *cli.Context) (*division, error) {
	d := &division{
		random: c.Bool("random"), inOrder: c.Bool("in-order"),
		folds: c.Int("folds"), fold: c.Int("fold"), seed: uint32(c.Uint64("seed")),
	}
	for _, with := range []string{"size", "in-order"} {
		if isSet(c, "folds") && isSet(c, with) {
			return nil, usagef("--folds and --%s do not go together: both say which rows go where", with)
		}
	}
	switch {
	case isSet(c, "fold") && !isSet(c, "folds"):
		return nil, usagef("--fold goes with --folds")
	case isSet(c, "folds") && d.folds < 2:
		return nil, inRange(c, "folds", fromTwo)
	case isSet(c, "folds") && !(d.fold >= 1 && d.fold <= d.folds):
		return nil, usagef("--fold %d: expected 1 to %d", d.fold, d.folds)
	case d.inOrder && d.random:
		return nil, usagef("--in-order and --random both say which rows go first")
	case d.inOrder && isGrouped(c):
		return nil, usagef("--in-order says which rows go first, whatever their groups")
	case d.inOrder && isSet(c, "seed"):
		return nil, usagef("--seed does not go with --in-order, which draws nothing")
	}
	return d, d.size(c.String("size"))
}

// size reads what --size says.
func (d *division) size(text string) error {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		d.rows = n
		return nil
	}
	number, percent := strings.CutSuffix(text, "%")
	v, err := flags.Number(number)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v < 1) {
		return usagef("--size %q: expected a number of rows, or a share between 0 and 1 such as 0.75 or 75%%", text)
	}
	d.share = v
	return nil
}

// heedsLabels reports whether it matters which labels rows have.
func (d *division) heedsLabels() bool { return !d.random && !d.inOrder || d.folds > 0 }

// first reports of each row whether it goes first. A label may be NaN: the row has none.
func (d *division) first(labels []float64) ([]bool, error) {
	if len(labels) < 2 {
		return nil, fmt.Errorf("%s cannot be divided", phrase.Count(len(labels), "row"))
	}
	if d.folds > 0 {
		return d.outside(labels)
	}
	n := d.rows
	if n == 0 {
		n = int(math.Round(float64(d.share * float64(len(labels)))))
	}
	switch {
	case n >= len(labels):
		return nil, fmt.Errorf("%s of %s leave none for others", phrase.Count(n, "row"), phrase.Count(len(labels), "row"))
	case n == 0:
		return nil, fmt.Errorf("a share of %v of %s is less than one", d.share, phrase.Count(len(labels), "row"))
	}
	keep := make([]bool, len(labels))
	if d.inOrder {
		for i := range n {
			keep[i] = true
		}
		return keep, nil
	}
	rng := train.NewRand(d.seed)
	if d.groups != nil {
		return d.firstGroups(labels, n, rng)
	}
	strata := [][]int{upTo(len(labels))}
	if !d.random {
		strata = strataOf(labels)
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
func (d *division) outside(labels []float64) ([]bool, error) {
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
	if d.random {
		task = models.EpsilonSVR
	}
	var groups []int
	if d.groups != nil {
		groups = make([]int, len(rows))
		for k, i := range rows {
			if groups[k] = d.groups[i]; groups[k] < 0 {
				return nil, d.lacking[i]
			}
		}
	}
	folds, err := foldsOf(task, y, groups, d.folds, train.NewRand(d.seed), nil)
	if r := (*train.RowError)(nil); errors.As(err, &r) {
		return nil, hinted{fmt.Errorf("row %d: %w", rows[r.Row]+1, r.Err), "--random makes folds as they are made of targets"}
	}
	if err != nil {
		return nil, err
	}
	if d.fold >= len(folds.Start) && groups != nil {
		return nil, fmt.Errorf("%d groups make only as many folds: there is no fold %d", len(folds.Start)-1, d.fold)
	}
	if d.fold >= len(folds.Start) {
		return nil, fmt.Errorf("%s with a label make only %d folds: there is no fold %d", phrase.Count(len(y), "row"), len(folds.Start)-1, d.fold)
	}
	for _, k := range folds.Perm[folds.Start[d.fold-1]:folds.Start[d.fold]] {
		keep[rows[k]] = false
	}
	if groups != nil { // rows in no fold go where their group goes
		held := map[int]bool{}
		for i, first := range keep {
			if !first {
				held[d.groups[i]] = true
			}
		}
		for i, g := range d.groups {
			keep[i] = !held[g]
		}
	}
	return keep, nil
}

// firstGroups reports of each row whether it goes first, of which there are to be about n, and all of a group or none.
func (d *division) firstGroups(labels []float64, n int, rng *train.Rand) ([]bool, error) {
	for i, g := range d.groups {
		if g < 0 {
			return nil, d.lacking[i]
		}
	}
	if groupCount(d.groups) < 2 {
		return nil, errors.New("all rows are of one group, which cannot be divided")
	}
	var strata *train.Classes
	if !d.random {
		strata = &train.Classes{Rows: strataOf(labels)}
	}
	parts := train.GroupedParts(d.groups, strata, []float64{float64(n), float64(len(labels) - n)}, rng)
	keep := make([]bool, len(labels))
	for _, i := range parts.Perm[:parts.Start[1]] {
		keep[i] = true
	}
	return keep, nil
}

// strataOf returns the rows of each label, in the order in which labels first occur.
func strataOf(labels []float64) [][]int {
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

// others are the rows that are not kept.
func others(keep []bool) []bool {
	list := make([]bool, len(keep))
	for i, first := range keep {
		list[i] = !first
	}
	return list
}

// warnLacking warns of labels of classes none of whose rows is kept: a classifier trained on
// the file does not know them. Numbers that mostly occur once are no classes.
func (w *warner) warnLacking(in *input, className string, labels []float64, keep []bool, path string) {
	if strata := strataOf(labels); 2*len(strata) <= len(labels) {
		lacking, one := 0, 0.0
		for _, rows := range strata {
			if y := labels[rows[0]]; y == y && !slices.ContainsFunc(rows, func(i int) bool { return keep[i] }) {
				if lacking++; lacking == 1 {
					one = y
				}
			}
		}
		switch text := phrase.Word(splitLabel(in, className, one)); {
		case lacking == 1:
			w.warn("%s: no row has label %s", path, text)
		case lacking > 1:
			w.warn("%s: %d labels occur in no row, such as %s", path, lacking, text)
		}
	}
}

// splitLabel is the text of a label of a data file.
func splitLabel(in *input, className string, y float64) string {
	if in.declared() {
		if class, err := encode.FindClass(in.header, className); err == nil {
			if a := &in.header.Attributes[class]; a.Type == format.Nominal {
				return a.Labels[int(y)]
			}
		}
	}
	return phrase.Label(y)
}
