package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/usagetext"
)

const (
	header = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0.5\nlabel 1234567 -2\n"
	model  = header + "nr_sv 1 0\nSV\n1 1:1 \n"
	withB  = header + "probA -2\nprobB 0\nnr_sv 1 0\nSV\n1 1:1 \n"
	rows   = "1234567 1:2\n-2 1:-1\n-2 1:3 7:9\n"
)

// svmPredict runs the command in a folder with the given files, and an output of
// an earlier run if old is not empty. It returns the output file, "absent" if
// there is none.
func svmPredict(t *testing.T, data, model, old, line string) (status int, stdout, stderr, output string) {
	t.Helper()
	t.Chdir(t.TempDir())
	files := []string{"data", "model"}
	for name, text := range map[string]string{"data": data, "model": model, "out": old} {
		if name == "out" && old == "" {
			continue
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	status = run(context.Background(), strings.Fields(line), strings.NewReader(""), &out, &errs)
	text, err := os.ReadFile("out")
	output = string(text)
	if err != nil {
		output = "absent"
	}
	left, _ := filepath.Glob("*")
	hidden, _ := filepath.Glob(".*")
	for _, name := range append(left, hidden...) {
		if name != "out" && !slices.Contains(files, name) {
			t.Errorf("svm-predict %s leaves %s", line, name)
		}
	}
	return status, out.String(), errs.String(), output
}

func TestPredict(t *testing.T) {
	for _, c := range []struct {
		name, data, model, old, line string
		status                       int
		stdout, stderr, output       string
	}{
		{"sound", rows, model, "", "data model out", 0,
			"Accuracy = 66.6667% (2/3) (classification)\n", "", "1234567\n-2\n1234567\n"},
		{"probabilities", rows, withB, "", "-b 1 data model out", 0,
			"Accuracy = 66.6667% (2/3) (classification)\n", "",
			"labels 1234567 -2\n1234567 0.952574 0.0474259\n-2 0.0474259 0.952574\n1234567 0.993307 0.00669285\n"},
		{"quiet", rows, model, "", "-q data model out", 0, "", "", "1234567\n-2\n1234567\n"},
		{"probabilities not asked for", rows, withB, "", "data model out", 0,
			"Model supports probability estimates, but disabled in prediction.\nAccuracy = 66.6667% (2/3) (classification)\n", "",
			"1234567\n-2\n1234567\n"},
		{"no probabilities", rows, model, "", "-b 1 data model out", 1,
			"", "Model does not support probabiliy estimates\n", ""},
		{"empty test file", "", model, "", "data model out", 0, "Accuracy = -nan% (0/0) (classification)\n", "", ""},
		{"a fault leaves no output", "1 1:1\n1 1:x\n", model, "", "data model out", 1, "",
			"Wrong input format at line 2: data:2:5: expected a number as value of feature 1, found \"x\"\n", "absent"},
		{"a fault keeps an old output", "1 1:1\n1 1:x\n", model, "old\n", "data model out", 1, "",
			"Wrong input format at line 2: data:2:5: expected a number as value of feature 1, found \"x\"\n", "old\n"},
		{"a faulty model leaves an empty output", rows, header, "old\n", "data model out", 1, "",
			"can't open model file model: model:6: the file ends where a key or \"SV\" is expected\n", ""},
		{"a model that is cut off, packed", rows, "\x1f\x8b\x08\x00\x00", "", "data model out", 1, "",
			"can't open model file model: the gzip data are cut off: unexpected EOF\n", ""},
		{"no test file", rows, model, "", "missing model out", 1, "",
			"can't open input file missing: no such file or directory\n", "absent"},
		{"no folder", rows, model, "", "data model no/out", 1, "",
			"can't open output file no/out: no such file or directory\n", "absent"},
		{"CR LF", strings.ReplaceAll(rows, "\n", "\r\n"), strings.ReplaceAll(model, "\n", "\r\n"), "", "-q data model out", 0, "", "", "1234567\n-2\n1234567\n"},
	} {
		status, stdout, stderr, output := svmPredict(t, c.data, c.model, c.old, c.line)
		if status != c.status || stdout != c.stdout || stderr != c.stderr || output != c.output {
			t.Errorf("%s: status %d, stdout %q, stderr %q, output %q\nwant %d, %q, %q, %q", c.name,
				status, stdout, stderr, output, c.status, c.stdout, c.stderr, c.output)
		}
	}
}

func TestUsage(t *testing.T) {
	for line, want := range map[string]string{
		"": "", "data model": "", "-q data model": "", "-b": "", "-b 1": "",
		"-x data model out": "Unknown option: -x\n", "--help a b": "Unknown option: --\n", "- a b c": "Unknown option: -\x00\n",
	} {
		status, stdout, stderr, _ := svmPredict(t, rows, model, "", line)
		if status != 1 || stdout != usagetext.Predict || stderr != want {
			t.Errorf("svm-predict %s: status %d, stderr %q", line, status, stderr)
		}
	}
}

// FuzzOptions: parse does not panic, and takes three names or refuses.
func FuzzOptions(f *testing.F) {
	for _, line := range []string{"data model out", "-b 1 -q data model out", "-b", "-", "-q -q a b c d", "-x a b c"} {
		f.Add(strings.ReplaceAll(line, " ", "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, "\n")
		o, err := parse(words)
		if (o == nil) == (err == nil) {
			t.Fatal("options and an error, or neither")
		}
		if o != nil && !slices.Contains(words, o.output) {
			t.Fatalf("%q: output %q", text, o.output)
		}
	})
}

// TestMisread: a -b that is no whole number is told with what it is read as.
func TestMisread(t *testing.T) {
	for value, want := range map[string]string{
		"0": "", "0.0": "", "no": `WARNING: option "-b": "no" is read as 0: expected a whole number` + "\n",
		"0,1": `WARNING: option "-b": "0,1" is read as 0: expected a whole number` + "\n",
	} {
		status, _, stderr, _ := svmPredict(t, rows, model, "", "-q -b "+value+" data model out")
		if status != 0 || stderr != want {
			t.Errorf("svm-predict -b %s: status %d, stderr %q, want %q", value, status, stderr, want)
		}
	}
}
