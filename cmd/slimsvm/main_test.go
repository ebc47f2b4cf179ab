package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

const (
	original = `@relation 'a set'
@attribute size numeric
@attribute colour {red,green,'dark blue'}
@attribute taste {good,bad}
@data
1,red,good
1.5,red,good
2,green,good
?,red,good
7,'dark blue',bad
8,green,bad
9,?,bad
8.5,'dark blue',bad
3,red,?
`
	// the same columns and labels in another order, one label unknown
	shuffled = `@relation b
@attribute taste {bad,good}
@attribute colour {'dark blue',red,violet,green}
@attribute more numeric
@attribute size numeric
@data
good,red,0,1
bad,'dark blue',0,8
?,violet,5,9
`
)

// slimsvm runs a command line in a folder with two ARFF files.
func slimsvm(t *testing.T, lines ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.arff": original, "b.arff": shuffled, "bad.arff": strings.Replace(original, "2,green", "2,,pink", 1)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range lines {
		var out, errs bytes.Buffer
		status = run(context.Background(), strings.Fields(line), strings.NewReader(original), &out, &errs)
		stdout, stderr = out.String(), errs.String()
	}
	return status, stdout, stderr
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestLabelsAsText: columns are found by name, labels by text, whatever their
// order in the test file; options may stand behind files.
func TestLabelsAsText(t *testing.T) {
	status, stdout, stderr := slimsvm(t, "train a.arff m --scale normalize --cost 10", "predict b.arff m")
	if status != 0 || stdout != "good\nbad\nbad\n" {
		t.Errorf("status %d, predictions %q, stderr %q", status, stdout, stderr)
	}
	for _, want := range []string{`label "violet" of column "colour"`, "accuracy 100% (2/2)"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr %q lacks %q", stderr, want)
		}
	}
	if model := read(t, "m"); !strings.Contains(model, "\nslimsvm inputs\n") || !strings.HasPrefix(model, "svm_type c_svc\n") {
		t.Errorf("model %s", model)
	}
}

// TestConvertBack: what a LIBSVM file cannot say is kept beside it.
func TestConvertBack(t *testing.T) {
	const whole = "@relation r\n\n@attribute x numeric\n@attribute c {p,q,r}\n@attribute 'a b' numeric\n\n@data\n1.25,q,0\n-3,p,1e-7\n0,r,2\n"
	status, _, stderr := slimsvm(t, "inspect a.arff")
	if status != 0 {
		t.Fatal(stderr)
	}
	if err := os.WriteFile("x.arff", []byte(whole), 0o666); err != nil {
		t.Fatal(err)
	}
	var rows string
	for _, line := range []string{"convert --class c x.arff x.libsvm", "convert x.libsvm y.arff", "inspect --json --rows x.arff", "inspect --json --rows y.arff"} {
		var out, errs bytes.Buffer
		if run(context.Background(), strings.Fields(line), nil, &out, &errs) != 0 {
			t.Fatalf("%s: %s", line, errs.String())
		}
		stdout := strings.ReplaceAll(out.String(), `"sparse":true,`, "")
		switch {
		case strings.HasSuffix(line, "rows x.arff"):
			rows = stdout
		case strings.HasSuffix(line, "rows y.arff") && stdout != rows:
			t.Errorf("%s\nbecame\n%s", rows, stdout)
		}
	}
	if got, want := read(t, "x.libsvm"), "1 1:1.25\n0 1:-3 3:1e-07\n2 3:2\n"; got != want {
		t.Errorf("LIBSVM text %q, want %q", got, want)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		line   string
		status int
		want   string // in stdout or stderr
	}{
		{"", 0, "COMMANDS"},
		{"bake", 2, `no command "bake"`},
		{"train", 2, "train takes a data file"},
		{"train --bogus a.arff", 2, "no option --bogus"},
		{"train --method svm a.arff", 2, `--method "svm"`},
		{"train --kernel cubic a.arff", 2, `--kernel "cubic"`},
		{"train --cost 0 a.arff", 2, "--cost 0: expected a number above 0"},
		{"train --class none a.arff", 1, `a.arff: no column is named "none"`},
		{"train --class size --method csvc a.arff", 1, "the label's column is numeric"},
		{"train missing.arff", 1, "slimsvm: open missing.arff: no such file or directory"},
		{"train bad.arff", 1, "bad.arff:8:"},
		{"check a.arff b.arff", 0, ""},
		{"check bad.arff", 1, "bad.arff:8:"},
		{"convert a.arff a.libsvm", 1, `column "size" is missing`},
		{"generate moons --rows 1 --seed 1", 0, "-1 1:0.061752 2:0.009121\n"},
		{"generate moon", 2, `no set "moon"`},
		{"cv a.arff --folds 2 --quiet", 0, "over 2 folds"},
		{"inspect --json a.arff", 0, `"rows":9`},
		{"train --from arff - m", 0, "8 rows"}, // one has no label
	} {
		status, stdout, stderr := slimsvm(t, c.line)
		if status != c.status || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("slimsvm %s: status %d, want %d; expected %q in\n%s%s", c.line, status, c.status, c.want, stdout, stderr)
		}
		if status != 0 && strings.Contains(stderr, "goroutine") {
			t.Errorf("slimsvm %s: %s", c.line, stderr)
		}
	}
}

// TestUnwritten: what cannot be written is no success, not of help either.
func TestUnwritten(t *testing.T) {
	full := errors.New("no space left")
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"declared.arff": original, "numbers": "1 1:0.5\n-1 2:1\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"", "--help", "--version", "train --help", "cv -h", "train --method joint --help", "man", "man --markdown",
		"completion bash", "generate moons", "generate moons --describe",
		"inspect numbers", "inspect declared.arff", "inspect --json numbers",
	} {
		for room := range 2 {
			var stderr bytes.Buffer
			status := run(context.Background(), strings.Fields(line), nil, &small{room, full}, &stderr)
			if want := "slimsvm: no space left\n"; status != statusFailed || stderr.String() != want {
				t.Errorf("slimsvm %s: status %d, %q, expected %q", line, status, stderr.String(), want)
			}
		}
	}
}

// small is a device with room for some bytes.
type small struct {
	room int
	full error
}

func (s *small) Write(p []byte) (int, error) {
	n := min(s.room, len(p))
	if s.room -= n; n < len(p) {
		return n, s.full
	}
	return n, nil
}

// TestManyClasses: numbers taken for classes are a warning, or soon an error, with
// the hint.
func TestManyClasses(t *testing.T) {
	t.Chdir(t.TempDir())
	for rows, want := range map[int]string{
		150: "warning: 150 classes in 150 rows: if the labels are numbers to be predicted, train with --method epsilon-svr; if they are names of the rows, --class says which column has the label\n",
		20000: "the labels look like numbers, which a regression predicts, or like names of the rows\n" +
			"hint: --method epsilon-svr predicts numbers; name the label's column with --class; the default is the last one\n",
	} {
		var text strings.Builder
		for i := range rows {
			fmt.Fprintf(&text, "%d 1:%d\n", i, i%2)
		}
		if err := os.WriteFile("rows.libsvm", []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), []string{"train", "rows.libsvm", "model"}, nil, &stdout, &stderr)
		if (status == 0) != (rows == 150) || !strings.Contains(stderr.String(), want) {
			t.Errorf("%d classes: status %d, %s", rows, status, stderr.String())
		}
	}
}

// TestVersion: a release, and a commit that is none, have the version that the go command gave them.
func TestVersion(t *testing.T) {
	for main, want := range map[string]string{"v1.2.3": "v1.2.3", "v0.0.0-20260102030405-0123456789ab+dirty": "v0.0.0-20260102030405-0123456789ab+dirty", "(devel)": "development", "": "development"} {
		if got := version(&debug.BuildInfo{Main: debug.Module{Version: main}}, true); got != want {
			t.Errorf("%q: %s, want %s", main, got, want)
		}
	}
	if got := version(nil, false); got != "development" {
		t.Errorf("without information: %s", got)
	}
}
