package csource_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// sigmoids gives a model's machines random ones, now and then steep or constant.
func sigmoids(rng *rand.Rand, m *models.Model) {
	m.Probability = true
	for i := range m.Machines {
		s := &models.Sigmoid{A: -math.Exp(rng.NormFloat64()), B: rng.NormFloat64()}
		switch rng.IntN(8) {
		case 0:
			s.A *= 300
		case 1:
			s.A = 0
		case 2:
			s.B *= 2000
		}
		m.Machines[i].Sigmoid = s
	}
}

// outliers are rows whose values are not numbers, or infinite.
func outliers(width int) (rows []vec.Vector) {
	for _, v := range []float64{1e308, -1e308} {
		var x vec.Vector
		for j := range width {
			x.Index, x.Value = append(x.Index, int32(j+1)), append(x.Value, v)
		}
		rows = append(rows, x)
	}
	return rows
}

// TestProbabilities: compiled, probabilities are those of package predict to the last bit, however the
// compiler is asked to fuse operations.
func TestProbabilities(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(15, 16))
	var trials []trial
	for _, c := range []struct {
		task             models.Task
		vote             models.Vote
		kernel           kernel.Kernel
		classes, vectors int
		grouped          bool
	}{
		{models.CSVC, models.OneVsOne, kernel.RBF{Gamma: 0.07}, 2, 7, true},
		{models.NuSVC, models.OneVsOne, kernel.Linear{}, 3, 7, true},
		{models.CSVC, models.OneVsOne, kernel.Sigmoid{Gamma: 0.1, Coef0: 0.2}, 4, 9, false},
		{models.CSVC, models.OneVsOne, kernel.Poly{Degree: 3, Gamma: 0.3, Coef0: 1}, 13, 40, true},
		{models.CSVC, models.OneVsOne, kernel.Linear{}, 40, 60, true},
		{models.CSVC, models.OneVsOne, kernel.RBF{Gamma: 1}, 3, 0, true},
		{models.CSVC, models.OneVsOne, kernel.RBF{Gamma: 1}, 1, 0, true},
		{models.CSVC, models.OneVsRest, kernel.RBF{Gamma: 0.07}, 1, 0, false},
		{models.CSVC, models.OneVsRest, kernel.RBF{Gamma: 0.07}, 2, 8, false},
		{models.CSVC, models.OneVsRest, kernel.Linear{}, 5, 8, false},
		{models.CSVC, models.OneVsRest, kernel.Linear{}, 3, 0, false},
		{models.OneClass, models.OneVsOne, kernel.RBF{Gamma: 0.07}, 0, 9, false},
		{models.EpsilonSVR, models.OneVsOne, kernel.RBF{Gamma: 0.07}, 0, 9, false},
	} {
		m := random(rng, c.task, c.vote, c.kernel, c.classes, c.vectors, 1, 5, 0.8, c.grouped)
		sigmoids(rng, m)
		for i := range m.Machines { // 0 times what overflows is no number, but C leaves 0 out
			for k, v := range m.Machines[i].Coef {
				if v == 0 {
					m.Machines[i].Coef[k] = -0.5
				}
			}
		}
		rows := append(outliers(5), vec.Vector{})
		for range 60 {
			rows = append(rows, row(rng, 1, 3+rng.IntN(4), 0.8))
		}
		switch c.task {
		case models.EpsilonSVR:
			m.Noise = 0.1 + 1e-17
		case models.OneClass:
			m.Probability = false
			p, err := predict.New(m)
			if err != nil {
				t.Fatal(err)
			}
			value := make([]float64, 1)
			for i, x := range rows[2:] { // some rows are at a mark
				if p.Decisions(value, x); i%5 == 0 && len(m.DensityMarks) < models.Marks {
					m.DensityMarks = append(m.DensityMarks, value[0])
				}
			}
			slices.Sort(m.DensityMarks)
			m.Probability = true
		}
		trials = append(trials, trial{m: m, first: 1, rows: rows})
	}
	for _, options := range [][]string{nil, fused, contracted} {
		agree(t, cc, trials, options...)
	}
}

// TestLevels: equal marks of a one-class model are as package predict takes them.
func TestLevels(t *testing.T) {
	cc := compiler(t)
	m := &models.Model{Task: models.OneClass, Kernel: kernel.Linear{}, Probability: true, Machines: []models.Machine{{Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{1}})
	var rows []vec.Vector
	for v := -3.0; v <= 3; v += 0.5 {
		rows = append(rows, vec.Vector{Index: []int32{1}, Value: []float64{v}})
	}
	var trials []trial
	for _, marks := range [][]float64{{-2, -2, -1, -1, 0, 0, 0, 1, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}} {
		marked := *m
		marked.DensityMarks = marks
		trials = append(trials, trial{m: &marked, first: 1, rows: rows})
	}
	agree(t, cc, trials)
}

// TestWithout: a model without probability information has no such function.
func TestWithout(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, task := range []models.Task{models.CSVC, models.OneClass, models.NuSVR} {
		m := random(rng, task, models.OneVsOne, kernel.Linear{}, 3, 4, 1, 2, 1, false)
		if !task.Classifies() {
			m.Labels = nil
		}
		var b bytes.Buffer
		if err := csource.Write(&b, m, "m"); err != nil {
			t.Fatal(err)
		}
		if word := regexp.MustCompile(`probabilit|sigma`).FindString(b.String()); word != "" {
			t.Errorf("%v: there is %q", task, word)
		}
	}
}

// TestNoise: the noise of a regression whose targets are scaled is in the units of the data.
func TestNoise(t *testing.T) {
	cc := compiler(t)
	d, err := arff.Parse(t.Context(), strings.NewReader("@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n1,10\n2,37\n4,21.3\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.Fit(t.Context(), d, encode.Options{Scaling: encode.Standardize, ColumnsFirst: true})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(19, 20))
	m := random(rng, models.EpsilonSVR, models.OneVsOne, kernel.Linear{}, 0, 3, 1, 1, 1, false)
	m.Probability, m.Noise = true, 0.7
	if m.Inputs, err = e.MarshalText(); err != nil {
		t.Fatal(err)
	}
	got := answers(t, cc, []trial{{m: m, first: 1, rows: []vec.Vector{{Index: []int32{1}, Value: []float64{2}}}}})[0][0]
	if want := e.Target(0.7) - e.Target(0); got[2] != want || want < 5 {
		t.Errorf("sigma is %v, want %v", got, want)
	}
}

// TestPrecomputed: a model of a precomputed kernel reads the values of its vectors' rows.
func TestPrecomputed(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(21, 22))
	var trials []trial
	for _, c := range []struct {
		task    models.Task
		classes int
	}{{models.CSVC, 2}, {models.CSVC, 4}, {models.OneClass, 0}, {models.NuSVR, 0}} {
		m := random(rng, c.task, models.OneVsOne, kernel.Precomputed{}, c.classes, 0, 1, 1, 1, false)
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
			sigmoids(rng, m)
		}
		var rows []vec.Vector
		for i := range 20 {
			x := vec.Vector{Index: []int32{0}, Value: []float64{float64(i)}}
			for j := range all {
				x.Index, x.Value = append(x.Index, int32(j+1)), append(x.Value, rng.NormFloat64())
			}
			rows = append(rows, x)
		}
		trials = append(trials, trial{m: m, first: 1, rows: rows})
	}
	agree(t, cc, trials)
}
