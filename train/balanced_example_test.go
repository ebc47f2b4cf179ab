package train_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// A class has few rows. With weights that are in inverse proportion to the numbers of rows, as
// those of scikit-learn's class_weight="balanced" are, errors on all of its rows cost as much as
// errors on all rows of the other class.
func ExampleGroupClasses() {
	set, _ := generate.Lookup("twonorm")
	var d format.Dataset
	seen := 0
	for i, all := 0, set.Generate(400, 1); i < all.Len(); i++ {
		if all.Y[i] == 1 {
			if seen++; seen%10 != 0 {
				continue // keep one of ten
			}
		}
		d.Append(format.Instance{X: all.X.Row(i), Y: all.Y[i], Weight: 1})
	}
	classes, err := train.GroupClasses(d.Y, nil)
	if err != nil {
		log.Fatal(err)
	}
	var balanced []train.ClassWeight
	for i, label := range classes.Labels {
		weight := float64(d.Len()) / float64(len(classes.Labels)*len(classes.Rows[i]))
		balanced = append(balanced, train.ClassWeight{Label: label, Weight: weight})
		fmt.Printf("label %d: %d rows, weight %.2f\n", label, len(classes.Rows[i]), weight)
	}
	ctx := context.Background()
	folds, err := train.CrossValidationFolds(models.CSVC, d.Y, 5, train.NewRand(1), nil)
	if err != nil {
		log.Fatal(err)
	}
	solver := smo.DefaultCSVC()
	solver.C = 0.01
	for _, weights := range [][]train.ClassWeight{nil, balanced} {
		t := train.OneVsOne{Solver: solver, Kernel: kernel.Linear{}, Weights: weights}
		predictions, err := train.CrossValidate(ctx, t, &d, folds, nil, nil) // nothing random without Probability
		if err != nil {
			log.Fatal(err)
		}
		var confusion predict.Confusion // whose classes are positions of labels
		for i, label := range predictions {
			truth, answer := slices.Index(classes.Labels, int(d.Y[i])), slices.Index(classes.Labels, int(label))
			confusion.Add(truth, answer, 1)
		}
		rare := confusion.Class(slices.Index(classes.Labels, 1))
		fmt.Printf("recall of label 1: %.2f, balanced accuracy %.2f\n", rare.Recall, confusion.BalancedAccuracy())
	}
	// Output:
	// label 1: 20 rows, weight 5.50
	// label -1: 200 rows, weight 0.55
	// recall of label 1: 0.70, balanced accuracy 0.85
	// recall of label 1: 0.90, balanced accuracy 0.94
}
