package psvm

import (
	"bytes"
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// bytesOf returns a model's file without the line that says how it was found.
func bytesOf(t *testing.T, m *models.Model) []byte {
	t.Helper()
	bare := *m
	bare.Provenance = nil
	var b bytes.Buffer
	if err := models.Write(&b, &bare); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestAuto: the form that is taken has the most right answers on its held-out rows and, of equally
// good ones, the fewest machines. The model is that of the form alone.
func TestAuto(t *testing.T) {
	ctx := context.Background()
	taken := map[Form]bool{}
	for _, c := range []struct {
		set      string
		rows     int
		sampling int
		ballot   models.Ballot
		hard     float64
	}{
		{"striated", 240, 0, models.ByProbability, thesisHard}, {"striated", 300, 2, models.ByProbability, thesisHard},
		{"gauss5", 150, 0, models.ByCount, thesisHard}, {"gauss5", 150, 2, models.ByProbability, AsNegatives},
		{"isolated", 150, 2, models.ByDecision, thesisHard}, {"spirals", 120, 0, models.ByProbability, AsNegatives},
	} {
		d := set(t, c.set, c.rows)
		s := Default()
		s.Iterations, s.Sampling, s.Ballot, s.HardNegatives = 4, c.sampling, c.ballot, c.hard
		auto, err := s.Train(ctx, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := newRun(s, d)
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := r.ensemble(ctx)
		if err != nil {
			t.Fatal(err)
		}
		taken[chosen.form] = true
		for _, f := range []Form{Others, Own, OthersLikely, OwnLikely} {
			s.Form = f
			m, err := s.Train(ctx, d, nil)
			if err != nil {
				t.Fatal(err)
			}
			if f == chosen.form && !bytes.Equal(bytesOf(t, m), bytesOf(t, auto)) {
				t.Errorf("%+v: form %v was chosen, but the model is another than with this form alone", c, f)
			}
			r, err := newRun(s, d)
			if err != nil {
				t.Fatal(err)
			}
			o, err := r.ensemble(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if o.accuracy > chosen.accuracy || o.accuracy == chosen.accuracy && o.members() < chosen.members() {
				t.Errorf("%+v: form %v has %v by %d machines, and %v was chosen, %v by %d", c, f, o.accuracy, o.members(), chosen.form, chosen.accuracy, chosen.members())
			}
		}
	}
	if len(taken) < 2 {
		t.Errorf("only the forms %v were ever chosen", taken)
	}
}

// TestHeldOut: with no form is a held-out row an exemplar or in a set, and the reported share of
// right answers is that of the model.
func TestHeldOut(t *testing.T) {
	d := set(t, "striated", 200)
	s := Default()
	s.Iterations = 3
	r, rows := wholeRun(t, s, d)
	in, held := r.split(rows, 0)
	outcomes, err := r.train(context.Background(), rows, 0, r.forms())
	if err != nil {
		t.Fatal(err)
	}
	// these rows change no machine, only which are chosen
	far := &format.Dataset{}
	for i := range d.Len() {
		x := d.X.Row(i)
		if _, has := slices.BinarySearch(held, i); has {
			x = point(1e3+float64(i), -1e3)
		}
		far.Append(format.Instance{X: x, Y: d.Y[i], Weight: 1})
	}
	others, err := newRun(s, far)
	if err != nil {
		t.Fatal(err)
	}
	all := func(r *run) map[Form][]train.IterationDone {
		list := map[Form][]train.IterationDone{}
		r.Report = func(e train.Event) {
			if e, is := e.(train.IterationDone); is {
				f, err := ParseForm(e.Form)
				if err != nil {
					t.Fatal(err)
				}
				e.Accuracy = 0
				list[f] = append(list[f], e)
			}
		}
		if _, err := r.train(context.Background(), rows, 0, r.forms()); err != nil {
			t.Fatal(err)
		}
		return list
	}
	if a, b := all(r), all(others); !maps.EqualFunc(a, b, slices.Equal) {
		t.Errorf("machines by iteration are %v; with other rows held out %v", a, b)
	}
	for _, o := range outcomes {
		m := o.ensemble.model()
		for _, row := range m.Origin {
			if _, has := slices.BinarySearch(in, row-1); !has {
				t.Fatalf("form %v: row %d is held out, and an exemplar", o.form, row)
			}
		}
		p := predictorOf(t, m)
		right := 0
		for _, i := range held {
			if p.Predict(d.X.Row(i)) == d.Y[i] {
				right++
			}
		}
		if got := float64(right) / float64(len(held)); got != o.accuracy {
			t.Errorf("form %v: %v of the rows held out are answered rightly, it says %v", o.form, got, o.accuracy)
		}
	}
}

// TestTrial: if there are many rows, the form is chosen on some of them, with the classes in their
// proportions, and trained on all.
func TestTrial(t *testing.T) {
	d := set(t, "gauss5", 1000)
	r, err := newRun(Default(), d)
	if err != nil {
		t.Fatal(err)
	}
	every := make([]int, d.Len())
	for i := range every {
		every[i] = i
	}
	some := r.some(100, every, compareStream)
	count := map[float64]int{}
	for _, i := range some {
		count[d.Y[i]]++
	}
	for c, rows := range r.classes.Rows {
		if want := float64(len(rows)) / 10; !(math.Abs(float64(count[float64(r.classes.Labels[c])])-want) <= 0.5) {
			t.Errorf("%d rows of %d in class %d", count[float64(r.classes.Labels[c])], len(rows), r.classes.Labels[c])
		}
	}
	if !slices.IsSorted(some) || len(slices.Compact(slices.Clone(some))) != len(some) {
		t.Errorf("the rows are %v", some)
	}
	d = set(t, "isolated", 260)
	s := Default()
	s.Iterations = 2
	last := map[string]train.IterationDone{}
	var forms []string
	s.Report = func(e train.Event) {
		if e, is := e.(train.IterationDone); is {
			if e.Trial {
				if b, has := last[e.Form]; !has || e.Accuracy >= b.Accuracy {
					last[e.Form] = e
				}
			} else if !slices.Contains(forms, e.Form) {
				forms = append(forms, e.Form)
			}
		}
	}
	if r, err = newRun(s, d); err != nil {
		t.Fatal(err)
	}
	if r.most < 1000 {
		t.Errorf("forms are compared on %d rows", r.most)
	}
	r.most = 200
	if _, err := r.ensemble(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(last) != 4 || len(forms) != 1 {
		t.Fatalf("the trial was of %d forms, all rows of %v", len(last), forms)
	}
	of := last[forms[0]]
	for name, e := range last {
		if e.Accuracy > of.Accuracy || e.Accuracy == of.Accuracy && e.Machines < of.Machines {
			t.Errorf("%s was chosen, %+v, but %s has %+v", forms[0], of, name, e)
		}
	}
}

// TestRows: if there are more rows than should be trained on, each class has its share drawn, other
// rows have no effect on the model, and the draw is reported. Otherwise all rows are used.
func TestRows(t *testing.T) {
	d := set(t, "gauss5", 200)
	trained := func(d *format.Dataset, change func(s *Trainer)) (*models.Model, []train.RowsDrawn) {
		s := Default()
		s.Iterations = 1
		var told []train.RowsDrawn
		s.Report = func(e train.Event) {
			if e, is := e.(train.RowsDrawn); is {
				told = append(told, e)
			}
		}
		change(&s)
		m, err := s.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m, told
	}
	whole, told := trained(d, func(*Trainer) {})
	same, toldSame := trained(d, func(s *Trainer) { s.Rows = d.Len() })
	if len(told)+len(toldSame) != 0 || !bytes.Equal(bytesOf(t, whole), bytesOf(t, same)) {
		t.Errorf("all rows are reported as %v and %v, or give other models", told, toldSame)
	}
	s := Default()
	s.Rows = 80
	r, err := newRun(s, d)
	if err != nil {
		t.Fatal(err)
	}
	if n := r.drawn(d.Len()); n != 80 {
		t.Errorf("%d rows are drawn", n)
	}
	every := make([]int, d.Len())
	for i := range every {
		every[i] = i
	}
	rows := r.some(80, every, rowsStream)
	part, told := trained(d, func(s *Trainer) { s.Rows = 80 })
	if want := (train.RowsDrawn{Rows: len(rows), Of: d.Len()}); len(told) != 1 || told[0] != want {
		t.Errorf("told %v, expected %v", told, want)
	}
	spoilt := &format.Dataset{Header: d.Header, X: d.X.Clone(), Y: slices.Clone(d.Y)}
	for i := range d.Len() {
		if _, in := slices.BinarySearch(rows, i); !in {
			for k := range spoilt.X.Row(i).Value {
				spoilt.X.Row(i).Value[k] = 3
			}
		}
	}
	if other, _ := trained(spoilt, func(s *Trainer) { s.Rows = 80 }); !bytes.Equal(bytesOf(t, part), bytesOf(t, other)) {
		t.Error("rows that were not drawn have changed the model")
	}
	if other, _ := trained(spoilt, func(*Trainer) {}); bytes.Equal(bytesOf(t, whole), bytesOf(t, other)) {
		t.Error("nor do they change that of all rows")
	}
	for _, c := range []struct{ rows, sampling, want int }{{0, 0, MostRows}, {0, 1, d.Len()}, {0, 2, d.Len()}, {50, 2, 50}} {
		r.Rows, r.Sampling = c.rows, c.sampling
		if got := r.drawn(d.Len()); got != c.want {
			t.Errorf("%+v: at most %d rows", c, got)
		}
	}
}

// TestParseForm: ParseForm reads what String writes.
func TestParseForm(t *testing.T) {
	for f := Auto; f <= Literal; f++ {
		if got, err := ParseForm(f.String()); err != nil || got != f {
			t.Errorf("%v is read as %v, %v", f, got, err)
		}
	}
	if _, err := ParseForm("Form(6)"); err == nil {
		t.Error("a name that is none is read")
	}
}

// TestNothingChooses: if no class has a row to hold out, one form is trained, because nothing can
// choose among them.
func TestNothingChooses(t *testing.T) {
	for _, c := range []struct {
		rows  []float64 // labels
		share float64
		want  int
	}{{[]float64{1, 2, 3}, 0.25, 1}, {[]float64{1, 2, 1, 2}, 0.2, 1}, {[]float64{1, 2, 1, 2}, 0.25, 4}, {[]float64{1, 2, 1, 2}, 0, 1}, {[]float64{1, 1, 1, 2}, 0.3, 4}} {
		d := new(format.Dataset)
		for i, y := range c.rows {
			d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: y, Weight: 1})
		}
		s := Default()
		s.Validation = c.share
		r, err := newRun(s, d)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.forms()); n != c.want {
			t.Errorf("labels %v, a share of %v: %d forms, want %d", c.rows, c.share, n, c.want)
		}
	}
}
