package datafile

import (
	"bytes"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// Problem: nearly any text can be read as CSV, with its first line for names. A file of another format that
// has the name of a table, or commas in every line, would be read as one that nobody meant.

// A MistakenError is the error of Open for a text that would be read as a table by its name or its commas, and is one
// of another format.
type MistakenError struct {
	Format string // the format's name, for Options
	Line   []byte // the first that is not blank
	what   string
}

// mostQuoted is how many bytes of a line are told.
const mostQuoted = 40

// Error quotes the line.
func (e *MistakenError) Error() string {
	line, more := e.Line, ""
	if len(line) > mostQuoted {
		line, more = line[:mostQuoted], "..."
	}
	return fmt.Sprintf("expected a table, found %q%s, which is %s", line, more, e.what)
}

// mistaken returns a *MistakenError if a text that begins with head and is to be read as codec says is of another
// format, else nil.
func mistaken(codec format.Codec, head []byte) error {
	if codec.Name != csvfmt.Codec.Name && codec.Name != csvfmt.TSV.Name {
		return nil
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n\v\f")
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	e := &MistakenError{Line: bytes.TrimRight(line, " \t\r")}
	switch begins, _ := beginsARFF(head); {
	case begins:
		e.Format, e.what = "arff", "how an ARFF file begins"
	case holdsPairs(text):
		e.Format, e.what = "libsvm", "a row of index:value pairs, as in LIBSVM's format"
	default:
		return nil
	}
	return &format.Error{Line: 1 + bytes.Count(head[:bytes.Index(head, line)], []byte{'\n'}), Column: 1, Err: e}
}

// holdsPairs reports whether lines are a number and, behind blanks, pairs of an index and a value, whose indices
// increase: all of them, the last apart, of which the end may not be there, and some with two pairs or more.
func holdsPairs(text []byte) bool {
	several := false
	for n := 0; ; n++ {
		line, rest, whole := bytes.Cut(text, []byte{'\n'})
		words := bytes.Fields(line)
		if !whole && n > 0 || whole && len(words) == 0 {
			return several
		}
		if len(words) < 2 || math.IsNaN(number(string(words[0]))) {
			return false
		}
		last := int64(-1)
		for _, word := range words[1:] {
			index, length, err := textscan.Int(word)
			if err != nil || length == 0 || length == len(word) || word[length] != ':' || index <= last {
				return false
			}
			last = index
		}
		several = several || len(words) > 2
		if !whole {
			return several
		}
		text = rest
	}
}
