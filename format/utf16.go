package format

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A text in UTF-16 that begins with a byte order mark, as spreadsheets and some shells write it, is
// read as the same text in UTF-8 without the mark. One without a mark, and any in UTF-32, is reported
// as what it is.

// ErrUTF16 reports a text in UTF-16 where UTF-8 is expected.
var ErrUTF16 = errors.New("the text is UTF-16, expected UTF-8")

// ErrUTF32 reports a text in UTF-32 where UTF-8 is expected.
var ErrUTF32 = errors.New("the text is UTF-32, expected UTF-8")

// WideText returns [ErrUTF32] or [ErrUTF16] if a text that begins with head seems to be in UTF-32 or
// UTF-16, else nil. Such a text begins with a byte order mark, or else has NUL bytes beside its ASCII
// characters.
func WideText(head []byte) error {
	begins := func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) }
	switch {
	case begins(markUTF32), begins(markBigUTF32):
		return ErrUTF32
	case begins(markLittle), begins(markBig):
		return ErrUTF16
	case looksUTF32(head, binary.LittleEndian), looksUTF32(head, binary.BigEndian):
		return ErrUTF32
	case looksUTF16(head):
		return ErrUTF16
	}
	return nil
}

// looksUTF32 reports whether a text that begins with head may be in UTF-32: its units are characters,
// most of them ASCII.
func looksUTF32(head []byte, order binary.ByteOrder) bool {
	units, ascii := len(head)/4, 0
	for i := range units {
		switch c := order.Uint32(head[4*i:]); {
		case c == 0 || c > unicode.MaxRune:
			return false
		case c <= unicode.MaxASCII:
			ascii++
		}
	}
	return units > 1 && 2*ascii > units
}

// looksUTF16 reports whether a text that begins with head may be in UTF-16: most of its characters are
// ASCII, each with a NUL byte on the same side.
func looksUTF16(head []byte) bool {
	pairs, zeros := len(head)/2, [2]int{}
	for i, c := range head[:2*pairs] {
		if c == 0 {
			zeros[i%2]++
		}
	}
	return pairs > 1 && zeros[0]+zeros[1] == max(zeros[0], zeros[1]) && 2*(zeros[0]+zeros[1]) > pairs
}

// Byte order marks. The first of UTF-32 begins with one of UTF-16.
const (
	markLittle   = "\xff\xfe"
	markBig      = "\xfe\xff"
	markUTF32    = markLittle + "\x00\x00"
	markBigUTF32 = "\x00\x00" + markBig
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
