package mkc_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/mkc"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// square scales a gamma for a checkerboard of unit squares to one whose squares have sides of 50.
const square = 1.0 / (50 * 50)

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name string
		mu   float64
		set  string
	}{{"mkc", 1, ""}, {"lp1", 0, ""}, {"two classes", 1, "checkerboard"}} {
		t.Run(c.name, func(t *testing.T) {
			s := mkc.Default()
			s.Nu, s.Mu = 10, c.mu
			gamma := 0.2
			if c.set != "" {
				gamma = 6 * square
			}
			traintest.Run(t, func(report train.Report) train.Trainer {
				return mkc.Trainer{Solver: s, Kernel: kernel.RBF{Gamma: gamma}}.Fork(report)
			}, traintest.Options{Set: c.set, Accuracy: 0.85})
		})
	}
}

// board returns a problem of two classes.
func board(t *testing.T, rows int) *train.Problem {
	t.Helper()
	return twoClasses(t, "checkerboard", rows, 6*square)
}

// twoClasses returns a problem of rows of a generated set.
func twoClasses(t *testing.T, name string, rows int, gamma float64) *train.Problem {
	t.Helper()
	set, ok := generate.Lookup(name)
	if !ok {
		t.Fatalf("no data set %q", name)
	}
	d := set.Generate(rows, 1)
	p := &train.Problem{X: d.X, Kernel: kernel.RBF{Gamma: gamma}}
	for _, y := range d.Y {
		if y == d.Y[0] {
			p.Y = append(p.Y, 1)
		} else {
			p.Y = append(p.Y, -1)
		}
	}
	if !slices.Contains(p.Y, 1) || !slices.Contains(p.Y, -1) {
		t.Fatalf("labels %v", d.Y[:10])
	}
	return p
}

func classify(t *testing.T, s mkc.Solver, p *train.Problem) *mkc.Result {
	t.Helper()
	r, err := s.Classify(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// value returns f(x) for row i of p, where r is a result on the rows of of.
func value(r *mkc.Result, of, p *train.Problem, i int) float64 {
	k := make([]float64, of.X.Len())
	of.Kernel.EvaluateTo(k, p.X.Row(i), &of.X)
	f := -r.Rho
	for n, c := range r.Coef {
		f += c * k[n]
	}
	return f
}

// TestUnfinished: a training that Programmes ends before (27) holds reports it.
func TestUnfinished(t *testing.T) {
	p := board(t, 300)
	s := mkc.Default()
	whole := classify(t, s, p)
	if whole.Unfinished || whole.Programmes < 3 {
		t.Fatalf("%d programmes, unfinished %v", whole.Programmes, whole.Unfinished)
	}
	for n := 1; n <= whole.Programmes+1; n++ {
		s.Programmes = n
		var events []bool
		s.Report = func(e train.Event) {
			if m, is := e.(train.Minimised); is {
				events = append(events, m.Unfinished)
			}
		}
		r, want := classify(t, s, p), n < whole.Programmes
		if r.Programmes != min(n, whole.Programmes) || r.Unfinished != want || !slices.Equal(events, []bool{want}) {
			t.Errorf("at most %d of %d programmes: %d, unfinished %v, told %v", n, whole.Programmes, r.Programmes, r.Unfinished, events)
		}
	}
	s.Mu, s.Programmes = 0, 1
	if classify(t, s, p).Unfinished {
		t.Error("the 1-norm machine has one programme")
	}
}

// TestLinearisation: the smoothed loss falls from programme to programme; what a result says about
// rows and vectors is true; the minimal classifier is smaller.
func TestLinearisation(t *testing.T) {
	p := board(t, 300)
	s := mkc.Default()
	s.Nu = 10
	r := classify(t, s, p)
	if r.Programmes < 2 || len(r.Loss) != r.Programmes || len(r.Pivots) != r.Programmes {
		t.Fatalf("%d programmes, losses %v, pivots %v", r.Programmes, r.Loss, r.Pivots)
	}
	for k := 1; k < len(r.Loss); k++ {
		if r.Loss[k] > r.Loss[k-1]*(1+1e-9) {
			t.Errorf("the loss rises: %v", r.Loss)
		}
	}
	if r.Gap > 1e-9 {
		t.Errorf("duality gap %v", r.Gap)
	}
	// the loss is that of the classifier
	loss := 0.0
	pound := func(x float64) float64 { return x + s.Mu*(1-math.Exp(-s.Alpha*x)) }
	for i, y := range p.Y {
		e := max(1-y*value(r, p, p, i), 0)
		loss += s.Nu*pound(e) + pound(math.Abs(r.Coef[i]))
		// an error has a multiplier (15), and a row with one is no further than the margin
		if is := slices.Contains(r.Rows, i); is != (e > -1e-9 && 1-y*value(r, p, p, i) > -1e-7) {
			t.Errorf("row %d: error %v, but among the rows with multipliers: %v", i, 1-y*value(r, p, p, i), is)
		}
		if slices.Contains(r.Vectors, i) != (r.Coef[i] != 0) {
			t.Errorf("row %d has coefficient %v", i, r.Coef[i])
		}
	}
	if want := r.Loss[len(r.Loss)-1]; !(math.Abs(loss-want) <= 1e-6*want) {
		t.Errorf("loss %v, by the classifier %v", want, loss)
	}
	s.Mu = 0
	first := classify(t, s, p)
	if first.Programmes != 1 || len(first.Rows) <= len(r.Rows) || len(first.Vectors) < len(r.Vectors) {
		t.Errorf("%d programmes, %d x %d rows and vectors; pruned %d x %d", first.Programmes,
			len(first.Rows), len(first.Vectors), len(r.Rows), len(r.Vectors))
	}
	// the bound counts rows with a multiplier or a coefficient in the first programme, each once
	either := slices.Concat(first.Rows, first.Vectors)
	slices.Sort(either)
	either = slices.Compact(either)
	if len(either) == len(first.Rows) {
		t.Fatal("every vector has a multiplier")
	}
	if first.LeaveOneOutErrors != len(either) || r.LeaveOneOutErrors != len(either) {
		t.Errorf("bounds by %d and %d rows, want %d", first.LeaveOneOutErrors, r.LeaveOneOutErrors, len(either))
	}
}

// TestLeaveOneOut: the leave-one-out error is not above the bound (13). In the last two cases no
// vector is worth its cost, and one class has a row more: its multiplier is 0, but without the row
// either class may be the answer.
func TestLeaveOneOut(t *testing.T) {
	s := mkc.Default()
	s.Mu = 0
	for _, c := range []struct {
		set       string
		nu, gamma float64
		rows      int
	}{
		{"checkerboard", 10, 6 * square, 60}, {"checkerboard", 100, square, 50},
		{"ringnorm", 1, 0.05, 60}, {"twonorm", 1, 0.02, 60}, {"twonorm", 10, 0.02, 60},
		{"twonorm", 0.01, 0.02, 43}, {"twonorm", 0.01, 0.02, 51},
	} {
		p := twoClasses(t, c.set, c.rows, c.gamma)
		s.Nu = c.nu
		r := classify(t, s, p)
		wrong := 0
		for i := range p.Y {
			var rest []int
			q := &train.Problem{Kernel: p.Kernel}
			for k, y := range p.Y {
				if k != i {
					rest = append(rest, k)
					q.Y = append(q.Y, y)
				}
			}
			q.X = p.X.Select(rest)
			if value(classify(t, s, q), q, p, i)*p.Y[i] <= 0 {
				wrong++
			}
		}
		t.Logf("%s, nu %v gamma %v: %d of %d rows wrong when left out, bound %d", c.set, c.nu, c.gamma, wrong, c.rows, r.LeaveOneOutErrors)
		if wrong > r.LeaveOneOutErrors {
			t.Errorf("%s, nu %v gamma %v: %d of %d rows wrong when left out, bound %d", c.set, c.nu, c.gamma, wrong, c.rows, r.LeaveOneOutErrors)
		}
		if right := c.rows - r.LeaveOneOutErrors; r.CorrectBound() != float64(right)/float64(c.rows) || r.ErrorBound() != float64(r.LeaveOneOutErrors)/float64(c.rows) {
			t.Errorf("bounds %v and %v", r.ErrorBound(), r.CorrectBound())
		}
	}
}

// TestColumns: as many rows may become vectors as asked for, with both samples, and only they get
// coefficients; the weights of classes and rows multiply.
func TestColumns(t *testing.T) {
	p := board(t, 200)
	for _, sample := range []mkc.Sample{mkc.Random, mkc.Systematic} {
		s := mkc.Default()
		s.Nu, s.Columns, s.Sample = 10, 40, sample
		r := classify(t, s, p)
		if n := len(r.Vectors); n == 0 || n > 40 {
			t.Errorf("%s: %d vectors of 40 candidates", sample, n)
		}
		if sample == mkc.Systematic {
			for _, i := range r.Vectors {
				if i%5 != 0 {
					t.Errorf("vector %d is not every fifth row", i)
				}
			}
		}
		s.Seed = 2
		if other := classify(t, s, p); slices.Equal(other.Vectors, r.Vectors) != (sample == mkc.Systematic) {
			t.Errorf("%s: vectors %v, by another seed %v", sample, r.Vectors, other.Vectors)
		}
	}
	s := mkc.Default()
	plain := classify(t, s, p)
	p.Weight.Pos, p.Weight.Neg = train.Factors{3}, train.Factors{3}
	byClass := classify(t, s, p)
	p.Weight.Pos, p.Weight.Neg = nil, nil
	p.RowWeight = slices.Repeat([]float64{3}, 200)
	byRow := classify(t, s, p)
	p.RowWeight = nil
	s.Nu *= 3
	byNu := classify(t, s, p)
	for i := range byNu.Coef {
		if byNu.Coef[i] != byClass.Coef[i] || byNu.Coef[i] != byRow.Coef[i] {
			t.Fatalf("coefficient %d: %v by nu, %v by class, %v by row", i, byNu.Coef[i], byClass.Coef[i], byRow.Coef[i])
		}
	}
	if slices.Equal(plain.Coef, byNu.Coef) {
		t.Error("nu changes nothing")
	}
}

// TestGenerated: a kernel matrix that is computed in parts gives the same bits.
func TestGenerated(t *testing.T) {
	p := board(t, 400)
	s := mkc.Default()
	whole := classify(t, s, p)
	s.MatrixMB = 0.2
	if parts := classify(t, s, p); !slices.Equal(parts.Coef, whole.Coef) || parts.Rho != whole.Rho {
		t.Error("another classifier")
	}
}

func TestValidate(t *testing.T) {
	for _, change := range []func(s *mkc.Solver){
		func(s *mkc.Solver) { s.Nu = 0 },
		func(s *mkc.Solver) { s.Nu = math.Inf(1) },
		func(s *mkc.Solver) { s.Mu = -1 },
		func(s *mkc.Solver) { s.Mu = math.NaN() },
		func(s *mkc.Solver) { s.Alpha = 0 },
		func(s *mkc.Solver) { s.Columns = -1 },
		func(s *mkc.Solver) { s.Sample = "" },
		func(s *mkc.Solver) { s.Programmes = 0 },
		func(s *mkc.Solver) { s.MatrixMB = 0 },
	} {
		s := mkc.Default()
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&s)
		if err := s.Validate(); err == nil {
			t.Errorf("%+v is valid", s)
		}
	}
	// the ends of the ranges
	s := mkc.Default()
	s.Mu, s.Columns, s.Programmes = 0, 1, 1
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}
