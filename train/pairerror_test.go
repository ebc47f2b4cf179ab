package train

import (
	"context"
	"errors"
	"fmt"
	"math"
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

// many is a solver that fails with more rows.
type many struct{ rows int }

func (s many) Solve(ctx context.Context, p *Problem) (*Solution, error) {
	if p.X.Len() > s.rows {
		return nil, errFew
	}
	return signs{}.Solve(ctx, p)
}

// TestPairError: errors name the labels of the data, and the fold if a part of the rows is trained
// on for probabilities. So they do where the machines of a pair are handed out to threads.
func TestPairError(t *testing.T) {
	for _, soon := range []int{usualFewPairRows, 0} {
		func() {
			defer FindSoon(soon)()
			testPairError(t)
		}()
	}
}

func testPairError(t *testing.T) {
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
		{"the machine behind those for probabilities", OneVsOne{Solver: many{19}, Kernel: kernel.Linear{}, Probability: true}, d, "classes 5 and 7: too few rows"},
		{"calibration", Calibrated{Trainer: OneVsOne{Solver: few{20}, Kernel: kernel.Linear{}}}, d, "fold 1 of 5 for probabilities: classes 5 and 7: too few rows"},
		{"calibration one by one", Calibrated{Trainer: struct{ Trainer }{OneVsOne{Solver: few{20}, Kernel: kernel.Linear{}}}}, d, "fold 1 of 5 for probabilities: classes 5 and 7: too few rows"},
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

// strange is a solver that finds kernel values of its first and last row that are no numbers.
type strange struct{}

func (strange) Solve(_ context.Context, p *Problem) (*Solution, error) {
	return nil, &KernelError{Rows: [2]int{0, p.X.Len() - 1}, Value: math.Inf(1)}
}

// TestFoldKernelError: the rows for which a caller's own kernel gives no number have their numbers
// among all rows.
func TestFoldKernelError(t *testing.T) {
	d := rowsOf(30, false)
	folds := Folds{Perm: make([]int, 30), Start: []int{0, 12, 18, 30}}
	for i := range folds.Perm {
		folds.Perm[i] = 29 - i
		d.Y[i] = float64(i % 2)
	}
	// fold 1 leaves the rows 18 to 1: first those of the class of row 18
	const want = "fold 1 of 3: classes 1 and 0: rows 18 and 1: the kernel value is +Inf in float32, expected a finite number"
	for name, trainer := range map[string]Trainer{
		"in order": struct{ Trainer }{OneVsOne{Solver: strange{}, Kernel: kernel.Linear{}}},
		"at once":  OneVsOne{Solver: strange{}, Kernel: kernel.Linear{}},
	} {
		_, err := CrossValidate(t.Context(), trainer, d, folds, NewRand(1), nil)
		if err == nil || err.Error() != want || !errors.Is(err, ErrOverflow) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// loud is a solver that reports each problem's rows. Its machines have values for which no sigmoid
// is found.
type loud struct{}

func (loud) Solve(ctx context.Context, p *Problem) (*Solution, error) {
	p.Report.Send(IterationLimit{Iterations: p.X.Len()})
	s, err := signs{}.Solve(ctx, p)
	for i := range s.Coef {
		s.Coef[i] *= 1e200
	}
	return s, err
}

// TestCalibrationEvents: what is told of a pair's machine comes behind what is told of its sigmoid,
// also where other threads find the machine at the same time.
func TestCalibrationEvents(t *testing.T) {
	d := rowsOf(40, false)
	for i := range d.Y {
		d.Y[i] = float64(i % 2)
	}
	const want = "[{32} {32} {32} {32} {32} stuck {40}]"
	for _, soon := range []int{usualFewPairRows, 0} {
		for _, threads := range []int{1, 3} {
			restore := FindSoon(soon)
			var events []any
			report := func(e Event) {
				switch e.(type) {
				case IterationLimit:
					events = append(events, e)
				case CalibrationStuck:
					events = append(events, "stuck")
				}
			}
			o := OneVsOne{Solver: loud{}, Kernel: kernel.Linear{}, Probability: true, Threads: threads, Report: report}
			if _, err := o.Train(t.Context(), d, NewRand(1)); err != nil {
				t.Fatal(err)
			}
			restore()
			if got := fmt.Sprint(events); got != want {
				t.Errorf("up to %d rows, %d threads: %s, want %s", soon, threads, got, want)
			}
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
