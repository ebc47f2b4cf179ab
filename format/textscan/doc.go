// Package textscan converts numbers to text and text to numbers. It is the only place in this
// module that does so for data files, model files, range files and command lines.
//
// These texts are defined in the LIBSVM family by the C library: strtod and strtol read numbers,
// isspace separates them, printf writes them. The functions here follow the same rules in the C
// locale, to the last bit. They report how many bytes they used, so that callers can give errors a
// column. [Float], [Int] and [AppendG] are the basic ones.
//
// [Lines] and [Blocks] cut a text into lines, [Pairs] and [PlainRows] read rows of index:value
// pairs, [Pipeline] and [ReadAhead] read parts of a text at the same time, and [Error] is a fault with
// its place.
package textscan

// IsSpace reports whether c is white space to C's isspace in the C locale: blank, tab, line feed,
// vertical tab, form feed, carriage return.
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
