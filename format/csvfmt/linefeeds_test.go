package csvfmt_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// TestLineFeeds: only texts whose lines end with carriage returns alone change.
func TestLineFeeds(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\r1,2\r":            "a,b\n1,2\n",
		"a,\"b\n\"\r1,2\r\n3,4": "a,\"b\n\"\n1,2\n3,4",
		"a,b\r\n1,2\r":          "a,b\r\n1,2\r",
		"a,b\n1,2\r3\n":         "a,b\n1,2\r3\n",
		"'a\n',b\r1,2\r":        "'a\n',b\r1,2\r",
		"a,\"b\rc\"\r":          "a,\"b\nc\"\n", // one line only
		"a,\"b\rc\"":            "a,\"b\rc\"",
		"a,b\r\n":               "a,b\r\n",
		"":                      "",
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if got, err := io.ReadAll(csvfmt.LineFeeds(r, '"', false)); err != nil || string(got) != want {
				t.Errorf("%q: %q, %v, want %q", text, got, err, want)
			}
		}
	}
	if got, err := io.ReadAll(csvfmt.LineFeeds(strings.NewReader("\"a\nb\",c\r1,2\r"), 0, false)); err != nil || string(got) != "\"a\nb\",c\n1,2\n" {
		t.Errorf("with the usual quote: %q, %v", got, err)
	}
	if got, err := io.ReadAll(csvfmt.LineFeeds(strings.NewReader("'a\n',b\r1,2\r"), '\'', false)); err != nil || string(got) != "'a\n',b\n1,2\n" {
		t.Errorf("%q, %v", got, err)
	}
	escaped := "'a\\'\n',b\r1,2\r" // to be read with backslashes only
	for backslash, want := range map[bool]string{false: escaped, true: "'a\\'\n',b\n1,2\n"} {
		if got, err := io.ReadAll(csvfmt.LineFeeds(strings.NewReader(escaped), '\'', backslash)); err != nil || string(got) != want {
			t.Errorf("backslash %v: %q, %v", backslash, got, err)
		}
	}
}

// TestFirstEnd: what ends the first line is known wherever that ends, at the end of what is read at
// once too.
func TestFirstEnd(t *testing.T) {
	for _, at := range []int{64<<10 - 2, 64<<10 - 1, 64 << 10, 128<<10 - 1, 4<<20 - 1, 4 << 20, 5<<20 - 1} {
		first := strings.Repeat("a", at-2) + ",b"
		for _, end := range []string{"\r", "\r\n", "\n"} {
			if at > 1<<20 && end != "\r" {
				continue // which takes long
			}
			kept := strings.Replace(end, "\r", "\n", 1-strings.Count(end, "\n"))
			for text, want := range map[string]string{
				"1,2" + end + "3,4" + end:             "1,2 3,4",
				"1,x" + end + "3,\"y" + end + "z\"":   "1,x 3,y" + kept + "z",
				"1,\"x" + end + "y\"" + end + "3,y,z": "1,x" + kept + "y",
				"":                                    "",
			} {
				r := csvfmt.NewReader(strings.NewReader(first + end + text))
				var got []string
				for in, err := r.Read(); err == nil; in, err = r.Read() {
					got = append(got, fmt.Sprint(in.X.Value[0])+","+last(r, in))
				}
				if strings.Join(got, " ") != want {
					t.Errorf("the first line ends with %q at byte %d: rows %q, want %q", end, at, got, want)
				}
			}
		}
	}
}

// last returns the text of a row's second cell.
func last(r *csvfmt.Reader, in format.Instance) string {
	h, _ := r.Header()
	if a := h.Attributes[1]; a.Type == format.Nominal {
		return a.Labels[int(in.X.Value[1])]
	}
	return fmt.Sprint(in.X.Value[1])
}

// TestFound: what is found out, or given, is told.
func TestFound(t *testing.T) {
	for text, want := range map[string]byte{"a;b\n1;2\n": ';', "a\tb\n1\t2\n": '\t', "a,b\n1,2\n": ','} {
		r := csvfmt.NewReader(strings.NewReader(text))
		if _, err := r.Header(); err != nil {
			t.Fatal(err)
		}
		if separator, quote := r.Found(); separator != want || quote != '"' {
			t.Errorf("%q: %q, %q", text, separator, quote)
		}
	}
}

// TestLongFirstRecord: carriage returns end lines, and are line feeds in quotes, however long the
// first record is.
func TestLongFirstRecord(t *testing.T) {
	name := strings.Repeat("x\r", 5<<19)
	for _, r := range []io.Reader{strings.NewReader("a,\"" + name + "\"\r1,2\r"), struct{ io.Reader }{strings.NewReader("a,\"" + name + "\"\r1,2\r")}} {
		table := csvfmt.NewReader(r)
		h, err := table.Header()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := h.Attributes[1].Name, strings.ReplaceAll(name, "\r", "\n"); got != want {
			t.Errorf("a name of %d bytes with %d line feeds, want %d with %d", len(got), strings.Count(got, "\n"), len(want), strings.Count(want, "\n"))
		}
		if row, err := table.Read(); err != nil || row.X.At(1) != 2 {
			t.Errorf("%v, %v", row.X, err)
		}
	}
}
