package compat_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// wekaSets are the data sets with Weka's conversions, models and predictions.
var wekaSets = []struct{ name, class string }{
	{"contact-lenses", "last"}, {"diabetes", "last"}, {"iris", "last"}, {"labor", "last"},
	{"sparse_mixed", "5"}, {"weather.nominal", "last"}, {"weather.numeric", "last"},
}

// wekaPipelines are Weka's ways to numbers and machines, and our options for
// them.
var wekaPipelines = []struct {
	name  string
	files string // suffixes of the files that belong to it
	// encode and train are options of slimsvm.
	encode, train string
}{
	{"LibSVM", "libsvmwrapper", "--as weka-libsvm", "--as weka-libsvm"},
	{"LibSVM -Z", "libsvmwrapper-Z", "--as weka-libsvm --scale normalize --scale-first", "--as weka-libsvm --scale normalize --scale-first"},
	{"SMO", "smo-N0 smo-N0lin", "--as weka-smo", "--as weka-smo"},
	{"SMO -N 1", "smo-N1 smo-N1lin", "--as weka-smo --scale standardize", "--as weka-smo --scale standardize"},
	{"SMO RBF", "smo-N0rbf", "", "--as weka-smo --kernel rbf --gamma 0.5"},
}

// wekaDiffers is the one prediction that differs, whose decision value is nearly 0:
// docs/compatibility.md has the story.
const wekaDiffers = "iris, smo-N1 smo-N1lin, row 78"

// TestWeka compares conversions, models and predictions with Weka's. No prediction but wekaDiffers
// may differ.
func TestWeka(t *testing.T) {
	folder := testenv.Shared(t, "corpus", "arff", "golden")
	w := &weka{bin: commands(t), folder: folder, used: map[string]bool{}}
	for _, s := range wekaSets {
		for _, p := range wekaPipelines {
			w.set, w.dir = s.name, t.TempDir()
			data := w.read(t, "arff", "")
			if err := os.WriteFile(filepath.Join(w.dir, "data.arff"), data, 0o666); err != nil {
				t.Fatal(err)
			}
			t.Run(s.name+"/"+p.name, func(t *testing.T) {
				class := " --class " + s.class
				w.compareConversion(t, p.files, p.encode+class)
				w.compareModel(t, p.files, p.train+class)
			})
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, e := range entries {
		if !w.used[e.Name()] {
			t.Errorf("%s: not compared with anything", e.Name())
		}
	}
	if w.conversions == 0 || w.models == 0 || w.predictions == 0 {
		t.Fatal("nothing compared")
	}
	t.Logf("Weka: %d files; %d conversions with %d values, largest relative difference %.2g; %d models, largest difference of rho %.2g; %d predictions, %d different",
		len(entries), w.conversions, w.values, w.worst, w.models, w.rho, w.predictions, w.different)
}

// weka compares one data set, and counts.
type weka struct {
	bin, folder, dir, set          string
	used                           map[string]bool // files of the folder
	conversions, values            int
	models, predictions, different int
	worst, rho                     float64
}

func (w *weka) slimsvm(t *testing.T, line string) {
	t.Helper()
	if r := run(t, w.bin, w.dir, "slimsvm "+line, time.Minute); r.exit != 0 {
		t.Fatalf("slimsvm %s: exit status %d\n%s", line, r.exit, r.stderr)
	}
}

// read returns a file of Weka's with one of the suffixes, or nil.
func (w *weka) read(t *testing.T, suffixes, end string) []byte {
	t.Helper()
	for _, suffix := range strings.Fields(suffixes) {
		name := w.set + "." + suffix + end
		text, err := os.ReadFile(filepath.Join(w.folder, name))
		if err == nil {
			w.used[name] = true
			return text
		}
		if !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return nil
}

// compareConversion compares the encoded rows value by value, and the names.
func (w *weka) compareConversion(t *testing.T, files, options string) {
	want := w.read(t, files, ".libsvm")
	if want == nil {
		return
	}
	w.slimsvm(t, "encode "+options+" data.arff ours")
	got := w.ours(t, "ours")
	if names := w.ours(t, "ours.names"); !bytes.HasPrefix(names, append(w.read(t, files, ".libsvm.names"), "% class "...)) {
		t.Errorf("names of features differ:\n%s", names)
	}
	w.conversions++
	a, b := sparseRows(t, got), sparseRows(t, want)
	if len(a) != len(b) {
		t.Fatalf("%d rows, Weka has %d", len(a), len(b))
	}
	for i := range a {
		for _, keys := range []map[int]float64{a[i], b[i]} {
			for k := range keys {
				x, y := a[i][k], b[i][k]
				w.values++
				if x == y {
					continue
				}
				difference := math.Abs(x-y) / max(math.Abs(x), math.Abs(y))
				w.worst = max(w.worst, difference)
				if !(difference <= 1e-15) {
					t.Errorf("row %d, feature %d: %v, Weka has %v", i+1, k, x, y)
				}
			}
		}
	}
}

// sparseRows reads LIBSVM text; the label is feature 0.
func sparseRows(t *testing.T, text []byte) []map[int]float64 {
	t.Helper()
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var rows []map[int]float64
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		words := strings.Fields(s.Text())
		row := map[int]float64{0: number(words[0])}
		for _, w := range words[1:] {
			index, value, _ := strings.Cut(w, ":")
			row[int(number(index))] = number(value)
		}
		rows = append(rows, row)
	}
	return rows
}

// compareModel trains and compares with the wrapper's model and with
// predictions.
func (w *weka) compareModel(t *testing.T, files, options string) {
	model, predictions := w.read(t, files, ".model"), w.read(t, files, ".pred")
	if model == nil && predictions == nil {
		return
	}
	w.slimsvm(t, "train "+options+" data.arff model")
	if model != nil {
		w.models++
		w.compareHeaders(t, modelHeader(w.ours(t, "model")), modelHeader(model))
	}
	if predictions == nil {
		return
	}
	w.slimsvm(t, "predict --out predicted data.arff model")
	got := strings.Split(strings.TrimSpace(string(w.ours(t, "predicted"))), "\n")
	want := strings.Split(strings.TrimSpace(string(predictions)), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d predictions, Weka has %d", len(got), len(want))
	}
	for i := range got {
		w.predictions++
		if got[i] != want[i] {
			w.different++
			report := t.Errorf
			if fmt.Sprintf("%s, %s, row %d", w.set, files, i+1) == wekaDiffers {
				report = t.Logf
			}
			report("row %d: %s, Weka predicts %s", i+1, got[i], want[i])
		}
	}
}

func (w *weka) ours(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// modelHeader returns the lines before SV by their first word.
func modelHeader(model []byte) map[string][]string {
	h := map[string][]string{}
	for _, line := range strings.Split(string(model), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "SV" {
			break
		}
		h[words[0]] = words[1:]
	}
	return h
}

func (w *weka) compareHeaders(t *testing.T, got, want map[string][]string) {
	for _, key := range []string{"svm_type", "kernel_type", "gamma", "nr_class", "label"} {
		if fmt.Sprint(got[key]) != fmt.Sprint(want[key]) {
			t.Errorf("%s is %v, Weka has %v", key, got[key], want[key])
		}
	}
	close := func(key string, off func(a, b float64) bool) {
		if len(got[key]) != len(want[key]) {
			t.Errorf("%s is %v, Weka has %v", key, got[key], want[key])
			return
		}
		for i := range got[key] {
			a, _ := strconv.ParseFloat(got[key][i], 64)
			b, _ := strconv.ParseFloat(want[key][i], 64)
			if off(a, b) {
				t.Errorf("%s is %v, Weka has %v", key, got[key], want[key])
			}
		}
	}
	close("nr_sv", func(a, b float64) bool { return !(math.Abs(a-b) <= max(1, b/100)) })
	close("rho", func(a, b float64) bool {
		w.rho = max(w.rho, math.Abs(a-b))
		return !(math.Abs(a-b) <= 2e-3)
	})
}
