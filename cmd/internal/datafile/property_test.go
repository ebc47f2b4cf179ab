package datafile

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// TestNeverMisjudged: rows of LIBSVM's, whatever follows them, are LIBSVM's under
// every name, and all their bytes come through.
func TestNeverMisjudged(t *testing.T) {
	names := []string{"data", "data.arff", "a.csv", "a.CSV.gz", "b.tsv", "b.tab.zst", "c.libsvm", "c.txt"}
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		w := libsvmfmt.NewWriter(&b)
		for range rapid.IntRange(1, 3).Draw(t, "rows") {
			in := format.Instance{Y: rapid.Float64Range(-1e3, 1e3).Draw(t, "label"), Weight: 1}
			at := int32(-1)
			for range rapid.IntRange(0, 4).Draw(t, "pairs") {
				at += rapid.Int32Range(1, 50).Draw(t, "step")
				in.X.Index = append(in.X.Index, at)
				in.X.Value = append(in.X.Value, rapid.Float64Range(-10, 10).Draw(t, "value"))
			}
			if err := w.Write(in); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if rapid.Bool().Draw(t, "tabs") {
			text = strings.ReplaceAll(text, " ", "\t")
		}
		if rapid.Bool().Draw(t, "carriage returns") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		text += rapid.SampledFrom([]string{"", "@relation r\n", "a,b\n", "# x: 1, 2\n", "1 qid:1 1:1\n", "\x00"}).Draw(t, "rest")
		name := rapid.SampledFrom(names).Draw(t, "name")
		f, rest := DetectForeign(t.Context(), name, strings.NewReader(text), libsvmfmt.Codec.Sniff)
		if f != nil {
			t.Fatalf("%q under the name %s is taken for %s", text, name, f.Codec.Name)
		}
		if got, err := io.ReadAll(rest); err != nil || string(got) != text {
			t.Fatalf("%q became %q, %v", text, got, err)
		}
	})
}
