package rsvm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// rowsOf returns rows from to to-1 of d.
func rowsOf(d *format.Dataset, from, to int) Rows {
	return func(yield func(format.Instance, error) bool) {
		for i := from; i < to; i++ {
			in := format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1}
			if d.Weight != nil {
				in.Weight = d.Weight[i]
			}
			if !yield(in, nil) {
				return
			}
		}
	}
}

// newTestJob returns a job for d with the first rows of each class as reduced set.
func newTestJob(t testing.TB, d *format.Dataset, o Options, rest bool) *Job {
	t.Helper()
	classes, err := train.GroupClasses(d.Y, nil)
	if err != nil {
		t.Fatal(err)
	}
	reduced := new(format.Dataset)
	for _, rows := range classes.Rows {
		for _, i := range rows[:4] {
			reduced.Append(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1})
		}
	}
	j, err := Classifier{Options: o, OneVsRest: rest}.Begin(classes.Labels, reduced)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func testOptions() Options {
	o := DefaultOptions()
	o.Kernel, o.Cost = kernel.RBF{Gamma: 0.5}, 10
	return o
}

// inParts runs a job whose sums are computed in parts, written to files, read and added.
func inParts(t testing.TB, j *Job, d *format.Dataset, cut []int) *models.Model {
	t.Helper()
	for done := false; !done; {
		var all *Partial
		for p := range len(cut) - 1 {
			part, err := j.Sum(context.Background(), rowsOf(d, cut[p], cut[p+1]))
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if err := part.Write(&file); err != nil {
				t.Fatal(err)
			}
			back, err := ReadPartial(&file)
			if err != nil {
				t.Fatal(err)
			}
			if back.Rows != int64(cut[p+1]-cut[p]) {
				t.Fatalf("%d rows in the sums over %d to %d", back.Rows, cut[p], cut[p+1])
			}
			if all == nil {
				all = back
			} else if err := all.Add(back); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if done, err = j.Step(context.Background(), all); err != nil {
			t.Fatal(err)
		}
	}
	return j.Model()
}

func modelBytes(t testing.TB, m *models.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := models.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCuts: sums over the same parts give the same model to the byte, on any number of threads, and
// over other parts one that differs by rounding only.
func TestCuts(t *testing.T) {
	d := made(t, "gauss5", 1000)
	for i := range d.Len() {
		d.Weight = append(d.Weight, 1+float64(i%2))
	}
	for _, rest := range []bool{false, true} {
		o := testOptions()
		whole := inParts(t, newTestJob(t, d, o, rest), d, []int{0, 1000})
		for _, cut := range [][]int{{0, 500, 1000}, {0, 1, 130, 131, 999, 1000}, {0, 0, 1000, 1000}, {0, 128, 256, 384, 1000}} {
			o.Threads = 1
			one := inParts(t, newTestJob(t, d, o, rest), d, cut)
			o.Threads = 5
			five := inParts(t, newTestJob(t, d, o, rest), d, cut)
			if !bytes.Equal(modelBytes(t, one), modelBytes(t, five)) {
				t.Errorf("cut at %v: two models", cut)
			}
			for k, m := range one.Machines {
				scale := 0.0
				for _, v := range whole.Machines[k].Coef {
					scale = max(scale, math.Abs(v))
				}
				for i, v := range m.Coef {
					if want := whole.Machines[k].Coef[i]; !(math.Abs(v-want) <= 1e-10*scale) {
						t.Fatalf("cut at %v: machine %d has coefficient %v, uncut %v", cut, k, v, want)
					}
				}
			}
		}
	}
}

// TestMemoryOrStream: rows in memory, with kernel values kept or not, and streamed rows give the
// same model to the byte.
func TestMemoryOrStream(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	rows := 700
	if testing.Short() {
		rows = 300
	}
	d := made(t, "gauss5", rows)
	for _, set := range []Set{Random{Vectors: 30}, Random{Vectors: 30, Even: true, Centres: true}, Full{}, DefaultSystematic()} {
		var files [][]byte
		for _, memory := range []float64{100, 0} {
			o := testOptions()
			o.Set, o.MemoryMB = set, memory
			m, err := Classifier{Options: o}.Train(context.Background(), d, nil)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, modelBytes(t, m))
			if _, ok := set.(Systematic); ok {
				continue
			}
			if m, err = (Classifier{Options: o}).TrainStream(context.Background(), rowsOf(d, 0, d.Len())); err != nil {
				t.Fatal(err)
			}
			files = append(files, modelBytes(t, m))
		}
		for i := range files {
			if !bytes.Equal(files[i], files[0]) {
				t.Errorf("%s: way %d gives another model", Name(set), i)
			}
		}
	}
	s := made(t, "sinc", 400)
	o := testOptions()
	g := Regression{Options: o, Epsilon: 0.05}
	a, err := g.Train(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.TrainStream(context.Background(), rowsOf(s, 0, s.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(modelBytes(t, a), modelBytes(t, b)) {
		t.Error("regression: two models")
	}
}

// TestMismatch: sums of another problem, point or set of machines are refused.
func TestMismatch(t *testing.T) {
	d := made(t, "gauss5", 200)
	sum := func(j *Job) *Partial {
		p, err := j.Sum(context.Background(), rowsOf(d, 0, d.Len()))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	o := testOptions()
	job := newTestJob(t, d, o, false)
	first := sum(job)
	for name, change := range map[string]func(*Options){
		"cost": func(o *Options) { o.Cost = 11 }, "alpha": func(o *Options) { o.Alpha = 6 },
		"kernel": func(o *Options) { o.Kernel = kernel.RBF{Gamma: 0.6} },
	} {
		changed := o
		change(&changed)
		other := sum(newTestJob(t, d, changed, false))
		if err := sum(job).Add(other); !errors.Is(err, ErrMismatch) {
			t.Errorf("another %s: %v", name, err)
		}
		if _, err := job.Step(context.Background(), other); !errors.Is(err, ErrMismatch) {
			t.Errorf("a step with another %s: %v", name, err)
		}
	}
	if err := first.Add(sum(newTestJob(t, d, o, true))); !errors.Is(err, ErrMismatch) {
		t.Errorf("machines against the rest: %v", err)
	}
	few, err := Classifier{Options: o}.Begin([]int{1, 2, 3, 4, 5}, &format.Dataset{X: d.X.Slice(0, 3), Y: d.Y[:3]})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Classifier{Options: o}).Begin([]int{1, 2, 3, 4, 5}, &format.Dataset{X: d.X.Slice(0, 3), Y: d.Y[:2]}); err == nil || err.Error() != "3 rows but 2 labels" {
		t.Errorf("a reduced set without a label: %v", err)
	}
	var file bytes.Buffer
	if err := sum(few).Write(&file); err != nil {
		t.Fatal(err)
	}
	other, err := ReadPartial(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := sum(job).Add(other); !errors.Is(err, ErrMismatch) {
		t.Errorf("another reduced set, from a file: %v", err)
	}
	again := sum(job)
	if _, err := job.Step(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	if err := sum(job).Add(again); !errors.Is(err, ErrMismatch) {
		t.Errorf("the step before: %v", err)
	}
	if _, err := job.Step(context.Background(), again); !errors.Is(err, ErrMismatch) {
		t.Errorf("a step with sums of the step before: %v", err)
	}
}

// TestDamagedPartial: a file that is cut off, or has any byte changed, or more at its end, is
// refused, with the right reason.
func TestDamagedPartial(t *testing.T) {
	d := made(t, "gauss5", 60)
	p, err := newTestJob(t, d, testOptions(), true).Sum(context.Background(), rowsOf(d, 0, d.Len()))
	if err != nil {
		t.Fatal(err)
	}
	p.Sums[1] = nil // as of a machine that is done
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	back, err := ReadPartial(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if back.Rows != p.Rows || back.Problem != p.Problem || back.Sums[1] != nil || !slices.Equal(back.Sums[2].Gradient, p.Sums[2].Gradient) {
		t.Error("what is read is not what was written")
	}
	for n := range file {
		if _, err := ReadPartial(bytes.NewReader(file[:n])); !errors.Is(err, ErrCutOff) && (n > 0 || !errors.Is(err, ErrNoPartial)) {
			t.Fatalf("%d of %d bytes: %v", n, len(file), err)
		}
		for _, fault := range []error{io.ErrUnexpectedEOF, fs.ErrPermission} {
			if _, err := ReadPartial(io.MultiReader(bytes.NewReader(file[:n]), iotest.ErrReader(fault))); !errors.Is(err, fault) {
				t.Fatalf("%v behind %d of %d bytes: %v", fault, n, len(file), err)
			}
		}
		changed := bytes.Clone(file)
		changed[n] ^= 0x40
		if _, err := ReadPartial(bytes.NewReader(changed)); err == nil {
			t.Fatalf("byte %d changed: no error", n)
		}
	}
	if _, err := ReadPartial(bytes.NewReader(append(bytes.Clone(file), 0))); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte more: %v", err)
	}
	if _, err := ReadPartial(bytes.NewReader([]byte("svm_type c_svc\nkernel_type rbf\n"))); !errors.Is(err, ErrNoPartial) {
		t.Errorf("a model file: %v", err)
	}
	// counts in the file are not believed
	huge := append([]byte(partialMark), make([]byte, 40)...)
	huge = append(huge, 1, 0, 0, 0, 0xff, 0x3f, 0, 0)
	if _, err := ReadPartial(bytes.NewReader(huge)); !errors.Is(err, ErrCutOff) {
		t.Errorf("16383 unknowns of nothing: %v", err)
	}
	huge[len(huge)-1] = 0x7f
	if _, err := ReadPartial(bytes.NewReader(huge)); !errors.Is(err, ErrDamaged) {
		t.Errorf("two thousand million unknowns: %v", err)
	}
}

func FuzzReadPartial(f *testing.F) {
	d := made(f, "gauss5", 60)
	p, err := newTestJob(f, d, testOptions(), false).Sum(context.Background(), rowsOf(d, 0, d.Len()))
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	p.Sums = p.Sums[:1]
	if err := p.Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(partialMark))
	// what is accepted is written as it was read
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := ReadPartial(bytes.NewReader(file))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), file) {
			t.Fatalf("%q is read, but written as %q", file, b.Bytes())
		}
	})
}

// TestStreamFaults: an error of the rows is returned, with the row's number if it is a fault of a
// row. So is the context's error.
func TestStreamFaults(t *testing.T) {
	d := made(t, "gauss5", 500)
	c := Classifier{Options: testOptions()}
	broken := errors.New("the disk is gone")
	pass := 0
	rows := func(yield func(format.Instance, error) bool) {
		pass++
		for in := range rowsOf(d, 0, d.Len()) {
			if !yield(in, nil) {
				return
			}
		}
		if pass == 4 {
			yield(format.Instance{}, broken)
		}
	}
	if _, err := c.TrainStream(context.Background(), rows); !errors.Is(err, broken) || pass != 4 {
		t.Errorf("a fault in the fourth pass: %v in pass %d", err, pass)
	}
	// a file that has got another class since it was counted
	pass = 0
	changed := func(yield func(format.Instance, error) bool) {
		pass++
		i := 0
		for in := range rowsOf(d, 0, d.Len()) {
			if pass == 3 && i == 400 {
				in.Y = 77
			}
			i++
			if !yield(in, nil) {
				return
			}
		}
	}
	var row *train.RowError
	if _, err := c.TrainStream(context.Background(), changed); !errors.As(err, &row) || row.Row != 400 {
		t.Errorf("a new label in row 400: %v", err)
	}
	if _, err := c.TrainStream(context.Background(), rowsOf(d, 0, 0)); !errors.Is(err, train.ErrNoData) {
		t.Errorf("no rows: %v", err)
	}
	nan := func(yield func(format.Instance, error) bool) {
		yield(format.Instance{X: d.X.Row(0), Y: math.NaN(), Weight: 1}, nil)
	}
	if _, err := c.TrainStream(context.Background(), nan); !errors.As(err, &row) || row.Row != 0 {
		t.Errorf("no label: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.Report = func(train.Event) { cancel() }
	if _, err := c.TrainStream(ctx, rowsOf(d, 0, d.Len())); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	c.Set = DefaultSystematic()
	if _, err := c.TrainStream(context.Background(), rowsOf(d, 0, d.Len())); err == nil {
		t.Error("systematic sampling from a stream passes")
	}
}
