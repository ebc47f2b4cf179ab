package arff

import (
	"bytes"
	"math"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// number reads text as Java's Double.valueOf does; ok is false where that
// throws. Out of range it gives an infinity or 0.
func number(text []byte) (v float64, ok bool) {
	text = trim(text)
	if len(text) == 0 {
		return 0, false
	}
	body := text
	if body[0] == '-' || body[0] == '+' {
		body = body[1:]
	}
	switch string(body) {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		if text[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	if len(body) == 0 || body[0]-'0' > 9 && body[0] != '.' {
		return 0, false // strtod knows words in any case
	}
	suffix := len(text) - 1
	switch hex := len(body) > 1 && body[1]|0x20 == 'x'; {
	case hex && !bytes.ContainsAny(body, "pP"):
		return 0, false // a binary exponent is optional in C only
	case text[suffix]|0x20 == 'f' || text[suffix]|0x20 == 'd':
		text = text[:suffix]
	}
	v, n, _ := textscan.Float(text)
	return v, n > 0 && n == len(text)
}

// trim cuts off what Java's String.trim does.
func trim(b []byte) []byte {
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// plainNumber reads the decimal number at the start of b, which holds a word,
// and returns the bytes used; 0 where the word is anything else.
func plainNumber(b []byte) (v float64, n int) {
	if v, n = textscan.Decimal(b); n > 0 && classOf[b[n]] == blank {
		return v, n
	}
	k := 0
	if b[0] == '-' || b[0] == '+' {
		k = 1
	}
	if k == len(b) || b[k]-'0' > 9 && b[k] != '.' || k+1 < len(b) && b[k+1]|0x20 == 'x' {
		return 0, 0
	}
	v, n, _ = textscan.Float(b)
	if n < len(b) {
		if c := classOf[b[n]]; c == wordByte || c == quote {
			return 0, 0
		}
	}
	return v, n
}

// sparseIndex reads the word at the start of b if it is a plain index that is
// followed by a blank, and returns the bytes used, else 0.
func sparseIndex(b []byte) (i int64, n int) {
	if i, n = textscan.Natural(b); n > 0 && classOf[b[n]] == blank {
		return i, n
	}
	if b[0]-'0' > 9 {
		return 0, 0
	}
	i, n, err := textscan.Int(b)
	if err != nil || n == len(b) || classOf[b[n]] != blank {
		return 0, 0
	}
	return i, n
}
