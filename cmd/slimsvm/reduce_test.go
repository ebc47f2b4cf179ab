package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// slimsvmSays runs slimsvm in the process and returns what it printed and its status.
func slimsvmSays(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(t.Context(), args, strings.NewReader(""), &out, &err)
	return out.String(), err.String(), status
}

// newFolder returns a new temporary folder, for files whose names are words of a line. It skips the
// test where these names have blanks.
func newFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if len(strings.Fields(dir)) != 1 {
		t.Skipf("words of a line are to be names of files, and temporary folders are in %q", dir)
	}
	return dir
}

// waves writes a data set and a model of it with the kernel's options.
func waves(t *testing.T, options ...string) (data, model string) {
	t.Helper()
	dir := t.TempDir()
	data, model = filepath.Join(dir, "waves"), filepath.Join(dir, "model")
	text, problem, status := slimsvmSays(t, "generate", "waveform", "--rows", "400", "--seed", "5")
	if status != 0 {
		t.Fatal(problem)
	}
	if err := os.WriteFile(data, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, problem, status := slimsvmSays(t, append(append([]string{"train", "--quiet"}, options...), data, model)...); status != 0 {
		t.Fatal(problem)
	}
	return data, model
}

// Every method of the library is one of the command.
func TestReduceMethods(t *testing.T) {
	data, model := waves(t, "--gamma", "0.03125", "--multiclass", "ovr")
	small := model + ".small"
	for _, method := range reducedset.Methods {
		text, problem, status := slimsvmSays(t, "reduce", "--json", "--vectors", "4", "--starts", "3", "--method", string(method), model, data, small)
		var said reductionReport
		if err := json.Unmarshal([]byte(text), &said); status != 0 || err != nil || said.Vectors != 4 || said.Method != string(method) {
			t.Errorf("%s: status %d, %s%s", method, status, text, problem)
			continue
		}
		written, err := os.ReadFile(small)
		if err != nil || !bytes.Contains(written, []byte("\nmethod reduce-"+method+"\n")) {
			t.Errorf("%s: %v, %.300s", method, err, written)
		}
	}
	if _, problem, status := slimsvmSays(t, "reduce", "--method", "best", model, data, small); status != 2 || !strings.Contains(problem, `--method "best"`) {
		t.Errorf("status %d, %s", status, problem)
	}
	_, cubic := waves(t, "--kernel", "poly", "--degree", "3")
	if _, problem, status := slimsvmSays(t, "reduce", "--method", "fixed-point", cubic, data, small); status != 1 ||
		problem != "slimsvm: "+cubic+": fixed-point iteration needs an RBF kernel, not polynomial\n" {
		t.Errorf("status %d, %s", status, problem)
	}
}

// joint begins at a reduced set, says that it is a reduction, and can try several sizes; of
// a model with declared inputs it keeps these.
func TestReduceJoint(t *testing.T) {
	data, model := waves(t, "--gamma", "0.03125", "--multiclass", "ovr")
	small := model + ".small"
	reduce := func(options ...string) (said reductionReport) {
		t.Helper()
		text, problem, status := slimsvmSays(t, append(append([]string{"reduce", "--json", "--method", "joint"}, options...), model, data, small)...)
		if err := json.Unmarshal([]byte(text), &said); status != 0 || err != nil || said.Method != "joint" {
			t.Fatalf("%v: status %d, %s%s", options, status, text, problem)
		}
		return said
	}
	if said := reduce("--vectors", "6"); said.Vectors != 6 {
		t.Errorf("%d vectors", said.Vectors)
	}
	written, err := os.ReadFile(small)
	if err != nil || !bytes.Contains(written, []byte("\nmethod reduce-joint\n")) {
		t.Errorf("%v, %.300s", err, written)
	}
	first := reduce("--vectors", "16", "--curve", model+".tsv")
	var tried []int
	for _, s := range first.Curve {
		tried = append(tried, s.Vectors)
	}
	if !slices.Equal(tried, []int{2, 4, 8, 16}) {
		t.Errorf("sizes %v", tried)
	}
	if said := reduce("--vectors", "16", "--max-error", "1"); said.Vectors != tried[0] {
		t.Errorf("%d vectors do, want %d", said.Vectors, tried[0])
	}
	rows, one := waves(t, "--method", "oneclass", "--gamma", "0.1")
	if _, problem, status := slimsvmSays(t, "reduce", "--method", "joint", one, rows, small); status != 1 || !strings.Contains(problem, errJoint.Error()) {
		t.Errorf("one class: status %d, %s", status, problem)
	}
}

// TestReduceJointAgain: a model of joint is optimised further with its own cost, or the tenth of it that joint may choose,
// whatever its coefficients are.
func TestReduceJointAgain(t *testing.T) {
	for _, method := range []string{"joint", "joint-svr"} {
		data, model := waves(t, "--method", method, "--cost", "0.0625", "--gamma", "0.03125", "--vectors", "6", "--evaluations", "20")
		again, further := model+".again", model+".further"
		for _, of := range [][2]string{{model, again}, {again, further}} {
			cost := costOfFile(t, of[0])
			if _, problem, status := slimsvmSays(t, "reduce", "--quiet", "--method", "joint", "--vectors", "4", of[0], data, of[1]); status != 0 {
				t.Fatal(problem)
			}
			if got := costOfFile(t, of[1]); got != cost && got != cost/10 && got != cost*0.1 {
				t.Errorf("%s: cost %v after %v", method, got, cost)
			}
		}
	}
}

// costOfFile returns the cost that a model's file names.
func costOfFile(t *testing.T, path string) float64 {
	t.Helper()
	_, after, _ := strings.Cut(read(t, path), " cost ")
	cost, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return cost
}

// --probability adds probabilities to the model that there is without, for all tasks that
// have some, and they are of rows that are new.
func TestReduceProbability(t *testing.T) {
	for _, c := range []struct {
		method  string
		options []string
	}{
		{"shared", nil},
		{"joint", []string{"--multiclass", "ovr"}},
		{"retrain", []string{"--method", "epsilon-svr"}},
	} {
		data, model := waves(t, append(c.options, "--gamma", "0.03125")...)
		plain, small := model+".plain", model+".small"
		reduce := []string{"reduce", "--quiet", "--vectors", "3", "--search", "restarts", "--starts", "2", "--method", c.method}
		if _, problem, status := slimsvmSays(t, append(reduce, model, data, plain)...); status != 0 {
			t.Fatal(problem)
		}
		if _, problem, status := slimsvmSays(t, append(reduce, "--probability", model, data, small)...); status != 0 {
			t.Fatalf("%s: %s", c.method, problem)
		}
		without, err := readModel(plain)
		if err != nil {
			t.Fatal(err)
		}
		with, err := readModel(small)
		if err != nil {
			t.Fatal(err)
		}
		if !with.Probability || fmt.Sprint(with.Vectors) != fmt.Sprint(without.Vectors) {
			t.Errorf("%s: probabilities: %v, or the vectors are others", c.method, with.Probability)
		}
		if with.Task.Regresses() {
			if !(with.Noise > 0.1 && with.Noise < 1) {
				t.Errorf("%s: noise %v", c.method, with.Noise)
			}
			continue
		}
		for n := range with.Machines {
			if s := with.Machines[n].Sigmoid; s == nil || !(s.A < -0.5) {
				t.Errorf("%s: machine %d: %+v", c.method, n, s)
			}
		}
	}
	rows, one := waves(t, "--method", "oneclass", "--gamma", "0.1")
	if _, problem, status := slimsvmSays(t, "reduce", "--vectors", "4", "--probability", one, rows, one+".small"); status != 1 || problem != "slimsvm: probabilities are for classifiers and regressions\n" {
		t.Errorf("one class: status %d, %s", status, problem)
	}
}

func readModel(path string) (*models.Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return models.Read(bytes.NewReader(text))
}

// --max-error ends at the first size whose error on the rows held out is the
// parent's plus that, or smaller; and says so if there is none.
func TestMaxError(t *testing.T) {
	data, model := waves(t, "--gamma", "0.03125")
	small := model + ".small"
	reduce := func(options ...string) (said reductionReport, problem string) {
		text, problem, status := slimsvmSays(t, append(append([]string{"reduce", "--json"}, options...), model, data, small)...)
		if err := json.Unmarshal([]byte(text), &said); status != 0 || err != nil {
			t.Fatalf("%v: status %d, %s%s", options, status, text, problem)
		}
		return said, problem
	}
	whole, _ := reduce("--vectors", "12", "--curve", model+".tsv")
	if len(whole.Curve) < 8 {
		t.Fatalf("a curve of %d sizes", len(whole.Curve))
	}
	ended := map[int]bool{}
	for _, rise := range []float64{0, 0.01, 0.03, 0.1, 1} {
		want := whole.Curve[len(whole.Curve)-1]
		good := slices.IndexFunc(whole.Curve, func(s curvePoint) bool { return atMost(float64(s.Error), float64(*whole.ParentError)+rise) })
		if good >= 0 {
			want = whole.Curve[good]
		}
		said, problem := reduce("--vectors", "12", "--max-error", fmt.Sprint(rise))
		if said.Vectors != want.Vectors || *said.ParentError != *whole.ParentError || said.Curve[len(said.Curve)-1] != want {
			t.Errorf("a rise of %v: %d vectors, want %d", rise, said.Vectors, want.Vectors)
		}
		if above := strings.Contains(problem, "above what --max-error allows"); above != (good < 0) {
			t.Errorf("a rise of %v: %q", rise, problem)
		}
		ended[said.Vectors] = true
	}
	if len(ended) < 2 {
		t.Errorf("all rises end at the same size, of %v", whole.Curve)
	}
	for _, bad := range []string{"-0.1", "1.1", "NaN"} {
		if _, problem, status := slimsvmSays(t, "reduce", "--max-error", bad, model, data, small); status != 2 {
			t.Errorf("%s: status %d, %s", bad, status, problem)
		}
	}
}

// --max-error allows a share of the rows; of a regression, and only there, of the variance
// of the targets held out.
func TestAllowedError(t *testing.T) {
	for _, c := range []struct {
		task    models.Task
		targets []float64
		want    float64
	}{
		{models.CSVC, []float64{1, 2, 3}, 0.35},
		{models.NuSVC, []float64{7, 7}, 0.35},
		{models.OneClass, []float64{1, 1, 1}, 0.35}, // whatever the labels, which it does not look at
		{models.OneClass, []float64{1, -1, 1}, 0.35},
		{models.EpsilonSVR, []float64{1, 5, 3, 3}, 0.25 + 0.1*2},
		{models.NuSVR, []float64{4, 4}, 0.25},
	} {
		if got := allowed(&models.Model{Task: c.task}, 0.25, &format.Dataset{Y: c.targets}, 0.1); !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("%v, targets %v: %v, want %v", c.task, c.targets, got, c.want)
		}
	}
}

// TestVariance: rows have their weights in a variance, as they have in errors.
func TestVariance(t *testing.T) {
	even := &format.Dataset{Y: []float64{1, 1, 1, 4, 7, 7}}
	heavy := &format.Dataset{Y: []float64{1, 4, 100, 7}, Weight: []float64{3, 1, 0, 2}}
	halves := &format.Dataset{Y: []float64{1, 4, 7}, Weight: []float64{1.5, 0.5, 1}}
	const want = 43.5 / 6
	for _, d := range []*format.Dataset{even, heavy, halves} {
		if got := variance(d); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("targets %v of weights %v: %v, want %v", d.Y, d.Weight, got, want)
		}
		if got := allowed(&models.Model{Task: models.EpsilonSVR}, 1, d, 0.1); !(math.Abs(got-1-want/10) <= 1e-12) {
			t.Errorf("targets %v of weights %v: %v is allowed, want %v", d.Y, d.Weight, got, 1+want/10)
		}
	}
}

// TestReducePrecomputed: a model with a precomputed kernel is refused, whatever the rows of DATA have and the options
// want. Rows without kernel values were a panic where errors on them were looked at.
func TestReducePrecomputed(t *testing.T) {
	dir := t.TempDir()
	data, bare := filepath.Join(dir, "data"), filepath.Join(dir, "bare")
	var rows, serials strings.Builder
	for i := 1; i <= 10; i++ {
		label := 1 + i%2
		fmt.Fprintf(&rows, "%d 0:%d", label, i)
		fmt.Fprintf(&serials, "%d 0:%d\n", label, i)
		for k := 1; k <= 10; k++ {
			fmt.Fprintf(&rows, " %d:%d", k, i*k)
		}
		rows.WriteByte('\n')
	}
	for path, text := range map[string]string{data: rows.String(), bare: serials.String()} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, method := range []string{"csvc", "oneclass", "epsilon-svr"} {
		model, small := filepath.Join(dir, method), filepath.Join(dir, "small")
		if _, problem, status := slimsvmSays(t, "train", "--quiet", "--kernel", "precomputed", "--method", method, data, model); status != 0 {
			t.Fatal(problem)
		}
		want := "slimsvm: " + model + ": pre-images need a linear, polynomial or RBF kernel, not precomputed\n"
		for _, options := range [][]string{nil, {"--curve", small + ".tsv"}, {"--max-error", "0.1"}, {"--probability"}, {"--method", "joint"}} {
			for _, rows := range []string{data, bare} {
				_, problem, status := slimsvmSays(t, append(append([]string{"reduce"}, options...), model, rows, small)...)
				if status != statusFailed || problem != want {
					t.Errorf("%s, %q, %s: status %d, %s", method, options, filepath.Base(rows), status, problem)
				}
			}
		}
	}
}

// TestReduceUnknownLabels: rows of numbered features with a label that the model does not know have no part in a reduction, as
// those of declared columns: --method joint made a model of one class more, and errors counted them as wrong.
func TestReduceUnknownLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	var own, strange strings.Builder
	for i := range 60 {
		row := fmt.Sprintf("%d 1:%d 2:%d\n", i%2, i*i%17, i*i*i%13)
		own.WriteString(row)
		strange.WriteString(row)
		if i%3 == 0 {
			fmt.Fprintf(&strange, "9 1:%d\n", i)
		}
	}
	for name, text := range map[string]string{"own": own.String(), "strange": strange.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"train -q own m", "reduce -q --vectors 4 --method joint --curve want m own want.m"} {
		if status, _, stderr := spaced(t, line); status != 0 {
			t.Fatal(stderr)
		}
	}
	status, _, stderr := spaced(t, "reduce --vectors 4 --method joint --curve got m strange got.m")
	const want = "warning: strange: 20 rows have a label that the model does not know, such as 9, and are left out\n"
	if status != 0 || !strings.Contains(stderr, want) {
		t.Errorf("status %d, %q, want %q", status, stderr, want)
	}
	if read(t, "got") != read(t, "want") || read(t, "got.m") != read(t, "want.m") {
		t.Errorf("%s\n%s\nwant\n%s\n%s", read(t, "got"), read(t, "got.m"), read(t, "want"), read(t, "want.m"))
	}
}

// A table's name says what stands between its cells.
func TestCurveTable(t *testing.T) {
	sizes := []curvePoint{{1, 0.5}, {5, 0.25}}
	for name, want := range map[string]string{
		"curve":        "vectors\terror\n1\t0.5\n5\t0.25\n40\t0.1\n",
		"curve.tsv":    "vectors\terror\n1\t0.5\n5\t0.25\n40\t0.1\n",
		"curve.csv":    "vectors,error\n1,0.5\n5,0.25\n40,0.1\n",
		"Curve.CSV.gz": "vectors,error\n1,0.5\n5,0.25\n40,0.1\n",
	} {
		if got := string(curveText(name, sizes, 0.1, 40)); got != want {
			t.Errorf("%s: %q, expected %q", name, got, want)
		}
	}
	// the model itself is among the sizes if it has no more vectors than it may have
	const want = "vectors\terror\n1\t0.5\n5\t0.25\n"
	if got := string(curveText("curve", sizes, 0.25, 5)); got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}
