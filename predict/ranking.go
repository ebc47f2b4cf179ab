package predict

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// A Ranking collects rows with a score for each class and computes how well the scores tell each
// class from all others. A higher score means that the row looks more like one of the class. Scores
// may be decision values, probabilities or votes: only their order counts, except in Brier and
// LogLoss. The zero Ranking is empty.
type Ranking struct {
	scores  []float64 // for each row, a score for each class
	truths  []int32   // for each row, its class
	weights []float64 // for each row; nil: all 1
	classes int
}

// Add adds a row with its true class, its weight, which is finite and not negative, and its scores,
// one for each class, which are copied. A class without a score is one that all others are told
// from: a label that the model does not have may be of the class len(scores). Add panics if truth is
// negative, as what slices.Index returns for such a label is, or if the number of scores differs
// from the first row's.
func (r *Ranking) Add(truth int, weight float64, scores []float64) {
	if truth < 0 {
		panic(fmt.Sprintf("predict: class %d in a ranking, expected a number from 0", truth))
	}
	if len(r.truths) == 0 {
		r.classes = len(scores)
	} else if len(scores) != r.classes {
		panic("predict: all rows of a ranking need one score for each class")
	}
	if weight != 1 && r.weights == nil {
		r.weights = make([]float64, len(r.truths), len(r.truths)+1)
		for i := range r.weights {
			r.weights[i] = 1
		}
	}
	if r.weights != nil {
		r.weights = append(r.weights, weight)
	}
	r.scores = append(r.scores, scores...)
	r.truths = append(r.truths, int32(truth))
}

// weight returns the weight of row i.
func (r *Ranking) weight(i int) float64 {
	if r.weights == nil {
		return 1
	}
	return r.weights[i]
}

// Area returns the area under the ROC curve of a class: the probability that a row of the class has
// a higher score than a row of another class, where equal scores count half. It is 1 if the scores
// separate the class from the others, and about 0.5 if they are useless. It is NaN if there are no
// rows of the class or none of the others, no scores, or a score that is NaN.
func (r *Ranking) Area(class int) float64 {
	if class < 0 {
		panic(fmt.Sprintf("predict: class %d of a ranking", class))
	}
	if class >= r.classes {
		return math.NaN()
	}
	won, inside, outside := 0.0, 0.0, 0.0
	for _, t := range r.ties(class) {
		won += float64(t.in * (outside + float64(t.out/2)))
		inside, outside = inside+t.in, outside+t.out
	}
	return ratio(won, float64(inside*outside))
}

// tied are the rows with one score for a class: the weights of those of the class, and of the
// others, in a unit that does not overflow.
type tied struct{ score, in, out float64 }

// ties returns the rows by ascending score for a class; none if a score is NaN.
func (r *Ranking) ties(class int) (all []tied) {
	order := make([]int, len(r.truths))
	total := 0.0
	for i := range order {
		total += r.weight(i)
		if order[i] = i; math.IsNaN(r.score(i, class)) {
			return nil
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.score(i, class), r.score(j, class)) })
	unit := unitOf(total)
	for n, i := range order {
		if n == 0 || r.score(i, class) != all[len(all)-1].score {
			all = append(all, tied{score: r.score(i, class)})
		}
		t := &all[len(all)-1]
		if w := float64(r.weight(i) * unit); int(r.truths[i]) == class {
			t.in += w
		} else {
			t.out += w
		}
	}
	return all
}

// An ROCPoint says what share of the rows has at least a score: of the rows of other classes, and
// of those of the class.
type ROCPoint struct {
	Score                               float64
	FalsePositiveRate, TruePositiveRate float64 // from 0 to 1
}

// ROC returns the ROC curve of a class, from the highest score to the lowest, with one point for
// each score that occurs. The first point is (0, 0) with an infinite score, the last one (1, 1).
// The area under straight lines through the points is [Ranking.Area]; where that is NaN, ROC
// returns nil.
func (r *Ranking) ROC(class int) []ROCPoint {
	if class < 0 {
		panic(fmt.Sprintf("predict: class %d of a ranking", class))
	}
	if class >= r.classes {
		return nil
	}
	inside, outside := 0.0, 0.0
	points := []ROCPoint{{Score: math.Inf(1)}}
	for _, t := range slices.Backward(r.ties(class)) {
		inside, outside = inside+t.in, outside+t.out
		points = append(points, ROCPoint{t.score, outside, inside})
	}
	if float64(inside*outside) == 0 {
		return nil
	}
	for k := range points {
		points[k].FalsePositiveRate /= outside
		points[k].TruePositiveRate /= inside
	}
	return points
}

// leastChance is the smallest probability that LogLoss uses, as scikit-learn does: the distance
// from 1 to the next float64.
const leastChance = 0x1p-52

// LogLoss returns the log loss of scores that are probabilities: the mean of -log p, where p is the
// probability of the row's class. A p below 2^-52, and that of a class without a score, counts as
// 2^-52. NaN if there are no rows.
func (r *Ranking) LogLoss() float64 {
	return r.mean(func(i int) float64 {
		p := 0.0
		if truth := int(r.truths[i]); truth < r.classes {
			p = r.score(i, truth)
		}
		return -kernel.Log(max(p, leastChance))
	})
}

// Brier returns the Brier score of scores that are probabilities p: the mean over rows of the sum
// over classes of (p - t)^2, where t is 1 for the row's class and 0 for others. With two classes it
// is half of that, which is (p - t)^2 of either class, as in scikit-learn. NaN if there are no
// rows.
func (r *Ranking) Brier() float64 {
	half := 1.0
	if r.classes == 2 {
		half = 0.5
	}
	return r.mean(func(i int) float64 {
		sum := 1.0 // for a class without a score
		if int(r.truths[i]) < r.classes {
			sum = 0
		}
		for k := range r.classes {
			d := max(r.score(i, k), 0)
			if k == int(r.truths[i]) {
				d = 1 - d
			}
			sum += float64(d * d)
		}
		return float64(half * sum)
	})
}

// mean returns the weighted mean over rows.
func (r *Ranking) mean(of func(i int) float64) float64 {
	total := 0.0
	for i := range r.truths {
		total += r.weight(i)
	}
	unit := unitOf(total)
	sum := 0.0
	for i := range r.truths {
		sum += float64(float64(r.weight(i)*unit) * of(i))
	}
	return ratio(sum, float64(total*unit))
}

// score returns the score of row i for a class.
func (r *Ranking) score(i, class int) float64 { return r.scores[i*r.classes+class] }
