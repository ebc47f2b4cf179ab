package phrase_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
)

func ExampleCount() {
	fmt.Println(phrase.Count(1, "row"), phrase.Count(0, "row"), phrase.Count(2, "class"))
	// Output: 1 row 0 rows 2 classes
}

func ExampleChoice() {
	fmt.Println(phrase.Choice([]string{"a"}))
	fmt.Println(phrase.Choice([]string{"a", "b"}))
	fmt.Println(phrase.Choice([]string{"a", "b", "c"}))
	// Output:
	// a
	// a or b
	// a, b or c
}

// TestTexts: texts of others stay in their place, and are left alone where they do so by themselves.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ text, word, line, escaped string }{
		{"a", "a", "a", "a"},
		{"", `""`, "", ""},
		{"ö|'", "ö|'", "ö|'", "ö|'"},
		{"two words", `"two words"`, "two words", "two words"},
		{`a"b`, `"a\"b"`, `a"b`, `a"b`},
		{"a\nb", `"a\nb"`, `"a\nb"`, `a\nb`},
		{"a\x1b[1m", `"a\x1b[1m"`, "a\x1b[1m", `a\x1b[1m`},
	} {
		if word := phrase.Word(c.text); word != c.word {
			t.Errorf("%q: the word %s, want %s", c.text, word, c.word)
		}
		if line := phrase.Line(c.text); line != c.line {
			t.Errorf("%q: the line %q, want %q", c.text, line, c.line)
		}
		if escaped := phrase.Escaped(c.text); escaped != c.escaped {
			t.Errorf("%q: escaped %q, want %q", c.text, escaped, c.escaped)
		}
	}
}

func TestLabel(t *testing.T) {
	for y, want := range map[float64]string{
		3: "3", -1: "-1", 0.5: "0.5", 1e20: "100000000000000000000", 1e21: "1e+21", 1e-6: "0.000001", 1e-7: "1e-07", math.Inf(1): "+Inf",
	} {
		if text := phrase.Label(y); text != want {
			t.Errorf("%v: %s, want %s", y, text, want)
		}
	}
}
