package compat_test

import (
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// TestCompareColumnWeights: a weight of a column that does not come back is found, in relations
// too; one that is not given, as in what Weka 3.6 has read, is none.
func TestCompareColumnWeights(t *testing.T) {
	read := func(weight, inner string) *table {
		t.Helper()
		text := "@relation r\n@attribute a numeric" + weight + "\n@attribute b relational\n@attribute c numeric" + inner + "\n@end b\n@data\n1,'2'\n"
		got, err := readRows(arff.NewReader(strings.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	want := read(" {2}", " {3}")
	for _, c := range []struct{ weight, inner, fault string }{
		{" {2}", " {3}", ""},
		{"", " {3}", "column 1 has weight 1, want 2"},
		{" {2}", " {4}", "column 1 has weight 4, want 3"},
	} {
		if got := strings.Join(comparer{}.compare(read(c.weight, c.inner), want).faults, "; "); got != c.fault {
			t.Errorf("weights%s and%s: faults %q, want %q", c.weight, c.inner, got, c.fault)
		}
	}
	want.columns[0].weight = 0
	if d := (comparer{}).compare(read("", " {3}"), want); len(d.faults) > 0 {
		t.Errorf("of a weight that is not given: %q", d.faults)
	}
}

// TestLikeNumbers: rows that are too few, too many or other ones are found.
func TestLikeNumbers(t *testing.T) {
	want, err := readRows(arff.NewReader(strings.NewReader("@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n1,2\n3,4\n")))
	if err != nil {
		t.Fatal(err)
	}
	for text, fault := range map[string]string{
		"2 1:1\n4 1:3\n":        "",
		"2 1:1\n":               "1 rows, want 2",
		"2 1:1\n4 1:3\n4 1:3\n": "more than 2 rows",
		"2 1:1\n4 1:5\n":        "row 2, column 1: 5, want 3",
	} {
		d, err := likeNumbers(libsvmfmt.Codec, false)([]byte(text), want)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.faults, "; "); got != fault {
			t.Errorf("%q: faults %q, want %q", text, got, fault)
		}
	}
}
