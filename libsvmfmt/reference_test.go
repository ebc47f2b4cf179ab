package libsvmfmt_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// A tokenizer cuts a C string into words as strtok does: it skips delimiters,
// takes what comes before the next one, and overwrites that. It remembers whether
// it skipped a colon and whether the last word ended at a delimiter.
type tokenizer struct {
	rest         []byte
	skippedColon bool
	delimited    bool
}

func newTokenizer(line []byte) *tokenizer {
	line, _, _ = bytes.Cut(line, []byte{0})
	return &tokenizer{rest: line}
}

func (t *tokenizer) next(delimiters string) (word []byte, ok bool) {
	i := 0
	for i < len(t.rest) && strings.IndexByte(delimiters, t.rest[i]) >= 0 {
		t.skippedColon = t.skippedColon || t.rest[i] == ':'
		i++
	}
	if i == len(t.rest) {
		t.rest = nil
		return nil, false
	}
	j := i
	for j < len(t.rest) && strings.IndexByte(delimiters, t.rest[j]) < 0 {
		j++
	}
	word = t.rest[i:j]
	t.delimited = j < len(t.rest)
	t.rest = t.rest[min(j+1, len(t.rest)):]
	return word, true
}

// A verdict is what LIBSVM makes of a line.
type verdict struct {
	accepted bool
	sound    bool // nothing was lost or bent on the way
	row      format.Instance
}

// libsvmLine reads a line, line end included, in LIBSVM's steps: a word up to a
// blank is the label; then, again and again, a word up to a colon is an index and
// a word up to a blank a value, until there is no value.
func libsvmLine(line []byte) verdict {
	v := verdict{sound: bytes.IndexByte(line, 0) < 0}
	v.row.Weight = 1
	t := newTokenizer(line)
	label, ok := t.next(" \t\n")
	if !ok {
		return v
	}
	y, n, _ := textscan.Float(label)
	if n == 0 || n != len(label) {
		return v
	}
	v.row.Y = y
	v.sound = v.sound && finite(y)
	last := int32(-1)
	for {
		name, some := t.next(":")
		pair := some && t.delimited
		word, ok := t.next(" \t")
		if !ok {
			rest := bytes.TrimLeft(name, " \t\n\v\f\r")
			v.sound = v.sound && !pair && !t.skippedColon && (len(rest) == 0 || rest[0] == '#')
			v.accepted = true
			return v
		}
		i, n, err := textscan.Int(name)
		index := int32(i)
		if n == 0 || n != len(name) || err != nil || index <= last {
			return v
		}
		x, n, err := textscan.Float(word)
		if n == 0 || err != nil || n < len(word) && !textscan.IsSpace(word[n]) {
			return v
		}
		v.sound = v.sound && int64(index) == i && finite(x) && len(bytes.TrimLeft(word[n:], "\n\v\f\r")) == 0
		last = index
		v.row.X.Index = append(v.row.X.Index, index)
		v.row.X.Value = append(v.row.X.Value, x)
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// lines cuts a text behind its line feeds.
func lines(text []byte) [][]byte {
	all := bytes.SplitAfter(text, []byte{'\n'})
	if len(all[len(all)-1]) == 0 {
		all = all[:len(all)-1]
	}
	return all
}

func sameRow(a, b format.Instance) bool {
	if math.Float64bits(a.Y) != math.Float64bits(b.Y) || a.Weight != b.Weight || len(a.X.Index) != len(b.X.Index) {
		return false
	}
	for k := range a.X.Index {
		if a.X.Index[k] != b.X.Index[k] || math.Float64bits(a.X.Value[k]) != math.Float64bits(b.X.Value[k]) {
			return false
		}
	}
	return true
}

// compare reads a text line by line with LIBSVM's steps and ours. What both
// accept must mean the same, and what LIBSVM accepts soundly we accept.
func compare(t *testing.T, data []byte) {
	t.Helper()
	for _, line := range lines(data) {
		want := libsvmLine(line)
		got, err := libsvmfmt.NewReader(bytes.NewReader(line)).Read()
		switch {
		case err != nil && want.accepted && want.sound:
			t.Errorf("%q is sound: %s; refused: %v", line, text(want.row), err)
		case err == nil && want.accepted && !want.sound:
			t.Errorf("%q is read as %s, but LIBSVM loses something and reads %s", line, text(got), text(want.row))
		case err == nil && want.accepted && !sameRow(got, want.row):
			t.Errorf("%q is read as %s, by LIBSVM as %s", line, text(got), text(want.row))
		}
	}
}

func TestReference(t *testing.T) {
	for _, c := range cases {
		compare(t, []byte(c.text))
	}
	// the reference itself, on what is recorded of LIBSVM
	for _, c := range []struct {
		line, row       string
		accepted, sound bool
	}{
		{"1 1:2 3:4\n", "1 1:2 3:4", true, true},
		{"1\t1: 2\n", "1 1:2", true, true},
		{"1 1:2\r\n", "1 1:2", true, true},
		{"1\r\n", "", false, false},
		{"\n", "", false, false},
		{" \t\n", "", false, false},
		{"nan 1:inf\n", "NaN 1:+Inf", true, false},
		{"1 4294967297:5\n", "1 1:5", true, false},
		{"1 2147483648:5\n", "", false, false},
		{"1 1:2 5\n", "1 1:2", true, false},
		{"1 1:2 junk\n", "1 1:2", true, false},
		{"1 1:2 # comment\n", "1 1:2", true, true},
		{"1 1:2 # at 5:6\n", "", false, false},
		{"1 1:2 3:", "1 1:2", true, false},
		{"1 1:2\v3:4 5:6\n", "1 1:2 5:6", true, false},
		{"1 :1:2\n", "1 1:2", true, false},
		{"1 1 :2\n", "", false, false},
		{"1 1: 2:1\n", "", false, false},
		{"1 1:1e-310\n", "", false, false},
		{"1 qid:3\n", "", false, false},
		{"1 1:2\x00 3:4\n", "1 1:2", true, false},
	} {
		v := libsvmLine([]byte(c.line))
		if v.accepted != c.accepted || v.accepted && (v.sound != c.sound || text(v.row) != c.row) {
			t.Errorf("%q: accepted %t, sound %t, %s; want %t, %t, %s", c.line, v.accepted, v.sound, text(v.row), c.accepted, c.sound, c.row)
		}
	}
}
