package predict

import (
	"fmt"
	"math"
)

// A Confusion is a confusion matrix: it counts rows by true and predicted class and computes scores
// from the counts. Classes are numbers from 0. Numbers without rows do no harm. A row of weight w
// counts as w rows. The zero Confusion is empty.
type Confusion struct {
	cells           map[cell]float64
	truths, answers []float64 // rows of each class, and with each prediction
	total, correct  float64
}

// A cell is a true class and a predicted class. Only cells with rows take memory, because a data
// set may have any number of classes that a model does not know.
type cell struct{ truth, answer int }

// Add adds a row with its true class, its predicted class and its weight, which is finite and not
// negative. It panics if a class is negative, as the label -1 is: the number of a class may be its
// position in models.Model.Labels. A label that the model does not have, for which slices.Index
// returns -1, needs a number after these, see the example. Memory grows with the largest number.
func (c *Confusion) Add(truth, answer int, weight float64) {
	if least := min(truth, answer); least < 0 {
		panic(fmt.Sprintf("predict: class %d in a confusion matrix, expected a number from 0", least))
	}
	if c.cells == nil {
		c.cells = map[cell]float64{}
	}
	for n := max(truth, answer) + 1; len(c.truths) < n; {
		c.truths, c.answers = append(c.truths, 0), append(c.answers, 0)
	}
	c.cells[cell{truth, answer}] += weight
	c.truths[truth] += weight
	c.answers[answer] += weight
	c.total += weight
	if truth == answer {
		c.correct += weight
	}
}

// Count returns the number of rows of class truth that were predicted as class answer.
func (c *Confusion) Count(truth, answer int) float64 { return c.cells[cell{truth, answer}] }

// Kappa returns Cohen's kappa,
//
//	(o - e) / (1 - e),
//
// where o is the share of correct rows and e the share expected by chance: the sum over classes of
// the class's share of the truth times its share of the predictions. It is 1 if all rows are
// correct and 0 for predictions no better than chance. NaN if there are no rows, and if truth and
// predictions are all of one class.
func (c *Confusion) Kappa() float64 {
	unit := unitOf(c.total)
	chance := 0.0 // times total^2
	for i := range c.truths {
		chance += float64(float64(c.truths[i]*unit) * float64(c.answers[i]*unit))
	}
	total := float64(c.total * unit)
	square := float64(total * total)
	return ratio(float64(float64(c.correct*unit)*total)-chance, square-chance)
}

// MCC returns Matthews's correlation coefficient of truth and predictions, for any number of
// classes (Gorodkin 2004). With s rows, c of them correct, t_k of class k and p_k predicted as
// class k, it is
//
//	(c s - sum t_k p_k) / sqrt((s^2 - sum t_k^2) (s^2 - sum p_k^2)).
//
// It is 1 if all rows are correct and 0 for predictions no better than chance. NaN if there are no
// rows, and if the truth or the predictions are all of one class.
func (c *Confusion) MCC() float64 {
	unit := unitOf(c.total)
	both, truths, answers := 0.0, 0.0, 0.0 // the sums, times unit^2
	for i := range c.truths {
		t, p := float64(c.truths[i]*unit), float64(c.answers[i]*unit)
		both += float64(t * p)
		truths += float64(t * t)
		answers += float64(p * p)
	}
	total := float64(c.total * unit)
	square := float64(total * total)
	// If all rows are of one class, the sum equals the square of the total, to the last bit.
	spread := float64(math.Sqrt(max(square-truths, 0)) * math.Sqrt(max(square-answers, 0)))
	switch {
	case spread == 0:
		return ratio(0, 0)
	case truths == answers: // for instance without errors; the roots would be rounded
		spread = square - truths
	}
	return (float64(float64(c.correct*unit)*total) - both) / spread
}

// unitOf returns the power of two that brings total into the range from 1 to 2. Only proportions of
// weights matter, and with this unit products of weights neither overflow nor become 0.
func unitOf(total float64) float64 {
	if !(total > 0 && total <= math.MaxFloat64) {
		return 1
	}
	_, exponent := math.Frexp(total)
	return math.Ldexp(1, min(1-exponent, 1023))
}

// ClassScores say how well a class is told from all others. See [Confusion.Class] for classes
// without rows or predictions.
type ClassScores struct {
	Precision float64 // share of the rows predicted as this class that belong to it
	Recall    float64 // share of the rows of this class that are predicted as it
	F1        float64 // harmonic mean of the two
	Support   float64 // rows of this class
}

// Class returns the scores of class i. As in scikit-learn and Weka, precision is 0 if the class is
// never predicted, recall is 0 if no row belongs to it, and F1 is 0 if either is 0.
func (c *Confusion) Class(i int) ClassScores {
	if i < 0 {
		panic(fmt.Sprintf("predict: class %d of a confusion matrix", i))
	}
	if i >= len(c.truths) {
		return ClassScores{}
	}
	hits := c.Count(i, i)
	unit := unitOf(max(c.truths[i], c.answers[i]))
	return ClassScores{
		Precision: share(hits, c.answers[i]),
		Recall:    share(hits, c.truths[i]),
		F1:        share(2*float64(hits*unit), float64(c.truths[i]*unit)+float64(c.answers[i]*unit)),
		Support:   c.truths[i],
	}
}

// Macro returns the unweighted means over all classes that occur in the truth or in the
// predictions, which is scikit-learn's macro average. Support is the number of all rows.
func (c *Confusion) Macro() ClassScores {
	return c.mean(func(i int) float64 {
		if c.truths[i] == 0 && c.answers[i] == 0 {
			return 0
		}
		return 1
	})
}

// BalancedAccuracy returns the mean recall of the classes that occur in the truth, as
// scikit-learn's balanced_accuracy_score does: each class counts the same, however few rows it has.
// A class that is only predicted does not count, but it does in [Confusion.Macro]. NaN if there are
// no rows.
func (c *Confusion) BalancedAccuracy() float64 {
	return c.mean(func(i int) float64 {
		if c.truths[i] == 0 {
			return 0
		}
		return 1
	}).Recall
}

// Weighted returns the means over all classes weighted by their rows, which is Weka's weighted
// average. Support is the number of all rows.
func (c *Confusion) Weighted() ClassScores {
	unit := unitOf(c.total)
	return c.mean(func(i int) float64 { return float64(c.truths[i] * unit) })
}

// mean returns the means over the classes with the given weights, NaN if all weights are 0.
func (c *Confusion) mean(weight func(i int) float64) ClassScores {
	var sum ClassScores
	total := 0.0
	for i := range c.truths {
		w, one := weight(i), c.Class(i)
		total += w
		sum.Precision += float64(w * one.Precision)
		sum.Recall += float64(w * one.Recall)
		sum.F1 += float64(w * one.F1)
	}
	return ClassScores{
		Precision: ratio(sum.Precision, total),
		Recall:    ratio(sum.Recall, total),
		F1:        ratio(sum.F1, total),
		Support:   c.total,
	}
}

// share returns a/b, or 0 if b is 0.
func share(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
