package psvm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Form says how machines are shifted where the thesis is open:
//
//   - whether a row may go to its own machine, whose exemplar is at distance 0 from it, like to any
//     other, or only if there is no other ("ones that could be improved by adding this instance")
//   - whether a machine calls a row positive by votes (its class has the most votes of its
//     hyperplanes) or by probability (its class is more probable than not)
type Form int

const (
	// Auto lets the held-out rows choose: one ensemble of each other form except Literal is
	// trained, and of those that answer the most rows rightly the smallest is taken.
	Auto         Form = iota
	Others            // to its own machine only if there is no other, by votes
	Own               // to its own machine like to others, by votes
	OthersLikely      // as Others, by probability
	OwnLikely         // as Own, by probability
	// Literal is OwnLikely, but a machine is dropped only if it calls nothing positive, and
	// sigmoids are fitted again in each iteration.
	Literal
)

var formNames = [...]string{"auto", "others", "own", "others-likely", "own-likely", "literal"}

// String returns the form's name.
func (f Form) String() string {
	if f < Auto || f > Literal {
		return fmt.Sprintf("Form(%d)", int(f))
	}
	return formNames[f]
}

// ParseForm returns the form with the given name: what String returns.
func ParseForm(name string) (Form, error) {
	if at := slices.Index(formNames[:], name); at >= 0 {
		return Form(at), nil
	}
	return 0, fmt.Errorf("no form %q: there are auto, others, own, others-likely, own-likely, literal", name)
}

// own reports whether a row's own machine is a candidate like others.
func (f Form) own() bool { return f == Own || f == OwnLikely || f == Literal }

// likely reports whether a row that is more probable than not is called positive.
func (f Form) likely() bool { return f >= OthersLikely }

// Problem: no form is the best everywhere. If a row's own machine is only the last candidate,
// machines grow and become few. Where single rows lie between classes, or a class is long and thin,
// machines that keep their own row answer better. By probability, ensembles are a fraction of the
// size, but fail if few rows of many classes have wrong labels.
//
// Method: each form has a complete training, with all its samples, and the held-out rows of the
// last sample choose the form, as they choose the iteration. With AsNegatives, each form is also
// trained with few hard negatives, which are better where classes overlap in a plane. With more
// than mostCompared rows, all this is compared on that many of them, and only the best is trained
// on all.

// mostCompared is the number of rows up to which forms are compared on all of them: time grows with
// its square.
const mostCompared = 4000

// forms returns the forms to compare.
func (r *run) forms() []Form {
	switch {
	case r.Form != Auto:
		return []Form{r.Form}
	case r.Iterations == 0 || !r.canHoldOut(): // all forms are the same, or no held-out rows can choose
		return []Form{Others}
	}
	return []Form{Others, Own, OthersLikely, OwnLikely}
}

// canHoldOut reports whether any class has a row to hold out.
func (r *run) canHoldOut() bool {
	return slices.ContainsFunc(r.classes.Rows, func(rows []int) bool { return r.heldOut(len(rows)) > 0 })
}

// best returns the best outcome: the one with the most right answers on its held-out rows; of
// equally good ones, the one with the fewest members; of these, the first. An outcome that answers
// all rows alike has the fewest members, but is not taken if others are as good: with few held-out
// rows, or if a class is rare, it often scores as well.
func best(outcomes []*outcome) *outcome {
	b := outcomes[0]
	for _, o := range outcomes[1:] {
		if o.accuracy > b.accuracy || o.accuracy == b.accuracy && cmp.Or(falseFirst(o.alike(), b.alike()), o.members()-b.members()) < 0 {
			b = o
		}
	}
	return b
}

// falseFirst compares two conditions of which false is better.
func falseFirst(is, other bool) int {
	switch {
	case is == other:
		return 0
	case is:
		return 1
	}
	return -1
}

// some returns about n of the rows, in order, with the classes in their proportions, but at least
// one row of each. stream is the random stream to draw from.
func (r *run) some(n int, of []int, stream uint64) []int {
	rng := r.stream(stream, 0)
	byClass := make([][]int, len(r.classes.Labels))
	for _, i := range of {
		byClass[r.class[i]] = append(byClass[r.class[i]], i)
	}
	var rows []int
	for _, class := range byClass {
		rng.Shuffle(len(class), func(a, b int) { class[a], class[b] = class[b], class[a] })
		share := math.Round(float64(len(class)) * float64(n) / float64(len(of)))
		rows = append(rows, class[:min(len(class), max(1, int(share)))]...)
	}
	slices.Sort(rows)
	return rows
}
