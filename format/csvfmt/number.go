package csvfmt

import (
	"bytes"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// A kind is what a cell's text looks like.
type kind uint8

const (
	text   kind = iota
	number      // as in the grammar of the package
	comma       // a number but for a comma: 1,5 or 1,234 or 1.234,5; where commas begin fractions, but for a point
)

// kindOf returns what b looks like.
func kindOf(b []byte) kind {
	i := 0
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	start := i
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	digits := i - start
	if i < len(b) && b[i] == '.' {
		i++
		frac := i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		digits += i - frac
	}
	switch {
	case digits == 0 && start < len(b) && b[start] == ',':
		return commaKind(b[start:])
	case digits == 0:
		return wordKind(b[start:])
	case i == len(b):
		return number
	case b[i]|0x20 == 'e':
		return exponentKind(b[i+1:])
	}
	return commaKind(b[start:])
}

// plainNumber returns the end of the number at b[at:], without exponent; at when
// there is none.
func plainNumber(b []byte, at int) int {
	i := at
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	end := digitsEnd(b, i)
	digits := end - i
	if end < len(b) && b[end] == '.' {
		frac := end + 1
		end = digitsEnd(b, frac)
		digits += end - frac
	}
	if digits == 0 {
		return at
	}
	return end
}

// exponentKind returns what a number is whose exponent is b.
func exponentKind(b []byte) kind {
	if len(b) > 1 && (b[0] == '-' || b[0] == '+') {
		b = b[1:]
	}
	if len(b) == 0 || !digitsOnly(b) {
		return text
	}
	return number
}

func digitsOnly(b []byte) bool {
	for _, c := range b {
		if c-'0' > 9 {
			return false
		}
	}
	return true
}

// wordKind returns number for inf, infinity and nan in any case.
func wordKind(b []byte) kind {
	if len(b) < 3 || len(b) > len("infinity") {
		return text
	}
	if _, n, _ := textscan.Float(b); n == len(b) && b[n-1] != ')' && b[0]|0x20 >= 'i' {
		return number
	}
	return text
}

// commaKind returns comma for digits in which commas and points stand: one comma before the last
// digits, or one in front of every three, whichever is the mark of the fraction, in front of which
// there may be nothing but a comma: ,5. An exponent may follow.
func commaKind(b []byte) kind {
	if i := bytes.IndexAny(b, "eE"); i >= 0 && exponentKind(b[i+1:]) == number {
		b = b[:i]
	}
	commas, points, run, mark := 0, 0, 0, byte(0) // run: digits since the last mark
	for _, c := range b {
		switch {
		case c-'0' <= 9:
			run++
			continue
		case c == ',':
			commas++
		case c == '.':
			points++
		default:
			return text
		}
		if run == 0 && (c == '.' || commas > 1) || commas+points > 1 && (run != 3 || b[0] == ',') {
			return text
		}
		run, mark = 0, c
	}
	switch {
	case commas == 0 || run == 0:
		return text
	case points == 0 && (commas == 1 || run == 3), // 1,5 and 1,234,567
		commas == 1 && (points == 1 || mark == ','), // 1.234,5 and 1,234.5
		points == 1 && mark == '.':                  // 1,234,567.8
		return comma
	}
	return text
}
