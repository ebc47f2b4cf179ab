package format

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A text in UTF-16 that begins with a byte order mark, as spreadsheets and some shells write it, is
// read as the same text in UTF-8 without the mark. One without a mark is reported as UTF-16.

// ErrUTF16 reports a text in UTF-16 where UTF-8 is expected.
var ErrUTF16 = errors.New("the text is UTF-16, expected UTF-8")

// LooksUTF16 reports whether a text that begins with head seems to be in UTF-16: it begins with a
// byte order mark or else has a NUL byte beside each ASCII character.
func LooksUTF16(head []byte) bool {
	if bytes.HasPrefix(head, []byte(markLittle)) || bytes.HasPrefix(head, []byte(markBig)) {
		return true
	}
	pairs, zeros := len(head)/2, [2]int{}
	for i, c := range head[:2*pairs] {
		if c == 0 {
			zeros[i%2]++
		}
	}
	return pairs > 1 && zeros[0]+zeros[1] == max(zeros[0], zeros[1]) && 2*(zeros[0]+zeros[1]) > pairs
}

// Byte order marks. That of UTF-32 begins with one of UTF-16.
const (
	markLittle = "\xff\xfe"
	markBig    = "\xfe\xff"
	markUTF32  = markLittle + "\x00\x00"
)

// A byteOrder is that of a text in UTF-16.
type byteOrder int

const (
	notUTF16 byteOrder = iota
	littleEndian
	bigEndian
)

// orderOf returns the byte order of a text that begins with head. more reports that it
// takes more bytes to tell, which it never does at the end of the text.
func orderOf(head []byte, end bool) (order byteOrder, more bool) {
	for _, mark := range []string{markLittle, markBig, markUTF32} {
		switch n := len(head); {
		case n < len(mark) && mark[:n] == string(head):
			more = !end
		case n < len(mark) || mark != string(head[:len(mark)]):
		case mark == markUTF32:
			order = notUTF16
		case mark == markBig:
			order = bigEndian
		default:
			order = littleEndian
		}
	}
	return order, more
}

// inUTF8 returns a text in UTF-8 if that is what it is or it begins with a mark of UTF-16.
// It looks at no more than it takes to tell.
func inUTF8(text *bufio.Reader) io.Reader {
	for n := 1; ; n++ {
		head, err := text.Peek(n)
		order, more := orderOf(head, err != nil)
		switch {
		case more:
		case order == notUTF16:
			return text
		default:
			text.Discard(len(markBig))
			return &utf16Reader{r: text, big: order == bigEndian, in: make([]byte, packedBuffer)}
		}
	}
}

// A utf16Reader converts UTF-16 to UTF-8. An unpaired surrogate is encoded as if it were a character.
// That is not valid UTF-8, so readers report where it is.
type utf16Reader struct {
	r    io.Reader
	big  bool
	in   []byte
	kept int    // bytes at the beginning of in that are not yet a character
	buf  []byte // the memory of out
	out  []byte // what is still to be given
	err  error
}

// errHalfUnit reports a text of an odd number of bytes.
var errHalfUnit = errors.New("the UTF-16 text is cut off: its last character is half there")

func (u *utf16Reader) Read(p []byte) (int, error) {
	if len(u.out) == 0 && u.err == nil {
		u.fill()
	}
	if len(u.out) == 0 {
		return 0, u.err
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// fill reads once, and makes out of it.
func (u *utf16Reader) fill() {
	n, err := u.r.Read(u.in[u.kept:])
	b := u.in[:u.kept+n]
	u.out = u.buf[:0]
	for len(b) > 1 {
		c, size := u.unit(b), 2
		if utf16.IsSurrogate(c) && len(b) < 4 && err == nil {
			break
		}
		if utf16.IsSurrogate(c) && len(b) >= 4 {
			if pair := utf16.DecodeRune(c, u.unit(b[2:])); pair != utf8.RuneError {
				c, size = pair, 4
			}
		}
		if utf16.IsSurrogate(c) {
			u.out = append(u.out, 0xe0|byte(c>>12), 0x80|byte(c>>6)&0xbf, 0x80|byte(c)&0xbf)
		} else {
			u.out = utf8.AppendRune(u.out, c)
		}
		b = b[size:]
	}
	u.buf = u.out
	u.kept = copy(u.in, b)
	if err == io.EOF && u.kept > 0 {
		err = errHalfUnit
	}
	u.err = err
}

// unit returns the unit that b begins with.
func (u *utf16Reader) unit(b []byte) rune {
	if u.big {
		return rune(b[0])<<8 | rune(b[1])
	}
	return rune(b[1])<<8 | rune(b[0])
}
