package suggest

import (
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

func TestLikely(t *testing.T) {
	known := strings.Fields("gamma cost coef0 degree kernel nu seed weight weights probability no-shrinking q share shift")
	for word, want := range map[string]string{
		"gama": "gamma", "gamam": "gamma", "amma": "gamma", "gammma": "gamma", "gbmma": "gamma",
		"ocst": "cost", "csot": "cost", "stco": "", "weigth": "weight", "wieghts": "weights", "prob": "probability",
		"no-shriking": "no-shrinking", "degre": "degree", "sha": "share", "sh": "share shift", "x": "", "": "",
		"k": "", "bogus": "", "nu": "nu", "shire": "share", "probabiltyies": "probability",
	} {
		if got := strings.Join(Likely(word, known), " "); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := Likely("ab", strings.Fields("abc abd abe abf")); got != nil {
		t.Errorf("too many: %q", got)
	}
}

func TestSlips(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"ab", "ab", 0}, {"ab", "ba", 1}, {"abc", "ca", 3},
		{"kitten", "sitting", 3}, {"trian", "train", 1}, {"abcd", "badc", 2},
	} {
		if got := slips(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestColumnLists(t *testing.T) {
	const list = "that is a list, and an option names one column; --drop and --nominal can be repeated"
	for column, want := range map[string]string{
		"id,Kind": list, "1,3": list, "first, last": list, "id,2": list, "2-3": list, "1,2-3": list,
		"id,": "did you mean \"id\"?", "id,zap": "", "1,4": "", "2-4": "", "-": "", ",": "", "4": "", "ids": "did you mean \"id\"?",
	} {
		if got := Columns(&format.NoColumnError{Column: column, Names: []string{"id", "weight", "kind"}}); got != want {
			t.Errorf("%q: %q, want %q", column, got, want)
		}
	}
}
