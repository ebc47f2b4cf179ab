package compat_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// liveLimit ends a command that hangs; LIBSVM takes a minute or two for the
// slowest.
const liveLimit = 20 * time.Minute

// TestLive scales, trains and predicts with our commands and those of the
// installed LIBSVM 3.24 and compares stdout, stderr and files. Each side's
// svm-predict reads both sides' models.
func TestLive(t *testing.T) {
	theirs, data, ours := oracle(t), realData(t), commands(t)
	full := os.Getenv("SLIMSVM_LIVE") == "full"
	if !full {
		t.Log("rows are left out; SLIMSVM_LIVE=full compares on whole data sets")
	}
	tallies := map[string]*tally{}
	t.Run("set", func(t *testing.T) {
		for _, s := range liveSets {
			y := new(tally)
			tallies[s.name] = y
			t.Run(s.name, func(t *testing.T) {
				rival := rival{ours: ours, theirs: theirs, tally: y}
				rival.compareSet(t, data, s, full)
			})
		}
	})
	if len(tallies) == 0 {
		t.Fatal("no sets")
	}
	for _, name := range slices.Sorted(maps.Keys(tallies)) {
		y := tallies[name]
		if y.compared() == 0 {
			t.Errorf("%s: nothing compared", name)
		}
		t.Logf("%-14s against LIBSVM 3.24: %s", name, y)
		if len(y.notes) > 0 {
			t.Logf("%s, not equal to the byte:%s", name, y.list())
		}
	}
}

// A rival runs the same command with our programs and LIBSVM's, in folders of
// their own.
type rival struct {
	ours, theirs string // folders of programs
	tally        *tally
}

// compareSet does all runs on one data set.
func (v rival) compareSet(t *testing.T, data string, s liveSet, full bool) {
	train := unpackRows(t, filepath.Join(data, s.train), s.most)
	test := train
	if s.test != "" {
		test = unpackRows(t, filepath.Join(data, s.test), s.most)
	}
	if s.scale != "" && full {
		train, test = v.scale(t, s, train, test)
	}
	few := s.full
	if !full {
		few = s.quick
	}
	fewTrain, fewTest := everyNth(train, few), everyNth(test, few)
	if s.scale != "" && !full {
		fewTrain, fewTest = v.scale(t, s, fewTrain, fewTest)
	}
	for i, options := range s.runs {
		train, test := train, test
		if i > 0 || !full {
			train, test = fewTrain, fewTest
		}
		t.Run(options, func(t *testing.T) {
			t.Parallel()
			v.compareRun(t, s.name+" "+options, options, train, test)
		})
	}
}

// scale scales both files and returns the result.
func (v rival) scale(t *testing.T, s liveSet, train, test []byte) (scaledTrain, scaledTest []byte) {
	t.Helper()
	files := map[string][]byte{"train": train, "test": test}
	for _, command := range []string{
		"svm-scale " + s.scale + " -s range train > train.scale",
		"svm-scale -r range test > test.scale",
	} {
		files = v.compare(t, s.name+" "+command, command, "bytes", files)
	}
	return files["train.scale"], files["test.scale"]
}

// compareRun trains with both programs and predicts with both models.
func (v rival) compareRun(t *testing.T, label, options string, train, test []byte) {
	judge := "bytes"
	if strings.Contains(options, "-b 1") {
		judge = "digits"
	}
	files := map[string][]byte{"train": train}
	command := "svm-train " + options + " train"
	if !strings.Contains(options, "-v ") {
		command += " model"
	}
	got, want := v.both(t, command, files)
	if want.exit != 0 {
		t.Fatalf("LIBSVM refuses this run: %s", want.stderr)
	}
	if strings.Contains(options, "-s 3 ") || strings.Contains(options, "-s 4 ") {
		want.stdout = finalFirst(want.stdout)
	}
	judgeStep(t, label+" train", judge, got, want, v.tally)
	ours, theirs := got.files["model"], want.files["model"]
	if theirs == nil || ours == nil {
		return
	}
	command = "svm-predict test model pred"
	if judge == "digits" {
		command = "svm-predict -b 1 test model pred"
	}
	if strings.Contains(options, "-t 3") && (strings.Contains(options, "-s 3") || strings.Contains(options, "-s 4")) {
		judge = "digits" // sums of tanh
	}
	got, want = v.both(t, command, map[string][]byte{"test": test, "model": theirs})
	judgeStep(t, label+" predict", judge, got, want, v.tally)
	if bytes.Equal(ours, theirs) {
		return
	}
	got, theirsOnOurs := v.both(t, command, map[string][]byte{"test": test, "model": ours})
	judgeStep(t, label+" predict with our model", judge, got, theirsOnOurs, v.tally)
	judgeStep(t, label+" LIBSVM's predict with our model", judge, theirsOnOurs, want, v.tally)
}

// compare runs a command on both sides, judges it and returns LIBSVM's files.
func (v rival) compare(t *testing.T, label, command, judge string, files map[string][]byte) map[string][]byte {
	t.Helper()
	got, want := v.both(t, command, files)
	judgeStep(t, label, judge, got, want, v.tally)
	all := maps.Clone(files)
	maps.Copy(all, want.files)
	return all
}

// both runs a command with our program and with LIBSVM's, each in a new folder
// that holds the files, and returns what they print and write.
func (v rival) both(t *testing.T, command string, files map[string][]byte) (ours, theirs outcome) {
	t.Helper()
	var o [2]outcome
	for i, bin := range []string{v.ours, v.theirs} {
		dir := t.TempDir()
		for name, b := range files {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		o[i].result = run(t, bin, dir, command, liveLimit)
		if o[i].late {
			t.Fatalf("%s: %s ran longer than %v", bin, command, liveLimit)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		o[i].files = map[string][]byte{}
		for _, e := range entries {
			if _, given := files[e.Name()]; given {
				continue
			}
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			o[i].files[e.Name()] = b
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	return o[0], o[1]
}

// finalFirst puts the report of the final training, which LIBSVM 3.24 prints
// after the cross-validation that finds sigma, where 3.37 prints it: first.
func finalFirst(stdout []byte) []byte {
	const mark = "),sigma= "
	i := bytes.LastIndex(stdout, []byte(mark))
	if i < 0 {
		return stdout
	}
	n := bytes.IndexByte(stdout[i:], '\n')
	if n < 0 {
		return stdout
	}
	n += i + 1
	return append(slices.Clone(stdout[n:]), stdout[:n]...)
}

// unpackRows returns the first rows of a packed file, all for most 0.
func unpackRows(t testing.TB, name string, most int) []byte {
	t.Helper()
	b, err := readPacked(name + ".libsvm.zst")
	if err != nil {
		t.Fatal(err)
	}
	rows := bytes.SplitAfter(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
	if len(rows) < 2 {
		t.Fatalf("%s: %d rows", name, len(rows))
	}
	if most > 0 && most < len(rows) {
		rows = rows[:most]
	}
	return append(bytes.TrimSuffix(bytes.Join(rows, nil), []byte("\n")), '\n')
}

// everyNth returns n rows of a file at equal distances, all for n 0.
func everyNth(file []byte, n int) []byte {
	rows := bytes.SplitAfter(bytes.TrimSuffix(file, []byte("\n")), []byte("\n"))
	if n == 0 || n >= len(rows) {
		return file
	}
	var some [][]byte
	for i := range n {
		some = append(some, bytes.TrimSuffix(rows[i*len(rows)/n], []byte("\n")))
	}
	return append(bytes.Join(some, []byte("\n")), '\n')
}

// TestLiveOneClassProbability asks for what LIBSVM 3.24 cannot do: ours follows
// the newer versions.
func TestLiveOneClassProbability(t *testing.T) {
	theirs, data, ours := oracle(t), realData(t), commands(t)
	train := unpackRows(t, filepath.Join(data, "heart/heart_scale"), 0)
	v := rival{ours: ours, theirs: theirs, tally: new(tally)}
	got, want := v.both(t, "svm-train -q -s 2 -b 1 train model", map[string][]byte{"train": train})
	if want.exit != 1 || string(want.stderr) != "ERROR: "+noOneClassProbability+"\n" {
		t.Fatalf("LIBSVM: exit status %d, stderr %q", want.exit, want.stderr)
	}
	if got.exit != 0 || len(got.stderr) > 0 || !bytes.Contains(got.files["model"], []byte("\nprob_density_marks ")) {
		t.Errorf("exit status %d, stderr %q, model %q", got.exit, got.stderr, excerpt(got.files["model"]))
	}
}

func TestRows(t *testing.T) {
	const file = "a\nb\nc\nd\ne\n"
	for n, want := range map[int]string{0: file, 1: "a\n", 2: "a\nc\n", 3: "a\nb\nd\n", 5: file, 9: file} {
		if got := string(everyNth([]byte(file), n)); got != want {
			t.Errorf("%d rows: %q, want %q", n, got, want)
		}
	}
	stdout := "cv\n" + "z: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma= 0.5\nfinal\n"
	if got, want := string(finalFirst([]byte(stdout))), "final\n"+strings.TrimSuffix(stdout, "final\n"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := string(finalFirst([]byte("*\n"))); got != "*\n" {
		t.Errorf("got %q", got)
	}
}
