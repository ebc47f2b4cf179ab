package arff

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is written as a word where every reader takes that for the text, and
// otherwise in single quotes with escapes.

// plainByte tells the ASCII characters of which a word is written.
var plainByte = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = classOf[c] == wordByte && c != '\\' && c != 0x7f
	}
	return t
}()

// isPlain reports whether text may be written as a word.
func isPlain[T string | []byte](text T) bool {
	if len(text) == 0 || string(text) == "?" || text[0] == '@' {
		return false
	}
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf {
			return !strings.ContainsFunc(string(text[i:]), func(r rune) bool {
				return r < utf8.RuneSelf && !plainByte[r] || unicode.IsSpace(r)
			})
		} else if !plainByte[c] {
			return false
		}
	}
	return true
}

// appendText appends text as a word or in quotes. What is not UTF-8 in it is
// written as it is, so the caller checks that.
func appendText(dst []byte, text string) []byte {
	if isPlain(text) {
		return append(dst, text...)
	}
	return appendQuoted(dst, text)
}

// appendName is appendText for names, which some readers take for a type.
func appendName(dst []byte, name string) []byte {
	for _, t := range []string{"numeric", "real", "integer", "string", "date", "relational"} {
		if strings.EqualFold(name, t) {
			return appendQuoted(dst, name)
		}
	}
	return appendText(dst, name)
}

// appendQuoted appends text in single quotes.
func appendQuoted[T string | []byte](dst []byte, text T) []byte {
	dst = append(dst, '\'')
	start := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != 0x7f && c != '\'' && c != '"' && c != '\\' && c != '%' {
			continue
		}
		dst = append(dst, text[start:i]...)
		start = i + 1
		switch c {
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\'', '"', '\\', '%':
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		}
	}
	dst = append(dst, text[start:]...)
	return append(dst, '\'')
}
