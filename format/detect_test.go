package format_test

import (
	"bytes"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

func TestDetect(t *testing.T) {
	begins := func(s string) func([]byte) bool {
		return func(head []byte) bool { return bytes.HasPrefix(head, []byte(s)) }
	}
	codecs := []format.Codec{
		{Name: "a", Extensions: []string{".a", ".data"}, Sniff: begins("a")},
		{Name: "b", Extensions: []string{".b", ".data"}, Sniff: begins("b")},
		{Name: "any", Extensions: []string{".any"}, Sniff: begins("")},
		{Name: "blind", Extensions: []string{".blind", ".data"}, Resembles: begins("b")},
	}
	for _, c := range []struct{ path, head, want string }{
		{"x.a", "a", "a"},
		{"x.a", "b", "a"}, // the name decides
		{"x.b", "a", "b"},
		{"x.a", "", "a"},
		{"dir.b/x.a", "b", "a"},
		{"x.A", "b", "a"},
		{"x.b.gz", "a", "b"},
		{"x.b.zst", "a", "b"},
		{"x.b.bz2", "a", "b"},
		{"x.B.XZ", "a", "b"},
		{".b", "a", "b"},
		{"x.blind", "a", "blind"},
		{"x.b.gz.gz", "a", "a"}, // packed twice is not unpacked twice
		{"x.data", "b", "b"},    // the content decides among those of the name
		{"x.data", "a", "a"},
		{"x.data", "z", "a"}, // and the order, if it does not
		{"x.data", "", "a"},
		{"x", "b", "b"}, // the content decides
		{"-", "b", "b"},
		{"", "b", "b"},
		{"x.gz", "b", "b"},
		{"x.b.txt", "a", "a"},
		{"a", "b", "b"},
		{"dir.b/x", "a", "a"},
		{"x.unknown", "z", "any"},
		{"x", "", "none"},
	} {
		got, ok := format.Detect(c.path, []byte(c.head), codecs)
		if !ok {
			got.Name += "none"
		}
		if got.Name != c.want {
			t.Errorf("%q, %q: %s, want %s", c.path, c.head, got.Name, c.want)
		}
	}
	// who accepts comes before what is resembled, whatever the order, and a name before both
	like := []format.Codec{{Name: "like c", Extensions: []string{".c"}, Resembles: begins("c")}, {Name: "like", Resembles: begins("")}, codecs[1]}
	for _, c := range []struct{ path, head, want string }{
		{"x", "b", "b"}, {"x", "c", "like c"}, {"x", "d", "like"}, {"x.b", "c", "b"}, {"x.c", "b", "like c"}, {"x", "", ""},
	} {
		if got, ok := format.Detect(c.path, []byte(c.head), like); got.Name != c.want || ok != (c.want != "") {
			t.Errorf("%q, %q: %s, want %s", c.path, c.head, got.Name, c.want)
		}
	}
	if c, ok := format.Detect("x.c", []byte("c"), codecs[:2]); ok || c.Name != "" {
		t.Errorf("unknown: %q, %t", c.Name, ok)
	}
}
