package datafile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// TestEncodedAs: which features are those of a model, by what their names say.
func TestEncodedAs(t *testing.T) {
	const (
		many = "@relation r\n@attribute x numeric\n@attribute b {p,q,r}\n@attribute c {no,yes}\n@data\n1,p,no\n2,q,yes\n"
		two  = "@relation r\n@attribute x numeric\n@attribute b {p,q}\n@attribute c {no,yes}\n@data\n1,p,no\n2,q,yes\n"
		real = "@relation r\n@attribute x numeric\n@attribute y numeric\n@data\n1,1\n2,3\n"
	)
	for _, c := range []struct {
		train, mark, names string
		scaling            encode.Scaling
		want               bool
	}{
		{many, "% class 3 encoded", many, encode.None, true},
		{many, "% class 3 dense", many, encode.None, false},
		{many, "% class 3 encoded", many, encode.Normalize, false},
		{many, "% class 3 encoded scaled as=MARK", many, encode.Normalize, true},
		{many, "% class 3 encoded scaled as=0123456789abcdef", many, encode.Normalize, false},
		{many, "% class 3 encoded scaled", many, encode.Normalize, false},
		{many, "% class 3 encoded as=MARK", many, encode.Normalize, false},
		{many, "% class 3 encoded scaled", many, encode.None, false},
		{many, "% class 2 encoded", many, encode.None, false},
		{many, "% class 3 encoded", strings.Replace(many, "p,q,r", "q,p,r", 1), encode.None, false},
		{many, "% class 3 encoded", strings.Replace(many, " b ", " bb ", 1), encode.None, false},
		{many, "% class 2 encoded", strings.Replace(many, "@attribute x numeric\n", "", 1), encode.None, false},
		{two, "% class 3 dense", two, encode.None, true},
		{two, "% class 3 number", two, encode.None, false},
		{two, "% class 3 sign", two, encode.None, false},
		{two, "% class 3 dense", two, encode.Standardize, false},
		{real, "% class 2 number", real, encode.None, true},
		{real, "% class 2", strings.Replace(real, "y numeric", "y {1,3}", 1), encode.None, false},
	} {
		f, err := Open(t.Context(), "-", strings.NewReader(c.train), Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := format.ReadAll(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		e, err := encode.Fit(t.Context(), rows, encode.Options{Scaling: c.scaling})
		if err != nil {
			t.Fatal(err)
		}
		mark, err := Mark(e)
		if err != nil {
			t.Fatal(err)
		}
		n, err := parseNames([]byte("1\tx\n" + strings.Replace(c.mark, "MARK", mark, 1) + "\n" + c.names))
		if err != nil {
			t.Fatal(err)
		}
		again := new(encode.Encoding)
		if text, err := e.MarshalText(); err != nil || again.UnmarshalText(text) != nil {
			t.Fatal(err)
		}
		if other, err := Mark(again); other != mark || err != nil {
			t.Errorf("%s: mark %s, of the same encoding from its text %s, %v", c.train, mark, other, err)
		}
		if got := n.EncodedAs(e); got != c.want {
			t.Errorf("%s, %s, scaling %q: %v", c.mark, c.names, c.scaling, got)
		}
	}
}

// Encodings of other rows have other marks, whatever the relation is called.
func TestMark(t *testing.T) {
	mark := func(relation, rows string) string {
		e := fitted(t, "x,c\n"+rows)
		e.Relation = relation
		m, err := Mark(e)
		if err != nil || len(m) != 16 {
			t.Fatalf("%q, %v", m, err)
		}
		return m
	}
	if a, b := mark("a", "1,p\n2,q\n"), mark("b", "1,p\n2,q\n"); a != b {
		t.Errorf("of relations a and b: %s, %s", a, b)
	}
	if a, b := mark("a", "1,p\n2,q\n"), mark("a", "1,p\n3,q\n"); a == b {
		t.Errorf("of other rows: %s", a)
	}
}

// Beside a file whose name is so long that the system has no room for that of its names, there are none.
func TestLongNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 252)) + namesSuffix
	if _, err := ReadNames(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestReadNames: what a file of names says, and what is wrong with others.
func TestReadNames(t *testing.T) {
	const header = "@relation r\n@attribute a numeric\n@attribute c {p,q}\n"
	for text, want := range map[string]string{
		"% class 2 dense\n" + header + "@data\n":                            "c of 0",
		"1\ta\r\n2\t\"c\\n\"\r\n% class 1 sign as=x\r\n" + header + "@data": "a of 2",
		"":                                       `1: expected "% class N", found ""`,
		"1,2\n3,4\n":                             `3: expected "% class N", found ""`,
		"junk":                                   `1: expected "% class N", found "junk"`,
		"junk\n1\ta\n":                           `1: expected "% class N", found "junk"`,
		"% class \n":                             `1: expected "% class N", found "% class "`,
		"1\ta\n% class c\n" + header + "@data\n": `2: the label's column "c" is not a number`,
		"% class 1 odd\n" + header + "@data\n":   `1: unknown word "odd"`,
		"% class 3\n" + header + "@data\n":       "1: the label's column has the number 3, expected 1 to 2",
		"% class 0\n" + header + "@data\n":       "1: the label's column has the number 0, expected 1 to 2",
		"% class 1\n" + header + "@data x\n":     `5:7: expected the end of the line after @data, found "x"`,
		"% class 1\n@relation r\n@attribute a x\n": `3:14: expected a type: numeric, real, integer, string, date, relational or labels in braces, found "x"`,
	} {
		path := filepath.Join(t.TempDir(), "names")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		n, err := ReadNames(path)
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), path+":")
		} else {
			got = fmt.Sprintf("%s of %d", n.Header.Attributes[n.Header.Class].Name, len(n.List))
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		if errors.Is(err, arff.ErrStrict) {
			t.Errorf("%q: as if there were another reader: %v", text, err)
		}
	}
}

// TestNamesQuoted: messages quote no more of a text that is no names than tells what it is.
func TestNamesQuoted(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for text, want := range map[string]string{
		"":                      `names:1: expected "% class N", found ""`,
		"a note\n":              `names:1: expected "% class N", found "a note"`,
		long + "\n":             `names:1: expected "% class N", found "` + long[:40] + `"...`,
		"% class " + long:       `names:1: the label's column "` + long[:40] + `"... is not a number`,
		"% class 1 " + long:     `names:1: unknown word "` + long[:40] + `"...`,
		"% class 1 short\nrest": `names:1: unknown word "short"`,
	} {
		path := filepath.Join(t.TempDir(), "names")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadNames(path); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}
