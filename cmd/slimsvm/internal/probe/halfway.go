package probe

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/predict"
)

// Halfway from a row to the nearest one of its class, its class is to be expected most of all. A model that has the
// same answer there for all classes tells rows apart that it was trained on, at best: with a large gamma, the kernel values
// of different rows are 0.
const (
	leastHalfway, mostHalfway = 10, 100 // places that a model is asked about
	fewHalfway                = 20      // places after which a model that has several answers is asked no more
	mostNear                  = 2000    // rows of a class that the nearest one is looked for among
	heartShare                = 0.85    // of the places of a class, averaged over the classes, with the same answer
	heartLoss                 = 0.1     // by how much less of the places than of their rows are answered rightly,
	levelHalfway              = 0.98    // unless so many have the same answer
)

// SpreadHalfway returns how far apart the middle half of a regression's predictions is, for rows
// and halfway from these to the nearest other ones: of one that knows its training rows by heart,
// the latter hardly differ. ok is false if there are few such places or ctx ends.
func SpreadHalfway(ctx context.Context, p *predict.Predictor, d *format.Dataset) (rows, between float64, ok bool) {
	var own, halfway []float64
	all := EvenSample(d.Len(), d.Len())
	graded := gradedOf(d)
	for _, n := range EvenSample(d.Len(), mostHalfway) {
		row, place, ok := halfwayOf(d, graded, all, n)
		switch {
		case ctx.Err() != nil:
			return 0, 0, false
		case ok:
			own, halfway = append(own, p.Predict(row)), append(halfway, p.Predict(place))
		}
	}
	if len(own) < 2*leastHalfway { // whose middle half is ten of them
		return 0, 0, false
	}
	return InterquartileRange(own), InterquartileRange(halfway), true
}

// Halfway reports whether a model has nearly the same answer halfway between rows of any class, and which, and whether it
// answers the rows themselves better, which it then knows by heart. Of few places it does not say so.
func Halfway(ctx context.Context, p *predict.Predictor, d *format.Dataset) (label int, heart, is bool) {
	labels := p.Model().Labels
	of := map[int][]int{}
	var order []int
	for i, y := range d.Y {
		class := int(y)
		if of[class] == nil {
			order = append(order, class)
		}
		of[class] = append(of[class], i)
	}
	each := max(1, mostHalfway/len(order))
	answers, asked := map[int]map[int]int{}, map[int]int{} // by class
	places, right, known := 0, 0, 0
	var batch predict.Batch
	batch.Use(p)
	var classes []int   // of the places that wait for an answer
	var xs []vec.Vector // these, each followed by its row
	answer := func() {
		batch.Decide(xs)
		for k, class := range classes {
			if answers[class] == nil {
				answers[class] = map[int]int{}
			}
			halfway := int(batch.Predict(2 * k))
			answers[class][halfway]++
			asked[class]++
			places++
			if halfway == class {
				right++
			}
			if int(batch.Predict(2*k+1)) == class {
				known++
			}
		}
		classes, xs = classes[:0], xs[:0]
	}
	enough := min(4*len(labels), fewHalfway)
	graded := gradedOf(d)
	for n := range each { // of all classes one after the other, as few tell of most models
		for _, class := range order[:min(len(order), mostHalfway)] {
			row, place, ok := halfwayOf(d, graded, of[class], n)
			switch {
			case ctx.Err() != nil:
				return 0, false, false
			case !ok:
				continue
			}
			if classes, xs = append(classes, class), append(xs, place, row); len(classes) < enough {
				continue
			}
			answer()
			if _, share := oneAnswer(labels, answers, asked); share < heartShare-0.2 {
				return 0, false, false
			}
		}
	}
	if len(classes) > 0 {
		answer()
	}
	if len(asked) < 2 || places < leastHalfway {
		return 0, false, false
	}
	label, share := oneAnswer(labels, answers, asked)
	heart = share >= heartShare && known-right >= int(math.Ceil(heartLoss*float64(places)))
	return label, heart, heart || share >= levelHalfway
}

// oneAnswer returns the answer that most places of all classes have, each class counting the same, and its share.
func oneAnswer(labels []int, answers map[int]map[int]int, asked map[int]int) (label int, share float64) {
	share = -1
	for _, l := range labels {
		sum := 0.0
		for class, n := range asked {
			sum += float64(answers[class][l]) / float64(n)
		}
		if sum /= float64(len(asked)); sum > share {
			label, share = l, sum
		}
	}
	return label, share
}

// halfwayOf returns the nth row of a class, of which these are the rows, and the place halfway to the nearest other
// one of the class; not ok if there is no such row, all others are equal to it, or nothing lies between.
func halfwayOf(d *format.Dataset, graded map[int32]bool, rows []int, n int) (row, place vec.Vector, ok bool) {
	if n >= len(rows) {
		return row, place, false
	}
	row = d.X.Row(rows[n])
	nearest, least := -1, math.Inf(1)
	for _, at := range EvenSample(len(rows), mostNear) {
		if by := vec.SquaredDistance(row, d.X.Row(rows[at])); by > 0 && by < least {
			nearest, least = rows[at], by
		}
	}
	if nearest < 0 {
		return row, place, false
	}
	place, ok = middle(row, d.X.Row(nearest), graded)
	return row, place, ok
}

// gradedOf returns the features of a sample of the rows that have other values than 0 and 1.
func gradedOf(d *format.Dataset) map[int32]bool {
	graded := map[int32]bool{}
	for _, i := range EvenSample(d.Len(), mostNear) {
		x := d.X.Row(i)
		for k, v := range x.Value {
			if v != 0 && v != 1 {
				graded[x.Index[k]] = true
			}
		}
	}
	return graded
}

// middle returns a place between two rows: the mean of their graded features. Of the others, which are 0 or 1, a mean
// is in no row, as half a label of a nominal column. Where they differ, the first half is one row's and the rest the
// other's. The cut is where both rows have had as many ones, so that it is not within the features of a column, of
// which one is 1. It is not ok if the place would be one of the rows.
func middle(a, b vec.Vector, graded map[int32]bool) (z vec.Vector, ok bool) {
	type feature struct {
		at   int32
		x, y float64
	}
	var both []feature
	for i, j := 0, 0; i < len(a.Index) || j < len(b.Index); {
		f := feature{}
		switch {
		case j == len(b.Index) || i < len(a.Index) && a.Index[i] < b.Index[j]:
			f.at, f.x = a.Index[i], a.Value[i]
			i++
		case i == len(a.Index) || b.Index[j] < a.Index[i]:
			f.at, f.y = b.Index[j], b.Value[j]
			j++
		default:
			f.at, f.x, f.y = a.Index[i], a.Value[i], b.Value[j]
			i++
			j++
		}
		both = append(both, f)
	}
	differ, mean := 0, false // how many of the features that are 0 or 1 differ, and whether another does
	for _, f := range both {
		if f.x != f.y && graded[f.at] {
			mean = true
		} else if f.x != f.y {
			differ++
		}
	}
	cut, off, seen, excess := 0, math.MaxInt, 0, 0.0
	for _, f := range both {
		if f.x != f.y && !graded[f.at] {
			seen, excess = seen+1, excess+f.x-f.y
			if by := max(2*seen-differ, differ-2*seen); excess == 0 && seen < differ && by < off {
				cut, off = seen, by
			}
		}
	}
	seen = 0
	for _, f := range both {
		switch {
		case f.x == f.y || graded[f.at]:
			f.x = float64(f.x/2) + float64(f.y/2)
		default:
			if seen++; seen > cut {
				f.x = f.y
			}
		}
		if f.x != 0 {
			z.Index, z.Value = append(z.Index, f.at), append(z.Value, f.x)
		}
	}
	return z, mean || cut > 0
}
