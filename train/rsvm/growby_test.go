package rsvm

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// some returns some of the rows of d.
func some(d *format.Dataset, rows []int) *format.Dataset {
	s := new(format.Dataset)
	for _, i := range rows {
		s.Append(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: d.Weight[i]})
	}
	return s
}

// valuesOf returns the values of a model's only machine.
func valuesOf(m *models.Model, d *format.Dataset) (f []float64) {
	k := make([]float64, m.Vectors.Len())
	for i := range d.Len() {
		m.Kernel.EvaluateTo(k, d.X.Row(i), &m.Vectors)
		f = append(f, -m.Machines[0].Rho)
		for j, v := range m.Machines[0].Coef {
			f[i] += k[j] * v
		}
	}
	return f
}

// TestRounds: each round adds the rows that algorithm 3.1 says, found here by machines that jobs fit
// to the same rows over the vectors of the round: of the rows on the wrong side, in a regression of
// those outside of the tube, each kind by itself in the order of |f| or |e|, the first of each part.
// The score and the loss of a round are those of these machines on the rows held out, by their
// weights and those of their classes.
func TestRounds(t *testing.T) {
	const eps = 0.3
	for _, regression := range []bool{false, true} {
		d := new(format.Dataset)
		set, _ := generate.Lookup("sinc")
		gamma := 0.05
		if !regression {
			set, _ = generate.Lookup("checkerboard")
			gamma = 0.002
		}
		made := set.Generate(300, 1)
		for i := range made.Len() {
			in := format.Instance{X: made.X.Row(i), Y: made.Y[i], Weight: 1 + float64(i%4)}
			if regression { // noise that leaves rows on both sides of the tube
				in.Y += math.Sin(float64(7*i)) / 2
			}
			d.Append(in)
		}
		s := DefaultSystematic()
		s.First, s.Last, s.Parts, s.Validation, s.Patience, s.MaxVectors = true, true, 3, 0.3, 1000, 40
		o := testOptions()
		o.Kernel, o.Cost, o.Set, o.Tolerance = kernel.RBF{Gamma: gamma}, 1, s, 1e-10
		var rounds []train.RoundDone
		o.Report = func(e train.Event) {
			if r, is := e.(train.RoundDone); is {
				rounds = append(rounds, r)
			}
		}
		c := Classifier{Options: o, Weights: []train.ClassWeight{{Label: 1, Weight: 1.25}}}
		g := Regression{Options: o, Epsilon: eps}
		groups, labels := [][]int{make([]int, d.Len())}, []int(nil)
		for i := range d.Len() {
			groups[0][i] = i
		}
		l := loss{alpha: o.Alpha, regression: regression, epsilon: eps}
		grown := g.job()
		if !regression {
			classes, err := train.GroupClasses(d.Y, nil)
			if err != nil {
				t.Fatal(err)
			}
			groups, labels = classes.Rows, classes.Labels
			grown = c.job(labels)
		}
		if _, err := grow(context.Background(), grown, s, d, groups); err != nil {
			t.Fatal(err)
		}
		held := holdOut(groups, s.Validation, o.Seed)
		in, out := order(without(groups, held)), order(held)
		trained, judged := some(d, in), some(d, out)
		if len(rounds) < 4 || len(grown.origin) != rounds[len(rounds)-1].Vectors {
			t.Fatalf("regression %v: %d rounds, %d vectors", regression, len(rounds), len(grown.origin))
		}
		both := false
		for at, r := range rounds {
			vectors := grown.origin[:r.Vectors]
			var j *Job
			var err error
			if regression {
				j, err = g.Begin(some(d, vectors))
			} else {
				j, err = c.Begin(labels, some(d, vectors))
			}
			if err != nil {
				t.Fatal(err)
			}
			m := inParts(t, j, trained, []int{0, trained.Len()})

			var right, lost, total, mean, squares float64
			weights := slices.Clone(judged.Weight)
			for i, f := range valuesOf(m, judged) {
				y := judged.Y[i]
				if !regression {
					if y == 1 {
						weights[i] *= 1.25
					}
					if y = -1; int(judged.Y[i]) == labels[0] {
						y = 1
					}
				}
				phi, _, _ := l.at(f, y)
				total += weights[i]
				mean += weights[i] * y
				lost += weights[i] * phi
				switch {
				case regression:
					squares += weights[i] * (f - y) * (f - y)
				case (f > 0) == (y > 0):
					right += weights[i]
				}
			}
			if regression {
				variance := 0.0
				for i, y := range judged.Y {
					variance += weights[i] * (y - mean/total) * (y - mean/total)
				}
				right, lost = (1-squares/variance)*total, 0
			}
			if !(math.Abs(r.Score-right/total) <= 1e-6) || !(math.Abs(r.Loss-lost/total) <= 1e-6*(1+r.Loss)) {
				t.Errorf("regression %v, round %d: score %v and loss %v, want %v and %v", regression, r.Round, r.Score, r.Loss, right/total, lost/total)
			}

			if at == len(rounds)-1 {
				break
			}
			type wrong struct {
				row int
				off float64
			}
			var lists [2][]wrong
			for k, f := range valuesOf(m, trained) {
				off, kind, is := f, 0, false
				if y := trained.Y[k]; regression {
					off = f - y
					is = math.Abs(off) > eps
				} else {
					is = (f > 0) != (int(y) == labels[0])
				}
				if off > 0 { // above the tube, or of the second class
					kind = 1
				}
				if is && !slices.Contains(vectors, in[k]) {
					lists[kind] = append(lists[kind], wrong{in[k], math.Abs(off)})
				}
			}
			both = both || len(lists[0]) > 3 && len(lists[1]) > 3
			var want []int
			for _, list := range lists {
				slices.SortFunc(list, func(a, b wrong) int { return cmp.Compare(a.off, b.off) })
				for p := range min(3, len(list)) {
					want = append(want, list[p*len(list)/min(3, len(list))].row)
				}
			}
			got := slices.Clone(grown.origin[r.Vectors:rounds[at+1].Vectors])
			slices.Sort(got)
			slices.Sort(want)
			if len(got) < len(want) && rounds[at+1].Vectors == s.MaxVectors {
				continue // there was no room for all
			}
			if !slices.Equal(got, want) {
				t.Errorf("regression %v, round %d adds the rows %v, want %v", regression, r.Round, got, want)
			}
		}
		if !both {
			t.Errorf("regression %v: no round with wrong rows of both kinds", regression)
		}
	}
}
