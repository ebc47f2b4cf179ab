package formats

import (
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// TestFormats: names decide, then what the content begins with. What LIBSVM reads
// is never taken for another format, and neither is a row that it refuses.
func TestFormats(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.libsvm", "", "libsvm"},
		{"a.svm", "", "libsvm"},
		{"a.svmlight", "1 1:1\n", "svmlight"},
		{"a.arff", "1 1:1\n", "arff"},
		{"a.csv.gz", "", "csv"},
		{"a.tsv", "1 1:1\n", "tsv"},
		{"a.tab", "a\tb\n", "tsv"},
		{"-", "+1 1:0.5 7:2\n-1\n", "libsvm"},
		{"-", "5\n", "libsvm"},
		{"-", "1 1:0.5 # seven\n", "libsvm"},
		{"-", "1 1:0.5 # seven: 7\n", "svmlight"},
		{"-", "# made by hand\n1 1:0.5\n", "svmlight"},
		{"-", "\ufeff\n# made by hand\n1 1:0.5\n", "svmlight"},
		{"-", "1 qid:3 1:0.5\n", "svmlight"},
		{"-", "1 1:1e-310\n", ""}, // LIBSVM refuses it, SVMlight would not
		{"-", "1 1:1e-310 qid:3\n", ""},
		{"-", "\n1 1:1\n", ""},
		{"-", "# a, b\n1,2\n", "csv"},
		{"-", "% notes\n@relation r\n", "arff"},
		{"-", "@RELATION r\n", "arff"},
		{"-", "a,b\n1,2\n", "csv"},
		{"-", "a\tb\n1\t2\n", "csv"}, // whose reader finds the separator out
		{"-", "", ""},
		{"-", "word\n", ""},
	} {
		codec, ok := format.Detect(c.path, []byte(c.text), All)
		if codec.Name != c.want || ok != (c.want != "") {
			t.Errorf("%s of %q: %q, want %q", c.path, c.text, codec.Name, c.want)
		}
	}
}
