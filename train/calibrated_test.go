package train

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// machinesOf returns a model of labels without vectors: with machines of all pairs, or of each
// class against the rest.
func machinesOf(vote models.Vote, labels ...int) *models.Model {
	m := &models.Model{Labels: labels}
	if len(labels) > 2 {
		m.Vote = vote
	}
	for i := range labels {
		if m.Vote == models.OneVsRest {
			m.Machines = append(m.Machines, models.Machine{Pos: i, Neg: models.Rest})
			continue
		}
		for j := i + 1; j < len(labels); j++ {
			m.Machines = append(m.Machines, models.Machine{Pos: i, Neg: j})
		}
	}
	return m
}

// TestSourceOf: a machine's values come from the machine of part that separates the same classes,
// which part may have in another order. If a class is missing in part, the answer is always the
// other class.
func TestSourceOf(t *testing.T) {
	const pairs, rest = models.OneVsOne, models.OneVsRest
	for _, c := range []struct {
		vote    models.Vote
		machine int // of a model of the labels 7, 5, 9
		part    []int
		want    source
	}{
		{pairs, 0, []int{7, 5, 9}, source{0, 1}}, // 7 against 5
		{pairs, 1, []int{7, 5, 9}, source{1, 1}}, // 7 against 9
		{pairs, 2, []int{7, 5, 9}, source{2, 1}}, // 5 against 9
		{pairs, 0, []int{5, 7, 9}, source{0, -1}},
		{pairs, 1, []int{5, 9, 7}, source{2, -1}},
		{pairs, 2, []int{9, 7, 5}, source{1, -1}},
		{pairs, 0, []int{5, 9}, source{-1, -1}},
		{pairs, 0, []int{7, 9}, source{-1, 1}},
		{pairs, 0, []int{7}, source{-1, 1}},
		{pairs, 0, []int{9}, source{-1, -1}},
		{rest, 0, []int{7, 5, 9}, source{0, 1}},
		{rest, 0, []int{5, 7, 9}, source{1, 1}},
		{rest, 2, []int{9, 5, 7}, source{0, 1}},
		{rest, 0, []int{7, 9}, source{0, 1}},
		{rest, 0, []int{9, 7}, source{0, -1}},
		{rest, 0, []int{9, 5}, source{-1, -1}},
		{rest, 0, []int{7}, source{-1, 1}},
		{rest, 0, []int{5}, source{-1, -1}},
	} {
		m := machinesOf(c.vote, 7, 5, 9)
		if got := sourceOf(m, &m.Machines[c.machine], machinesOf(c.vote, c.part...)); got != c.want {
			t.Errorf("%v, machine %d, of a part with %v: %v, want %v", c.vote, c.machine, c.part, got, c.want)
		}
	}
	m, part := machinesOf(pairs, 7, 5, 9), machinesOf(pairs, 9, 5, 7)
	part.Machines = part.Machines[:1] // as trainers may leave out machines
	if got := sourceOf(m, &m.Machines[0], part); got != (source{-1, -1}) {
		t.Errorf("of a part without the machine: %v", got)
	}
}

// sides is a trainer of linear machines that are right on rows which have a 1 at the index of their
// label. Classes have the order of their rows.
type sides struct{ vote models.Vote }

func (s sides) Train(_ context.Context, d *format.Dataset, _ *Rand) (*models.Model, error) {
	var labels []int
	for _, y := range d.Y {
		if !slices.Contains(labels, int(y)) {
			labels = append(labels, int(y))
		}
	}
	m := machinesOf(s.vote, labels...)
	m.Task, m.Kernel = models.CSVC, kernel.Linear{}
	for _, label := range labels {
		m.Vectors.Append(vec.Vector{Index: []int32{int32(label)}, Value: []float64{1}})
	}
	for i := range m.Machines {
		c := &m.Machines[i]
		c.Index, c.Coef, c.Rho = []int32{int32(c.Pos)}, []float64{1}, 0.5
		if c.Neg != models.Rest {
			c.Index, c.Coef, c.Rho = append(c.Index, int32(c.Neg)), append(c.Coef, -1), 0
		}
	}
	return m, nil
}

// TestCalibratedSides: values of rows by the models of folds are on the same side as by the whole
// model, though these see the classes in another order, or lack one.
func TestCalibratedSides(t *testing.T) {
	for _, few := range []int{1, 3, 4} { // rows of the class that comes first
		for _, vote := range []models.Vote{models.OneVsOne, models.OneVsRest} {
			d := new(format.Dataset)
			for i := range few + 40 {
				label := 7
				if i >= few {
					label = 5 + i%2*4
				}
				d.Y = append(d.Y, float64(label))
				d.X.Append(vec.Vector{Index: []int32{int32(label)}, Value: []float64{1}})
			}
			swapped := 0
			for seed := range uint32(8) {
				m, err := Calibrated{Trainer: sides{vote}, Task: models.CSVC}.Train(t.Context(), d, NewRand(seed))
				if err != nil {
					t.Fatal(err)
				}
				folds, err := CrossValidationFolds(models.CSVC, d.Y, calibrationFolds, NewRand(seed), nil)
				if err != nil {
					t.Fatal(err)
				}
				for i := range len(folds.Start) - 1 {
					rest, release := (&crossValidation{d: d, folds: folds}).rest(t.Context(), i)
					part, _ := sides{vote}.Train(t.Context(), rest.of(d), nil)
					release()
					if !slices.Equal(part.Labels, m.Labels) {
						swapped++
					}
					held := folds.Perm[folds.Start[i]:folds.Start[i+1]]
					checkSides(t, m, part, d, held)
				}
				for i := range m.Machines {
					// the class of a single row is decided by models that do not know it
					if s := m.Machines[i].Sigmoid; s == nil || few > 1 && !(s.A < -1) {
						t.Errorf("%d rows, %v, seed %d: machine %d has the sigmoid %+v", few, vote, seed, i, s)
					}
				}
			}
			if swapped == 0 {
				t.Errorf("%d rows, %v: the folds' models have the classes of the whole", few, vote)
			}
		}
	}
}

// checkSides compares the sides of rows by part with those by m, as far as part knows their
// classes.
func checkSides(t *testing.T, m, part *models.Model, d *format.Dataset, rows []int) {
	t.Helper()
	values := make([][]float64, d.Len())
	if err := decideLike(t.Context(), m, part, d, rows, values); err != nil {
		t.Fatal(err)
	}
	for _, i := range rows {
		label := int(d.Y[i])
		for n, v := range values[i] {
			c := &m.Machines[n]
			want := 0.0
			switch {
			case !slices.Contains(part.Labels, label):
			case label == m.Labels[c.Pos]:
				want = 1
			case c.Neg == models.Rest || label == m.Labels[c.Neg]:
				want = -1
			}
			if want != 0 && !(v*want > 0) {
				t.Errorf("%v of %v: row %d of class %d has the value %v of machine %d", part.Labels, m.Labels, i, label, v, n)
			}
		}
	}
}

// TestCalibratedDraws: as many random numbers are drawn as Draws says: none for calibration if
// there is one class.
func TestCalibratedDraws(t *testing.T) {
	c := Calibrated{Trainer: OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}}, Task: models.CSVC}
	for k := 1; k <= 3; k++ {
		d := rowsOf(20, false)
		for i := range d.Y {
			d.Y[i] = float64(i % k)
		}
		rng, twin := NewRand(3), NewRand(3)
		if _, err := c.Train(t.Context(), d, rng); err != nil {
			t.Fatal(err)
		}
		n := c.Draws(d)
		if twin.Skip(n); *rng != *twin || (n == 0) != (k == 1) {
			t.Errorf("%d classes: not %d numbers are drawn", k, n)
		}
	}
}

// TestRestDraws: as many random numbers are drawn for probabilities as Draws says, so that folds of a
// cross-validation that are trained at once go on where the one before ends.
func TestRestDraws(t *testing.T) {
	for _, probability := range []bool{false, true} {
		o := OneVsRest{Solver: signs{}, Kernel: kernel.Linear{}, Probability: probability}
		for k := 1; k <= 4; k++ {
			d := rowsOf(20, false)
			for i := range d.Y {
				d.Y[i] = float64(i % k)
			}
			rng, twin := NewRand(3), NewRand(3)
			if _, err := o.Train(t.Context(), d, rng); err != nil {
				t.Fatal(err)
			}
			n := o.Draws(d)
			if twin.Skip(n); *rng != *twin || (n > 0) != (probability && k > 1) {
				t.Errorf("%d classes, probabilities %t: not %d numbers are drawn", k, probability, n)
			}
		}
	}
}

// units is a trainer of machines whose values are in a unit that depends on the rows: their number.
type units struct{ chosen float64 } // 0: to be chosen

func (u units) Train(_ context.Context, d *format.Dataset, _ *Rand) (*models.Model, error) {
	if u.chosen == 0 {
		u.chosen = float64(d.Len())
	}
	m := &models.Model{Kernel: kernel.Linear{}, Labels: []int{1, 2}, Machines: []models.Machine{{Neg: 1, Coef: []float64{u.chosen}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{1}})
	m.Origin = []int{0}
	return m, nil
}

func (u units) WithSettingsOf(m *models.Model) Trainer { return units{m.Machines[0].Coef[0]} }

// TestCalibratedLike: sigmoids are fitted to values in the unit of the model's own values.
func TestCalibratedLike(t *testing.T) {
	d := new(format.Dataset)
	for i := range 60 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i%13) - 6}}, Y: float64(1 + (i*i%7+i%13)/10), Weight: 1})
	}
	for _, chosen := range []float64{0, 60} {
		m, err := Calibrated{Trainer: units{chosen}, Task: models.CSVC}.Train(t.Context(), d, NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		fixed, err := Calibrated{Trainer: units{60}, Task: models.CSVC}.Train(t.Context(), d, NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := *m.Machines[0].Sigmoid, *fixed.Machines[0].Sigmoid; got != want {
			t.Errorf("unit %v: %v, want %v", chosen, got, want)
		}
	}
}

// lenient trains on the rows that are valid.
type lenient struct{ Trainer }

func (l lenient) Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error) {
	valid := new(format.Dataset)
	for i := range d.Len() {
		if x := d.X.Row(i); x.Check() == nil {
			valid.Append(format.Instance{X: x, Y: d.Y[i], Weight: 1})
		}
	}
	return l.Trainer.Train(ctx, valid, rng)
}

// strangers makes models for a precomputed kernel, whatever the rows are.
type strangers struct{ Trainer }

func (s strangers) Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error) {
	m, err := s.Trainer.Train(ctx, d, rng)
	if err != nil {
		return nil, err
	}
	of := *m
	of.Kernel, of.Vectors = kernel.Precomputed{}, vec.Matrix{}
	for i := range m.Vectors.Len() {
		of.Vectors.Append(vec.Vector{Index: []int32{0}, Value: []float64{float64(i + 70)}})
	}
	return &of, nil
}

// TestCalibratedRows: a row that the model of a fold cannot answer for is an error with its number, not a
// panic, whatever the caller's trainer takes.
func TestCalibratedRows(t *testing.T) {
	for name, faulty := range map[string]vec.Vector{
		"NaN": {Index: []int32{1}, Value: []float64{math.NaN()}}, "negative": {Index: []int32{-1}, Value: []float64{1}},
		"order": {Index: []int32{2, 1}, Value: []float64{1, 1}}, "": {Index: []int32{1, 2}, Value: []float64{1, 1}},
	} {
		d := new(format.Dataset)
		for i := range 40 {
			x := vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i%13) - 6, 1}}
			if i == 23 {
				x = faulty
			}
			d.Append(format.Instance{X: x, Y: float64(i % 2), Weight: 1})
		}
		var trainer Trainer = lenient{units{1}}
		if name == "" {
			trainer = strangers{units{1}}
		}
		m, err := Calibrated{Trainer: trainer}.Train(t.Context(), d, NewRand(1))
		var at *RowError
		if m != nil || !errors.As(err, &at) || name != "" && at.Row != 23 {
			t.Errorf("%q: model %v, error %v, expected an error of row 24", name, m, err)
		}
	}
}
