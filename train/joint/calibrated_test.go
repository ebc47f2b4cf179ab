package joint

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/traintest"
)

func calibrated(report train.Report, task models.Task) train.Calibrated {
	t := small(report)
	t.Task, t.Evaluations, t.HeldOut = task, 5, 0
	return train.Calibrated{Trainer: t, Task: task, Report: report}
}

// TestCalibrated: models with probabilities are like all others.
func TestCalibrated(t *testing.T) {
	t.Run("classes", func(t *testing.T) {
		traintest.Run(t, func(r train.Report) train.Trainer { return calibrated(r, models.CSVC) }, traintest.Options{Accuracy: 0.8})
	})
	t.Run("numbers", func(t *testing.T) {
		traintest.Run(t, func(r train.Report) train.Trainer { return calibrated(r, models.EpsilonSVR) }, traintest.Options{Regression: true, Accuracy: 0.5})
	})
}

// TestCalibration: of the rows with a probability of p, the share p is of that class, and nearly
// all answers are those of the model without probabilities.
func TestCalibration(t *testing.T) {
	for _, classes := range []int{2, 3} {
		all := generate.Gaussians(classes, 3, 1.2)
		learn, test := all.Generate(300, 1), all.Generate(3000, 2)
		c := calibrated(nil, models.CSVC)
		m, err := c.Train(t.Context(), learn, train.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := c.Trainer.Train(t.Context(), learn, train.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(plain.Machines[0].Coef, plain.Vectors) != fmt.Sprint(m.Machines[0].Coef, m.Vectors) {
			t.Error("the model with probabilities is another one")
		}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		const bins = 5
		var sum, hits, count [bins]float64
		same := 0
		for i := range test.Len() {
			dst := make([]float64, classes)
			answer, _ := p.Probabilities(dst, test.X.Row(i))
			if answer == p.Predict(test.X.Row(i)) {
				same++
			}
			total := 0.0
			for k, v := range dst {
				b := min(bins-1, int(v*bins))
				sum[b] += v
				count[b]++
				if float64(m.Labels[k]) == test.Y[i] {
					hits[b]++
				}
				total += v
			}
			if !(math.Abs(total-1) <= 1e-9) {
				t.Fatalf("probabilities %v", dst)
			}
		}
		for b := range bins {
			if count[b] > 100 && math.Abs(sum[b]-hits[b])/count[b] > 0.12 {
				t.Errorf("%d classes: mean probability %.3f of what is true with %.3f", classes, sum[b]/count[b], hits[b]/count[b])
			}
		}
		if same < test.Len()*9/10 {
			t.Errorf("%d classes: %d of %d answers without probabilities are the same", classes, same, test.Len())
		}
	}
}

// TestCalibrationLacks: folds may lack classes, down to two rows.
func TestCalibrationLacks(t *testing.T) {
	d := generate.Gaussians(3, 3, 2).Generate(60, 1)
	for _, rows := range [][]int{{0, 1}, {0, 1, 2}, {0, 1, 2, 3, 4, 5, 6}, {0, 3, 6, 9, 12, 13, 14}, {0}} {
		few := &format.Dataset{X: d.X.Select(rows)}
		for _, i := range rows {
			few.Y = append(few.Y, d.Y[i])
		}
		m, err := calibrated(nil, models.CSVC).Train(t.Context(), few, train.NewRand(1))
		if err != nil || !m.Probability {
			t.Errorf("rows %v: %v", rows, err)
			continue
		}
		if err := m.Validate(); err != nil {
			t.Errorf("rows %v: %v", rows, err)
		}
	}
}

// TestCalibratedDraws: as many random numbers are drawn as Draws says, so that later draws do not
// depend on threads.
func TestCalibratedDraws(t *testing.T) {
	for _, task := range []models.Task{models.CSVC, models.EpsilonSVR} {
		d := generate.Gaussians(3, 3, 2).Generate(57, 1)
		c := calibrated(nil, task)
		rng, skipped := train.NewRand(1), train.NewRand(1)
		if _, err := c.Train(t.Context(), d, rng); err != nil {
			t.Fatal(err)
		}
		if skipped.Skip(c.Draws(d)); rng.Int() != skipped.Int() {
			t.Errorf("%v: not %d draws", task, c.Draws(d))
		}
	}
	c := train.Calibrated{Trainer: Default(), Task: models.OneClass}
	if _, err := c.Train(t.Context(), set(t, "moons", 10, 1), train.NewRand(1)); err == nil || errors.Is(err, train.ErrNoData) {
		t.Errorf("a one-class model: %v", err)
	}
}

// TestWithSettingsOf: for other rows, the loss, the cost and the start are those that were chosen for a
// model, and there is no descent if there was none for the model.
func TestWithSettingsOf(t *testing.T) {
	all := generate.Gaussians(3, 3, 1.2)
	d, still := all.Generate(120, 1), 0
	for seed := range uint32(4) {
		c := small(nil)
		c.Loss, c.Cost, c.HeldOut, c.Vectors, c.Starts = "", 10, 0.1, 4, []Basis{RandomRows{}, KMeans{}}
		c.Evaluations = 300 * int(seed%2)
		m, err := c.Train(t.Context(), d, train.NewRand(seed+1))
		if err != nil {
			t.Fatal(err)
		}
		parameters := func(m *models.Model) (all [4]string) {
			for k, p := range m.Provenance.Parameters[1:] {
				all[k] = p.Value
			}
			return all
		}
		want := parameters(m)
		for part := range uint64(4) {
			rest, err := c.WithSettingsOf(m).Train(t.Context(), all.Generate(60, 2+part), train.NewRand(seed+1))
			if err != nil {
				t.Fatal(err)
			}
			got := parameters(rest)
			if want[3] == "0" {
				still++
			} else {
				got[3] = want[3]
			}
			if got != want {
				t.Errorf("seed %d, part %d: %q, want %q", seed, part, got, want)
			}
		}
		if l, ok := c.WithSettingsOf(&models.Model{}).(Trainer); !ok || l.Cost != c.Cost || len(l.Starts) != 2 || l.oneCost {
			t.Errorf("like a model that tells nothing: %+v", l)
		}
	}
	if still == 0 {
		t.Error("all have descended")
	}
}
