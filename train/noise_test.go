package train

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// zero is a trainer whose model always answers 0: residuals are the targets.
type zero struct{ trainings *int }

func (z zero) Train(_ context.Context, d *format.Dataset, _ *Rand) (*models.Model, error) {
	*z.trainings++
	return &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Machines: make([]models.Machine, 1)}, nil
}

// constant is a trainer whose model always answers this number.
type constant float64

func (c constant) Train(context.Context, *format.Dataset, *Rand) (*models.Model, error) {
	return &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Machines: []models.Machine{{Rho: -float64(c)}}}, nil
}

// TestEstimateNoise compares with the definition: the mean of |r|, without those beyond 5 sqrt(2)
// times the mean of all.
func TestEstimateNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, outliers := range []int{0, 1, 3} {
		d := rowsOf(100, false)
		for i := range d.Y {
			d.Y[i] = r.ExpFloat64() - r.ExpFloat64()
			if i < outliers {
				d.Y[i] = math.Copysign(100, d.Y[i])
			}
		}
		mean := 0.0
		for _, y := range d.Y {
			mean += math.Abs(y) / float64(len(d.Y))
		}
		want, kept := 0.0, 0.0
		for _, y := range d.Y {
			if math.Abs(y) <= 5*math.Sqrt2*mean {
				want += math.Abs(y)
				kept++
			}
		}
		want /= kept
		if int(kept) != len(d.Y)-outliers {
			t.Fatalf("the test is void: %v rows are kept", kept)
		}
		trainings := 0
		var events []Event
		rng := NewRand(1)
		got, err := EstimateNoise(context.Background(), zero{&trainings}, d, rng, func(e Event) { events = append(events, e) })
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got-want) <= 1e-12*want) || trainings != 5 {
			t.Errorf("%d outliers: sigma %v of %d trainings, want %v of 5", outliers, got, trainings, want)
		}
		if len(events) != 1 || events[0] != (NoiseEstimated{got}) {
			t.Errorf("%d outliers: events %v", outliers, events)
		}
		twin := NewRand(1)
		PlainFolds(d.Len(), 5, twin)
		if *rng != *twin {
			t.Error("the folds are not the only draws")
		}
	}
}

// TestEstimateNoiseOfFewRows: if there are fewer than five rows, there are as many folds as rows.
func TestEstimateNoiseOfFewRows(t *testing.T) {
	trainings := 0
	var events []Event
	got, err := EstimateNoise(context.Background(), zero{&trainings}, rowsOf(3, false), NewRand(1), func(e Event) { events = append(events, e) })
	if err != nil || got != 20 || trainings != 3 || len(events) != 2 || events[0] != (FoldsReduced{5, 3}) {
		t.Errorf("sigma %v (%v) of %d trainings, events %v; want 20 of 3", got, err, trainings, events)
	}
	trainings = 0
	d := rowsOf(6, false)
	clear(d.Y)
	if got, err := EstimateNoise(context.Background(), zero{&trainings}, d, NewRand(1), nil); err != nil || got != 0 {
		t.Errorf("without residuals sigma is %v (%v), want 0", got, err)
	}
}

// TestEstimateNoiseOfTinyResiduals: residuals whose squares are 0 are not outliers.
func TestEstimateNoiseOfTinyResiduals(t *testing.T) {
	d := rowsOf(20, false)
	for i := range d.Y {
		d.Y[i] = float64(i%5) * 1e-180
	}
	got, err := EstimateNoise(t.Context(), zero{new(int)}, d, NewRand(1), nil)
	if want := 2e-180; err != nil || !(math.Abs(got-want) <= 1e-12*want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestNoiseOutliers: a residual between five and six standard deviations is left out.
func TestNoiseOutliers(t *testing.T) {
	for _, c := range []struct{ last, want float64 }{{7.5, 107.5 / 101}, {7.6, 1}, {9.1, 1}, {9.3, 1}, {50, 1}} {
		d := rowsOf(101, false)
		const answer = 0.25
		for i := range d.Y {
			d.Y[i] = answer + float64(1-i%2*2)
		}
		d.Y[100] = answer + c.last // 7.53 is five deviations, 9.17 are six
		got, err := EstimateNoise(t.Context(), constant(answer), d, NewRand(1), nil)
		if err != nil || !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("with a residual of %v: %v, %v, want %v", c.last, got, err, c.want)
		}
	}
}

// TestEstimateNoiseOfFew: of no row and of one there is no noise to estimate.
func TestEstimateNoiseOfFew(t *testing.T) {
	for n, want := range []string{ErrNoData.Error(), "1 row is too few to estimate probabilities", ""} {
		said := ""
		if _, err := EstimateNoise(t.Context(), constant(1), rowsOf(n, false), NewRand(1), nil); err != nil {
			said = err.Error()
		}
		if said != want {
			t.Errorf("%d rows: %q, want %q", n, said, want)
		}
	}
}
