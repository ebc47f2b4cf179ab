package arff

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// The fields of a date.
const (
	era = iota
	year
	weekYear
	month
	day
	dayOfYear
	weekdayField
	weekOfYear
	weekOfMonth
	weekdayInMonth
	half
	hour12
	hour
	minute
	second
	millisecond
	zone // minutes east of Greenwich
	fieldCount
)

// dateFields are the fields that a text gave. Of those that say the same in
// different ways the one set last decides.
type dateFields struct {
	value [fieldCount]int64
	stamp [fieldCount]int // 0: not set; the later set, the larger
	last  int
}

func (f *dateFields) set(field int, v int64) {
	f.last++
	f.value[field], f.stamp[field] = v, f.last
}

// or returns a field's value, or otherwise if it is not set.
func (f *dateFields) or(field int, otherwise int64) int64 {
	if f.stamp[field] == 0 {
		return otherwise
	}
	return f.value[field]
}

// parse reads a date and returns milliseconds since 1970-01-01T00:00 UTC. The
// calendar's rules hold: no 30 February. Blanks before a number do not count, a
// number may have fewer digits than its field letters. Years of two digits under
// y and yy are among the hundred from century on. lenient is Weka's way: text
// behind the date is passed over, numbers may have an exponent, and of a large
// one the low 32 bits count.
func (p *datePattern) parse(text []byte, century int, lenient bool) (float64, error) {
	var f dateFields
	at := 0
	for k := range p.parts {
		part := &p.parts[k]
		if part.letter == 0 {
			n := len(part.text)
			if len(text)-at < n || string(text[at:at+n]) != part.text {
				return 0, fmt.Errorf("found %s", clip(text))
			}
			at += n
			continue
		}
		if at = part.parse(text, at, &f, century, lenient); at < 0 {
			return 0, fmt.Errorf("found %s", clip(text))
		}
	}
	if at == 0 { // to Java a date has text
		return 0, fmt.Errorf("found %s", clip(text))
	}
	if rest := trimBlanks(text[at:]); len(rest) > 0 && !lenient {
		return 0, strictly("found %s behind it", clip(rest))
	}
	ms, ok := f.resolve()
	if !ok {
		return 0, fmt.Errorf("found %s: there is no such date", clip(text))
	}
	return ms, nil
}

func trimBlanks(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

// parse reads one field at a position and returns the position behind it, -1
// where there is no such field.
func (p *datePart) parse(text []byte, start int, f *dateFields, century int, lenient bool) int {
	at := len(text) - len(trimBlanks(text[start:]))
	if at == len(text) {
		return -1
	}
	switch p.letter {
	case 'G':
		return f.name(era, text, start, longEraNames, eraNames)
	case 'a':
		return f.name(half, text, start, halfNames, nil)
	case 'E':
		return f.name(weekdayField, text, start, weekdayNames, shortWeekdays)
	case 'z', 'Z':
		return f.generalZone(text, start, at)
	case 'X':
		return f.isoZone(text, at, p.count)
	case 'M', 'L':
		if p.count > 2 {
			return f.name(month, text, start, monthNames, shortMonths)
		}
	}
	if p.fixed {
		if start+p.count > len(text) {
			return -1
		}
		text = text[:start+p.count]
	}
	v, n := dateNumber(text[min(at, len(text)):], lenient)
	if n == 0 {
		return -1
	}
	end := at + n
	switch p.letter {
	case 'y', 'Y':
		if p.count <= 2 && n == 2 && text[at]-'0' <= 9 && text[at+1]-'0' <= 9 {
			c := int64(century)
			if v += c - c%100; v < c {
				v += 100
			}
		}
		if p.letter == 'Y' {
			f.set(weekYear, v)
		} else {
			f.set(year, v)
		}
	case 'M', 'L':
		f.set(month, v-1)
	case 'd':
		f.set(day, v)
	case 'D':
		f.set(dayOfYear, v)
	case 'u':
		if v < 1 || v > 7 {
			v = -1 // no day has it
		}
		f.set(weekdayField, v%7)
	case 'w':
		f.set(weekOfYear, v)
	case 'W':
		f.set(weekOfMonth, v)
	case 'F':
		f.set(weekdayInMonth, v)
	case 'k':
		if v < 1 || v > 24 {
			return -1
		}
		f.set(hour, v%24)
	case 'h':
		if v < 1 || v > 12 {
			return -1
		}
		f.set(hour12, v%12)
	case 'H':
		f.set(hour, v)
	case 'K':
		f.set(hour12, v)
	case 'm':
		f.set(minute, v)
	case 's':
		f.set(second, v)
	case 'S':
		f.set(millisecond, v)
	}
	return end
}

// name reads one of a field's names.
func (f *dateFields) name(field int, text []byte, at int, long, short []string) int {
	k, n := matchName(text[at:], long, short)
	if n == 0 {
		return -1
	}
	f.set(field, int64(k))
	return at + n
}

// dateNumber reads the whole number at the start of b, and returns the bytes
// used. Weka's way is Java's DecimalFormat: E may be followed by an exponent, and
// of a number beyond an int the low bits count.
func dateNumber(b []byte, lenient bool) (v int64, n int) {
	if len(b) == 0 || textscan.IsSpace(b[0]) || b[0] == '+' {
		return 0, 0
	}
	v, n, err := textscan.Int(b)
	if err != nil || n > 0 && !lenient && (v < 0 || v > math.MaxInt32) {
		return 0, 0
	}
	if lenient && n > 0 && n+1 < len(b) && b[n] == 'E' && (b[n+1] == '-' || b[n+1]-'0' <= 9) {
		if e, size, err := textscan.Int(b[n+1:]); err == nil && size > 0 {
			x := float64(v) * math.Pow10(int(max(-400, min(e, 400))))
			if math.Abs(x) >= 1<<63 {
				return 0, 0
			}
			v, n = int64(x), n+1+size
		}
	}
	return int64(int32(v)), n
}
