package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

func TestRand(t *testing.T) {
	g := NewRand(1)
	for i, want := range []int{1804289383, 846930886, 1681692777, 1714636915} {
		if got := g.Int(); got != want {
			t.Errorf("draw %d is %d, want %d", i, got, want)
		}
	}
	if NewRand(0).Int() != 1804289383 {
		t.Error("seed 0 is not seed 1")
	}
	if NewRand(2).Int() == 1804289383 {
		t.Error("seed 2 is seed 1")
	}
}

func TestShuffle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 100).Draw(t, "n")
		items := make([]int, n)
		for i := range items {
			items[i] = i
		}
		g := NewRand(rapid.Uint32().Draw(t, "seed"))
		twin := *g
		g.Shuffle(items)
		for range n {
			twin.Int()
		}
		if *g != twin {
			t.Errorf("shuffling %d items draws another number of times", n)
		}
		slices.Sort(items)
		for i, v := range items {
			if v != i {
				t.Fatalf("%v is no permutation", items)
			}
		}
	})
}

func TestGroupClasses(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		want string
	}{
		{[]float64{3, 1, 3, 2}, "[3 1 2] [[0 2] [1] [3]]"},
		{[]float64{-1, 1, -1}, "[1 -1] [[1] [0 2]]"},
		{[]float64{1, -1}, "[1 -1] [[0] [1]]"},
		{[]float64{-1, 1, 0}, "[-1 1 0] [[0] [1] [2]]"},
		{[]float64{0, 1}, "[0 1] [[0] [1]]"},
		{[]float64{1.9, -0.5, 1.2}, "[1 0] [[0 2] [1]]"},
	} {
		g, err := GroupClasses(c.y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(g.Labels, g.Rows); got != c.want {
			t.Errorf("%v: %s, want %s", c.y, got, c.want)
		}
	}
	for _, y := range []float64{math.NaN(), math.Inf(1), 1e10, -1e10, 2147483648} {
		if _, err := GroupClasses([]float64{1, y}, nil); err == nil {
			t.Errorf("label %v is accepted", y)
		}
	}
}

// TestFolds: every row is in one fold, folds differ in size by little, and
// stratified ones hold their share of every class.
func TestFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 80).Draw(t, "n")
		k := rapid.IntRange(2, n).Draw(t, "k")
		y := make([]float64, n)
		for i := range y {
			y[i] = float64(rapid.IntRange(0, 3).Draw(t, "y"))
		}
		for _, task := range []models.Task{models.CSVC, models.EpsilonSVR} {
			f, err := CrossValidationFolds(task, y, k, NewRand(3), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Start) != k+1 || f.Start[0] != 0 || f.Start[k] != n {
				t.Fatalf("folds begin at %v", f.Start)
			}
			rows := slices.Sorted(slices.Values(f.Perm))
			for i, v := range rows {
				if i != v {
					t.Fatalf("%v is no permutation", f.Perm)
				}
			}
			if task != models.CSVC || k == n {
				continue
			}
			for fold := range k {
				count := map[float64]int{}
				for _, row := range f.Perm[f.Start[fold]:f.Start[fold+1]] {
					count[y[row]]++
				}
				for _, label := range []float64{0, 1, 2, 3} {
					all := 0
					for _, v := range y {
						if v == label {
							all++
						}
					}
					if c := count[label]; c < all/k || c > all/k+1 {
						t.Fatalf("fold %d of %d holds %d of %d rows of class %v", fold, k, c, all, label)
					}
				}
			}
		}
	})
}

func TestFoldsReduced(t *testing.T) {
	var events []Event
	f, err := CrossValidationFolds(models.CSVC, []float64{1, 2, 1}, 9, NewRand(1), func(e Event) { events = append(events, e) })
	if err != nil || len(f.Start) != 4 || len(events) != 1 || events[0] != (FoldsReduced{9, 3}) {
		t.Errorf("%v %v %v", f, events, err)
	}
}

// TestFitSigmoid: at the solution the gradient of the cross-entropy vanishes;
// differences of the loss show the same gradient elsewhere.
func TestFitSigmoid(t *testing.T) {
	set, _ := generate.Lookup("gauss")
	d := set.Generate(300, 1)
	values := make([]float64, d.Len())
	for i := range values {
		values[i] = d.X.Row(i).At(1)
	}
	s := FitSigmoid(values, d.Y, nil)
	pos := 0.0
	for _, y := range d.Y {
		if y > 0 {
			pos++
		}
	}
	target := make([]float64, d.Len())
	for i, y := range d.Y {
		target[i] = 1 / (float64(d.Len()) - pos + 2)
		if y > 0 {
			target[i] = (pos + 1) / (pos + 2)
		}
	}
	if g1, g2, _, _, _ := sigmoidDerivatives(values, target, s); math.Abs(g1) > 1e-5 || math.Abs(g2) > 1e-5 {
		t.Errorf("gradient %v, %v at the solution", g1, g2)
	}
	at := models.Sigmoid{A: -0.3, B: 0.7}
	g1, g2, _, _, _ := sigmoidDerivatives(values, target, at)
	const h = 1e-5
	d1 := (sigmoidLoss(values, target, models.Sigmoid{A: at.A + h, B: at.B}) - sigmoidLoss(values, target, models.Sigmoid{A: at.A - h, B: at.B})) / (2 * h)
	d2 := (sigmoidLoss(values, target, models.Sigmoid{A: at.A, B: at.B + h}) - sigmoidLoss(values, target, models.Sigmoid{A: at.A, B: at.B - h})) / (2 * h)
	if math.Abs(g1-d1) > 1e-4 || math.Abs(g2-d2) > 1e-4 {
		t.Errorf("gradient %v, %v; by differences %v, %v", g1, g2, d1, d2)
	}
}

// signs is a solver whose coefficients are the labels, or 0 with the sign of the
// label in every third row.
type signs struct{}

func (signs) Solve(_ context.Context, p *Problem) (*Solution, error) {
	s := &Solution{Rho: 0.5}
	for i, y := range p.Y {
		c := p.Weight.Pos.Times(1)
		if y < 0 {
			c = p.Weight.Neg.Times(1)
		}
		if i%3 == 0 {
			c = 0
		}
		s.Coef = append(s.Coef, y*c)
	}
	return s, nil
}

func TestAssemble(t *testing.T) {
	d := &format.Dataset{}
	set, _ := generate.Lookup("gauss5")
	d.X = set.Generate(6, 1).X
	d.Y = []float64{2, 7, 7, 2, 9, 7}
	var events []Event
	m, err := OneVsOne{
		Solver: signs{}, Kernel: kernel.Linear{},
		Weights: []ClassWeight{{7, 3}, {1, 2}, {7, 0.5}},
		Report:  func(e Event) { events = append(events, e) },
	}.Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	// pairs: (2,7) rows 0 3 | 1 2 5, (2,9) rows 0 3 | 4, (7,9) rows 1 2 5 | 4
	if got, want := fmt.Sprint(m.Labels, m.Group, m.Origin), "[2 7 9] [1 3 1] [4 2 3 6 5]"; got != want {
		t.Errorf("labels, groups, origins %s, want %s", got, want)
	}
	var coefs []string
	for _, c := range m.Machines {
		coefs = append(coefs, fmt.Sprint(c.Coef))
	}
	if got, want := fmt.Sprint(coefs), "[[1 -1.5 -0 -1.5] [1 -1] [0 1.5 1.5 -0]]"; got != want {
		t.Errorf("coefficients %s, want %s", got, want)
	}
	if !slices.Contains(events, Event(WeightUnused{1})) || !slices.Contains(events, Event(Assembled{5})) {
		t.Errorf("events %v", events)
	}
}

func TestRefused(t *testing.T) {
	set, _ := generate.Lookup("gauss")
	d := set.Generate(10, 1)
	ovo := OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}}
	for _, w := range []float64{0, -1, math.NaN()} {
		ovo.Weights = []ClassWeight{{1, w}}
		if _, err := ovo.Train(context.Background(), d, nil); err == nil {
			t.Errorf("weight %v is accepted", w)
		}
	}
	ovo.Weights = nil
	d.Weight = make([]float64, d.Len())
	var row *RowError
	if _, err := ovo.Train(context.Background(), d, nil); !errors.As(err, &row) {
		t.Errorf("rows of weight 0: %v", err)
	}
	if err := CheckWeights(&format.Dataset{Weight: []float64{1, 2}}, false); !errors.Is(err, ErrRowWeights) {
		t.Errorf("weights without use: %v", err)
	}
}

// TestManyClasses: labels that look like numbers are warned of, and refused when
// there are thousands.
func TestManyClasses(t *testing.T) {
	for _, c := range []struct {
		classes, each int
		warned        bool
		refused       bool
	}{
		{100, 1, false, false},
		{101, 1, true, false},
		{101, 10, false, false},
		{3001, 9, false, true},
	} {
		var y []float64
		for i := range c.classes * c.each {
			y = append(y, float64(i%c.classes))
		}
		g, err := GroupClasses(y, nil)
		if err != nil {
			t.Fatal(err)
		}
		warned := false
		err = g.check(func(e Event) { _, warned = e.(ManyClasses) })
		if warned != c.warned || (err != nil) != c.refused {
			t.Errorf("%d classes of %d rows: warned %v, error %v", c.classes, c.each, warned, err)
		}
	}
}
