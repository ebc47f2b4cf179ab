package plantest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// A Trial is a model with rows. The file is given the rows' features from First on.
type Trial struct {
	Model  *models.Model
	First  int32
	Rows   []vec.Vector
	Ranges *scale.Ranges // nil: rows need no scaling
	Scaled []vec.Vector  // the rows after scaling by Ranges; nil without Ranges
}

// Kernels returns models of all tasks and votes with all kernels but precomputed ones.
func Kernels(rng *rand.Rand) (trials []Trial) {
	kernels := []kernel.Kernel{
		kernel.Linear{}, kernel.RBF{Gamma: 0.07}, kernel.Poly{Degree: 5, Gamma: 0.3, Coef0: -0.7}, kernel.Poly{Gamma: 2, Coef0: 1},
		kernel.Sigmoid{Gamma: 0.1, Coef0: 0.2},
	}
	for _, k := range kernels {
		for _, s := range []Shape{
			{Kernel: k, Classes: 2, Vectors: 7, First: 1, Width: 9, Density: 0.9, Grouped: true},
			{Kernel: k, Classes: 4, Vectors: 13, First: 1, Width: 30, Density: 0.1, Grouped: true},
			{Kernel: k, Classes: 3, Vectors: 5, First: 1, Width: 6, Density: 0.8},
			{Vote: models.OneVsRest, Kernel: k, Classes: 3, Vectors: 5, Width: 6, Density: 0.8},
			{Task: models.OneClass, Kernel: k, Vectors: 300, First: 1, Width: 3, Density: 0.7},
			{Task: models.EpsilonSVR, Kernel: k, Vectors: 6, Width: 70, Density: 0.2},
		} {
			m := s.Model(rng)
			rows := []vec.Vector{{}}
			for range 60 {
				rows = append(rows, Row(rng, s.First, s.Width+rng.IntN(7)-2, s.Density)) // with fewer features and with more
			}
			first := int32(1) // as long as no vector has feature 0
			for i := range m.Vectors.Len() {
				if m.Vectors.Row(i).At(0) != 0 {
					first = 0
				}
			}
			for i := range rows {
				if len(rows[i].Index) > 0 && rows[i].Index[0] < first {
					rows[i] = vec.Vector{Index: rows[i].Index[1:], Value: rows[i].Value[1:]}
				}
			}
			trials = append(trials, Trial{Model: m, First: first, Rows: rows})
		}
	}
	return trials
}

// Smallest returns models without vectors, features, coefficients or machines, and models with the
// smallest and largest labels.
func Smallest(rng *rand.Rand) (trials []Trial) {
	rbf := kernel.RBF{Gamma: 1}
	empty := Shape{Kernel: rbf, Classes: 3, First: 1, Width: 1, Density: 1}.Model(rng)
	bare := Shape{Kernel: rbf, Classes: 2, Vectors: 3, First: 1, Width: 2}.Model(rng)
	zeros := Shape{Vote: models.OneVsRest, Kernel: rbf, Classes: 3, Vectors: 3, First: 1, Width: 2, Density: 1}.Model(rng)
	for i := range zeros.Machines {
		clear(zeros.Machines[i].Coef)
	}
	one := Shape{Kernel: rbf, Classes: 1, First: 1, Width: 2, Density: 1}.Model(rng)
	low := Shape{Kernel: rbf, Classes: 2, Vectors: 2, First: 1, Width: 2, Density: 1}.Model(rng)
	low.Labels = []int{math.MinInt32, math.MaxInt32}
	for _, m := range []*models.Model{empty, bare, zeros, one, low} {
		trials = append(trials, Trial{Model: m, First: 1, Rows: []vec.Vector{{}, Row(rng, 1, 5, 1)}})
	}
	return trials
}

// Far returns models with a feature far from the others.
func Far(rng *rand.Rand) (trials []Trial) {
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.5}, kernel.Linear{}} {
		m := Shape{Kernel: k, Classes: 3, First: 1, Width: 1, Density: 1}.Model(rng)
		for i := range 12 {
			m.Vectors.Append(vec.Vector{Index: []int32{int32(1 + i), 2_000_000_000}, Value: []float64{rng.NormFloat64(), rng.NormFloat64() / 4}})
		}
		for i := range m.Machines {
			c := &m.Machines[i]
			for v := range 12 {
				c.Index, c.Coef = append(c.Index, int32(v)), append(c.Coef, rng.NormFloat64())
			}
		}
		c := Trial{Model: m, First: 1}
		for width := range 20 {
			c.Rows = append(c.Rows, Row(rng, 1, width, 0.8))
		}
		trials = append(trials, c)
	}
	return trials
}

// Ensembles returns ensembles with rows for which some members vote, and rows for which none does.
func Ensembles(rng *rand.Rand) (trials []Trial) {
	var rows []vec.Vector
	for range 150 {
		rows = append(rows, Row(rng, 1, 3+rng.IntN(4), 0.8))
	}
	rows = append(rows, vec.Vector{})
	rows = append(rows, Outliers(5)...)
	for _, c := range []struct {
		classes int
		sizes   []int
	}{
		{3, nil},
		{1, nil},
		{3, []int{0, 0, 0}},
		{4, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{3, []int{2, 2, 2, 2}},
		{3, []int{3, 3, 3}},
		{6, []int{4, 4}},
		{7, []int{5, 5, 5}},
		{5, []int{4, 2, 2}},
		{5, []int{4, 3, 3}},
		{9, []int{7, 3, 2, 4, 9, 2, 3, 5, 4}},
	} {
		for _, ballot := range []models.Ballot{models.ByProbability, models.ByDecision, models.ByCount} {
			for _, informed := range []bool{false, true} {
				m := Ensemble(rng, ballot, c.classes, c.sizes...)
				if ballot == models.ByProbability && !informed && len(c.sizes) > 0 {
					continue
				}
				if informed {
					Sigmoids(rng, m)
				}
				trials = append(trials, Trial{Model: m, First: 1, Rows: rows})
			}
		}
	}
	return trials
}

// Improbable returns ensembles whose probabilities are all 0.
func Improbable(rng *rand.Rand) (trials []Trial) {
	for _, sizes := range [][]int{{0, 0, 0}, {2, 2, 2}} {
		for _, ballot := range []models.Ballot{models.ByProbability, models.ByCount} {
			m := Ensemble(rng, ballot, 4, sizes...)
			m.Probability = true
			for i := range m.Machines {
				m.Machines[i].Sigmoid = &models.Sigmoid{B: 1e4}
			}
			var rows []vec.Vector
			for range 60 {
				rows = append(rows, Row(rng, 1, 5, 0.8))
			}
			trials = append(trials, Trial{Model: m, First: 1, Rows: rows})
		}
	}
	return trials
}

// Consistent returns ensembles whose pairs of classes agree with each other. Except for rounding,
// their equations then have many solutions.
func Consistent(rng *rand.Rand) (trials []Trial) {
	for _, k := range []int{3, 4, 5, 8} {
		for range 12 {
			m := models.NewEnsemble([]int{0, 1, 2, 3, 4, 5, 6, 7}, 0, models.ByProbability)
			for range 2 { // two members; the weights are logarithms of the classes' shares
				weights := make([]float64, k)
				for c := range weights {
					weights[c] = rng.NormFloat64()
				}
				var planes []models.Plane
				for a, w := range weights {
					for _, v := range weights[a+1:] {
						planes = append(planes, models.Plane{Rho: -1, Sigmoid: &models.Sigmoid{B: v - w}})
					}
				}
				m.AddMember(rng.Perm(8)[:k], planes)
			}
			m.Probability = true
			trials = append(trials, Trial{Model: m, First: 1, Rows: []vec.Vector{{}}})
		}
	}
	return trials
}

// Probable returns models of all tasks and votes with probability information.
func Probable(rng *rand.Rand) (trials []Trial, err error) {
	for _, s := range []Shape{
		{Kernel: kernel.RBF{Gamma: 0.07}, Classes: 2, Vectors: 7, Grouped: true},
		{Task: models.NuSVC, Kernel: kernel.Linear{}, Classes: 3, Vectors: 7, Grouped: true},
		{Kernel: kernel.Sigmoid{Gamma: 0.1, Coef0: 0.2}, Classes: 4, Vectors: 9},
		{Kernel: kernel.Poly{Degree: 3, Gamma: 0.3, Coef0: 1}, Classes: 13, Vectors: 40, Grouped: true},
		{Kernel: kernel.Linear{}, Classes: 40, Vectors: 60, Grouped: true},
		{Kernel: kernel.RBF{Gamma: 1}, Classes: 3, Grouped: true},
		{Kernel: kernel.RBF{Gamma: 1}, Classes: 1, Grouped: true},
		{Vote: models.OneVsRest, Kernel: kernel.RBF{Gamma: 0.07}, Classes: 1},
		{Vote: models.OneVsRest, Kernel: kernel.RBF{Gamma: 0.07}, Classes: 2, Vectors: 8},
		{Vote: models.OneVsRest, Kernel: kernel.Linear{}, Classes: 5, Vectors: 8},
		{Vote: models.OneVsRest, Kernel: kernel.Linear{}, Classes: 3},
		{Task: models.OneClass, Kernel: kernel.RBF{Gamma: 0.07}, Vectors: 9},
		{Task: models.EpsilonSVR, Kernel: kernel.RBF{Gamma: 0.07}, Vectors: 9},
	} {
		s.First, s.Width, s.Density = 1, 5, 0.8
		m := s.Model(rng)
		Sigmoids(rng, m)
		for i := range m.Machines { // 0 times an overflowing value is NaN, but files leave coefficients of 0 out
			for k, v := range m.Machines[i].Coef {
				if v == 0 {
					m.Machines[i].Coef[k] = -0.5
				}
			}
		}
		rows := append(Outliers(5), vec.Vector{})
		for range 60 {
			rows = append(rows, Row(rng, 1, 3+rng.IntN(4), 0.8))
		}
		switch s.Task {
		case models.EpsilonSVR:
			m.Noise = 0.1 + 1e-17
		case models.OneClass:
			m.Probability = false
			p, err := predict.New(m)
			if err != nil {
				return nil, err
			}
			value := make([]float64, 1)
			for i, x := range rows[2:] { // some rows have exactly the value of a mark
				if p.Decisions(value, x); i%5 == 0 && len(m.DensityMarks) < models.Marks {
					m.DensityMarks = append(m.DensityMarks, value[0])
				}
			}
			slices.Sort(m.DensityMarks)
			m.Probability = true
		}
		trials = append(trials, Trial{Model: m, First: 1, Rows: rows})
	}
	return trials, nil
}

// Levels returns one-class models some of whose marks are equal.
func Levels() (trials []Trial) {
	m := &models.Model{Task: models.OneClass, Kernel: kernel.Linear{}, Probability: true, Machines: []models.Machine{{Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{1}})
	var rows []vec.Vector
	for v := -3.0; v <= 3; v += 0.5 {
		rows = append(rows, vec.Vector{Index: []int32{1}, Value: []float64{v}})
	}
	for _, marks := range [][]float64{{-2, -2, -1, -1, 0, 0, 0, 1, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}} {
		marked := *m
		marked.DensityMarks = marks
		trials = append(trials, Trial{Model: &marked, First: 1, Rows: rows})
	}
	return trials
}

// Precomputed returns models of precomputed kernels. Their rows have all values.
func Precomputed(rng *rand.Rand) (trials []Trial) {
	for _, c := range []struct {
		task    models.Task
		classes int
	}{{models.CSVC, 2}, {models.CSVC, 4}, {models.OneClass, 0}, {models.NuSVR, 0}} {
		m := Shape{Task: c.task, Kernel: kernel.Precomputed{}, Classes: c.classes, First: 1, Width: 1, Density: 1}.Model(rng)
		const all = 12
		for _, i := range rng.Perm(all)[:7] {
			m.Vectors.Append(vec.Vector{Index: []int32{0}, Value: []float64{float64(i + 1)}})
		}
		for i := range m.Machines {
			for range 7 {
				m.Machines[i].Coef = append(m.Machines[i].Coef, rng.NormFloat64())
			}
		}
		if c.task.Classifies() {
			Sigmoids(rng, m)
		}
		var rows []vec.Vector
		for i := range 20 {
			x := vec.Vector{Index: []int32{0}, Value: []float64{float64(i)}}
			for j := range all {
				x.Index, x.Value = append(x.Index, int32(j+1)), append(x.Value, rng.NormFloat64())
			}
			rows = append(rows, x)
		}
		trials = append(trials, Trial{Model: m, First: 1, Rows: rows})
	}
	return trials
}

// Scaled returns regressions whose rows are scaled, by ranges of ordinary sizes and of the largest
// sizes, and by none.
func Scaled(rng *rand.Rand) (trials []Trial) {
	for n, l := range []scale.Limits{{Lower: -1, Upper: 1}, {Lower: 0, Upper: 1}, {Lower: 0.1, Upper: 0.7}, {Lower: -1, Upper: 1}, {Lower: -1e306, Upper: 1e300}, {Lower: -1, Upper: 1}, {Lower: -1.5e308, Upper: 1.5e308}} {
		const width = 12
		size := []float64{5, 3e-4, 700, math.MaxFloat64, 1e4, 1, 5}[n]
		r := Ranged(rng, l, width, size)
		if n == 5 {
			r.X.Ranges = nil
		}
		s := scale.NewScaler(r)
		c := Trial{First: 1, Ranges: r}
		for len(c.Scaled) < []int{80, 80, 80, 80, 8, 80, 20}[n] { // few rows with ranges for which most rows are too large
			x := Row(rng, 1, width+rng.IntN(4)-2, 0.7)
			for k := range x.Value {
				x.Value[k] *= size / 4
			}
			for k, j := range x.Index { // sometimes a value at the end of its range
				for _, f := range r.X.Ranges {
					if f.Index == j && rng.IntN(8) == 0 {
						x.Value[k] = []float64{f.Min, f.Max}[rng.IntN(2)]
					}
				}
			}
			var y vec.Vector
			if x.Check() == nil && s.RowTo(&y, x) == nil {
				c.Rows, c.Scaled = append(c.Rows, x), append(c.Scaled, y)
			}
		}
		c.Model = &models.Model{Task: models.EpsilonSVR, Kernel: kernel.RBF{Gamma: 0.3}, Machines: []models.Machine{{Rho: 0.1}}}
		for _, x := range c.Scaled[:8] {
			c.Model.Vectors.Append(x)
			c.Model.Machines[0].Coef = append(c.Model.Machines[0].Coef, rng.NormFloat64())
		}
		trials = append(trials, c)
	}
	return trials
}

// Want returns package predict's results for a trial's rows: for each row the answer, the machines'
// values and, if the model has probability information, the answer by probabilities and the
// probabilities, or the noise.
func (c Trial) Want() ([][]float64, error) {
	p, err := predict.New(c.Model)
	if err != nil {
		return nil, fmt.Errorf("%v, %v: %w", c.Model.Task, c.Model.Vote, err)
	}
	rows := c.Rows
	if c.Ranges != nil {
		rows = c.Scaled
	}
	var all [][]float64
	for _, x := range rows {
		values := make([]float64, len(c.Model.Machines))
		p.Decisions(values, x)
		want := append([]float64{p.Predict(x)}, values...)
		switch {
		case c.Model.Probability && c.Model.Task.Regresses():
			want = append(want, c.Model.Noise)
		case c.Model.Probability:
			outcomes := make([]float64, p.Outcomes())
			answer, _ := p.Probabilities(outcomes, x)
			want = append(append(want, answer), outcomes...)
		}
		all = append(all, want)
	}
	return all, nil
}

// Same reports whether numbers have the same bits, except for the signs of 0 and NaN.
func Same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a == 0 && b == 0 || math.IsNaN(a) && math.IsNaN(b)
}
