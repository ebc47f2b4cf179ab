// Package textscan is the only place in the project where numbers become text
// and text becomes numbers.
//
// Data files, model files, range files and command lines of the LIBSVM family
// are defined by what the C library does with them: strtod and strtol read
// numbers, isspace separates them, printf writes them. The functions here obey
// the same rules in the C locale, to the last bit, and report the length they
// consumed so that callers can place errors by column.
package textscan

// IsSpace reports whether c is white space to C's isspace in the C locale:
// blank, tab, line feed, vertical tab, form feed, carriage return.
func IsSpace(c byte) bool {
	return c == ' ' || c-'\t' <= '\r'-'\t'
}

// skipSpace returns the number of leading white-space bytes of b.
func skipSpace(b []byte) int {
	i := 0
	for i < len(b) && IsSpace(b[i]) {
		i++
	}
	return i
}
