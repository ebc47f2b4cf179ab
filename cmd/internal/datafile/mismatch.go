package datafile

import (
	"bytes"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// Problem: nearly any text can be read as CSV, with its first line as names. A file of another
// format that has the name of a table, or commas in every line, would be read as a table that
// nobody meant.
//
// Method: what is to be read as a table is looked at for the two formats that can be known by their first
// lines: two @attribute lines or more of ARFF, or one before @data, and two lines or more of a number and
// pairs of an index and a value, with indices that increase, one of them with two pairs or more. No table has
// these by chance.

// A FormatMismatchError is the error of Open for a text that would be read as a table by its name or its commas, and is one
// of another format.
type FormatMismatchError struct {
	Format string // the format's name, for Options
	Line   []byte // the first that is not blank
	what   string
}

// mostQuoted is how many bytes of a line are quoted.
const mostQuoted = 40

// Error quotes the line.
func (e *FormatMismatchError) Error() string {
	line, more := e.Line, ""
	if len(line) > mostQuoted {
		line, more = line[:mostQuoted], "..."
	}
	return fmt.Sprintf("expected a table, found %q%s, which is %s", line, more, e.what)
}

// formatMismatch returns a *FormatMismatchError if a text that begins with head and is to be read as codec says is of another
// format, else nil.
func formatMismatch(codec format.Codec, head []byte) error {
	if codec.Name != csvfmt.Codec.Name && codec.Name != csvfmt.TSV.Name {
		return nil
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n\v\f")
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	e := &FormatMismatchError{Line: bytes.TrimRight(line, " \t\r")}
	switch {
	case declaresARFF(head):
		e.Format, e.what = "arff", "how an ARFF file begins"
	case holdsPairs(text):
		e.Format, e.what = "libsvm", "a row of index:value pairs, as in LIBSVM's format"
	default:
		return nil
	}
	return &format.Error{Line: 1 + bytes.Count(head[:bytes.Index(head, line)], []byte{'\n'}), Column: 1, Err: e}
}

// declaresARFF reports whether a text begins with an ARFF header, attributes and all: a name of a column may begin with
// @relation.
func declaresARFF(head []byte) bool {
	if begins, _ := beginsARFF(head); !begins {
		return false
	}
	attributes := 0
	for _, line := range bytes.Split(bytes.TrimPrefix(head, byteOrderMark), []byte{'\n'}) {
		word, _, _ := bytes.Cut(bytes.TrimSpace(bytes.ReplaceAll(line, []byte{'\t'}, []byte{' '})), []byte{' '})
		switch {
		case len(word) == 0, word[0] == '%', bytes.EqualFold(word, []byte("@relation")):
		case bytes.EqualFold(word, []byte("@attribute")):
			attributes++
		case bytes.EqualFold(word, []byte("@data")):
			return attributes > 0
		default:
			return attributes > 1 // the end of a longer header may not be there
		}
	}
	return attributes > 1
}

// holdsPairs reports whether lines, two or more, are a number and, behind blanks, pairs of an index and a value, whose indices
// increase: all of them, the last apart, of which the end may not be there, and some with two pairs or more.
func holdsPairs(text []byte) bool {
	for several, n := false, 0; ; n++ {
		line, rest, whole := bytes.Cut(text, []byte{'\n'})
		words := bytes.Fields(line)
		if !whole || len(words) == 0 {
			return several && n > 1
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
		text = rest
	}
}
