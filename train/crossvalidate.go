package train

import (
	"context"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// Folds are a partition of the rows of a data set: fold f is
// Perm[Start[f]:Start[f+1]].
type Folds struct {
	Perm  []int
	Start []int
}

// PlainFolds shuffles n rows and cuts them into k folds of nearly equal size.
func PlainFolds(n, k int, rng *Rand) Folds {
	f := Folds{Perm: make([]int, n), Start: make([]int, k+1)}
	for i := range f.Perm {
		f.Perm[i] = i
	}
	rng.Shuffle(f.Perm)
	for i := range f.Start {
		f.Start[i] = i * n / k
	}
	return f
}

// StratifiedFolds shuffles the rows of each class in turn and gives each fold
// its share of every class. Inside a fold the rows stand class after class.
func StratifiedFolds(c *Classes, k int, rng *Rand) Folds {
	shuffled := make([][]int, len(c.Rows))
	for i, rows := range c.Rows {
		shuffled[i] = append([]int(nil), rows...)
		rng.Shuffle(shuffled[i])
	}
	f := Folds{Start: make([]int, 1, k+1)}
	for i := range k {
		for _, rows := range shuffled {
			f.Perm = append(f.Perm, rows[i*len(rows)/k:(i+1)*len(rows)/k]...)
		}
		f.Start = append(f.Start, len(f.Perm))
	}
	return f
}

// CrossValidationFolds draws the folds that LIBSVM uses for a task: stratified
// for classifiers when there are fewer folds than rows, plain otherwise. More
// folds than rows are reduced to leave-one-out, with a report.
func CrossValidationFolds(task models.Task, y []float64, k int, rng *Rand, report Report) (Folds, error) {
	n := len(y)
	if k > n {
		report.Send(FoldsReduced{k, n})
		k = n
	}
	if !task.Classifies() || k >= n {
		return PlainFolds(n, k, rng), nil
	}
	c, err := GroupClasses(y, report)
	if err != nil {
		return Folds{}, err
	}
	return StratifiedFolds(c, k, rng), nil
}

// CrossValidate predicts each row with a model trained on the other folds, and
// returns the predictions in the data's order. Folds are trained one after
// another on the rows of the others, fold after fold, drawing from rng.
func CrossValidate(ctx context.Context, t Trainer, d *format.Dataset, folds Folds, rng *Rand, report Report) ([]float64, error) {
	predictions := make([]float64, d.Len())
	for f := range len(folds.Start) - 1 {
		begin, end := folds.Start[f], folds.Start[f+1]
		rest := append(append([]int(nil), folds.Perm[:begin]...), folds.Perm[end:]...)
		part := &format.Dataset{Header: d.Header, X: d.X.Select(rest), Weight: d.Weights(rest)}
		for _, row := range rest {
			part.Y = append(part.Y, d.Y[row])
		}
		m, err := t.Train(ctx, part, rng)
		if err != nil {
			return nil, err
		}
		predictor, err := predict.New(m)
		if err != nil {
			return nil, err
		}
		byProbability := m.Probability && m.Task.Classifies()
		dst := make([]float64, predictor.Outcomes())
		for _, row := range folds.Perm[begin:end] {
			if byProbability {
				var limit bool
				if predictions[row], limit = predictor.Probabilities(dst, d.X.Row(row)); limit {
					report.Send(CouplingLimit{})
				}
			} else {
				predictions[row] = predictor.Predict(d.X.Row(row))
			}
		}
	}
	return predictions, nil
}
