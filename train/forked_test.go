package train

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// drawing is a Forker whose models have values that depend on the number that it draws. It cancels
// a context when it is called for the last time.
type drawing struct {
	task   models.Task
	calls  *int
	last   int
	cancel func()
}

func (t drawing) Train(_ context.Context, _ *format.Dataset, rng *Rand) (*models.Model, error) {
	if *t.calls++; *t.calls == t.last {
		t.cancel()
	}
	value := float64(1 + rng.Int()%1000)
	m := &models.Model{Task: t.task, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{value}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{0.01}})
	if t.task.Classifies() {
		m.Labels, m.Machines[0].Neg = []int{1, 0}, 1
		m.Machines[0].Rho = 100
	}
	return m, nil
}

func (t drawing) Fork(Report) Trainer { return t }

func (t drawing) Workers() int { return 1 }

func (t drawing) Draws(*format.Dataset) int { return 1 }

// halves returns rows of which the later ones are mostly of class 1.
func halves() *format.Dataset {
	d := rowsOf(40, false)
	for i := range d.Y {
		d.Y[i] = float64((i + i%5*4) / 28)
	}
	return d
}

// TestForkedDraws: folds that may be trained at once draw the numbers that they draw one after the
// other, and leave the random stream at the same place.
func TestForkedDraws(t *testing.T) {
	d := halves()
	for _, task := range []models.Task{models.CSVC, models.EpsilonSVR} {
		for name, run := range map[string]func(t Trainer, rng *Rand) (any, error){
			"folds": func(t Trainer, rng *Rand) (any, error) {
				return CrossValidate(context.Background(), t, d, PlainFolds(40, 3, NewRand(7)), rng, nil)
			},
			"probabilities": func(t Trainer, rng *Rand) (any, error) {
				m, err := Calibrated{Trainer: t, Task: task}.Train(context.Background(), d, rng)
				if err != nil {
					return nil, err
				}
				if !m.Probability {
					return nil, errors.New("the model has no probabilities")
				}
				return fmt.Sprint(m.Noise, m.Machines[0].Sigmoid), nil
			},
		} {
			forks, alone := NewRand(5), NewRand(5)
			got, err := run(drawing{task: task, calls: new(int)}, forks)
			if err != nil {
				t.Fatalf("%v, %s: %v", task, name, err)
			}
			want, err := run(struct{ Trainer }{drawing{task: task, calls: new(int)}}, alone)
			if err != nil {
				t.Fatalf("%v, %s: %v", task, name, err)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) || *forks != *alone {
				t.Errorf("%v, %s: %v, want %v; other numbers are drawn afterwards: %t", task, name, got, want, *forks != *alone)
			}
			other, err := run(drawing{task: task, calls: new(int)}, NewRand(6))
			if err != nil {
				t.Fatalf("%v, %s: %v", task, name, err)
			}
			if fmt.Sprint(other) == fmt.Sprint(got) {
				t.Fatalf("%v, %s: the test is void, as the random numbers have no part in %v", task, name, got)
			}
		}
	}
}

// TestForkedCancelled: what is cancelled when the last fold's model is there has no result.
func TestForkedCancelled(t *testing.T) {
	d := halves()
	for _, task := range []models.Task{models.CSVC, models.EpsilonSVR} {
		for _, forks := range []bool{false, true} {
			for name, c := range map[string]struct {
				last int
				run  func(ctx context.Context, t Trainer) (done bool, err error)
			}{
				"folds": {3, func(ctx context.Context, t Trainer) (bool, error) {
					p, err := CrossValidate(ctx, t, d, PlainFolds(40, 3, NewRand(7)), NewRand(1), nil)
					return p != nil, err
				}},
				"probabilities": {6, func(ctx context.Context, t Trainer) (bool, error) {
					m, err := Calibrated{Trainer: t, Task: task}.Train(ctx, d, NewRand(1))
					return m != nil, err
				}},
			} {
				ctx, cancel := context.WithCancel(t.Context())
				calls := 0
				var trainer Trainer = drawing{task, &calls, c.last, cancel}
				if !forks {
					trainer = struct{ Trainer }{trainer}
				}
				if done, err := c.run(ctx, trainer); done || !errors.Is(err, context.Canceled) || calls != c.last {
					t.Errorf("%v, %s, forks %t: %v after %d models of %d, a result %t", task, name, forks, err, calls, c.last, done)
				}
				cancel()
			}
		}
	}
}

// TestForkReports: what Fork returns reports where it is told to, and nowhere else.
func TestForkReports(t *testing.T) {
	d := rowsOf(30, false)
	for i := range d.Y {
		d.Y[i] = float64(i % 3)
	}
	for name, fork := range map[string]func(own Report) Forker{
		"one-vs-one":  func(own Report) Forker { return OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}, Report: own} },
		"one-vs-rest": func(own Report) Forker { return OneVsRest{Solver: signs{}, Kernel: kernel.Linear{}, Report: own} },
		"calibrated": func(own Report) Forker {
			return Calibrated{Trainer: OneVsRest{Solver: signs{}, Kernel: kernel.Linear{}, Report: own}, Task: models.CSVC, Report: own}
		},
	} {
		var want, got []Event
		if _, err := fork(func(e Event) { want = append(want, e) }).Train(t.Context(), d, NewRand(1)); err != nil {
			t.Fatal(err)
		}
		other := func(e Event) { t.Errorf("%s: %T goes to the Report of before", name, e) }
		if _, err := fork(other).Fork(func(e Event) { got = append(got, e) }).Train(t.Context(), d, NewRand(1)); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || len(want) == 0 {
			t.Errorf("%s: events %v, want %v", name, got, want)
		}
	}
}

// heavy is a solver with coefficients of the size of rows' weights.
type heavy struct{}

func (heavy) Solve(_ context.Context, p *Problem) (*Solution, error) {
	s := &Solution{}
	for i, y := range p.Y {
		s.Coef = append(s.Coef, y*p.RowWeight[i])
	}
	return s, nil
}

// TestRestRowWeights: weights of rows count in machines of one class against the rest where classes
// have none.
func TestRestRowWeights(t *testing.T) {
	d := rowsOf(6, true)
	for i := range d.Y {
		d.Y[i] = float64(i % 3)
	}
	m, err := OneVsRest{Solver: heavy{}, Kernel: kernel.Linear{}}.Train(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for c, want := range []string{"[1 -2 -3 4 -5 -6]", "[-1 2 -3 -4 5 -6]", "[-1 -2 3 -4 -5 6]"} {
		if got := fmt.Sprint(m.Machines[c].Coef); got != want {
			t.Errorf("machine %d has coefficients %s, want %s", c, got, want)
		}
	}
}
