// Package plantest has models and rows for the tests of the packages that write models as source
// code, and the answers of package predict for them.
package plantest

import (
	"math"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Row returns a random row of features first to first+width-1.
func Row(rng *rand.Rand, first, width int, density float64) (x vec.Vector) {
	for j := range width {
		if rng.Float64() < density {
			x.Index = append(x.Index, int32(first+j))
			x.Value = append(x.Value, math.Ldexp(rng.NormFloat64(), rng.IntN(4)-2))
		}
	}
	return x
}

// A Shape says what a random model is like.
type Shape struct {
	Task         models.Task
	Vote         models.Vote
	Kernel       kernel.Kernel
	Classes      int // 0 unless the task classifies
	Vectors      int
	First, Width int     // features of the vectors: the first, and how many there may be
	Density      float64 // the share of these that a vector lists
	Grouped      bool    // vectors are grouped by class
}

// Model returns a model with random vectors and machines.
func (s Shape) Model(rng *rand.Rand) *models.Model {
	m := &models.Model{Task: s.Task, Kernel: s.Kernel, Vote: s.Vote}
	for range s.Vectors {
		m.Vectors.Append(Row(rng, s.First, s.Width, s.Density))
	}
	for c := range s.Classes {
		m.Labels = append(m.Labels, 7*c-11)
	}
	coefs := func(n int) (list []float64) {
		for range n {
			v := rng.NormFloat64()
			if rng.IntN(3) == 0 {
				v = 0
			}
			list = append(list, v)
		}
		return list
	}
	one := func(pos, neg, n int) {
		m.Machines = append(m.Machines, models.Machine{Pos: pos, Neg: neg, Coef: coefs(n), Rho: rng.NormFloat64()})
	}
	switch {
	case !s.Task.Classifies():
		one(0, 0, s.Vectors)
	case s.Vote == models.OneVsRest:
		for c := range s.Classes {
			one(c, models.Rest, s.Vectors)
		}
	default:
		if s.Grouped {
			m.Group = make([]int, s.Classes)
			for i := range s.Vectors {
				m.Group[i*s.Classes/s.Vectors]++
			}
		}
		for i := range s.Classes {
			for j := i + 1; j < s.Classes; j++ {
				n := s.Vectors
				if s.Grouped {
					n = m.Group[i] + m.Group[j]
				}
				one(i, j, n)
			}
		}
	}
	return m
}

// Sigmoids gives a model's machines random sigmoids, some of them steep or constant.
func Sigmoids(rng *rand.Rand, m *models.Model) {
	m.Probability = true
	for i := range m.Machines {
		s := &models.Sigmoid{A: -kernel.Exp(rng.NormFloat64()), B: rng.NormFloat64()}
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

// Ensemble returns an ensemble of random members. sizes has the number of classes that each
// member separates; 0 means a member with one hyperplane and no stated classes. With more than 8
// classes, hyperplanes have few features.
func Ensemble(rng *rand.Rand, ballot models.Ballot, classes int, sizes ...int) *models.Model {
	var labels []int
	for c := range classes {
		labels = append(labels, 3*c-4)
	}
	m := models.NewEnsemble(labels, rng.IntN(classes), ballot)
	width, density := 5, 0.8
	if classes > 8 {
		width, density = 30, 0.1
	}
	plane := func() (vec.Vector, float64) { return Row(rng, 1, width, density), 2 + rng.NormFloat64() }
	for _, k := range sizes {
		if k == 0 {
			w, rho := plane()
			m.AddMachine(rng.IntN(classes), w, rho, nil)
			continue
		}
		var planes []models.Plane
		for range models.Pairs(k) {
			w, rho := plane()
			planes = append(planes, models.Plane{W: w, Rho: rho})
		}
		m.AddMember(rng.Perm(classes)[:k], planes)
	}
	return m
}

// Outliers returns rows with features so large that machines' values are infinite or NaN.
func Outliers(width int) (rows []vec.Vector) {
	for _, v := range []float64{1e308, -1e308} {
		var x vec.Vector
		for j := range width {
			x.Index, x.Value = append(x.Index, int32(j+1)), append(x.Value, v)
		}
		rows = append(rows, x)
	}
	return rows
}

// Ranged returns ranges of some of the features 1 to width. Some of these features are constant.
func Ranged(rng *rand.Rand, l scale.Limits, width int, size float64) *scale.Ranges {
	x := &scale.Features{Limits: l}
	for j := range width {
		a, b := size*(float64(rng.Float64())-0.5), size*(float64(rng.Float64())-0.5)
		switch rng.IntN(5) {
		case 0:
			continue
		case 1:
			b = a
		}
		x.Ranges = append(x.Ranges, scale.Feature{Index: int32(j + 1), Range: scale.Range{Min: min(a, b), Max: max(a, b)}})
	}
	return &scale.Ranges{X: x}
}

// Functions returns models of one vector whose kernels are exp(-x^2), exp(x^2) and tanh, and rows
// of all sizes.
func Functions(rng *rand.Rand) (trials []Trial) {
	var rows []vec.Vector
	for range 4000 {
		v := math.Sqrt(math.Abs(rng.NormFloat64() * 250))
		switch rng.IntN(9) {
		case 0:
			v = math.Sqrt(745 * rng.Float64())
		case 1:
			v = math.Sqrt(700 + float64(46*rng.Float64()))
		case 2:
			v = kernel.Exp(-400 * rng.Float64())
		case 3: // near the middle between multiples of ln2/128
			v = math.Sqrt((0.5 + float64(rng.IntN(100000))) * math.Ln2 / 128)
		case 6: // results that lose one or two bits below the smallest normal number
			v = math.Sqrt(708.39 + float64(1.4*rng.Float64()))
		case 4, 5: // tanh is not 1 yet
			v = 30 * rng.Float64()
		}
		rows = append(rows, vec.Vector{Index: []int32{1}, Value: []float64{v}})
	}
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: -1}, kernel.Sigmoid{Gamma: 1}, kernel.Sigmoid{Gamma: -0.05, Coef0: 1e-3}} {
		m := &models.Model{Task: models.EpsilonSVR, Kernel: k, Machines: []models.Machine{{Coef: []float64{1}}}}
		z := vec.Vector{}
		if _, ok := k.(kernel.Sigmoid); ok {
			z = vec.Vector{Index: []int32{1}, Value: []float64{1}}
		}
		m.Vectors.Append(z)
		trials = append(trials, Trial{Model: m, First: 1, Rows: rows})
	}
	return trials
}

// Fused returns triples a, b, c. In many of them, a b + c is nearly half way between two numbers.
func Fused(rng *rand.Rand) (list [][3]float64) {
	for range 20000 {
		a := math.Ldexp(1+float64(rng.Float64()), rng.IntN(20)-10)
		b := math.Ldexp(float64(rng.Float64())-0.5, rng.IntN(20)-10)
		c := math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30)
		switch rng.IntN(4) {
		case 0: // the product is half of c's last place, except for its own last places
			half := (math.Nextafter(math.Abs(c), math.Inf(1)) - math.Abs(c)) / 2
			b = half / a * float64(1-2*rng.IntN(2))
		case 1: // few digits, with which there are ties
			a, b, c = float64(rng.IntN(1<<28)), float64(rng.IntN(1<<27)-1<<26), float64(rng.IntN(1<<30))*(1<<24)
		case 2: // they nearly cancel
			c = -a * b
			if rng.IntN(2) == 0 {
				c = math.Nextafter(c, 0)
			}
		}
		list = append(list, [3]float64{a, b, c})
	}
	return list
}
