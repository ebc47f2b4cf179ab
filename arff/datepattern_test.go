package arff

import "testing"

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
		{"q", "", 0, `date pattern "q": letter 'q' has no meaning; text is quoted`},
	} {
		p, err := CompileDatePattern(c.pattern)
		var ms float64
		if err == nil {
			ms, err = p.Parse([]byte(c.text))
		}
		if ms != c.ms || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%s %q: %v, %v, want %v, %s", c.pattern, c.text, ms, err, c.ms, c.err)
		}
	}
}
