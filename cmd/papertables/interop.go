package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// An interop is a model for LIBSVM's svm-train to make, and to be reduced.
type interop struct {
	*set
	column  string
	train   int    // rows drawn for training, where there is no test file
	scale   bool   // features are brought to [-1, 1], by the training rows
	options string // of svm-train
	vectors int
}

var interops = []interop{
	{
		set:    &set{name: "letter", file: "letter/letter.scale", test: "letter/letter.scale.t", inputs: 16, classes: 6},
		column: "letter.scale, 26 classes", options: "-c 4 -g 0.5", vectors: 130,
	},
	{
		set:    &set{name: "splice", file: "splice/splice", test: "splice/splice.t", inputs: 60, classes: 2},
		column: "splice, 2 classes", options: "-c 1 -g 0.015625", vectors: 20,
	},
	{
		set:    &set{name: "cpusmall", file: "cpusmall/cpusmall", inputs: 12},
		column: "cpusmall, epsilon-SVR", train: 5461, scale: true, options: "-s 3 -c 64 -g 0.25 -p 1", vectors: 50,
	},
	{
		set:    &set{name: "diabetes", file: "diabetes/diabetes_scale", inputs: 8, classes: 2},
		column: "diabetes, one-class", train: 512, options: "-s 2 -n 0.25 -g 0.125", vectors: 20,
	},
}

// The rows of the table.
const (
	vectorsBefore  = "vectors of `svm-train`'s model"
	vectorsAfter   = "vectors after `slimsvm reduce`"
	fileBefore     = "model file, kB"
	fileAfter      = "reduced, kB"
	filePlain      = "exported for LIBSVM, kB"
	errorBefore    = "error"
	errorAfter     = "error, reduced"
	timeBefore     = "prediction, µs a row"
	timeAfter      = "reduced, µs a row"
	originalBefore = "LIBSVM's `svm-predict`, s"
	originalPlain  = "with the exported model, s"
)

var interopTables = []table{interopTable()}

func interopTable() table {
	t := table{
		name: "interop", title: "LIBSVM's models made small", protocol: honest,
		about: `Models of LIBSVM's own ` + "`svm-train`, reduced by `slimsvm reduce` (defaults but for `--vectors`), exported by `slimsvm export --plain`" + `.
Errors are on test rows: those that LIBSVM's collection sets aside, or a third drawn by chance (cpusmall,
diabetes): per cent; for the regression the mean squared error; for the one-class model the per cent of rows taken for
outside. The run fails unless LIBSVM's ` + "`svm-predict`" + ` gives with the exported model, for every test row, what slimsvm
gives with the reduced one. Prediction is slimsvm's, compute only, CPU time; the last two rows are the CPU time of LIBSVM's whole command on the test rows.`,
		corner: "", splits: 1, version: 1,
		rows: []string{
			vectorsBefore, vectorsAfter, fileBefore, fileAfter, filePlain, errorBefore, errorAfter,
			timeBefore, timeAfter, originalBefore, originalPlain,
		},
		digits: map[string]int{
			vectorsBefore: 0, vectorsAfter: 0, fileBefore: 0, fileAfter: 0, filePlain: 0,
			errorBefore: 2, errorAfter: 2, originalBefore: 2, originalPlain: 2,
		},
	}
	for i := range interops {
		of := &interops[i]
		t.columns = append(t.columns, of.column)
		t.jobs = append(t.jobs, job{
			name: of.name, rows: t.rows, columns: []string{of.column},
			sets: []*set{of.set}, programs: []string{"svm-train", "svm-predict"}, run: of.run,
		})
	}
	return t
}

// run trains, reduces, exports and predicts.
func (of *interop) run(ctx context.Context, b *bench, seed int) (f figures, err error) {
	d, err := b.load(ctx, of.set)
	if err != nil {
		return nil, err
	}
	train, test := d.files()
	if of.train > 0 {
		train, test = d.split(of.train, seed)
	}
	if of.scale {
		train, test = toRange(train, test)
	}
	dir := filepath.Join(b.dir, of.name)
	for _, w := range []struct {
		name string
		d    *format.Dataset
	}{{"train", train}, {"test", test}} {
		if err := writeRows(ctx, filepath.Join(dir, w.name), w.d); err != nil {
			return nil, err
		}
	}
	original := program{ctx, dir}
	if _, err := original.run("svm-train -q " + of.options + " train big"); err != nil {
		return nil, err
	}
	big, err := original.model("big")
	if err != nil {
		return nil, err
	}
	r := b.reducer(reducedset.Shared, of.vectors, seed)
	small, err := r.Reduce(ctx, big, train)
	if err != nil {
		return nil, err
	}
	plain, err := models.Lower(small)
	if err != nil {
		return nil, err
	}
	for _, w := range []struct {
		name string
		m    *models.Model
	}{{"small", small}, {"plain", plain}} {
		if err := original.write(w.name, w.m); err != nil {
			return nil, err
		}
	}
	before, err := original.run("svm-predict test big big.out")
	if err != nil {
		return nil, err
	}
	after, err := original.run("svm-predict test plain plain.out")
	if err != nil {
		return nil, err
	}
	if err := original.same("plain.out", small, test); err != nil {
		return nil, err
	}

	f.add(vectorsBefore, of.column, float64(big.Vectors.Len()))
	f.add(vectorsAfter, of.column, float64(small.Vectors.Len()))
	for _, s := range []struct{ row, name string }{{fileBefore, "big"}, {fileAfter, "small"}, {filePlain, "plain"}} {
		size, err := original.size(s.name)
		if err != nil {
			return nil, err
		}
		f.add(s.row, of.column, size/1000)
	}
	for _, m := range []struct {
		errorRow, timeRow string
		m                 *models.Model
	}{{errorBefore, timeBefore, big}, {errorAfter, timeAfter, small}} {
		e, seconds, err := b.timed(ctx, m.m, test)
		if err != nil {
			return nil, err
		}
		f.add(m.errorRow, of.column, e)
		f.add(m.timeRow, of.column, 1e6*seconds/float64(test.Len()))
	}
	f.add(originalBefore, of.column, before.Seconds())
	f.add(originalPlain, of.column, after.Seconds())
	return f, nil
}

// timed returns the error and the CPU seconds of predicting all rows, the least of
// several times.
func (b *bench) timed(ctx context.Context, m *models.Model, d *format.Dataset) (rate, seconds float64, err error) {
	seconds = math.Inf(1)
	for start, n := time.Now(), 0; n < 3 || n < 50 && time.Since(start) < time.Second/2; n++ {
		before := cpuSeconds()
		s, err := b.scores(ctx, m, d)
		if err != nil {
			return 0, 0, err
		}
		seconds = min(seconds, cpuSeconds()-before)
		switch {
		case m.Task.Regresses():
			rate = s.MeanSquaredError()
		case m.Task == models.OneClass:
			rate, err = outside(m, d)
		default:
			rate = 100 - float64(100*s.Accuracy())
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return rate, seconds, nil
}

// outside returns the per cent of rows that a one-class model takes for outside.
func outside(m *models.Model, d *format.Dataset) (float64, error) {
	p, err := predict.New(m)
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range d.Len() {
		if p.Predict(d.X.Row(i)) < 0 {
			n++
		}
	}
	return 100 * float64(n) / float64(d.Len()), nil
}

// toRange returns both sets with every feature's range in train mapped to [-1, 1].
func toRange(train, test *format.Dataset) (*format.Dataset, *format.Dataset) {
	d := max(train.X.MaxIndex(), test.X.MaxIndex()) + 1
	low, high := make([]float64, d), make([]float64, d)
	for i := range train.Len() {
		for k, v := range dense(train.X.Row(i), d) {
			if i == 0 {
				low[k], high[k] = v, v
			}
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	image := func(x vec.Vector) (z vec.Vector) {
		for k, v := range dense(x, d) {
			if low[k] < high[k] {
				z.Index, z.Value = append(z.Index, int32(k)), append(z.Value, -1+2*(v-low[k])/(high[k]-low[k]))
			}
		}
		return z
	}
	return mapRows(train, image), mapRows(test, image)
}

func writeRows(ctx context.Context, path string, d *format.Dataset) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	var text bytes.Buffer
	w := libsvmfmt.NewWriter(&text)
	if err := w.WriteHeader(&format.Header{Class: -1}); err != nil {
		return err
	}
	for i, y := range d.Y {
		if err := w.Write(format.Instance{X: d.X.Row(i), Y: y, Weight: 1}); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return writeFile(ctx, path, text.String())
}

// A program runs commands, and reads and writes models, in a folder.
type program struct {
	ctx context.Context
	dir string
}

// run returns the CPU time of a command.
func (p program) run(line string) (time.Duration, error) {
	words := strings.Fields(line)
	cmd := exec.CommandContext(p.ctx, words[0], words[1:]...)
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", line, err, bytes.TrimSpace(out))
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func (p program) model(name string) (*models.Model, error) {
	text, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		return nil, err
	}
	m, err := models.Read(bytes.NewReader(text))
	return m, format.WithPath(err, name)
}

func (p program) write(name string, m *models.Model) error {
	var text bytes.Buffer
	if err := models.Write(&text, m); err != nil {
		return err
	}
	return writeFile(p.ctx, filepath.Join(p.dir, name), text.String())
}

func (p program) size(name string) (float64, error) {
	info, err := os.Stat(filepath.Join(p.dir, name))
	if err != nil {
		return 0, err
	}
	return float64(info.Size()), nil
}

// same returns an error unless the lines of a file of svm-predict's are m's answers,
// which are as LIBSVM prints them.
func (p program) same(name string, m *models.Model, d *format.Dataset) error {
	text, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		return err
	}
	own, err := predict.New(m)
	if err != nil {
		return err
	}
	lines := strings.Fields(string(text))
	if len(lines) != d.Len() {
		return fmt.Errorf("svm-predict wrote %d answers for %d rows", len(lines), d.Len())
	}
	for i, theirs := range lines {
		if ours := string(textscan.AppendG(nil, own.Predict(d.X.Row(i)), 17)); ours != theirs {
			return fmt.Errorf("row %d: svm-predict with the exported model answers %s, slimsvm %s", i+1, theirs, ours)
		}
	}
	return nil
}
