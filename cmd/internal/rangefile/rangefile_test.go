package rangefile

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

const ranges = "x\n-1 1\n1 1 4\n3 0 8\n"

// inputs are of a numeric column, a nominal one with three labels, which is not
// named since it is no number, and a numeric one whose name has quotes.
const inputs = `{"relation":"r","class":3,"columns":4}
{"name":"a","type":"numeric","fill":2.5,"feature":1}
{"name":"c","type":"nominal","labels":["p","q","r"],"fill":0,"feature":2}
{"name":"class","type":"nominal","labels":["no","yes"],"fill":0,"feature":5}
{"name":"\"b\"","type":"numeric","fill":1,"feature":6}
`

func TestNames(t *testing.T) {
	for _, c := range []struct {
		behind string
		want   []Column
	}{
		{"", nil},
		{"columns\n", []Column{}},
		{"columns\n1 \"size\"\n3 \"net \\\"weight\\\"\"\n", []Column{{1, "size"}, {3, `net "weight"`}}},
		{"columns\r\n1 \"size\"\r\n3 \"a\"", []Column{{1, "size"}, {3, "a"}}},
		{"columns\n9 \"a\"\n10 \"b\"\n2147483647 \"c\"\n", []Column{{9, "a"}, {10, "b"}, {2147483647, "c"}}},
		{"slimsvm inputs\n" + inputs, []Column{{1, "a"}, {6, `"b"`}}},
	} {
		f, err := Read(strings.NewReader(ranges + c.behind))
		if err != nil {
			t.Errorf("%q: %v", c.behind, err)
			continue
		}
		got, err := f.Names()
		if !reflect.DeepEqual(got, c.want) || err != nil {
			t.Errorf("%q: %#v, %v, want %#v", c.behind, got, err, c.want)
		}
		if marked, err := Read(strings.NewReader("\ufeff" + ranges + c.behind)); err != nil || !reflect.DeepEqual(f, marked) {
			t.Errorf("%q behind a byte order mark: %v, %v", c.behind, marked, err)
		}
		if len(f.Ranges.X.Ranges) != 2 {
			t.Errorf("%q: ranges %v", c.behind, f.Ranges.X.Ranges)
		}
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		if again, err := Read(&b); err != nil || !reflect.DeepEqual(f, again) {
			t.Errorf("%q: written and read again: %v, %v", c.behind, again, err)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `1: no ranges: the file is empty, expected "x" or "y"`},
		{"\ufeff", `1: no ranges: the file is empty, expected "x" or "y"`},
		{"\ufeffz\n", `1:1: expected "x" or "y", found "z"`},
		{"\xef\xbbx\n-1 1\n1 0 1\n", `1:1: expected "x" or "y", found "\xef\xbbx"`},
		{"columns\n", `1: no ranges: the file is empty, expected "x" or "y"`},
		{ranges + "column\n", `5:1: expected a feature index, found "column"`},
		{ranges + "columns\none\n", `6: expected a column's number and its name in quotes, found "one"`},
		{ranges + "columns\n1 \"a\"\n\n", `7: expected a column's number and its name in quotes, found ""`},
		{ranges + "columns\n0 \"a\"\n", `6: expected a column's number and its name in quotes, found "0 \"a\""`},
		{ranges + "columns\n1 a\n", `6: expected a column's number and its name in quotes, found "1 a"`},
		{ranges + "columns\n2147483648 \"a\"\n", `6: expected a column's number and its name in quotes, found "2147483648 \"a\""`},
	} {
		if _, err := Read(strings.NewReader(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	f, err := Read(strings.NewReader(ranges + "slimsvm inputs\n{}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Names(); err == nil || err.Error() != `6: inputs: data set: expected the key "relation", which is not there` {
		t.Errorf("inputs that are no encoding: %v", err)
	}
}
