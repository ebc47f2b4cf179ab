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
		{"-", "1 1:1e-310\n", "libsvm"}, // LIBSVM refuses it, SVMlight would not
		{"-", "1 1:1e-310 qid:3\n", "libsvm"},
		{"-", "\n1 1:1\n", "libsvm"},
		{"-", "1 1:x\n-1 1:2\n", "libsvm"}, // what is wrong is for its reader to say
		{"-", "\ufeff1 1:x\n", "libsvm"},
		{"-", "1 2:1 1:1\n", "libsvm"},
		{"-", "1 1:1e999\n", "libsvm"},
		{"-", "1 1:nan\n", "libsvm"},
		{"-", "1 1:1 junk\n", "libsvm"},
		{"-", "1 -1:2\n", "libsvm"},
		{"-", "1 1:\n", "libsvm"},
		{"-", "1 99999999999:1\n", "libsvm"},
		{"-", "a 1:1\n", "libsvm"},
		{"-", "1:1 2:1\n", "libsvm"},
		{"-", "1 qid:x 1:2\n", "svmlight"},
		{"-", "1 qid:3 1:x\n", "svmlight"},
		{"-", "# made by hand\n\n1 1:x\n", "svmlight"},
		{"-", "# 1:x\n", ""},
		{"-", "# 1:x\nfour words of text\n", ""},
		{"-", "what is :that\n", ""},
		{"-", "1 qid:3\n", "svmlight"},
		{"-", "1 a:1\n", ""},
		{"-", "time,n\n1 1:x,2\n", "csv"},
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
