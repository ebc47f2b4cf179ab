package arff

import (
	"slices"
	"testing"
)

func TestDatePattern(t *testing.T) {
	if _, err := (DatePattern{}).Parse([]byte("1970-01-02")); err == nil || err.Error() != "no date pattern: CompileDatePattern makes one" {
		t.Errorf("the zero pattern: %v", err)
	}
	for _, c := range []struct {
		pattern, text string
		ms            float64
		err           string
	}{
		{"yyyy-MM-dd", "1970-01-02", 86400000, ""},
		{"yy", "49", 2493072000000, ""},
		{"yy", "50", -631152000000, ""},
		{"yyyy-MM-dd", "1970-02-30", 0, `expected a date like "yyyy-MM-dd", found "1970-02-30": there is no such date`},
		{"yyyy-MM-dd", "1970-01-02T00:00:00.000Z", 0, `expected a date like "yyyy-MM-dd", found "T00:00:00.000Z" behind it`},
		{"yyyyMMdd", "19700102", 86400000, ""}, // all but the last have so many characters
		{"yyyyMMdd", "1970012", 86400000, ""},
		{"yyyyMMdd", "197001", 0, `expected a date like "yyyyMMdd", found "197001"`},
		{"yyyyMMdd", "19701", 0, `expected a date like "yyyyMMdd", found "19701"`},
		{"yyyyMMdd", "197", 0, `expected a date like "yyyyMMdd", found "197"`},
		{"", "", 0, `expected a date like "", found ""`}, // to Java a date has text
		{"", "1970", 0, `expected a date like "", found "1970"`},
		{"q", "", 0, `date pattern "q": letter 'q' has no meaning; text is quoted`},
	} {
		p, err := CompileDatePattern(c.pattern)
		var ms float64
		if err == nil {
			ms, err = p.Parse(slices.Clip([]byte(c.text))) // nothing is behind it
		}
		if ms != c.ms || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%s %q: %v, %v, want %v, %s", c.pattern, c.text, ms, err, c.ms, c.err)
		}
	}
}
