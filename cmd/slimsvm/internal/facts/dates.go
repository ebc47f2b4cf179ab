package facts

import (
	"bytes"
	"strings"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// dates writes dates as text. Each pattern has one writer, since to begin one takes far longer than to write a date.
type dates map[string]*dateWriter

// A dateWriter writes rows of one date.
type dateWriter struct {
	*arff.Writer // nil: ARFF cannot hold the pattern
	text         bytes.Buffer
}

// text returns a date in its pattern, as ARFF has it, or "" if that cannot tell it.
func (d dates) text(pattern string, ms float64) string {
	w := d[pattern]
	if w == nil {
		w = new(dateWriter)
		d[pattern] = w
		w.Writer = arff.NewWriter(&w.text)
		h := format.Header{Class: -1, Attributes: []format.Attribute{{Name: "d", Type: format.Date, Pattern: pattern}}}
		if w.WriteHeader(&h) != nil || w.Flush() != nil {
			w.Writer = nil
		}
	}
	if w.Writer == nil {
		return ""
	}
	w.text.Reset()
	if w.Write(format.Instance{X: vec.Vector{Index: []int32{0}, Value: []float64{ms}}, Weight: 1}) != nil || w.Flush() != nil {
		return ""
	}
	return meaning(w.text.String())
}

// meaning returns the text that a line of ARFF with one string means, or "" if it is none.
func meaning(line string) string {
	word := strings.TrimSuffix(line, "\n")
	if n := len(word) - 1; n > 0 && (word[0] == '\'' || word[0] == '"') && word[n] == word[0] {
		if inside := word[1:n]; plain(inside, " :./+-,") {
			return inside
		}
	} else if plain(word, ":./+-") {
		return word
	}
	as, err := arff.NewReader(strings.NewReader("@relation r\n@attribute s string\n@data\n" + line)).Read()
	if err != nil || len(as.Strings) != 1 {
		return ""
	}
	return as.Strings[0]
}

// plain reports whether a text consists of letters, digits and the given other characters, none of which ARFF
// takes for anything else.
func plain(text, others string) bool {
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return text != ""
}
