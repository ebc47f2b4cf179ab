package csvfmt_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

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
		"":                      "",
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if got, err := io.ReadAll(csvfmt.LineFeeds(r, '"')); err != nil || string(got) != want {
				t.Errorf("%q: %q, %v, want %q", text, got, err, want)
			}
		}
	}
	if got, err := io.ReadAll(csvfmt.LineFeeds(strings.NewReader("'a\n',b\r1,2\r"), '\'')); err != nil || string(got) != "'a\n',b\n1,2\n" {
		t.Errorf("%q, %v", got, err)
	}
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
