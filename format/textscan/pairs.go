package textscan

import (
	"bytes"
	"fmt"
	"math"
	"slices"
)

// A Fault is a fault in a line and the byte where it is.
type Fault struct {
	At  int // offset in the line, from 0
	Err error
}

// Error returns the cause's text.
func (f *Fault) Error() string { return fmt.Sprint(f.Err) } // nil too

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Locate returns f as an [Error] in the given line.
func (f *Fault) Locate(line int) *Error {
	return &Error{Line: line, Column: f.At + 1, Err: f.Err}
}

// Pairs reads index:value pairs, then perhaps a comment, from offset at of a line of the LIBSVM
// family to its end. It appends them to index and value and returns these.
//
// The grammar is LIBSVM's:
//
//   - White space may precede an index and follow a colon.
//   - An index is a decimal integer, greater than the one before it and from 0 to 2^31-1.
//   - A value is a finite real as [Float] reads it, followed by a word end (see [WordEnds]).
//   - A rest without a colon that begins with # is a comment.
//
// LIBSVM also silently skips some text: any other rest without a colon, text between white space
// other than blanks and the next blank, and stray colons. Those are faults here, because data would
// be lost.
//
// If small is true, a value too small for full precision is the nearest number. Otherwise it is a
// fault, as in LIBSVM's data files.
func Pairs(line []byte, at int, small bool, index []int32, value []float64) ([]int32, []float64, *Fault) {
	if rest := line[min(at, len(line)):]; len(rest) > longLine { // once, not doubling by doubling
		n := min(bytes.Count(rest, []byte{':'}), len(rest)/leastPair+1)
		index, value = slices.Grow(index, n), slices.Grow(value, n)
	}
	last := int64(-1)
	vector := true
	for {
		if vector {
			before := len(index)
			at, last, index, value = vectorPairs(line, at, last, index, value)
			if at == len(line) || at == len(line)-1 && line[at] == ' ' {
				return index, value, nil
			}
			vector = len(index)-before >= manyPlain // or it may well stop again soon
		}
		// into what the caller left room for; the append below makes more
		n, k := len(index), len(value)
		read, end, highest := plainPairs(line, at, last, index[n:cap(index)], value[k:cap(value)])
		at, last, index, value = end, highest, index[:n+read], value[:k+read]
		i, v, end, f := anyPair(line, at, small, last)
		if f != nil || i < 0 {
			return index, value, f
		}
		last = i
		at = end
		index = append(index, int32(i))
		value = append(value, v)
	}
}

// longLine is the length of a line from which its pairs are counted before they are read; leastPair
// is the least length of a pair with the blank before it.
const longLine, leastPair = 1 << 18, 4

// Slack is how many bytes after a line may be read by [Pairs] for most speed: it is fastest if
// cap(line) is at least len(line)+Slack. The bytes do not matter.
const Slack = 64

// manyPlain is the number of pairs that it takes to forget an odd one.
const manyPlain = 32

// plainPairs reads pairs from line[at] on as long as they are written as nearly all
// are: a blank, an index of up to seven digits greater than last, a colon, perhaps
// a minus sign, up to six digits, perhaps a point and up to 19 more, then a blank or
// the end of the line. It writes them to index and value until one is full, and
// returns how many it read, where it stopped, and the last index.
//
// Where a pair ends is known only when it is read, so that the next one waits for
// all that leads there. Hence the jumps here are those that can be foreseen in most
// files, and what follows depends on as little else as possible.
func plainPairs(line []byte, at int, last int64, index []int32, value []float64) (n, stop int, highest int64) {
	if len(line) < 8 {
		return 0, at, last
	}
	indexWidth := uint(digitWidth) // of the index before
	for n < len(index) && n < len(value) && at < len(line) && line[at] == ' ' {
		w := load8of(line, at+1)
		if width := leadingDigits(w); width != indexWidth {
			if width == 0 || width == 64 {
				break
			}
			indexWidth = width
		}
		if byte(w>>(indexWidth&63)) != ':' {
			break
		}
		i := int64(digitsValue(w, indexWidth))
		if i <= last {
			break
		}
		end := at + 2 + int(indexWidth/digitWidth)
		w = load8of(line, end)
		if uint16(w) == '1'|' '<<8 {
			index[n], value[n] = int32(i), 1
			n++
			last, at = i, end+1
			continue
		}
		// minus is 1 where there is a minus sign, found without a jump
		minus := (uint64(byte(w)^'-') - 1) >> 63
		w >>= minus * digitWidth & 63
		end += int(minus)
		mant, width := uint64(byte(w)-'0'), uint(digitWidth)
		if mant > 9 || byte(w>>digitWidth) != '.' {
			if width = leadingDigits(w); width == 0 || width > 6*digitWidth {
				break
			}
			mant = digitsValue(w, width)
		}
		end += int(width / digitWidth)
		frac := uint(0)
		if byte(w>>(width&63)) == '.' {
			end++
			w = load8of(line, end)
			if width = leadingDigits(w); width < 64 {
				if width > 0 {
					mant = mant*power10[width/digitWidth] + digitsValue(w, width)
				}
				frac = width / digitWidth
				end += int(frac)
			} else if mant, frac = longFraction(line, end, mant); frac > 0 {
				end += int(frac)
				w, width = uint64(' '), 0
				if end < len(line) {
					w = uint64(line[end])
				}
			} else {
				break
			}
		}
		if byte(w>>(width&63)) != ' ' && end != len(line) {
			break
		}
		v := float64(int64(mant)) / pow10[frac]
		if mant >= 1<<53 {
			var ok bool
			if v, ok = scaleProduct(mant, -int64(frac)); !ok {
				break
			}
		}
		index[n], value[n] = int32(i), math.Float64frombits(math.Float64bits(v)|minus<<63)
		n++
		last, at = i, end
	}
	return n, at, last
}

// longFraction appends the digits of line[at:], eight or more, to mant, and returns
// how many they are; 0 where they are more than 19 or take more than 64 bits.
func longFraction(line []byte, at int, mant uint64) (uint64, uint) {
	mant = mant*1e8 + digitsValue(load8of(line, at), 64)
	w := load8of(line, at+8)
	width := leadingDigits(w)
	if width == 0 {
		return mant, 8
	}
	if width < 64 {
		frac := width / digitWidth
		if mant >= 1e12 {
			return 0, 0
		}
		return mant*power10[frac] + digitsValue(w, width), 8 + frac
	}
	if mant >= 1e11 {
		return 0, 0
	}
	mant = mant*1e8 + digitsValue(w, 64)
	w = load8of(line, at+16)
	width = leadingDigits(w)
	frac := width / digitWidth
	if width == 0 {
		return mant, 16
	}
	if width > 3*digitWidth || mant >= 1e16 {
		return 0, 0
	}
	return mant*power10[frac] + digitsValue(w, width), 16 + frac
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
		return 0, 0, 0, &Fault{at, fmt.Errorf("feature index %s is larger than %d", Quote(line[at:end]), math.MaxInt32)}
	}
	if i <= last {
		if i < 0 {
			return 0, 0, 0, &Fault{at, fmt.Errorf("feature index %s is negative", Quote(line[at:end]))}
		}
		return 0, 0, 0, &Fault{at, fmt.Errorf("feature index %d does not follow %d: indices must increase", i, last)}
	}
	at = end + 1
	v, n, err := Float(line[at:])
	end = at + n
	switch {
	case !HasWord(line, WordStart(line, at)):
		at = WordStart(line, at)
		f = &Fault{at, fmt.Errorf("expected a number as value of feature %d, found a word of nothing but %s", i, Quote(line[at:at+1]))}
	case n == 0 || end < len(line) && !IsSpace(line[end]):
		f = &Fault{at, fmt.Errorf("expected a number as value of feature %d, found %s", i, QuoteWord(line[at:]))}
	case !WordEnds(line, end):
		f = &Fault{at, fmt.Errorf("expected a blank behind the value of feature %d, found %s", i, QuoteWord(line[at:]))}
	case math.IsNaN(v) || math.IsInf(v, 0):
		f = &Fault{at, fmt.Errorf("value %s of feature %d is not a finite number", QuoteWord(line[at:]), i)}
	case err != nil && !small:
		f = &Fault{at, fmt.Errorf("value %s of feature %d is too small for full precision", QuoteWord(line[at:]), i)}
	}
	return i, v, end, f
}

// WordEnds reports whether a number may end at offset at of a line of the LIBSVM family: there is
// only white space, or nothing, up to the next blank or tab. The carriage return of a line end is
// such white space. LIBSVM, which splits at blanks and tabs only, ignores other text there.
func WordEnds(line []byte, at int) bool {
	for ; at < len(line) && line[at] != ' ' && line[at] != '\t'; at++ {
		if !IsSpace(line[at]) {
			return false
		}
	}
	return true
}

// WordStart returns where a word of a line of the LIBSVM family begins, at or after offset at: at
// the next byte that is neither a blank nor a tab.
func WordStart(line []byte, at int) int {
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	return at
}

// HasWord reports whether the word at offset at is more than white space. A carriage return between
// blanks is a word of white space only; LIBSVM, which splits at blanks and tabs only, reads it as
// the number 0. At the end of a line there is no word.
func HasWord(line []byte, at int) bool {
	start := at
	for at < len(line) && line[at] != ' ' && line[at] != '\t' {
		if !IsSpace(line[at]) {
			return true
		}
		at++
	}
	return at == start || at == len(line)
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

// Quote quotes a text for a message, cut when it is long.
func Quote(b []byte) string {
	if len(b) > quoteLimit {
		return fmt.Sprintf("%q...", b[:quoteLimit])
	}
	return fmt.Sprintf("%q", b)
}

// QuoteWord quotes the first word of b for an error message, shortened if it is long, or says that
// there is no word. A word ends at a blank, a tab or a line end. Other white space inside it is
// shown, since that may be what is wrong with it.
func QuoteWord(b []byte) string {
	b = b[skipSpace(b):]
	if n := bytes.IndexAny(b, " \t\n"); n >= 0 {
		b = b[:n]
	}
	for len(b) > 0 && IsSpace(b[len(b)-1]) { // such as the carriage return of a line end
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return "the end of the line"
	}
	return Quote(b)
}
