package psvm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

func point(values ...float64) vec.Vector {
	var v vec.Vector
	for i, x := range values {
		v.Index, v.Value = append(v.Index, int32(i+1)), append(v.Value, x)
	}
	return v
}

func set(t *testing.T, name string, rows int) *format.Dataset {
	t.Helper()
	s, ok := generate.Lookup(name)
	if !ok {
		t.Fatalf("no data set %q", name)
	}
	return s.Generate(rows, 1)
}

// TestChooseNegatives: the choice with a heap is that of the definition, step by step, for rows in
// few places, so that many are equally near or in one place.
func TestChooseNegatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range 300 {
		var x vec.Matrix
		var class, rows []int
		d := 1 + rng.IntN(4)
		for i := range 2 + rng.IntN(40) {
			v := make([]float64, d)
			for k := range v {
				v[k] = float64(rng.IntN(5))
			}
			x.Append(point(v...))
			class, rows = append(class, rng.IntN(3)), append(rows, i)
		}
		p := newPoints(&x, rows, class)
		k := 1 + rng.IntN(8)
		for i := range rows {
			got, _ := p.chooseNegatives(i, k, nil)
			var others []int
			for j := range rows {
				if class[j] != class[i] && vec.SquaredDistance(x.Row(i), x.Row(j)) > 0 {
					others = append(others, j)
				}
			}
			sort.SliceStable(others, func(a, b int) bool {
				return vec.SquaredDistance(x.Row(i), x.Row(others[a])) < vec.SquaredDistance(x.Row(i), x.Row(others[b]))
			})
			var want []int32
			for _, j := range others {
				side := 0.0
				for f := range int32(d) {
					at := x.Row(i).At(f + 1)
					side += (x.Row(others[0]).At(f+1) - at) * (x.Row(j).At(f+1) - at)
				}
				if side > 0 && len(want) < k {
					want = append(want, int32(j))
				}
			}
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("case %d, row %d: %v, want %v", n, i, got, want)
			}
		}
	}
}

// TestSparse: dense and sparse rows give the same sets, and machines that are the same except for
// rounding.
func TestSparse(t *testing.T) {
	d := set(t, "gauss5", 60)
	rows := make([]int, d.Len())
	class := make([]int, d.Len())
	for i := range rows {
		rows[i], class[i] = i, int(d.Y[i])
	}
	dense, sparse := newPoints(&d.X, rows, class), newPoints(&d.X, rows, class)
	sparse.dense = nil
	f, g := &fitter{p: dense, cost: 1}, &fitter{p: sparse, cost: 1}
	for i := range rows {
		a, _ := dense.chooseNegatives(i, 7, nil)
		b, _ := sparse.chooseNegatives(i, 7, nil)
		if !slices.Equal(a, b) {
			t.Fatalf("row %d: negatives %v and %v", i, a, b)
		}
		m := &member{machine: machine{exemplar: i}, pos: []int32{int32(i)}, neg: a}
		n := &member{machine: machine{exemplar: i}, pos: []int32{int32(i)}, neg: a}
		if err := errors.Join(f.fit(context.Background(), m, train.NewRand(1)), g.fit(context.Background(), n, train.NewRand(1))); err != nil {
			t.Fatal(err)
		}
		if len(m.planes) != len(n.planes) {
			t.Fatalf("row %d: %d and %d hyperplanes", i, len(m.planes), len(n.planes))
		}
		others := (&weigher{p: sparse, w: make([]float64, len(sparse.columns))}).weigh(&n.machine)
		for q, a := range (&weigher{p: dense, w: make([]float64, len(dense.columns))}).weigh(&m.machine) {
			b := others[q]
			if !(math.Abs(a.Rho-b.Rho) <= 1e-5) || !(math.Abs(a.Sigmoid.A-b.Sigmoid.A) <= 1e-3*(1+math.Abs(a.Sigmoid.A))) {
				t.Errorf("row %d, hyperplane %d: rho %v and %v, sigmoids %v and %v", i, q, a.Rho, b.Rho, *a.Sigmoid, *b.Sigmoid)
			}
		}
	}
}

// newCourse returns a training on all rows of a set, after its first fit.
func newCourse(t *testing.T, change func(*Trainer), d *format.Dataset) (*training, *models.Model) {
	t.Helper()
	s := Default()
	s.Form = Others
	change(&s)
	r, err := newRun(s, d)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]int, d.Len())
	for i := range rows {
		rows[i] = i
	}
	c := &training{run: r, p: newPoints(&d.X, rows, r.class)}
	c.form = s.Form
	if s.Ballot == models.ByProbability || s.Form.likely() {
		c.sigmoids = train.NewRand(1)
	}
	c.fitters = new(sync.Pool)
	c.fitters.New = func() any { return &fitter{p: c.p, cost: s.Cost, equal: s.EqualCosts, single: r.single()} }
	if err := errors.Join(c.begin(context.Background()), c.fit(context.Background(), 0)); err != nil {
		t.Fatal(err)
	}
	return c, c.ensemble().model()
}

func predictorOf(t *testing.T, m *models.Model) *predict.Predictor {
	t.Helper()
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestShift: the sets change as algorithm 3 says, row by row. By a form's name, a row is positive by
// its sign or if that is likely, and its own machine is one of the candidates or only the last.
func TestShift(t *testing.T) {
	for n := range 8 {
		p := float64(n % 2)
		form := []Form{Others, Own, OthersLikely, OwnLikely}[n/2]
		likely, last := form == OthersLikely || form == OwnLikely, form == Others || form == OthersLikely
		d := set(t, "striated", 200)
		c, m := newCourse(t, func(s *Trainer) { s.Form, s.HardNegatives, s.Ballot, s.Cost = form, p, models.ByProbability, 0.5 }, d)
		for k, of := range c.members { // some have a row of their class
			for k := k + 1; k < d.Len() && of.exemplar%3 == 0; k++ {
				if c.class[k] == c.class[of.exemplar] {
					of.join(&of.pos, int32(k))
					break
				}
			}
		}
		before := c.members
		type sets struct{ pos, neg []int32 }
		want := map[int]*sets{}
		positive := func(i, k int) bool {
			v := vec.Dot(m.Vectors.Row(i), d.X.Row(k)) - m.Machines[i].Rho
			if s := m.Machines[i].Sigmoid; likely {
				v = -s.A*v - s.B
			}
			return v > 0
		}
		taken := map[int]bool{}
		for _, of := range before {
			want[of.exemplar] = &sets{slices.Clone(of.pos), slices.Clone(of.neg)}
		}
		for k := range d.Len() {
			own, best, least := -1, -1, math.Inf(1)
			for i, of := range before {
				if !positive(i, k) {
					continue
				}
				if c.class[k] != c.class[of.exemplar] {
					if w := want[of.exemplar]; p == 1 && !slices.Contains(w.neg, int32(k)) {
						w.neg = append(w.neg, int32(k))
					}
				} else if of.exemplar == k && last {
					own = k
				} else if d := vec.SquaredDistance(d.X.Row(k), d.X.Row(of.exemplar)); d < least {
					best, least = of.exemplar, d
				}
			}
			if best < 0 {
				best = own
			}
			if best >= 0 {
				taken[best] = true
				if !slices.Contains(want[best].pos, int32(k)) {
					want[best].pos = append(want[best].pos, int32(k))
				}
			}
		}
		q := predictorOf(t, m)
		if err := c.shift(context.Background(), q, 0); err != nil {
			t.Fatal(err)
		}
		if len(c.members) != len(taken) || last && len(taken) == len(before) || len(taken) == 0 {
			t.Errorf("%v, p = %v: %d machines are left of %d, want %d", form, p, len(c.members), len(before), len(taken))
		}
		moved := 0
		for _, of := range c.members {
			w := want[of.exemplar]
			slices.Sort(w.pos)
			slices.Sort(w.neg)
			if !taken[of.exemplar] || !slices.Equal(of.pos, w.pos) || !slices.Equal(of.neg, w.neg) {
				t.Fatalf("%v, p = %v, exemplar %d: sets %v %v, want %v %v", form, p, of.exemplar, of.pos, of.neg, w.pos, w.neg)
			}
			if len(of.pos) > 1 {
				moved++
			}
		}
		if moved == 0 {
			t.Errorf("%v: no machine has moved", form)
		}
	}
}

// TestLiteralShift: the thesis's words, row by row: a row stays with its own machine if that calls
// it positive, by probability; machines that call any row positive stay; machines that do not
// change are fitted again.
func TestLiteralShift(t *testing.T) {
	for _, name := range []string{"isolated", "gauss5"} {
		d := set(t, name, 150)
		c, m := newCourse(t, func(s *Trainer) { s.Form, s.EqualCosts, s.HardNegatives = Literal, true, 0 }, d)
		q := predictorOf(t, m)
		b := q.NewBatch()
		probabilities := make([]float64, len(c.members))
		want := map[int][]int32{}
		before := c.members
		for _, of := range before {
			want[of.exemplar] = slices.Clone(of.pos)
		}
		stays := map[int]bool{}
		moved := 0
		for k := range d.Len() {
			b.Decide([]vec.Vector{d.X.Row(k)})
			b.MemberProbabilities(probabilities, 0)
			best, least := -1, math.Inf(1)
			for i, of := range before {
				if !(probabilities[i] > 0.5) {
					continue
				}
				stays[of.exemplar] = true
				if c.class[k] != c.class[of.exemplar] {
					continue
				}
				if d := vec.SquaredDistance(d.X.Row(k), d.X.Row(of.exemplar)); d < least {
					best, least = of.exemplar, d
				}
			}
			if best >= 0 && best != k {
				want[best] = append(want[best], int32(k))
				moved++
			}
		}
		sigmoids := map[int]models.Sigmoid{}
		for _, of := range before {
			sigmoids[of.exemplar] = *of.planes[0].sigmoid
		}
		if err := errors.Join(c.shift(context.Background(), q, 0), c.fit(context.Background(), 1)); err != nil {
			t.Fatal(err)
		}
		if len(c.members) != len(stays) || len(stays) == len(before) || moved == 0 {
			t.Errorf("%s: %d machines are left of %d, want %d; %d rows move", name, len(c.members), len(before), len(stays), moved)
		}
		anew, same := 0, 0
		for _, of := range c.members {
			slices.Sort(want[of.exemplar])
			if !stays[of.exemplar] || !slices.Equal(of.pos, want[of.exemplar]) {
				t.Fatalf("%s: exemplar %d has the positives %v, want %v", name, of.exemplar, of.pos, want[of.exemplar])
			}
			if len(of.pos) > 1 {
				continue
			}
			if same++; *of.planes[0].sigmoid != sigmoids[of.exemplar] {
				anew++
			}
		}
		if anew == 0 {
			t.Errorf("%s: %d of %d sigmoids were fitted anew", name, anew, same)
		}
	}
}

// TestLastStays: if each machine calls only one row positive, no row has another machine to go to,
// and no machine is dropped, also with a class of one row.
func TestLastStays(t *testing.T) {
	d := &format.Dataset{}
	for k, x := range [][]float64{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0.5, 0.5}} {
		y := float64(k % 2)
		if k == 4 {
			y = 2
		}
		d.Append(format.Instance{X: point(x...), Y: y, Weight: 1})
	}
	c, m := newCourse(t, func(s *Trainer) { s.Ballot, s.Cost = models.ByCount, 1e6 }, d)
	if err := c.shift(context.Background(), predictorOf(t, m), 0); err != nil {
		t.Fatal(err)
	}
	if len(c.members) != d.Len() {
		t.Errorf("%d machines are left of %d", len(c.members), d.Len())
	}
	for _, of := range c.members {
		if len(of.pos) != 1 {
			t.Errorf("exemplar %d has the positives %v", of.exemplar, of.pos)
		}
	}
}

// wholeRun returns a run on all rows of d, and their places.
func wholeRun(t *testing.T, s Trainer, d *format.Dataset) (*run, []int) {
	t.Helper()
	r, err := newRun(s, d)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]int, d.Len())
	for i := range rows {
		rows[i] = i
	}
	return r, rows
}

// TestDraw: rows are drawn with replacement, so that there are fewer different ones than draws, and
// all of few rows if there are many draws.
func TestDraw(t *testing.T) {
	d := set(t, "isolated", 1000)
	r, rows := wholeRun(t, Default(), d)
	s := r.draw(rows, 0.5, 1000, 1)
	// a row is left out by 500 draws with probability (1 - 1/1000)^500
	if want := 1000 * (1 - math.Pow(0.999, 500)); !(math.Abs(float64(len(s))-want) <= 40) || !slices.IsSorted(s) {
		t.Errorf("%d rows, want about %.0f in order", len(s), want)
	}
	if few := r.draw([]int{3, 5, 8}, 0.25, 1000, 2); !slices.Equal(few, []int{3, 5, 8}) {
		t.Errorf("of three rows %v were drawn", few)
	}
}

// TestEvents: there is an event for each iteration, and the model is the best of the last sample.
// ESVM is iteration 0.
func TestEvents(t *testing.T) {
	d := set(t, "striated", 200)
	for _, rounds := range []int{0, 1, 3} {
		s := Default()
		s.Sampling, s.Iterations, s.Form, s.Unpruned, s.HardNegatives = rounds, 4, Others, true, thesisHard
		var last []train.IterationDone
		s.Report = func(e train.Event) {
			if e, is := e.(train.IterationDone); is {
				if len(last) > 0 && last[0].Round != e.Round {
					last = nil
				}
				last = append(last, e)
			}
		}
		m, err := s.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		best := last[0]
		for _, e := range last {
			if e.Accuracy >= best.Accuracy {
				best = e
			}
		}
		most := s.Iterations + 1
		if last[len(last)-1].Rising {
			most *= 2
		}
		if len(last) > most || len(m.Machines) != best.Machines {
			t.Errorf("sampling %d: %d machines, iterations %+v", rounds, len(m.Machines), last)
		}
		if rounds == 0 {
			s.Iterations = 0
			first := last[0]
			if e, err := s.Train(context.Background(), d, nil); err != nil || len(e.Machines) != first.Machines || e.Provenance.Method != "esvm" {
				t.Errorf("ESVM: %v, %d machines, want %d", err, len(e.Machines), first.Machines)
			}
		}
	}
}

// TestUnconverged: the number of machines that were stopped is reported.
func TestUnconverged(t *testing.T) {
	d := new(format.Dataset)
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range 60 {
		d.Append(format.Instance{X: point(1e6*rng.NormFloat64(), rng.NormFloat64(), 1e-6*rng.NormFloat64(), 1e3*rng.NormFloat64()), Y: float64(i % 3), Weight: 1})
	}
	told := 0
	tr := Default()
	tr.Cost, tr.Iterations = 1e12, 0
	tr.Report = func(e train.Event) {
		if u, is := e.(train.Unconverged); is {
			told = u.Machines
		}
	}
	m, err := tr.Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d hyperplanes", told, len(m.Machines))
	if told == 0 {
		t.Error("all converged")
	}
}

// TestRefused: targets of a regression are refused, and the error has the row and its label.
func TestRefused(t *testing.T) {
	d := set(t, "moons", 50)
	d.Y[20] = 1.5
	_, err := Default().Train(context.Background(), d, nil)
	var row *train.RowError
	if !errors.Is(err, ErrNumbers) || !errors.As(err, &row) || row.Row != 20 || !strings.HasPrefix(row.Err.Error(), "label 1.5: ") {
		t.Errorf("the error is %v", err)
	}
}

// TestSplit: a share of each class is held out, and never all of it.
func TestSplit(t *testing.T) {
	d := &format.Dataset{}
	for i := range 47 {
		y := 1.0
		if i%4 == 0 {
			y = 2
		} else if i == 5 {
			y = 3
		}
		d.Append(format.Instance{X: point(float64(i)), Y: y, Weight: 1})
	}
	r, rows := wholeRun(t, Default(), d)
	in, held := r.split(rows, 0)
	count := map[float64]int{}
	for _, i := range held {
		count[d.Y[i]]++
	}
	all := slices.Sorted(slices.Values(slices.Concat(in, held)))
	if !slices.Equal(all, rows) || count[1] != 9 || count[2] != 3 || count[3] != 0 {
		t.Errorf("held out %v of the classes, rows %v", count, all)
	}
}

func TestValidate(t *testing.T) {
	for _, change := range []func(s *Trainer){
		func(s *Trainer) { s.Iterations = -1 },
		func(s *Trainer) { s.Rows = -1 },
		func(s *Trainer) { s.Negatives = 0 },
		func(s *Trainer) { s.Validation = 1 },
		func(s *Trainer) { s.Validation = math.NaN() },
		func(s *Trainer) { s.HardNegatives = 1.5 },
		func(s *Trainer) { s.HardNegatives = -0.5 },
		func(s *Trainer) { s.Sampling = -1 },
		func(s *Trainer) { s.FirstShare = 0 },
		func(s *Trainer) { s.NextShare = 2 },
		func(s *Trainer) { s.Cost = 0 },
		func(s *Trainer) { s.Ballot = 7 },
		func(s *Trainer) { s.Ballot = -1 },
		func(s *Trainer) { s.Form = 6 },
		func(s *Trainer) { s.Form = -1 },
	} {
		s := Default()
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&s)
		if s.Validate() == nil {
			t.Errorf("%+v is valid", s)
		}
	}
}
