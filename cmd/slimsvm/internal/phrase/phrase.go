// Package phrase words what messages say: numbers of things, choices, and texts of files and labels that must not
// be taken for anything else.
package phrase

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/slimsvm/slimsvm/format"
)

// Count returns a number of things in words.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "s") {
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Agree returns of two words the one that goes with a number of things.
func Agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Choice returns words as a choice: a, b or c.
func Choice(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Word returns a label, in quotes if it would not be taken for one word.
func Word(label string) string {
	if label == "" || strings.ContainsFunc(label, func(r rune) bool { return r <= ' ' || r == '"' || r == 0x7f }) {
		return strconv.Quote(label)
	}
	return label
}

// Line returns a label, in quotes if it would not be taken for one line.
func Line(label string) string {
	if strings.ContainsAny(label, "\n\r") {
		return strconv.Quote(label)
	}
	return label
}

// Escaped returns a text with its control characters, which the name of a file may have, as Go
// writes them: it is one line then, and does nothing to a terminal.
func Escaped(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Label returns the text of a label that is a number: its digits, as the data have it, or the
// form with an exponent where it would have many zeros.
func Label(y float64) string {
	if size := math.Abs(y); size != 0 && (size < 1e-6 || size >= 1e21) { // as in JSON
		return strconv.FormatFloat(y, 'g', -1, 64)
	}
	return strconv.FormatFloat(y, 'f', -1, 64)
}

// Shell returns a text as one word of a shell.
func Shell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Type returns the word for a type of columns.
func Type(t format.Type) string {
	return [...]string{"numeric", "nominal", "string", "date", "relational"}[t]
}
