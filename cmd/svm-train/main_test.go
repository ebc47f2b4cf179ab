package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// svmTrain runs the command in a folder that holds the given data file.
func svmTrain(t *testing.T, data, line string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data", []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status = run(context.Background(), strings.Fields(line), strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

const sound = "1 1:1 2:0.5\n-1 1:-1\n1 1:0.9 2:1\n-1 2:-1\n"

// TestFaults: one line on stderr, status 1, no model.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ data, line, want string }{
		{"1 1:1\n\n", "data m", `Wrong input format at line 2: data:2:1: empty line, expected a label`},
		{"1 1:1\n1 2:1 1:2\n", "data m", `Wrong input format at line 2: data:2:7: feature index 1 does not follow 2: indices must increase`},
		{"1 1:1\nabc 1:1\n", "data m", `Wrong input format at line 2: data:2:1: the label is not a number: "abc"`},
		{"1 1:nan\n", "data m", `Wrong input format at line 1: data:1:5: value "nan" of feature 1 is not a finite number`},
		{"1 1:1e-310\n", "data m", `Wrong input format at line 1: data:1:5: value "1e-310" of feature 1 is too small for full precision`},
		{"1 -1:1\n", "data m", `Wrong input format at line 1: data:1:3: feature index "-1" is negative`},
		{"1 4294967297:1\n", "data m", `Wrong input format at line 1: data:1:3: feature index "4294967297" is larger than 2147483647`},
		{"1 1:1 junk\n", "data m", `Wrong input format at line 1: data:1:7: expected index:value, found "junk"`},
		{"", "data m", `can't train on data: the data set has no rows`},
		{sound, "missing m", `can't open input file missing: no such file or directory`},
		{sound, ". m", `can't open input file .: is a directory`},
		{sound, "-q data no/m", `can't save model to file no/m: no such file or directory`},
		{"1e10 1:1\n2 1:2\n", "data m", `ERROR: data:1: label 10000000000 is no class: expected an integer of 32 bits`},
		{"1 1:1e300\n-1 1:1\n", "data m", `ERROR: data:1: kernel values overflow: scale the features`},
		{"1 1:1 2:2\n", "-t 4 data m", `Wrong input format: first column must be 0:sample_serial_number: data:1: found "1:1"`},
		{"1 0:1 1:1\n-1 0:3 1:1\n", "-t 4 data m", `Wrong input format: sample_serial_number out of range: data:2: found "0:3", expected 0:1 to 0:1`},
		{"1 0:1 1:1 2:1\n-1 0:2 1:1\n", "-t 4 data m", `Wrong input format: data:2: kernel values end at 1, expected 2`},
		{sound, "-s 5 data m", `ERROR: unknown svm type`},
		{"1 1:1\n1 1:2\n1 1:3\n-1 1:4\n", "-s 1 -n 0.9 data m", `ERROR: specified nu is infeasible`},
	} {
		status, stdout, stderr := svmTrain(t, c.data, c.line)
		if status != 1 || stderr != c.want+"\n" {
			t.Errorf("svm-train %s on %q: status %d, stderr\n%swant\n%s", c.line, c.data, status, stderr, c.want)
		}
		if stdout != "" && !strings.Contains(c.line, "no/m") {
			t.Errorf("svm-train %s prints %q", c.line, stdout)
		}
		if files, _ := filepath.Glob("*"); len(files) != 1 {
			t.Errorf("svm-train %s leaves %q", c.line, files)
		}
	}
}

// TestUnsavable: where no model can be written, a training that takes long does not begin.
func TestUnsavable(t *testing.T) {
	var row strings.Builder
	for i := range manyEntries/2 + 1 {
		fmt.Fprintf(&row, " %d:1", i+1)
	}
	data := "1" + row.String() + "\n-1" + strings.ReplaceAll(row.String(), ":1 ", ":2 ") + "\n"
	status, stdout, stderr := svmTrain(t, data, "data no/m")
	if status != 1 || stdout != "" || stderr != "can't save model to file no/m: no such file or directory\n" {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	if status, stdout, stderr := svmTrain(t, data, "-v 2 data no/m"); !strings.Contains(stdout, "Cross Validation Accuracy") {
		t.Errorf("cross-validation, which writes no model: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
}

// TestHugeTargets: the line with the target that cannot be computed with is named, however far the
// training has come.
func TestHugeTargets(t *testing.T) {
	for _, kind := range []string{"3", "4"} {
		status, _, stderr := svmTrain(t, "1 1:1\n1e308 1:2\n-1e308 1:3\n4 1:4\n", "-s "+kind+" data m")
		if status != 1 || stderr != "ERROR: data:2: target 1e+308 is too large: scale the targets\n" {
			t.Errorf("-s %s: status %d, stderr %q", kind, status, stderr)
		}
		if files, _ := filepath.Glob("*"); len(files) != 1 {
			t.Errorf("-s %s leaves %q", kind, files)
		}
	}
}

// TestWarnings: labels that are cut to one class are named once, also when every
// fold meets them.
func TestWarnings(t *testing.T) {
	const data = "1.5 1:1\n1.2 1:2\n2 1:-1\n2 1:-2\n"
	for _, line := range []string{"-q data m", "-q -v 2 data"} {
		status, _, stderr := svmTrain(t, data, line)
		if status != 0 || stderr != "WARNING: class labels are integers: 1.5 and 1.2 are taken as one class\n" {
			t.Errorf("svm-train %s: status %d, stderr %q", line, status, stderr)
		}
	}
}

// changes is where warnings go which are the sign to change a file.
type changes struct{ t *testing.T }

func (c changes) Write(p []byte) (int, error) {
	if err := os.Truncate("data.csv", 12); err != nil {
		c.t.Error(err)
	}
	return len(p), nil
}

// TestChanged: data that change while they are read are not trained on. A warning comes between the last row and
// the end.
func TestChanged(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data.csv", []byte("size,taste\n1,1\n2,2\n3,NA\n4,1\n5,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := parse([]string{"data.csv"})
	if err != nil {
		t.Fatal(err)
	}
	const want = "can't read input file data.csv: the file changed while it was read"
	if _, err := o.load(t.Context(), changes{t}); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestCutOff: the message of packed data that are cut off has the file's name once.
func TestCutOff(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(sound))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := svmTrain(t, packed.String()[:packed.Len()-4], "data")
	if want := "can't read input file data: the gzip data are cut off: unexpected EOF\n"; status != 1 || stderr != want {
		t.Errorf("status %d, %q; want 1, %q", status, stderr, want)
	}
}

// TestQuiet: -q prints nothing, and the default model's name is the data's.
func TestQuiet(t *testing.T) {
	status, stdout, stderr := svmTrain(t, sound, "-q data")
	if status != 0 || stdout+stderr != "" {
		t.Errorf("status %d, output %q", status, stdout+stderr)
	}
	if _, err := os.Stat("data.model"); err != nil {
		t.Error(err)
	}
}

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestFullOutput: what cannot be printed is an error.
func TestFullOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data", []byte(sound), 0o666); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	status := run(context.Background(), []string{"data", "m"}, nil, full{}, &errs)
	if want := "can't write to standard output: no space left\n"; status != 1 || errs.String() != want {
		t.Errorf("status %d, stderr %q, want %q", status, errs.String(), want)
	}
}

// TestCancelled: a cancelled training leaves nothing.
func TestCancelled(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data", []byte(sound), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if status := run(ctx, []string{"data", "m"}, nil, io.Discard, io.Discard); status == 0 {
		t.Error("status 0")
	}
	if files, _ := filepath.Glob("*"); len(files) != 1 {
		t.Errorf("%q is left", files)
	}
}
