// Package traintest is the conformance suite of training methods. It tests what every train.Trainer
// must do, whatever it computes. The test of a method's package calls
//
//	func TestConformance(t *testing.T) {
//		traintest.Run(t, func(report train.Report) train.Trainer { ... }, traintest.Options{})
//	}
package traintest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// A New builds the trainer under test, which must send its events to report.
type New func(report train.Report) train.Trainer

// Options say what kind of method is tested.
type Options struct {
	// Set is the name of the generated data set; empty: "gauss5" for classifiers, "sinc" for
	// others.
	Set string
	// Rows is the number of rows; 0: 150.
	Rows int
	// Regression says that labels are targets.
	Regression bool
	// OneClass says that labels do not affect the model.
	OneClass bool
	// Accuracy is the share of training rows that a classifier must answer rightly, or for a
	// regression, the squared correlation that it must reach.
	Accuracy float64
}

// Run runs the suite.
func Run(t *testing.T, n New, o Options) {
	t.Helper()
	d := o.data(t)
	for _, c := range []struct {
		name  string
		check func(d *format.Dataset, n New, o Options) error
	}{
		{"same bytes again", sameAgain},
		{"same bytes for any number of threads", sameThreads},
		{"same events for any number of threads", sameEvents},
		{"data unchanged", dataUnchanged},
		{"valid model", valid},
		{"model file", modelFile},
		{"learns", learns},
		{"rows in another order", permuted},
		{"labels renamed", renamed},
		{"no data", noData},
		{"one class", oneClass},
		{"overflow", overflow},
		{"rows that are no vectors", faultyRow},
		{"labels and weights of other lengths", lengths},
		{"declared columns", declared},
		{"cancelled before", cancelledBefore},
		{"cancelled during", cancelledDuring},
		{"cancelled anywhere", cancelledAnywhere},
		{"nil report", nilReport},
		{"training in a report", reportTrains},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.check(d, n, o); err != nil {
				t.Error(err)
			}
		})
	}
}

func (o Options) data(t *testing.T) *format.Dataset {
	t.Helper()
	name, rows := o.Set, o.Rows
	if name == "" {
		name = "gauss5"
		if o.Regression || o.OneClass {
			name = "sinc"
		}
	}
	if rows == 0 {
		rows = 150
	}
	set, ok := generate.Lookup(name)
	if !ok {
		t.Fatalf("traintest: no data set %q", name)
	}
	return set.Generate(rows, 1)
}

// fit trains with a fresh random stream.
func fit(n New, d *format.Dataset) (*models.Model, error) {
	return n(nil).Train(context.Background(), d, train.NewRand(1))
}

// written returns the model as a file.
func written(m *models.Model) ([]byte, error) {
	var b bytes.Buffer
	err := models.Write(&b, m)
	return b.Bytes(), err
}

func fitBytes(n New, d *format.Dataset) ([]byte, error) {
	m, err := fit(n, d)
	if err != nil {
		return nil, err
	}
	return written(m)
}

func same(a, b []byte) error {
	if len(a) == 0 {
		return errors.New("the model file is empty")
	}
	if !bytes.Equal(a, b) {
		return errors.New("the two models differ")
	}
	return nil
}

func sameAgain(d *format.Dataset, n New, _ Options) error {
	first, err := fitBytes(n, d)
	if err != nil {
		return err
	}
	second, err := fitBytes(n, d)
	if err != nil {
		return err
	}
	return same(first, second)
}

func sameThreads(d *format.Dataset, n New, _ Options) error {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one, err := fitBytes(n, d)
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(8)
	eight, err := fitBytes(n, d)
	if err != nil {
		return err
	}
	return same(one, eight)
}

// sameEvents: events are those of a training with one thread, in the same order.
func sameEvents(d *format.Dataset, n New, _ Options) error {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one, err := events(n, d)
	if err != nil {
		return err
	}
	for _, threads := range []int{2, 8, 8} {
		runtime.GOMAXPROCS(threads)
		several, err := events(n, d)
		if err != nil {
			return err
		}
		for i := range max(len(one), len(several)) {
			if i >= len(one) || i >= len(several) || one[i] != several[i] {
				return fmt.Errorf("with %d threads %v, of %d events, is not number %d of those with one: %v", threads, at(several, i), len(several), i+1, at(one, i))
			}
		}
	}
	return nil
}

// events returns what a trainer reports, as text.
func events(n New, d *format.Dataset) (all []string, err error) {
	_, err = n(func(e train.Event) { all = append(all, fmt.Sprintf("%T%+v", e, e)) }).Train(context.Background(), d, train.NewRand(1))
	return all, err
}

// at returns an event of a list, or that there is none.
func at(events []string, i int) string {
	if i >= len(events) {
		return "none"
	}
	return events[i]
}

// fingerprint tells two data sets apart.
func fingerprint(d *format.Dataset) string {
	var b bytes.Buffer
	for i := range d.Len() {
		fmt.Fprintln(&b, math.Float64bits(d.Y[i]), d.X.Row(i).Index, d.X.Row(i).Value)
	}
	return b.String()
}

func dataUnchanged(d *format.Dataset, n New, _ Options) error {
	before := fingerprint(d)
	if _, err := fit(n, d); err != nil {
		return err
	}
	if fingerprint(d) != before {
		return errors.New("training changed the data")
	}
	return nil
}

func valid(d *format.Dataset, n New, _ Options) error {
	m, err := fit(n, d)
	if err != nil {
		return err
	}
	if m.Vectors.Len() == 0 || len(m.Machines) == 0 {
		return fmt.Errorf("a model of %d vectors and %d machines", m.Vectors.Len(), len(m.Machines))
	}
	return m.Validate()
}

// modelFile: a model that is written and read again gives the same file. It also gives the same
// decisions, because the features of the generated sets have few digits.
func modelFile(d *format.Dataset, n New, _ Options) error {
	m, err := fit(n, d)
	if err != nil {
		return err
	}
	first, err := written(m)
	if err != nil {
		return err
	}
	back, err := models.Read(bytes.NewReader(first))
	if err != nil {
		return fmt.Errorf("reading the model back: %w", err)
	}
	second, err := written(back)
	if err != nil {
		return err
	}
	if err := same(first, second); err != nil {
		return err
	}
	p, err := predict.New(m)
	if err != nil {
		return err
	}
	q, err := predict.New(back)
	if err != nil {
		return err
	}
	a, b := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
	for i := range d.Len() {
		p.Decisions(a, d.X.Row(i))
		q.Decisions(b, d.X.Row(i))
		for k := range a {
			if a[k] != b[k] {
				return fmt.Errorf("row %d: the decision is %v, after writing and reading %v", i, a[k], b[k])
			}
		}
	}
	return nil
}

// score returns the accuracy of a model, or its squared correlation.
func score(m *models.Model, d *format.Dataset, o Options) (float64, error) {
	p, err := predict.New(m)
	if err != nil {
		return 0, err
	}
	var s predict.Scores
	for i, y := range d.Y {
		s.Add(p.Predict(d.X.Row(i)), y)
	}
	if o.Regression {
		return s.SquaredCorrelation(), nil
	}
	return s.Accuracy(), nil
}

func (o Options) check(m *models.Model, d *format.Dataset) error {
	if o.OneClass {
		return nil
	}
	got, err := score(m, d, o)
	if err == nil && !(got >= o.Accuracy) {
		err = fmt.Errorf("accuracy or squared correlation %v, expected %v at least", got, o.Accuracy)
	}
	return err
}

func learns(d *format.Dataset, n New, o Options) error {
	m, err := fit(n, d)
	if err != nil {
		return err
	}
	return o.check(m, d)
}

// permuted: rows in another order are learned equally well, and the model has the same classes.
func permuted(d *format.Dataset, n New, o Options) error {
	order := make([]int, d.Len())
	for i := range order {
		order[i] = i
	}
	train.NewRand(2).Shuffle(order)
	p := &format.Dataset{Header: d.Header, X: d.X.Select(order)}
	for _, i := range order {
		p.Y = append(p.Y, d.Y[i])
	}
	m, err := fit(n, p)
	if err != nil {
		return err
	}
	if original, err := fit(n, d); err != nil || len(original.Labels) != len(m.Labels) {
		return fmt.Errorf("%d classes instead of %d (%v)", len(m.Labels), len(original.Labels), err)
	}
	return o.check(m, d)
}

// renamed: other names for the classes change nothing but the names.
func renamed(d *format.Dataset, n New, o Options) error {
	if o.Regression || o.OneClass {
		return nil
	}
	r := &format.Dataset{Header: d.Header, X: d.X}
	for _, y := range d.Y {
		r.Y = append(r.Y, float64(10*y)+100) // never -1, 1, whose order is special
	}
	a, err := fit(n, d)
	if err != nil {
		return err
	}
	b, err := fit(n, r)
	if err != nil {
		return err
	}
	if len(a.Labels) != len(b.Labels) {
		return fmt.Errorf("%d classes instead of %d", len(b.Labels), len(a.Labels))
	}
	for i, label := range b.Labels {
		if label != 10*a.Labels[i]+100 {
			return fmt.Errorf("labels %v became %v", a.Labels, b.Labels)
		}
	}
	b.Labels = a.Labels
	first, err := written(a)
	if err != nil {
		return err
	}
	second, err := written(b)
	if err != nil {
		return err
	}
	return same(first, second)
}

func noData(_ *format.Dataset, n New, _ Options) error {
	if _, err := fit(n, new(format.Dataset)); !errors.Is(err, train.ErrNoData) {
		return fmt.Errorf("the error for no data is %v, expected %v", err, train.ErrNoData)
	}
	return nil
}

// oneClass: a classifier of one class is a model without vectors that answers with it.
func oneClass(d *format.Dataset, n New, o Options) error {
	if o.Regression || o.OneClass {
		return nil
	}
	single := &format.Dataset{Header: d.Header, X: d.X}
	for range d.Y {
		single.Y = append(single.Y, 7)
	}
	m, err := fit(n, single)
	if err != nil {
		return err
	}
	p, err := predict.New(m)
	if err != nil {
		return err
	}
	if got := p.Predict(d.X.Row(0)); got != 7 {
		return fmt.Errorf("the only class is 7, the answer %v", got)
	}
	return nil
}

// overflow: features whose products overflow are an error, never a model.
func overflow(d *format.Dataset, n New, _ Options) error {
	huge := &format.Dataset{Header: d.Header}
	for i, y := range d.Y {
		x := d.X.Row(i).Clone()
		for k := range x.Value {
			x.Value[k] = math.Copysign(1e200, x.Value[k])
		}
		huge.Append(format.Instance{X: vec.Vector{Index: x.Index, Value: x.Value}, Y: y, Weight: 1})
	}
	if _, err := fit(n, huge); !errors.Is(err, train.ErrOverflow) {
		return fmt.Errorf("the error for features of 1e200 is %v, expected %v", err, train.ErrOverflow)
	}
	return nil
}

func cancelledBefore(d *format.Dataset, n New, _ Options) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errCause)
	return isCancelled(n(nil).Train(ctx, d, train.NewRand(1)))
}

// cancelledDuring: if the context is cancelled at the first event, there is an error. A model is
// accepted only if no event follows except Assembled, which says that the model is finished.
func cancelledDuring(d *format.Dataset, n New, _ Options) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	events, late := 0, 0
	_, err := n(func(e train.Event) {
		if _, finished := e.(train.ModelAssembled); events > 0 && !finished {
			late++
		}
		events++
		cancel(errCause)
	}).Train(ctx, d, train.NewRand(1))
	if err != nil && !saysWhy(err) {
		return fmt.Errorf("the error is %v, expected %v and its cause", err, context.Canceled)
	}
	switch {
	case events == 0:
		return errors.New("no event was reported")
	case late > 0 && err == nil:
		return fmt.Errorf("cancelled at the first of %d events, and there is a model", events)
	}
	return nil
}

func isCancelled(m *models.Model, err error) error {
	if !saysWhy(err) || m != nil {
		return fmt.Errorf("the result is a model (%v) and the error %v, expected %v and its cause", m != nil, err, context.Canceled)
	}
	return nil
}

// errCause is the cause of all cancellations here.
var errCause = errors.New("the cause of the cancellation")

// saysWhy reports whether err says both that the context was cancelled and why.
func saysWhy(err error) bool {
	return errors.Is(err, context.Canceled) && errors.Is(err, errCause)
}

func nilReport(d *format.Dataset, n New, _ Options) error {
	_, err := n(nil).Train(context.Background(), d, train.NewRand(1))
	return err
}
