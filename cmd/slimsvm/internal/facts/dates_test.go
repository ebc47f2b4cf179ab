package facts

import (
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
)

// TestDates: dates have the text that ARFF's reader finds in what its writer writes, and one more of a pattern
// does not take a writer and a reader.
func TestDates(t *testing.T) {
	const year, day, hour = 1577836800000, 1577923200000, 1577959200000
	d := dates{}
	for _, c := range []struct {
		pattern string
		ms      float64
		want    string
	}{
		{"yyyy-MM-dd", day, "2020-01-02"},
		{"yyyy-MM-dd", hour, ""}, // which the pattern cannot tell
		{"yyyy-MM-dd", year, "2020-01-01"},
		{"yyyy-MM-dd'T'HH:mm:ss", hour, "2020-01-02T10:00:00"},
		{"yyyy-MM-dd HH:mm", hour, "2020-01-02 10:00"},
		{"yyyy-MM-dd 'o''clock' HH", hour, "2020-01-02 o'clock 10"},
		{"yyyy\\MM", year, "2020\\01"},
		{"'%'yyyy{MM}", year, "%2020{01}"},
		{"d. MMMM yyyy, HH:mm:ss.SSS", hour + 123, "2. January 2020, 10:00:00.123"},
	} {
		if got := d.text(c.pattern, c.ms); got != c.want {
			t.Errorf("%v in pattern %s: %q, want %q", c.ms, c.pattern, got, c.want)
		}
	}
	if n := testing.AllocsPerRun(50, func() { d.text("yyyy-MM-dd", day) }); n > 8 {
		t.Errorf("a date takes %v allocations", n)
	}
	for _, line := range []string{"x", "'a b'", "'a, b'", `"a-b"`, `'a\'b'`, "'%'", "''", "'", "?", "'?'", "a,b", "%a", "{a}"} {
		as, err := arff.NewReader(strings.NewReader("@relation r\n@attribute s string\n@data\n" + line + "\n")).Read()
		want := ""
		if err == nil && len(as.Strings) == 1 {
			want = as.Strings[0]
		}
		if got := meaning(line + "\n"); got != want {
			t.Errorf("%s means %q, want %q", line, got, want)
		}
	}
}
