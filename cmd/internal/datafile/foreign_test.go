package datafile

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// TestForeign: a file is LIBSVM's unless its name says otherwise and its first
// line does not contradict, or it begins as only ARFF does.
func TestForeign(t *testing.T) {
	long := strings.Repeat(" 1:1", 30000) // a line longer than what is looked at
	notes := strings.Repeat("% note\n", 1000)
	for _, c := range []struct{ name, text, want string }{
		{"a", "1 1:1\n", ""},
		{"a", "", ""},
		{"a", "a,b\n1,2\n", ""},
		{"a", "# comment\n1 1:1\n", ""},
		{"a", "1 qid:1 1:1\n", ""},
		{"a", "% only a comment\n", ""},
		{"a", "@relation r\n", "arff"},
		{"a", "@relation r", "arff"},
		{"a", "\ufeff\n % note\r\n\t@Attribute x numeric\n", "arff"},
		{"a", "% note\r@relation\tr\r", "arff"},
		{"a", "@relation'r'\n", "arff"},
		{"a", notes + "@relation r\n", "arff"},
		{"a", strings.Repeat(notes, 20) + "@relation r\n", ""},
		{"a", "@relations r\n", ""},
		{"a", "@data\n1,2\n", ""},
		{"a", "@relation", ""},
		{"a", "% note\n1 1:1\n@relation r\n", ""},
		{"a.svm", "@relation r\n", "arff"},
		{"a.arff", "@relation r\n", "arff"},
		{"a.arff", "% note", "arff"},
		{"a.arff", "1 1:1\n@relation r\n", ""},
		{"a.arff", "", ""},
		{"a.arff", "\n\n", ""},
		{"a.csv", "a,b\n1,2\n", "csv"},
		{"a.csv", "a,b", "csv"},
		{"a.csv", "1,2\n", "csv"},
		{"a.csv", "1\n", ""},
		{"a.csv", "-1 3:1 # a, b\n", ""},
		{"a.csv", "1" + long, ""},
		{"a.csv", "\n1 1:1\n", "csv"},
		{"a.csv", "svm_type c_svc\nkernel_type rbf\n", ""},
		{"a.arff", "slimsvm_model 1\r\nsvm_type c_svc\r\n", ""},
		{"a.csv", "svm_type\nc_svc\n", "csv"},
		{"a.csv", "svm_type error\nc_svc 0.5\n", "csv"},
		{"a.tsv", "svm_type\tc_svc\n", "tsv"},
		{"a.tsv", "1\t2\n", "tsv"},
		{"a.tsv", "1\t2:1\n", ""},
		{"a.tab", "a\tb\n", "tsv"},
		{"a.svmlight", "1 1:1\n", "svmlight"},
		{"a.svmlight", "1 qid:3 1:1\n", "svmlight"},
		{"a.svmlight", "1 0:1 1:1\n", ""},
		{"a.svmlight", "1 0:1\n", ""},
		{"a.svmlight", "1 0:1" + long, ""},
		{"a.svmlight", "# 0:1\n1 1:1\n", "svmlight"},
	} {
		check := func(how string, f *File, text io.Reader) {
			t.Helper()
			got := ""
			if f != nil {
				got = f.Codec.Name
			}
			if got != c.want {
				t.Errorf("%s of %.40q, %s: %q, want %q", c.name, c.text, how, got, c.want)
			}
			if f == nil {
				if b, err := io.ReadAll(text); err != nil || string(b) != c.text {
					t.Errorf("%s of %.40q, %s: %d bytes are left of %d, %v", c.name, c.text, how, len(b), len(c.text), err)
				}
			}
		}
		for how, r := range map[string]io.Reader{
			"stream":             strings.NewReader(c.text),
			"a byte at a time":   iotest.OneByteReader(strings.NewReader(c.text)),
			"end with the bytes": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			f, text := DetectForeign(t.Context(), c.name, r, libsvmfmt.Codec.Sniff)
			check(how, f, text)
		}
		file, err := format.Open(write(t, "data", c.text))
		if err != nil {
			t.Fatal(err)
		}
		f, text := DetectForeign(t.Context(), c.name, file, libsvmfmt.Codec.Sniff)
		check("file", f, text)
		if _, ok := text.(*os.File); f == nil && !ok {
			t.Errorf("%s: a file is not read as one", c.name)
		}
		file.Close()
	}
}

// TestForeignWaits: of a pipe no more is read than tells, and no less.
func TestForeignWaits(t *testing.T) {
	for _, c := range []struct{ name, first, then, want string }{
		{"a", "1", " 1:1\n", ""},
		{"a", "% note\n@rel", "ation r\n", "arff"},
		{"a.csv", "1 1:1 2", ":1\n", ""},
		{"a.csv", "a,", "b\n", "csv"},
	} {
		r, w := io.Pipe()
		go func() {
			io.WriteString(w, c.first)
			io.WriteString(w, c.then)
			w.Write(bytes.Repeat([]byte("x"), 1<<20)) // blocks until somebody reads
		}()
		f, _ := DetectForeign(t.Context(), c.name, r, libsvmfmt.Codec.Sniff)
		got := ""
		if f != nil {
			got = f.Codec.Name
		}
		if got != c.want {
			t.Errorf("%s of %q, %q: %q, want %q", c.name, c.first, c.then, got, c.want)
		}
		r.Close()
	}
}

// TestForeignError: an error of reading comes when the text is read.
func TestForeignError(t *testing.T) {
	f, text := DetectForeign(t.Context(), "a.csv", io.MultiReader(strings.NewReader("1 1"), iotest.ErrReader(os.ErrDeadlineExceeded)), libsvmfmt.Codec.Sniff)
	if f != nil {
		_, err := f.Header()
		if err == nil {
			t.Error("no error")
		}
		return
	}
	if _, err := io.ReadAll(text); err != os.ErrDeadlineExceeded {
		t.Errorf("error %v", err)
	}
}
