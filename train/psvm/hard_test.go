package psvm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

// clouds returns rows of some classes, each around a centre of its own, and how far
// apart the centres are is told by spread.
func clouds(rows, classes, features int, spread float64, rng *rand.Rand) *format.Dataset {
	centre := make([][]float64, classes)
	for c := range centre {
		for range features {
			centre[c] = append(centre[c], spread*rng.NormFloat64())
		}
	}
	d := new(format.Dataset)
	for i := range rows {
		var x []float64
		for _, v := range centre[i%classes] {
			x = append(x, v+rng.NormFloat64())
		}
		d.Append(format.Instance{X: point(x...), Y: float64(i % classes), Weight: 1})
	}
	return d
}

// TestAsNegatives: of the rows that a machine wrongly calls positive, all join its negative set if
// they are no more than Negatives, and else as many on average. With the thesis's probability
// hardly any do.
func TestAsNegatives(t *testing.T) {
	const few = 4
	d := clouds(400, 2, 2, 0.1, rand.New(rand.NewPCG(1, 1)))
	for _, p := range []float64{AsNegatives, thesisHard} {
		c, m := newCourse(t, func(s *Trainer) { s.Negatives, s.HardNegatives = few, p }, d)
		members := c.members
		had, hard := make([][]int32, len(members)), make([][]int32, len(members))
		for i, of := range members {
			had[i] = slices.Clone(of.neg)
			for k := range d.Len() {
				if c.class[k] != c.class[of.exemplar] && vec.Dot(m.Vectors.Row(i), d.X.Row(k)) > m.Machines[i].Rho {
					hard[i] = append(hard[i], int32(k))
				}
			}
		}
		if err := c.shift(context.Background(), predictorOf(t, m), 0); err != nil {
			t.Fatal(err)
		}
		lenient, strict, rows, joined := 0, 0, 0, 0 // machines with more hard negatives than few, and with less; rows of the former
		for i, of := range members {
			n := len(of.neg) - len(had[i])
			for _, k := range of.neg {
				if !slices.Contains(had[i], k) && !slices.Contains(hard[i], k) {
					t.Errorf("machine %d got row %d, which it does not call positive", i, k)
				}
			}
			if len(hard[i]) > few {
				lenient, rows, joined = lenient+1, rows+len(hard[i]), joined+n
				continue
			}
			strict++
			for _, k := range hard[i] {
				if p == AsNegatives && !slices.Contains(of.neg, k) {
					t.Errorf("row %d of %d did not join machine %d", k, len(hard[i]), i)
				}
			}
		}
		if strict < 10 || lenient < 50 || rows < 10*few*lenient {
			t.Fatalf("%d and %d machines, %d rows: the test tells nothing", strict, lenient, rows)
		}
		mean, want := float64(joined)/float64(lenient), float64(few)
		if p == thesisHard {
			want = thesisHard * float64(rows) / float64(lenient)
		}
		if mean < 0.75*want || mean > 1.25*want {
			t.Errorf("%v: %v rows join on average, expected %v", p, mean, want)
		}
	}
}

// TestManyClasses: machines meet the classes and rows that they must tell apart, of which they
// begin with few.
func TestManyClasses(t *testing.T) {
	all := clouds(600, 8, 60, 0.35, rand.New(rand.NewPCG(2, 1)))
	d, test := inTwo(all)
	right := map[float64]int{}
	for _, p := range []float64{AsNegatives, thesisHard} {
		s := Default()
		s.Form, s.HardNegatives = Others, p
		_, right[p] = trained(t, s, d, test)
	}
	t.Log(right)
	if right[AsNegatives] < right[thesisHard]+30 {
		t.Errorf("%d of %d rows are answered rightly, %d with the thesis's probability", right[AsNegatives], test.Len(), right[thesisHard])
	}
}

// inTwo returns the first half of the rows and the second.
func inTwo(all *format.Dataset) (first, second *format.Dataset) {
	first, second = new(format.Dataset), new(format.Dataset)
	for i, y := range all.Y {
		d := first
		if i >= all.Len()/2 {
			d = second
		}
		d.Append(format.Instance{X: all.X.Row(i), Y: y, Weight: 1})
	}
	return first, second
}

// TestSparing: held-out rows choose between AsNegatives and the thesis's probability, as they
// choose the form, and a trial on some of the rows chooses for all.
func TestSparing(t *testing.T) {
	chosen := map[string]int{}
	sets := []*format.Dataset{set(t, "spirals", 194), clouds(300, 6, 30, 0.5, rand.New(rand.NewPCG(4, 1)))}
	for n := range 2 * len(sets) {
		d, trial := sets[n/2], n%2 == 1
		s := Default()
		s.Iterations = 3
		top := map[bool]float64{}
		forms := map[bool]map[string]bool{false: {}, true: {}}
		last := 0
		s.Report = func(e train.Event) {
			if e, is := e.(train.IterationDone); is && (e.Trial == trial) {
				top[e.Sparing] = max(top[e.Sparing], e.Accuracy)
				forms[e.Sparing][e.Form] = true
			} else if is {
				last++
				if e.Sparing {
					t.Error("the ensemble of all rows is compared again")
				}
			}
		}
		r, err := newRun(s, d)
		if err != nil {
			t.Fatal(err)
		}
		if trial {
			r.most = d.Len() - 20
		}
		o, err := r.ensemble(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(forms[false]) != 4 || len(forms[true]) != 4 {
			t.Errorf("forms %v", forms)
		}
		if sparing := o.hard == thesisHard; sparing != (top[true] > top[false]) && top[true] != top[false] {
			t.Errorf("set %d, trial %v: probability %v, though held-out rows answered rightly are %v", n/2, trial, o.hard, top)
		}
		if trial != (last == s.Iterations+1) {
			t.Errorf("trial %v: %d ensembles of all rows", trial, last)
		}
		chosen[fmt.Sprint(o.hard)]++
	}
	if len(chosen) != 2 {
		t.Errorf("only one is ever taken: %v", chosen)
	}
	for _, s := range []Trainer{{Iterations: 1, Form: Literal}, {Iterations: 1, Form: Own}} { // nothing to compare with; no rows held out
		s.Negatives, s.FirstShare, s.NextShare, s.Cost, s.HardNegatives = 7, 1, 1, 1, AsNegatives
		s.Report = func(e train.Event) {
			if e, is := e.(train.IterationDone); is && e.Sparing {
				t.Errorf("%v: %+v", s.Form, e)
			}
		}
		want := map[Form]string{Literal: "0.005", Own: "as-negatives"}[s.Form]
		if m, err := s.Train(t.Context(), sets[0], nil); err != nil || parameter(m, "hard_negatives") != want {
			t.Errorf("%v: %v, %v", s.Form, m.Provenance, err)
		}
	}
}

// TestMostPaired: machines have one hyperplane with more than MostPaired classes, unless Pairs is
// set or they are not shifted.
func TestMostPaired(t *testing.T) {
	for _, classes := range []int{MostPaired, MostPaired + 1} {
		d := clouds(6*classes, classes, 3, 2, rand.New(rand.NewPCG(5, 1)))
		for _, pairs := range []bool{false, true} {
			s := Default()
			s.Iterations, s.Form, s.Pairs = 1, Own, pairs
			m, err := s.Train(t.Context(), d, nil)
			if err != nil {
				t.Fatal(err)
			}
			single := !pairs && classes > MostPaired
			if got := len(m.Machines) == m.CountMembers(); got != single || (parameter(m, "one_hyperplane") == "1") != single {
				t.Errorf("%d classes, pairs %v: %d hyperplanes of %d machines, %v", classes, pairs, len(m.Machines), m.CountMembers(), m.Provenance.Parameters)
			}
		}
	}
	d := clouds(6*(MostPaired+1), MostPaired+1, 3, 2, rand.New(rand.NewPCG(5, 1)))
	s := Default()
	s.Iterations = 0
	m, err := s.Train(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Machines) == m.CountMembers() || parameter(m, "one_hyperplane") == "1" {
		t.Errorf("%d hyperplanes of %d exemplar machines, %v", len(m.Machines), m.CountMembers(), m.Provenance.Parameters)
	}
	s = Default()
	if s.Single, s.Pairs = true, true; s.Validate() == nil {
		t.Error("machines may have one hyperplane and one for each pair")
	}
}
