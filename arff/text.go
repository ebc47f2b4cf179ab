package arff

import "unicode/utf8"

// expand appends to dst what text inside tok's quotes stands for: with escapes
// replaced, if it has any, and every character as UTF-8, which are the bytes of
// Latin-1 one by one and otherwise what Java makes of UTF-8. It stops at the
// first character behind the first n bytes of text.
func (l *lexer) expand(dst, text []byte, n int) []byte {
	for i := 0; i < n; {
		if text[i] == '\\' && l.tok.escapes {
			r, size := escape(text[i+1:])
			i += 1 + size
			if r < 0 && i == len(text) {
				r = '\uffff' // the end of the file, which Weka takes for a character
			}
			if r >= 0 {
				dst = utf8.AppendRune(dst, r)
				continue
			} // else the character itself follows
		}
		switch c := text[i]; {
		case c < utf8.RuneSelf:
			run := i + 1 // what follows it may be many alike
			for run < n && text[run] < utf8.RuneSelf && text[run] != '\\' {
				run++
			}
			dst = append(dst, text[i:run]...)
			i = run
		case l.latin1:
			dst = utf8.AppendRune(dst, rune(c))
			i++
		default:
			size, valid := javaCharacter(text[i:])
			if valid {
				dst = append(dst, text[i:i+size]...)
			} else {
				dst = utf8.AppendRune(dst, utf8.RuneError)
			}
			i += size
		}
	}
	return dst
}

// escape returns the character that an escape stands for, whose text behind the
// backslash is b, and the bytes used; -1 and 0 when the next character stands
// for itself.
func escape(b []byte) (r rune, size int) {
	if len(b) == 0 {
		return -1, 0
	}
	switch c := b[0]; c {
	case 'a':
		return 7, 1
	case 'b':
		return '\b', 1
	case 'f':
		return '\f', 1
	case 'n':
		return '\n', 1
	case 'r':
		return '\r', 1
	case 't':
		return '\t', 1
	case 'v':
		return 11, 1
	case '0', '1', '2', '3', '4', '5', '6', '7':
		most := 3
		if c > '3' {
			most = 2
		}
		for size < min(most, len(b)) && b[size]-'0' <= 7 {
			r = r*8 + rune(b[size]-'0')
			size++
		}
		return r, size
	}
	return -1, 0
}

// javaCharacter returns the length of the character at the start of b, or of
// the bytes that Java replaces by one U+FFFD: as many as could still have become
// a character, and a surrogate as a whole.
func javaCharacter(b []byte) (size int, valid bool) {
	if r, size := utf8.DecodeRune(b); r != utf8.RuneError || size > 1 {
		return size, true
	}
	low, high, length := byte(0x80), byte(0xbf), 0
	switch c := b[0]; {
	case 0xc2 <= c && c <= 0xdf:
		length = 2
	case 0xe0 <= c && c <= 0xef:
		length = 3
		if c == 0xe0 {
			low = 0xa0
		}
	case 0xf0 <= c && c <= 0xf4:
		length = 4
		if c == 0xf0 {
			low = 0x90
		} else if c == 0xf4 {
			high = 0x8f
		}
	}
	size = 1
	for size < length && size < len(b) && low <= b[size] && b[size] <= high {
		size++
		low, high = 0x80, 0xbf
	}
	return size, false
}

// invalidUTF8 returns the position of the first byte of b that is not part of a
// character.
func invalidUTF8(b []byte) int {
	i := 0
	for i < len(b) {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		i += size
	}
	return i
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
