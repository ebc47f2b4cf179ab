package train

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// few is a solver that fails with fewer rows.
type few struct{ rows int }

var errFew = errors.New("too few rows")

func (s few) Solve(ctx context.Context, p *Problem) (*Solution, error) {
	if p.X.Len() < s.rows {
		return nil, errFew
	}
	return signs{}.Solve(ctx, p)
}

// TestPairError: errors name the labels of the data, and the fold if a part of the rows is trained
// on for probabilities.
func TestPairError(t *testing.T) {
	d := new(format.Dataset)
	for i := range 30 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: []float64{5, 7, -1}[i%3], Weight: 1})
	}
	two := &format.Dataset{X: d.X.Select([]int{2, 1, 4, 5, 7, 8, 10, 11, 13, 14}), Y: []float64{-1, 7, 7, -1, 7, -1, 7, -1, 7, -1}}
	for _, c := range []struct {
		name    string
		trainer Trainer
		d       *format.Dataset
		want    string
	}{
		{"pairs", OneVsOne{Solver: few{31}, Kernel: kernel.Linear{}}, d, "classes 5 and 7: too few rows"},
		{"probabilities", OneVsOne{Solver: few{20}, Kernel: kernel.Linear{}, Probability: true}, d, "classes 5 and 7: fold 1 of 5 for probabilities: too few rows"},
		{"probabilities of two classes", OneVsOne{Solver: few{10}, Kernel: kernel.Linear{}, Probability: true}, two, "classes -1 and 7: fold 1 of 5 for probabilities: too few rows"},
		{"rest", OneVsRest{Solver: few{31}, Kernel: kernel.Linear{}}, d, "class 5 against the rest: too few rows"},
		{"probabilities of the rest", OneVsRest{Solver: few{30}, Kernel: kernel.Linear{}, Probability: true}, d, "class 5 against the rest: fold 1 of 5 for probabilities: too few rows"},
	} {
		if _, err := c.trainer.Train(context.Background(), c.d, NewRand(1)); err == nil || err.Error() != c.want || !errors.Is(err, errFew) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := (OneVsOne{Solver: few{20}, Kernel: kernel.Linear{}}).Train(context.Background(), d, NewRand(1)); err != nil {
		t.Errorf("without probabilities: %v", err)
	}
}

// TestFoldError: the error of a cross-validation names the fold.
func TestFoldError(t *testing.T) {
	d := new(format.Dataset)
	for i := range 30 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: float64(i % 2), Weight: 1})
	}
	folds := Folds{Perm: make([]int, 30), Start: []int{0, 5, 18, 30}}
	for i := range folds.Perm {
		folds.Perm[i] = i
	}
	o := OneVsOne{Solver: few{18}, Kernel: kernel.Linear{}} // fold 2 leaves 17 rows
	_, err := CrossValidate(context.Background(), o, d, folds, NewRand(1), nil)
	if want := "fold 2 of 3: classes 0 and 1: too few rows"; err == nil || err.Error() != want || !errors.Is(err, errFew) {
		t.Errorf("%v, want %s", err, want)
	}
	r := memory{models.EpsilonSVR, new([]*format.Dataset), errFew}
	_, err = EstimateNoise(context.Background(), r, d, NewRand(1), nil)
	if want := "fold 1 of 5 for probabilities: too few rows"; err == nil || err.Error() != want || !errors.Is(err, errFew) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestFoldRowError: the error of a faulty row has its number among all rows.
func TestFoldRowError(t *testing.T) {
	d := new(format.Dataset)
	for i := range 30 {
		x := float64(i)
		if i == 20 {
			x = 1e200
		}
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{x}}, Y: float64(i % 2), Weight: 1})
	}
	folds := Folds{Perm: make([]int, 30), Start: []int{0, 12, 18, 30}}
	for i := range folds.Perm {
		folds.Perm[i] = 29 - i // row 20 is in fold 1
	}
	for name, trainer := range map[string]Trainer{
		"in order": struct{ Trainer }{OneVsOne{Solver: few{0}, Kernel: kernel.Linear{}}},
		"at once":  OneVsOne{Solver: few{0}, Kernel: kernel.Linear{}},
	} {
		_, err := CrossValidate(context.Background(), trainer, d, folds, NewRand(1), nil)
		var row *RowError
		if want := "fold 2 of 3: row 21: "; err == nil || !strings.HasPrefix(err.Error(), want) || !errors.As(err, &row) || row.Row != 20 {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// picky is a trainer that refuses rows with one value, if there are few rows.
type picky struct {
	memory
	value float64
}

func (t picky) Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error) {
	for i := range d.Len() {
		if d.Len() < 20 && d.X.Row(i).At(1) == t.value {
			return nil, &RowError{i, errFew}
		}
	}
	return t.memory.Train(ctx, d, rng)
}

// TestFoldOfFoldRowError: a faulty row that is found in a fold for probabilities, within another
// fold, has its number among all rows too.
func TestFoldOfFoldRowError(t *testing.T) {
	d := new(format.Dataset)
	for i := range 30 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: float64(5 + i%2), Weight: 1})
	}
	folds := Folds{Perm: make([]int, 30), Start: []int{0, 10, 20, 30}}
	for i := range folds.Perm {
		folds.Perm[i] = 29 - i
	}
	for _, task := range []models.Task{models.CSVC, models.EpsilonSVR} {
		c := Calibrated{Trainer: picky{memory{task, new([]*format.Dataset), nil}, 3}, Task: task}
		_, err := CrossValidate(context.Background(), c, d, folds, NewRand(1), nil)
		var row *RowError
		if !errors.As(err, &row) || row.Row != 3 || !errors.Is(err, errFew) || !strings.HasPrefix(err.Error(), "fold 1 of 3: fold ") || !strings.HasSuffix(err.Error(), " of 5 for probabilities: row 4: too few rows") {
			t.Errorf("task %v: %v", task, err)
		}
	}
}
