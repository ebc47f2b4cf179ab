package train

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models"
)

// ErrOneGroup reports that all rows are of one group, so that folds that keep groups together leave
// no rows to train on.
var ErrOneGroup = errors.New("all rows are of one group, which a fold holds whole: none are left to train on")

// A rowGroup has the rows of a group, in their order, and how many of them belong to each class, in
// the order of the classes.
type rowGroup struct {
	rows    []int
	classes []classCount
	share   float64 // sum over the classes of the square of the group's share of the class
}

// A classCount is a number of rows of a class.
type classCount struct{ class, rows int }

// A partCount is the number of rows of a class in a part.
type partCount struct{ part, rows int }

// GroupedFolds divides rows into k folds, k >= 1, so that all rows of a group are in one fold.
// groups[i] is the group of row i, any number. With classes c, which must contain all rows, each
// fold gets about its share of every class; with c nil, about its share of the rows. The shares are
// approximate because groups stay whole. The folds are [GroupedParts] with equal shares. In a fold,
// rows are in ascending order.
func GroupedFolds(groups []int, c *Classes, k int, rng *Rand) Folds {
	mustDraw(k, rng)
	return GroupedParts(groups, c, slices.Repeat([]float64{1}, k), rng)
}

// GroupedParts is [GroupedFolds] for parts of different size: part p gets a share of the rows in
// proportion to shares[p], a positive number.
//
// Algorithm: the groups are shuffled and then sorted, largest first, by the sum over classes of the
// squares of their shares of the class. Each in turn goes to the part where a certain sum grows
// least: the sum, over all parts and classes, of the square of the part's share of the class
// divided by the share that the part should have. Of several such parts the one with the fewest
// rows is taken, then the first. If that leaves a part empty while another has several groups, the
// last of those moves there. So no part is empty unless there are fewer groups than parts.
func GroupedParts(groups []int, c *Classes, shares []float64, rng *Rand) Folds {
	k := len(shares)
	mustDraw(k, rng)
	equal := true
	for _, share := range shares {
		if !(share > 0) || math.IsInf(share, 1) {
			panic(fmt.Sprintf("train: a part with a share of %v", share))
		}
		equal = equal && share == shares[0]
	}
	n := len(groups)
	class, size := make([]int, n), []int{n}
	if c != nil {
		size = make([]int, len(c.Rows))
		held := 0
		for i, rows := range c.Rows {
			size[i] = len(rows)
			held += len(rows)
			for _, row := range rows {
				class[row] = i
			}
		}
		if held != n {
			panic(fmt.Sprintf("train: groups of %d rows, classes of %d", n, held))
		}
	}
	list := groupRows(groups, class, size)
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	rng.Shuffle(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[b].share, list[a].share) })

	part := make([]int, len(list)) // the part of each group
	rows, grows := make([]int, k), make([]float64, k)
	held := make([][]partCount, len(size)) // for each class
	for i, g := range order {
		group, to := &list[g], i
		if i >= k || !equal { // else the group goes to the first empty part
			clear(grows)
			for _, of := range group.classes {
				all := float64(size[of.class])
				for _, in := range held[of.class] {
					grows[in.part] += float64((float64(of.rows) / all) * (float64(in.rows) / all))
				}
			}
			to = 0
			for f := range k {
				grows[f] = (float64(2*grows[f]) + group.share) / shares[f]
				if grows[f] < grows[to] || grows[f] == grows[to] && rows[f] < rows[to] {
					to = f
				}
			}
		}
		part[g] = to
		rows[to] += len(group.rows)
		for _, of := range group.classes {
			in := held[of.class]
			at := slices.IndexFunc(in, func(c partCount) bool { return c.part == to })
			if at < 0 {
				at, in = len(in), append(in, partCount{part: to})
			}
			in[at].rows += of.rows
			held[of.class] = in
		}
	}
	if !equal {
		fillParts(part, order, k)
	}
	return partsOf(list, part, n, k)
}

// fillParts moves a group into each part that has none: the last group, in order, of a part with
// several.
func fillParts(part, order []int, k int) {
	count := make([]int, k)
	for _, f := range part {
		count[f]++
	}
	for f := range k {
		for i := len(order) - 1; i >= 0 && count[f] == 0; i-- {
			if g := order[i]; count[part[g]] > 1 {
				count[part[g]]--
				count[f]++
				part[g] = f
			}
		}
	}
}

// partsOf returns the k parts of n rows, given the part of each group.
func partsOf(list []rowGroup, part []int, n, k int) Folds {
	of := make([]int, n)
	f := Folds{Perm: make([]int, n), Start: make([]int, k+1)}
	for g := range list {
		for _, row := range list[g].rows {
			of[row] = part[g]
		}
		f.Start[part[g]+1] += len(list[g].rows)
	}
	for i := range k {
		f.Start[i+1] += f.Start[i]
	}
	next := slices.Clone(f.Start)
	for row, to := range of {
		f.Perm[next[to]] = row
		next[to]++
	}
	return f
}

// groupRows returns the groups in the order of first appearance. class has the class of each row,
// size the number of rows of each class.
func groupRows(groups, class, size []int) []rowGroup {
	var list []rowGroup
	place := map[int]int{}
	for row, g := range groups {
		at, seen := place[g]
		if !seen {
			at = len(list)
			place[g], list = at, append(list, rowGroup{})
		}
		list[at].rows = append(list[at].rows, row)
	}
	count := make([]int, len(size))
	for i := range list {
		g := &list[i]
		for _, row := range g.rows {
			if count[class[row]]++; count[class[row]] == 1 {
				g.classes = append(g.classes, classCount{class: class[row]})
			}
		}
		slices.SortFunc(g.classes, func(a, b classCount) int { return cmp.Compare(a.class, b.class) })
		for j := range g.classes {
			of := &g.classes[j]
			of.rows, count[of.class] = count[of.class], 0
			share := float64(of.rows) / float64(size[of.class])
			g.share += float64(share * share)
		}
	}
	return list
}

// CrossValidationGroupedFolds draws k folds that keep all rows of a group in one fold; groups[i] is
// the group of row i. For classifiers each fold has about its share of every class: see
// [GroupedFolds]. If k is more than the number of groups, each group is a fold and report receives
// [GroupsLeftOut]. A single group is [ErrOneGroup].
func CrossValidationGroupedFolds(task models.Task, y []float64, groups []int, k int, rng *Rand, report Report) (Folds, error) {
	n := len(y)
	switch {
	case k < 2:
		return Folds{}, fmt.Errorf("a cross-validation of %d folds, expected 2 or more", k)
	case n == 0:
		return Folds{}, ErrNoData
	case len(groups) != n:
		return Folds{}, fmt.Errorf("groups of %d rows for %d", len(groups), n)
	case rng == nil:
		return Folds{}, ErrNoRand
	}
	seen := map[int]bool{}
	for _, g := range groups {
		seen[g] = true
	}
	if len(seen) < 2 {
		return Folds{}, ErrOneGroup
	}
	if k > len(seen) {
		report.Send(GroupsLeftOut{k, len(seen)})
		k = len(seen)
	}
	if !task.Classifies() {
		return GroupedFolds(groups, nil, k, rng), nil
	}
	c, err := GroupClasses(y, report)
	if err != nil {
		return Folds{}, err
	}
	return GroupedFolds(groups, c, k, rng), nil
}
