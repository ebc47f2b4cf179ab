package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestDamaged: faults that come from damage of compressed data are not reported, but the damage is.
func TestDamaged(t *testing.T) {
	texts := map[string]string{
		"rows.libsvm":   strings.Repeat("1 1:7\n-1 2:7\n", 3),
		"rows.svmlight": "# rows\n" + strings.Repeat("1 1:7\n-1 2:7\n", 3),
		"rows.arff":     "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n" + strings.Repeat("7,a\n8,b\n", 3),
		"rows.csv":      "x,c\n" + strings.Repeat("7,a\n8,b\n", 3),
	}
	faults := map[string]string{ // what damage makes of the first 7, or of the header
		"rows.libsvm": "x", "rows.svmlight": "x", "rows.arff": "x", "rows.csv": "\xff",
	}
	for name, text := range texts {
		dir := newFolder(t)
		model := filepath.Join(dir, "model")
		good := filepath.Join(dir, name)
		bad := good + ".gz"
		damaged := strings.Replace(testenv.StoredGzip(t, text), "7", faults[name], 1)
		headless := strings.Replace(testenv.StoredGzip(t, text), text[:9], "\xff\xfe\xfdgarbag", 1)
		for path, content := range map[string]string{good: text, bad: damaged} {
			if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var stderr bytes.Buffer
		if status := run(t.Context(), []string{"train", "--quiet", "--kernel", "linear", good, model}, nil, io.Discard, &stderr); status != 0 {
			t.Fatal(&stderr)
		}
		const says = "the gzip data are corrupt: gzip: invalid checksum"
		for _, c := range []struct {
			args, stdin, file, stdout string
		}{
			{"check " + bad, "", bad, bad + ": " + says + "\n"},
			{"check -", damaged, "", "standard input: " + says + "\n"},
			{"check -", headless, "", "standard input: " + says + "\n"},
			{"train --quiet " + bad + " " + model, "", bad, ""},
			{"train --quiet - " + model, damaged, "standard input", ""},
			{"train --quiet - " + model, headless, "standard input", ""},
			{"predict --quiet " + bad + " " + model, "", bad, ""},
			{"scale --quiet - " + filepath.Join(dir, "scaled"), damaged, "standard input", ""},
		} {
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), strings.Fields(c.args), strings.NewReader(c.stdin), &stdout, &stderr)
			want := "slimsvm: " + c.file + ": " + says + "\n"
			if strings.HasPrefix(c.args, "check") {
				want = "slimsvm: 1 fault in 1 of 1 file\n"
			}
			if status != statusFailed || stdout.String() != c.stdout || stderr.String() != want {
				t.Errorf("%s: %s: status %d, %q, %q; want %q, %q", name, c.args, status, &stdout, &stderr, c.stdout, want)
			}
		}
	}
}

// TestDamagedModel: of a model and of ranges that are damaged, that is reported.
func TestDamagedModel(t *testing.T) {
	dir := t.TempDir()
	data, model, ranges := filepath.Join(dir, "data"), filepath.Join(dir, "model"), filepath.Join(dir, "ranges")
	if err := os.WriteFile(data, []byte("1 1:0.5\n-1 1:-0.5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"train", "--quiet", data, model}, {"scale", "--quiet", "--save", ranges, data, filepath.Join(dir, "out")}} {
		var stderr bytes.Buffer
		if status := run(t.Context(), args, nil, io.Discard, &stderr); status != 0 {
			t.Fatal(&stderr)
		}
	}
	for path, args := range map[string][]string{
		model:  {"predict", "--quiet", data, "-"},
		ranges: {"scale", "--quiet", "--restore", "-", data, filepath.Join(dir, "out")},
	} {
		text := read(t, path)
		damaged := strings.Replace(testenv.StoredGzip(t, text), "0.5", "zzz", 1)
		var stderr bytes.Buffer
		status := run(t.Context(), args, strings.NewReader(damaged), io.Discard, &stderr)
		if want := "slimsvm: standard input: the gzip data are corrupt: gzip: invalid checksum\n"; status != statusFailed || stderr.String() != want {
			t.Errorf("%q: status %d, %s", args, status, &stderr)
		}
	}
}

// TestCheckCompressed: the faults of compressed data that are not damaged are those of the text.
func TestCheckCompressed(t *testing.T) {
	for name, text := range map[string]string{
		"libsvm":   "1 1:x\n1 1:1\n1 1:y\n1 1:2\n\n1 1:z\n",
		"svmlight": "1 qid:1 1:x\n1 qid:1 1:1\n1 qid:1 1:y\n",
		"arff":     "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\nx,a\n1,b\n2,c,{z}\n3,b\n4,d\n",
		"csv":      "x,c\n1,a\n2\n3,b,c\n\"4,b\n5,6\n7\n",
	} {
		for _, options := range [][]string{nil, {"--json"}, {"--max", "1"}, {"--max", "2"}, {"--max", "0"}} {
			var want, wantErr string
			for i, content := range []string{text, testenv.StoredGzip(t, text)} {
				var stdout, stderr bytes.Buffer
				args := append([]string{"check", "--from", name}, options...)
				status := run(t.Context(), append(args, "-"), strings.NewReader(content), &stdout, &stderr)
				if i == 0 {
					want, wantErr = stdout.String(), stderr.String()
				}
				if status != statusFailed || stdout.String() != want || stderr.String() != wantErr || len(want) == 0 {
					t.Errorf("%s: status %d\n%s%s\nwant\n%s%s", name, status, &stdout, &stderr, want, wantErr)
				}
			}
		}
	}
}
