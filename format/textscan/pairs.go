package textscan

import (
	"bytes"
	"fmt"
	"math"
)

// A Fault is what is wrong in a line, and at which byte of it.
type Fault struct {
	At  int // offset in the line, from 0
	Err error
}

// Error returns the cause's text.
func (f *Fault) Error() string { return f.Err.Error() }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Locate returns f as an Error of the given line.
func (f *Fault) Locate(line int) *Error {
	return &Error{Line: line, Column: f.At + 1, Err: f.Err}
}

// Pairs reads the sparse part of a line of the LIBSVM family, from offset at to
// the end: index:value pairs, then perhaps a comment. It appends to index and
// value and returns them.
//
// The grammar is what LIBSVM's splitting into words amounts to. White space may
// precede an index and follow a colon; an index is a decimal integer greater
// than the one before it, at least 0 and at most 2^31-1; a value is a real as
// Float reads it, finite, with WordEnds behind it. A rest without a colon that
// begins with # is a comment. LIBSVM also skips any other rest without a colon,
// what stands between white space other than blanks and the next blank, and stray
// colons; those are faults here, since data would be lost in silence. With small set, a value too
// small for full precision is taken as the nearest number; without it is a
// fault, as in LIBSVM's data files.
func Pairs(line []byte, at int, small bool, index []int32, value []float64) ([]int32, []float64, *Fault) {
	last := int64(-1)
	for {
		i, v, end := plainPair(line, at)
		if end <= at || i <= last {
			var f *Fault
			if i, v, end, f = anyPair(line, at, small, last); f != nil || i < 0 {
				return index, value, f
			}
		}
		last = i
		at = end
		index = append(index, int32(i))
		value = append(value, v)
	}
}

// plainPair reads the pair that begins behind the blank at line[at], if it is
// written as nearly all are: an index of up to seven digits, a colon, a decimal
// number without exponent, a blank or the end of the line. end, where it ends, is
// 0 if not.
func plainPair(line []byte, at int) (index int64, value float64, end int) {
	if at >= len(line) || line[at] != ' ' {
		return 0, 0, 0
	}
	w := load8(line, at+1)
	width := leadingDigits(w)
	if width == 0 || width == 64 || byte(w>>width) != ':' {
		return 0, 0, 0
	}
	index = int64(digitsValue(w, width))
	at += width/digitWidth + 2
	w = load8(line, at)
	if uint16(w) == '1'|' '<<8 {
		return index, 1, at + 1
	}
	// minus is 1 where there is a minus sign, found without a jump
	minus := (uint64(byte(w)^'-') - 1) >> 63
	mant, digits, frac, end := scanDecimal(line, at+int(minus))
	if uint(digits-1) >= maxDigits64 || end < len(line) && line[end] != ' ' {
		return 0, 0, 0
	}
	if mant < 1<<53 && frac <= maxPow10 {
		value = float64(int64(mant)) / pow10[frac]
	} else {
		var ok bool
		if value, ok = scale10(mant, int64(-frac)); !ok {
			return 0, 0, 0
		}
	}
	return index, math.Float64frombits(math.Float64bits(value) | minus<<63), end
}

// anyPair reads the pair at line[at:], whose index must be greater than last. The
// index is -1 where there is none.
func anyPair(line []byte, at int, small bool, last int64) (index int64, value float64, end int, f *Fault) {
	at += skipSpace(line[at:])
	if at == len(line) {
		return -1, 0, 0, nil
	}
	i, n, _ := Int(line[at:]) // an overflow leaves an index that is no int32 either
	end = at + n
	if n == 0 || end == len(line) || line[end] != ':' {
		if isComment(line[at:]) {
			return -1, 0, 0, nil
		}
		return 0, 0, 0, &Fault{at, fmt.Errorf("expected index:value, found %s", QuoteWord(line[at:]))}
	}
	if i > math.MaxInt32 {
		return 0, 0, 0, &Fault{at, fmt.Errorf("feature index %s is larger than %d", quote(line[at:end]), math.MaxInt32)}
	}
	if i <= last {
		if i < 0 {
			return 0, 0, 0, &Fault{at, fmt.Errorf("feature index %s is negative", quote(line[at:end]))}
		}
		return 0, 0, 0, &Fault{at, fmt.Errorf("feature index %d does not follow %d: indices must increase", i, last)}
	}
	at = end + 1
	v, n, err := Float(line[at:])
	end = at + n
	switch {
	case n == 0 || end < len(line) && !IsSpace(line[end]):
		f = &Fault{at, fmt.Errorf("expected a number as value of feature %d, found %s", i, QuoteWord(line[at:]))}
	case !WordEnds(line, end):
		f = &Fault{at, fmt.Errorf("expected a blank behind the value of feature %d, found %s", i, quoteUnit(line[at:]))}
	case math.IsNaN(v) || math.IsInf(v, 0):
		f = &Fault{at, fmt.Errorf("value %s of feature %d is not a finite number", QuoteWord(line[at:]), i)}
	case err != nil && !small:
		f = &Fault{at, fmt.Errorf("value %s of feature %d is too small for full precision", QuoteWord(line[at:]), i)}
	}
	return i, v, end, f
}

// WordEnds reports whether a number may end at offset at of a line of the LIBSVM
// family: up to the next blank or tab there is nothing, or nothing but other white
// space, such as the carriage return of a line end. LIBSVM, which splits at blanks
// and tabs only, ignores what else stands there.
func WordEnds(line []byte, at int) bool {
	for ; at < len(line) && line[at] != ' ' && line[at] != '\t'; at++ {
		if !IsSpace(line[at]) {
			return false
		}
	}
	return true
}

// isComment reports whether the rest of a line is a comment: # and no colon.
func isComment(rest []byte) bool {
	if rest[0] != '#' {
		return false
	}
	for _, c := range rest {
		if c == ':' || c == 0 {
			return false
		}
	}
	return true
}

// quoteLimit keeps messages readable when a line is long or binary.
const quoteLimit = 40

func quote(b []byte) string {
	if len(b) > quoteLimit {
		return fmt.Sprintf("%q...", b[:quoteLimit])
	}
	return fmt.Sprintf("%q", b)
}

// quoteUnit quotes b up to its first blank or tab.
func quoteUnit(b []byte) string {
	if i := bytes.IndexAny(b, " \t"); i >= 0 {
		b = b[:i]
	}
	return quote(b)
}

// QuoteWord quotes the first word of b for an error message, cut when it is
// long; where there is no word it says so.
func QuoteWord(b []byte) string {
	start := skipSpace(b)
	end := start
	for end < len(b) && !IsSpace(b[end]) {
		end++
	}
	if start == end {
		return "the end of the line"
	}
	return quote(b[start:end])
}
