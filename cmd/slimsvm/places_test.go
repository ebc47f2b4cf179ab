package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
)

// onto runs a command line whose standard output is a file.
func onto(t *testing.T, line, file string, flags int, stdin io.Reader) (status int, stderr string) {
	t.Helper()
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|flags, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var errs bytes.Buffer
	status = run(context.Background(), strings.Fields(line), stdin, out, &errs)
	return status, errs.String()
}

// TestOutputOfInput: what standard output goes to is not read, by whatever name, and so
// neither grows without an end nor is written over.
func TestOutputOfInput(t *testing.T) {
	if status, _, stderr := slimsvm(t, "train --quiet a.arff m", "encode --quiet --drop colour a.arff d.libsvm", "scale --quiet --save ranges d.libsvm scaled.libsvm",
		"encode --quiet a.arff e.libsvm", "train --quiet e.libsvm e.model"); status != 0 {
		t.Fatal(stderr)
	}
	if err := os.Symlink("d.libsvm", "link"); err != nil {
		t.Skip(err)
	}
	covered := map[string]bool{"completion": true, "man": true} // which read nothing
	for _, c := range []struct{ line, file string }{
		{"train d.libsvm new", "d.libsvm"},
		{"train --json d.libsvm new", "d.libsvm"},
		{"train --stream --method rsvm d.libsvm new", "d.libsvm"},
		{"train --method joint --extra d.libsvm e.libsvm new", "d.libsvm"},
		{"cv d.libsvm", "d.libsvm"},
		{"cv link", "d.libsvm"},
		{"grid d.libsvm", "d.libsvm"},
		{"grid --method joint --extra d.libsvm e.libsvm", "d.libsvm"},
		{"predict e.libsvm e.model", "e.libsvm"},
		{"predict --quiet e.libsvm e.model", "e.model"},
		{"predict --out new e.libsvm e.model", "e.libsvm"},
		{"predict --json --out new e.libsvm e.model", "e.libsvm"},
		{"predict e.libsvm m", "e.libsvm.names"},
		{"scale d.libsvm -", "d.libsvm"},
		{"scale --from libsvm link -", "d.libsvm"},
		{"scale d.libsvm d.libsvm", "d.libsvm"},
		{"scale --restore ranges d.libsvm -", "ranges"},
		{"scale d.libsvm -", "d.libsvm.names"},
		{"encode --from arff a.arff -", "a.arff"},
		{"encode --like m a.arff -", "m"},
		{"encode --like m d.libsvm -", "d.libsvm.names"},
		{"convert --to svmlight d.libsvm -", "d.libsvm"},
		{"convert --to svmlight d.libsvm d.libsvm", "d.libsvm"},
		{"convert --to csv d.libsvm -", "d.libsvm.names"},
		{"convert --to csv --names ranges d.libsvm -", "ranges"},
		{"split d.libsvm -", "d.libsvm"},
		{"split d.libsvm new -", "d.libsvm"},
		{"split d.libsvm - new", "d.libsvm.names"},
		{"check b.arff d.libsvm", "d.libsvm"},
		{"check bad.arff d.libsvm", "d.libsvm"},
		{"inspect d.libsvm", "d.libsvm"},
		{"inspect --json --rows a.arff", "a.arff"},
		{"inspect m", "m"},
		{"generate ndc --centres d.libsvm", "d.libsvm"},
		{"reduce m a.arff -", "m"},
		{"reduce m a.arff new", "a.arff"},
		{"reduce --curve - m e.libsvm new", "e.libsvm.names"},
		{"export --plain m -", "m"},
		{"export --c m -", "m"},
		{"export --java m -", "m"},
		{"export --python m -", "m"},
		{"plot --features 1,2 m a.arff -", "a.arff"},
	} {
		covered[strings.Fields(c.line)[0]] = true
		for what, flags := range map[string]int{">>": os.O_APPEND, "1<>": 0} {
			was := read(t, c.file)
			status, stderr := onto(t, c.line, c.file, flags, strings.NewReader(""))
			if status != statusUsage || !strings.Contains(stderr, "is the standard output too\n") || read(t, c.file) != was {
				t.Errorf("%s %s %s: status %d, %q", c.line, what, c.file, status, stderr)
			}
			if _, err := os.Stat("new"); err == nil {
				t.Fatalf("%s %s %s: the output is there", c.line, what, c.file)
			}
		}
	}
	for _, c := range newApp(&env{}).Commands {
		if !covered[c.Name] {
			t.Errorf("%s is not tried", c.Name)
		}
	}
}

// TestOutputOfStandardInput: the same of standard input.
func TestOutputOfStandardInput(t *testing.T) {
	slimsvm(t, "encode --quiet a.arff d.libsvm")
	for _, line := range []string{"convert --to svmlight - -", "scale - -", "inspect -", "check -", "split --to libsvm - -", "cv -", "train - new"} {
		in, err := os.Open("d.libsvm")
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		was := read(t, "d.libsvm")
		status, stderr := onto(t, line, "d.libsvm", os.O_APPEND, in)
		if want := "slimsvm: standard input and standard output are the same file\n"; status != statusUsage || !strings.HasPrefix(stderr, want) || read(t, "d.libsvm") != was {
			t.Errorf("%s: status %d, %q", line, status, stderr)
		}
		if status, stderr := onto(t, line, "other", os.O_TRUNC, strings.NewReader(was)); strings.Contains(stderr, "same file") {
			t.Errorf("%s to another file: status %d, %q", line, status, stderr)
		}
		if line == "train - new" {
			if _, err := in.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			status, stderr := onto(t, "train - d.libsvm", "other", os.O_TRUNC, in)
			if want := "slimsvm: DATA, standard input, and MODEL, d.libsvm, are the same file\n"; status != statusUsage || !strings.HasPrefix(stderr, want) {
				t.Errorf("a model over the data: status %d, %q", status, stderr)
			}
		}
	}
}

// TestJSONBesideOutput: JSON and an output do not go to one file, by whatever name.
func TestJSONBesideOutput(t *testing.T) {
	slimsvm(t, "train --quiet a.arff m")
	for _, c := range []struct{ line, what string }{
		{"convert --json a.arff FILE --to csv", "OUT"},
		{"scale --json a.arff FILE --to csv", "OUT"},
		{"scale --json --save FILE a.arff new", "the ranges"},
		{"encode --json a.arff FILE", "OUT"},
		{"split --json --to csv a.arff new FILE", "REST"},
		{"split --json --to csv a.arff FILE", "FIRST"},
		{"predict --json --out FILE a.arff m", "the predictions"},
		{"reduce --json --curve FILE m a.arff new", "the curve"},
		{"reduce --json m a.arff FILE", "OUT"},
		{"export --plain --json m FILE", "OUT"},
		{"train --json a.arff FILE", "MODEL"},
		{"grid --json --log2c 0,1,1 --gamma 1 a.arff FILE", "MODEL"},
	} {
		for _, file := range []string{"out", "./out", "-"} {
			status, stderr := onto(t, strings.ReplaceAll(c.line, "FILE", file), "out", os.O_APPEND, strings.NewReader(""))
			if want := "slimsvm: --json prints on standard output: write " + c.what + " to a file\n"; status != statusUsage || !strings.HasPrefix(stderr, want) {
				t.Errorf("%s, %s: status %d, %q", c.line, file, status, stderr)
			}
		}
	}
	for _, line := range []string{"reduce --curve - m a.arff out", "scale a.arff - --save out --to csv", "split a.arff - out --to csv"} {
		if status, stderr := onto(t, line, "out", os.O_APPEND, strings.NewReader("")); status != statusUsage || !strings.Contains(stderr, "cannot both go to standard output\n") {
			t.Errorf("%s: status %d, %q", line, status, stderr)
		}
	}
	if text := read(t, "out"); text != "" {
		t.Errorf("written: %q", text)
	}
	if status, stderr := onto(t, "convert --json a.arff "+os.DevNull+" --to csv", os.DevNull, 0, strings.NewReader("")); status != 0 {
		t.Errorf("both to nowhere: status %d, %q", status, stderr)
	}
}
