package datafile

import (
	"errors"
	"strings"
	"testing"
)

// TestMistaken: what is certainly of another format is no table, and all else is what its name says.
func TestMistaken(t *testing.T) {
	for text, format := range map[string]string{
		"1 1:2 3:4\n0 2:1\n":                                       "libsvm",
		"\n\n1 1:2 3:4\n0 2:1\n-1 2":                               "libsvm",
		"1 1:1, 2:1\n0 1:2, 2:2\n":                                 "libsvm",
		"@relation r\n@attribute x numeric\n@data\n1\n":            "arff",
		"% comment\n\n@RELATION r\n\n@ATTRIBUTE\tx {a,b}\n@data\n": "arff",
		"@attribute x numeric\n@attribute y numeric\n@attrib":      "arff",
		"1 1:2 3:4\n":                            "", // names, as far as is known
		"1 1:2\n0 2:1\n":                         "", // times
		"1 1:2 3:4\n0 4:1 2:1\n":                 "",
		"id,from,to\n1,1:30,2:30\n2,1:45,3:00\n": "",
		"id from to\n1 1:30 2:30\n2 1:45 3:00\n": "",
		"@relation x\t@attribute y\n1\t2\n":      "",
		"@relation x\n@attribute\n1\n":           "",
		"@relation r\n1\n2\n":                    "",
		"@attribute x numeric\n1\n":              "",
		"@attribute x numeric\n":                 "",
		"a,b\n1,2\n":                             "",
		"":                                       "",
	} {
		for _, name := range []string{"x.csv", "x.tsv"} {
			f, err := OpenStream(t.Context(), name, strings.NewReader(text), Options{})
			got := ""
			if m := (*FormatMismatchError)(nil); errors.As(err, &m) {
				got = m.Format
			} else if err != nil {
				t.Errorf("%q: %v", text, err)
			}
			if got != format {
				t.Errorf("%s, %q: taken for %q, want %q", name, text, got, format)
			}
			if err == nil {
				f.Close()
			}
			if f, err = OpenStream(t.Context(), name, strings.NewReader(text), Options{Format: "csv"}); err != nil {
				t.Errorf("%q as CSV: %v", text, err)
			} else {
				f.Close()
			}
		}
	}
}
