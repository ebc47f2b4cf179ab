package joint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// small returns a trainer that is soon done.
func small(report train.Report) Trainer {
	t := Default()
	t.Kernel, t.Vectors, t.Cost, t.Evaluations, t.Report = kernel.RBF{Gamma: 0.5}, 8, 10, 20, report
	t.Starts, t.HeldOut = []Basis{KMeans{}, RandomRows{}}, 0.4
	return t
}

func TestConformance(t *testing.T) {
	for name, kind := range map[string]func(*Trainer, *traintest.Options){
		"classes":      func(_ *Trainer, o *traintest.Options) { o.Accuracy = 0.9 },
		"softmax":      func(c *Trainer, o *traintest.Options) { o.Accuracy, c.Loss = 0.9, Softmax },
		"nothing held": func(c *Trainer, o *traintest.Options) { o.Accuracy, c.HeldOut = 0.9, 0 },
		"few vectors":  func(c *Trainer, o *traintest.Options) { o.Accuracy, c.Vectors = 0.3, 1 },
		"linear":       func(c *Trainer, o *traintest.Options) { o.Accuracy, c.Kernel = 0.5, kernel.Linear{} },
		"polynomial": func(c *Trainer, o *traintest.Options) {
			o.Accuracy, c.Kernel = 0.9, kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}
		},
		"sigmoid": func(c *Trainer, o *traintest.Options) { o.Accuracy, c.Kernel = 0.5, kernel.Sigmoid{Gamma: 0.1} },
		"a width to choose": func(c *Trainer, o *traintest.Options) {
			o.Accuracy, c.Kernel, c.ChooseWidth = 0.9, kernel.RBF{Gamma: 1e4}, true
		},
		"regression": func(c *Trainer, o *traintest.Options) {
			o.Accuracy, o.Regression, c.Task = 0.8, true, models.EpsilonSVR
		},
		"least squares": func(c *Trainer, o *traintest.Options) {
			o.Accuracy, o.Regression, c.Task, c.Loss = 0.8, true, models.EpsilonSVR, Squared
		},
	} {
		if testing.Short() && name != "classes" && name != "regression" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var o traintest.Options
			kind(&Trainer{}, &o)
			traintest.Run(t, func(report train.Report) train.Trainer {
				c := small(report)
				kind(&c, &traintest.Options{})
				return c
			}, o)
		})
	}
}

func accuracy(t *testing.T, m *models.Model, d *format.Dataset) float64 {
	t.Helper()
	return scores(t, m, d).Accuracy()
}

func scores(t *testing.T, m *models.Model, d *format.Dataset) *predict.Scores {
	t.Helper()
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var s predict.Scores
	for i, y := range d.Y {
		s.Add(p.Predict(d.X.Row(i)), y)
	}
	return &s
}

func set(t *testing.T, name string, rows int, seed uint64) *format.Dataset {
	t.Helper()
	g, ok := generate.Lookup(name)
	if !ok {
		t.Fatalf("no data set %q", name)
	}
	return g.Generate(rows, seed)
}

// TestMoves: vectors that move separate what their starts do not, with one machine for two classes,
// and with one for each class if there are more.
func TestMoves(t *testing.T) {
	for name, machines := range map[string]int{"checkerboard": 1, "gauss5": 5} {
		learn, test := set(t, name, 400, 1), set(t, name, 800, 2)
		c := small(nil)
		c.Vectors, c.Kernel, c.Evaluations, c.Cost = 16, kernel.RBF{Gamma: 0.05}, 60, 100
		var share [2]float64
		for k, evaluations := range []int{0, c.Evaluations} {
			c.Evaluations = evaluations
			m, err := c.Train(t.Context(), learn, train.NewRand(1))
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Machines) != machines || m.Vectors.Len() > c.Vectors {
				t.Fatalf("%s: %d machines on %d vectors", name, len(m.Machines), m.Vectors.Len())
			}
			share[k] = accuracy(t, m, test)
		}
		if share[1] < share[0]-0.01 || name == "checkerboard" && share[1] < share[0]+0.1 {
			t.Errorf("%s: accuracy %v after, %v before", name, share[1], share[0])
		}
	}
}

// TestFalls: for every loss, the objective decreases from look to look, also when the coordinates
// change. Between such changes lbfgs guarantees it. While vectors are replaced, it does not increase.
func TestFalls(t *testing.T) {
	for _, loss := range []Loss{SquaredHinge, Multiclass, Softmax, Squared, Insensitive} {
		d := set(t, "gauss5", 300, 1)
		c := small(nil)
		if c.HeldOut, c.Loss, c.Evaluations = 0, loss, 250; loss == Squared || loss == Insensitive {
			c.Task = models.EpsilonSVR
		}
		s := &search{Trainer: c, d: d, seed: 1}
		if err := s.join(); err != nil {
			t.Fatal(err)
		}
		if err := s.compact(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := s.targets(); err != nil {
			t.Fatal(err)
		}
		rows := newChunks(&d.X, s.withExtra(s.rows...), s.inputs, s.Vectors, s.y, s.weight)
		now, err := s.begin(t.Context(), choice{loss: c.Loss, cost: 1}, s.rows, rows)
		if err != nil {
			t.Fatal(err)
		}
		looks, last := 0, math.Inf(1)
		err = s.descend(t.Context(), now, rows, math.MaxInt, func(now *candidate, _ float64) bool {
			o := s.objective(now, rows)
			o.pull = 0
			j := o.value(context.Background(), &now.point, gradientOf(&now.point))
			if !(j < last) && !(j == last && s.Task.Regresses()) { // what is best may stay the same
				t.Errorf("%s: from %v to %v", loss, last, j)
			}
			last = j
			looks++
			return true
		})
		if err != nil || looks < 4 {
			t.Fatalf("%s: %v after %d looks, %v", loss, last, looks, err)
		}
	}
}

// TestExtra: extra rows are learned from, and their labels have to be known.
func TestExtra(t *testing.T) {
	d := set(t, "moons", 200, 1)
	c := small(nil)
	few := &format.Dataset{}
	for i := range 12 {
		few.Append(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1})
	}
	c.Extra = d
	m, err := c.Train(t.Context(), few, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	if got := accuracy(t, m, d); got < 0.97 {
		t.Errorf("accuracy %v with the extra rows", got)
	}
	for _, y := range []float64{17, 1e300, math.NaN(), math.Inf(-1)} {
		c.Extra = &format.Dataset{}
		c.Extra.Append(format.Instance{X: d.X.Row(0), Y: y, Weight: 1})
		want := fmt.Sprintf("label %v is not among those of the data", y)
		if _, err := c.Train(t.Context(), few, train.NewRand(1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("an unknown label: %v, want %s", err, want)
		}
	}
	c.Extra = &format.Dataset{X: d.X, Y: d.Y[:3]}
	if _, err := c.Train(t.Context(), few, train.NewRand(1)); err == nil || err.Error() != "extra rows: 200 rows but 3 labels" {
		t.Errorf("extra rows without labels: %v", err)
	}
}

// TestFeatures: features with large gaps between their indices take no more memory than others. The
// model has the original indices, down to 0.
func TestFeatures(t *testing.T) {
	d := set(t, "moons", 60, 1)
	far := &format.Dataset{Y: d.Y}
	place := []int32{0, 0, math.MaxInt32}
	for i := range d.Len() {
		v := d.X.Row(i).Clone()
		for k, f := range v.Index {
			v.Index[k] = place[f]
		}
		far.X.Append(v)
	}
	c := small(nil)
	near, err := c.Train(t.Context(), d, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.Train(t.Context(), far, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil || accuracy(t, m, far) != accuracy(t, near, d) {
		t.Errorf("accuracy %v, with neighbouring features %v; %v", accuracy(t, m, far), accuracy(t, near, d), err)
	}
	c.Starts, c.Evaluations, c.HeldOut = []Basis{Given{"model", m.Vectors}}, 0, 0
	again, err := c.Train(t.Context(), far, train.NewRand(1))
	if err != nil || again.Vectors.Row(0).At(math.MaxInt32) != m.Vectors.Row(0).At(math.MaxInt32) {
		t.Errorf("given vectors do not come back, %v", err)
	}
}

// TestWeights: a class whose errors cost more is answered more often.
func TestWeights(t *testing.T) {
	d := generate.Gaussians(2, 2, 1).Generate(400, 3)
	count := func(weights []train.ClassWeight) (n int) {
		c := small(nil)
		c.Weights = weights
		m, err := c.Train(t.Context(), d, train.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.Len() {
			if p.Predict(d.X.Row(i)) == d.Y[0] {
				n++
			}
		}
		return n
	}
	if plain, heavy := count(nil), count([]train.ClassWeight{{Label: int(d.Y[0]), Weight: 20}}); heavy < plain+20 {
		t.Errorf("%d answers with the weight, %d without", heavy, plain)
	}
}

// TestGiven: training can continue from the vectors of a saved model.
func TestGiven(t *testing.T) {
	d := set(t, "checkerboard", 300, 1)
	c := small(nil)
	c.Vectors, c.Kernel, c.Evaluations, c.HeldOut, c.Cost = 16, kernel.RBF{Gamma: 0.05}, 20, 0, 100
	value := func(m *models.Model) float64 {
		c := c
		c.Kernel, c.Evaluations, c.Starts = m.Kernel, 0, []Basis{Given{"model", m.Vectors}}
		s := &search{Trainer: c, d: d, seed: 1}
		if err := s.compact(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := s.targets(); err != nil {
			t.Fatal(err)
		}
		rows := newChunks(&d.X, s.withExtra(s.rows...), s.inputs, s.Vectors, s.y, s.weight)
		now, err := s.begin(t.Context(), choice{loss: SquaredHinge, cost: 1}, s.rows, rows)
		if err != nil {
			t.Fatal(err)
		}
		return s.objective(now, rows).value(context.Background(), &now.point, gradientOf(&now.point))
	}
	first, err := c.Train(t.Context(), d, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := models.Write(&file, first); err != nil {
		t.Fatal(err)
	}
	read, err := models.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	c.Kernel, c.Starts = read.Kernel, []Basis{Given{"model", read.Vectors}}
	second, err := c.Train(t.Context(), d, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := value(first), value(second); !(b < a) {
		t.Errorf("the objective went from %v to %v", a, b)
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*Trainer){
		"vectors of this kernel": func(c *Trainer) { c.Kernel = kernel.Precomputed{} },
		"no kernel":              func(c *Trainer) { c.Kernel = nil },
		"a kernel of type *kernel.RBF, expected the value":                             func(c *Trainer) { c.Kernel = &kernel.RBF{Gamma: 1} },
		"no loss \"squared\" for c_svc: expected squared-hinge, multiclass or softmax": func(c *Trainer) { c.Loss = Squared },
		"no loss \"softmax\" for epsilon_svr: expected squared or insensitive":         func(c *Trainer) { c.Task, c.Loss = models.EpsilonSVR, Softmax },
		"0 vectors":      func(c *Trainer) { c.Vectors = 0 },
		"cost 0 is not":  func(c *Trainer) { c.Cost = 0 },
		"epsilon NaN":    func(c *Trainer) { c.Epsilon = math.NaN() },
		"no start":       func(c *Trainer) { c.Starts = nil },
		"-1 evaluations": func(c *Trainer) { c.Evaluations = -1 },
		"a share of 1 held out, expected 0 or more, and less than 1":             func(c *Trainer) { c.HeldOut = 1 },
		"a share of 1 of few rows held out, expected 0 or more, and less than 1": func(c *Trainer) { c.FewHeldOut = 1 },
		"patience of 0 looks":                   func(c *Trainer) { c.Patience = 0 },
		"pull -1":                               func(c *Trainer) { c.Pull = -1 },
		"task nu_svc":                           func(c *Trainer) { c.Task = models.NuSVC },
		"weight 0 of class 3 is not a positive": func(c *Trainer) { c.Weights = []train.ClassWeight{{Label: 3}} },
	} {
		c := Default()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}

// TestStarts: the vectors are divided among the classes, also if they are fewer than classes or
// rows. Vectors for which a class has too few rows go to the others.
func TestStarts(t *testing.T) {
	var x vec.Matrix
	for i := range 9 {
		x.Append(vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}})
	}
	classes := [][]int{{0, 1, 2, 3}, {4}, {5, 6, 7, 8}}
	for n, want := range map[int]int{1: 1, 2: 2, 3: 3, 5: 5, 8: 8, 9: 9, 100: 9} {
		for _, b := range []Basis{KMeans{}, RandomRows{}} {
			zs, err := b.Vectors(t.Context(), &x, classes, n, newRand(1, 1))
			if err != nil || zs.Len() != want {
				t.Errorf("%s: %d of %d vectors, %v", b.Name(), zs.Len(), n, err)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := small(func(e train.Event) {
		if _, ok := e.(train.Progress); ok {
			cancel()
		}
	})
	if _, err := c.Train(ctx, set(t, "gauss5", 150, 1), train.NewRand(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled at the first iteration: %v", err)
	}
}

// ending is a basis that cancels the training when it is called, and counts the calls.
type ending struct {
	RandomRows
	cancel context.CancelFunc
	asked  *int
}

func (e ending) Vectors(ctx context.Context, x *vec.Matrix, classes [][]int, n int, rng *rand.Rand) (vec.Matrix, error) {
	e.cancel()
	*e.asked++
	return e.RandomRows.Vectors(ctx, x, classes, n, rng)
}

// TestCancelledParts: when the training is cancelled, no other part of the rows is prepared, and no
// vectors are found for it.
func TestCancelledParts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	c := small(nil)
	c.Threads, c.Starts = 1, []Basis{ending{cancel: cancel, asked: &asked}}
	if _, err := c.Train(ctx, set(t, "gauss5", 150, 1), train.NewRand(1)); !errors.Is(err, context.Canceled) || asked != 1 {
		t.Errorf("cancelled at the first start: %v, and %d starts", err, asked)
	}
}

// TestNoVectors: a start may have no vectors, for dense rows and for sparse ones.
func TestNoVectors(t *testing.T) {
	sparse := new(format.Dataset)
	for i := range 60 {
		sparse.Append(format.Instance{X: vec.Vector{Index: []int32{int32(1 + i%20)}, Value: []float64{1}}, Y: float64(i % 3), Weight: 1})
	}
	for _, d := range []*format.Dataset{set(t, "gauss5", 60, 1), sparse} {
		c := small(nil)
		c.Starts = []Basis{Given{From: "nothing"}}
		m, err := c.Train(t.Context(), d, train.NewRand(1))
		if err != nil || m.Vectors.Len() != 0 {
			t.Errorf("%v", err)
		}
	}
}
