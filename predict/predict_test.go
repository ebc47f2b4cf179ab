package predict

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// linear returns a linear classifier with one vector, (1), for each class, whose machine p has the
// value decisions[p] at x = (1).
func linear(labels []int, decisions ...float64) *models.Model {
	m := &models.Model{Kernel: kernel.Linear{}, Labels: labels}
	for range labels {
		m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{1}})
		m.Group = append(m.Group, 1)
	}
	for i := range labels {
		for j := i + 1; j < len(labels); j++ {
			m.Machines = append(m.Machines, models.Machine{Pos: i, Neg: j, Coef: []float64{decisions[len(m.Machines)], 0}})
		}
	}
	return m
}

var one = vec.Vector{Index: []int32{1}, Value: []float64{1}}

func predictor(t *testing.T, m *models.Model) *Predictor {
	t.Helper()
	p, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestVotes(t *testing.T) {
	for _, c := range []struct {
		name      string
		labels    []int
		decisions []float64
		want      float64
	}{
		{"positive", []int{5, 3}, []float64{0.1}, 5},
		{"negative", []int{5, 3}, []float64{-0.1}, 3},
		{"zero votes for the second", []int{5, 3}, []float64{0}, 3},
		{"most votes", []int{1, 2, 3}, []float64{-1, 1, 1}, 2}, // 1<2, 1>3, 2>3
		{"a cycle gives the first", []int{7, 2, 3}, []float64{1, -1, 1}, 7},
	} {
		if got := predictor(t, linear(c.labels, c.decisions...)).Predict(one); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestSpans: a machine that lists its vectors decides as one without a list, if they are the same.
func TestSpans(t *testing.T) {
	a := linear([]int{1, 2, 3}, 0.25, -0.5, 2)
	b := linear([]int{1, 2, 3}, 0.25, -0.5, 2)
	for i := range b.Machines {
		b.Machines[i].Index = []int32{int32(b.Machines[i].Pos), int32(b.Machines[i].Neg)}
	}
	x, y := make([]float64, 3), make([]float64, 3)
	predictor(t, a).Decisions(x, one)
	predictor(t, b).Decisions(y, one)
	for i, want := range []float64{0.25, -0.5, 2} {
		if x[i] != want || y[i] != want {
			t.Errorf("decision %d is %v and %v, want %v", i, x[i], y[i], want)
		}
	}
}

func TestOtherTasks(t *testing.T) {
	m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{2}, Rho: 0.5}}}
	m.Vectors.Append(one)
	if got := predictor(t, m).Predict(one); got != 1.5 {
		t.Errorf("regression: %v, want 1.5", got)
	}
	m.Task = models.OneClass
	for rho, want := range map[float64]float64{1: 1, 2: -1, 3: -1, math.Inf(1): -1} {
		m.Machines[0].Rho = rho
		if got := predictor(t, m).Predict(one); got != want {
			t.Errorf("one-class with rho %v: %v, want %v", rho, got, want)
		}
	}
}

func TestTwoClassProbability(t *testing.T) {
	m := linear([]int{4, -4}, 0.75)
	m.Probability = true
	m.Machines[0].Sigmoid = &models.Sigmoid{A: -2, B: 0.5}
	p := predictor(t, m)
	dst := make([]float64, 2)
	label, limit := p.Probabilities(dst, one)
	want := 1 / (1 + math.Exp(-2*0.75+0.5))
	if !(math.Abs(dst[0]-want) <= 1e-15) || !(math.Abs(dst[0]+dst[1]-1) <= 1e-15) || label != 4 || limit {
		t.Errorf("%v, label %v; want %v", dst, label, want)
	}
	m.Machines[0].Sigmoid.A = -2000
	if p.Probabilities(dst, one); dst[0] != 1-1e-7 {
		t.Errorf("%v is not kept away from 1", dst[0])
	}
	m.Machines[0].Sigmoid = &models.Sigmoid{} // 0.5 each: the first label
	if label, _ := p.Probabilities(dst, one); label != 4 {
		t.Errorf("of equal probabilities label %v, want the first", label)
	}
}

func TestDensityLevels(t *testing.T) {
	marks := []float64{-9, -7, -5, -3, -1, 1, 3, 5, 7, 9}
	for f, want := range map[float64]float64{
		-10: 0.001, -9: 0.1, -8: 0.1, -7: 0.2, 0: 0.5, 8.9: 0.9, 9: 0.999, 10: 0.999,
	} {
		if got := densityLevel(marks, f); got != want {
			t.Errorf("%v: %v, want %v", f, got, want)
		}
	}
}

// TestProbabilitiesOverwrite: what stands in dst has no part in the probabilities, all of which are
// set.
func TestProbabilitiesOverwrite(t *testing.T) {
	inside := &models.Model{Task: models.OneClass, Kernel: kernel.Linear{}, Probability: true,
		Machines: []models.Machine{{Coef: []float64{1}}}, DensityMarks: []float64{-9, -7, -5, -3, -1, 1, 3, 5, 7, 9}}
	inside.Vectors.Append(point(1))
	for _, c := range []struct {
		m    *models.Model
		x    float64
		want string
	}{
		{inside, 6, "[0.8 0.2]"},
		{inside, -20, "[0.001 0.999]"},
		{lines(models.ByProbability), 2, "[0.607 0.381 0.012]"},
		{lines(models.ByProbability), -1, "[0.348 0.038 0.614]"},
	} {
		p := predictor(t, c.m)
		for _, before := range []float64{0, 9, math.NaN()} {
			dst := slices.Repeat([]float64{before}, p.Outcomes())
			p.Probabilities(dst, point(c.x))
			got := make([]float64, len(dst))
			for i, v := range dst {
				got[i] = math.Round(v*1000) / 1000
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("%v, x = %v, dst had %v: %v, want %s", c.m.Task, c.x, before, got, c.want)
			}
		}
	}
}

func TestScores(t *testing.T) {
	var s Scores
	if a := s.Accuracy(); !math.IsNaN(a) || !math.Signbit(a) {
		t.Errorf("accuracy of no rows is %v, want -nan", a)
	}
	p, y := []float64{1, 2, 4, 4}, []float64{1, 3, 4, 6}
	for i := range p {
		s.Add(p[i], y[i])
	}
	// means 2.75 and 3.5; covariances 8.5, variances 6.75 and 13
	if s.Accuracy() != 0.5 || s.MeanSquaredError() != 1.25 || !(math.Abs(s.SquaredCorrelation()-8.5*8.5/(6.75*13)) <= 1e-12) {
		t.Errorf("%v, %v, %v", s.Accuracy(), s.MeanSquaredError(), s.SquaredCorrelation())
	}
	var constant Scores
	constant.Add(1, 2)
	constant.Add(3, 2)
	if r := constant.SquaredCorrelation(); !math.IsNaN(r) || !math.Signbit(r) {
		t.Errorf("correlation with a constant is %v, want -nan", r)
	}
}

func TestCheck(t *testing.T) {
	m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Precomputed{}, Machines: []models.Machine{{Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{0}, Value: []float64{2}})
	p := predictor(t, m)
	if err := p.Check(vec.Vector{Index: []int32{0, 1, 2}, Value: []float64{1, 5, 6}}); err != nil {
		t.Error(err)
	}
	for _, x := range []vec.Vector{{}, one, {Index: []int32{0, 1}, Value: []float64{1, 5}}, {Index: []int32{0, 2}, Value: []float64{1, 5}}} {
		if p.Check(x) == nil {
			t.Errorf("%v is accepted", x)
		}
	}
}

// TestConcurrent: several goroutines get the same answers, without allocating.
func TestConcurrent(t *testing.T) {
	m := linear([]int{1, 2, 3}, 0.25, -0.5, 2)
	p := predictor(t, m)
	want := p.Predict(one)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				if got := p.Predict(one); got != want {
					t.Errorf("%v, want %v", got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestOneVsRest: with one machine for each class, the largest value wins, and of equal ones the
// first.
func TestOneVsRest(t *testing.T) {
	for _, c := range []struct {
		decisions []float64
		want      float64
	}{
		{[]float64{-3, -1, -2}, 8},
		{[]float64{2, 2, 1}, 9},
		{[]float64{-1, 0.5, 0.5}, 8},
		{[]float64{0, 0, 0}, 9},
	} {
		m := &models.Model{Kernel: kernel.Linear{}, Labels: []int{9, 8, 7}, Vote: models.OneVsRest, Probability: true}
		m.Vectors.Append(one)
		for i, d := range c.decisions {
			m.Machines = append(m.Machines, models.Machine{
				Pos: i, Neg: models.Rest, Coef: []float64{d}, Sigmoid: &models.Sigmoid{A: -1},
			})
		}
		p := predictor(t, m)
		if got := p.Predict(one); got != c.want {
			t.Errorf("%v: %v, want %v", c.decisions, got, c.want)
		}
		dst := make([]float64, 3)
		answer, _ := p.Probabilities(dst, one)
		sum := 0.0
		for i, d := range c.decisions {
			s := 1 / (1 + math.Exp(-d))
			sum += s
			dst[i] /= s
		}
		if answer != c.want || !(math.Abs(dst[0]-1/sum) <= 1e-15) || !(math.Abs(dst[1]-1/sum) <= 1e-15) || !(math.Abs(dst[2]-1/sum) <= 1e-15) {
			t.Errorf("%v: probabilities are %v times the sigmoids, sum %v, answer %v", c.decisions, dst, sum, answer)
		}
	}
}

// TestCheckIndices: rows whose indices do not increase are reported: they would get a wrong answer.
func TestCheckIndices(t *testing.T) {
	p := predictor(t, linear([]int{1, 2}, 0.5))
	for want, x := range map[string]vec.Vector{
		"": {Index: []int32{0, 1, 3}, Value: []float64{1, 1, 1}},
		"index 1 follows index 3: indices must increase": {Index: []int32{3, 1}, Value: []float64{1, 1}},
		"index 2 follows index 2: indices must increase": {Index: []int32{2, 2}, Value: []float64{1, 1}},
		"index -1 is negative":                           {Index: []int32{-1, 1}, Value: []float64{1, 1}},
		"2 indices but 1 values":                         {Index: []int32{1, 2}, Value: []float64{1}},
		"0 indices but 1 values":                         {Value: []float64{1}},
	} {
		if err := p.Check(x); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%v: %v, want %q", x, err, want)
		}
	}
}

func TestCheckFinite(t *testing.T) {
	p := predictor(t, linear([]int{1, 2}, 0.5))
	for want, values := range map[string][]float64{
		"": {1, -0.5}, "feature 3 is NaN, expected a finite number": {1, math.NaN()},
		"feature 1 is +Inf, expected a finite number": {math.Inf(1), math.Inf(-1)},
	} {
		err := p.Check(vec.Vector{Index: []int32{1, 3}, Value: values})
		if err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%v: %v, want %q", values, err, want)
		}
	}
}

// TestOverflow: a row whose kernel values overflow passes Check and has the answers that its doc says.
func TestOverflow(t *testing.T) {
	for task, want := range map[models.Task]float64{models.CSVC: 2, models.OneClass: -1, models.EpsilonSVR: math.NaN()} {
		m := &models.Model{Task: task, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{1, -1}}}}
		for range 2 {
			m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{4}})
		}
		if task.Classifies() {
			m.Labels, m.Group, m.Machines[0].Neg = []int{1, 2}, []int{1, 1}, 1
		}
		p := predictor(t, m)
		x := vec.Vector{Index: []int32{1}, Value: []float64{1e308}}
		if err := p.Check(x); err != nil {
			t.Errorf("%v: %v", task, err)
		}
		value := []float64{0}
		p.Decisions(value, x)
		if got := p.Predict(x); !math.IsNaN(value[0]) || got != want && !math.IsNaN(want) || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("%v: answer %v, want %v; value %v", task, got, want, value)
		}
	}
}
