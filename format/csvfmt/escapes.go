package csvfmt

import (
	"bytes"
)

// text returns what is in a cell. It is valid until text or next is called.
func (r *records) text(c *cell) []byte {
	b := r.rec[c.lo:c.hi]
	switch {
	case !c.doubled:
		return b
	case r.backslash:
		r.free = r.appendUnescaped(r.free[:0], b)
		return r.free
	}
	r.free = r.free[:0]
	for {
		n := bytes.IndexByte(b, r.quote)
		switch {
		case n < 0:
			r.free = append(r.free, b...)
			return r.free
		case r.escapes(b, n):
			r.free = append(append(r.free, b[:n-1]...), r.quote)
			b = b[n+1:]
		default:
			r.free = append(r.free, b[:n+1]...)
			b = b[n+2:]
		}
	}
}

// escapes reports whether the quote b[n] is no end of a cell for the backslash in front
// of it, as R writes it in tables with blanks. Where a backslash says that another one
// is text, an odd number of them does.
func (d dialect) escapes(b []byte, n int) bool {
	if !d.backslash {
		return d.separator == Blanks && n > 0 && b[n-1] == '\\'
	}
	before := n
	for before > 0 && b[before-1] == '\\' {
		before--
	}
	return (n-before)%2 == 1
}

// recordSeparator is the one character that Weka writes as \u001E.
const recordSeparator = 0x1e

// appendUnescaped appends what the text of a cell in quotes stands for, in which
// backslashes mean what they do in Weka's CSV: \n, \r and \t are a line feed, a carriage
// return and a tab, \u001E is that character, and others stand for themselves.
func (d dialect) appendUnescaped(dst, b []byte) []byte {
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c == d.quote:
			i++ // it is doubled
		case c == '\\' && i+1 < len(b):
			i++
			switch c = b[i]; {
			case c == 'n':
				c = '\n'
			case c == 'r':
				c = '\r'
			case c == 't':
				c = '\t'
			case bytes.HasPrefix(b[i:], []byte("u001E")):
				c = recordSeparator
				i += len("u001E") - 1
			}
		}
		dst = append(dst, c)
	}
	return dst
}
