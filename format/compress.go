package format

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds how far back compressed data may refer, and with it the
// memory that reading them takes: zstd's window, xz's dictionary. It is what
// zstd itself grants unless asked for more, and twice what xz -9 needs.
const maxWindow = 128 << 20

// A compression is a way in which the bytes of a file may be packed.
type compression struct {
	name       string
	extensions []string
	magics     []magic
	// unpack returns the content of packed, which begins with one of the magics.
	// Packed files one after the other are the file of their contents; anything
	// else behind a packed file is an error, and so is a missing end.
	unpack func(packed *bufio.Reader) (io.Reader, error)
	by     string // command that unpacks what refers back too far here
}

// A magic is how packed files begin: byte k is within low[k]..high[k].
type magic struct {
	low, high string
	// sure is how many of the bytes, with nothing behind them, are a packed file
	// that was cut rather than a text
	sure int
}

// How bzip2's files go on after the letters and the digit: with a block, or when
// they are empty with their end.
const (
	bzip2Block = "\x31\x41\x59\x26\x53\x59"
	bzip2End   = "\x17\x72\x45\x38\x50\x90"
)

var compressions = []*compression{
	{"gzip", []string{".gz"}, []magic{{"\x1f\x8b", "\x1f\x8b", 1}}, unpackGzip, ""},
	{"zstd", []string{".zst"}, zstdMagics, unpackZstd, "zstd -d --long=31"},
	{"bzip2", []string{".bz2"}, []magic{
		{"BZh1" + bzip2Block, "BZh9" + bzip2Block, 4},
		{"BZh1" + bzip2End, "BZh9" + bzip2End, 4},
	}, unpackBzip2, ""},
	{"xz", []string{".xz"}, []magic{{xzMagic, xzMagic, 1}}, unpackXZ, "xz -d"},
}

// longestMagic is the number of bytes that recognise may need.
const longestMagic = 10

// recognise returns the compression of a file that begins with head, nil when
// there is none. more reports that it takes more bytes to tell; it never
// does if end says that head is the whole file.
func recognise(head []byte, end bool) (c *compression, more bool) {
	for _, c := range compressions {
		for _, m := range c.magics {
			n := m.matches(head)
			switch {
			case n == len(m.low), end && n == len(head) && n >= m.sure:
				return c, false
			case n == len(head) && !end:
				more = true
			}
		}
	}
	return nil, more
}

// matches returns how many of the first bytes of head are as the magic says.
func (m magic) matches(head []byte) int {
	n := 0
	for n < len(head) && n < len(m.low) && m.low[n] <= head[n] && head[n] <= m.high[n] {
		n++
	}
	return n
}

func unpackXZ(packed *bufio.Reader) (io.Reader, error) { return newXZReader(packed), nil }

// errWindow reports data that need more memory than is granted, errTrailing what
// follows packed data and is none.
var (
	errWindow   = fmt.Errorf("they refer back by more than %d MiB", maxWindow>>20)
	errTrailing = errors.New("they are followed by something else")
)

// fault returns what was wrong with packed data in words of our own, given the
// error of the package that reads them.
func (c *compression) fault(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %s data are cut off: %w", c.name, err)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		err = errWindow
	case errors.Is(err, zstd.ErrMagicMismatch), slices.Contains(bzip2Trailing, err):
		err = errTrailing
	}
	if errors.Is(err, errWindow) {
		err = fmt.Errorf("%w; unpack them with %s", err, c.by)
	}
	if errors.Is(err, errWindow) || errors.Is(err, errTrailing) || errors.Is(err, errFilter) {
		return fmt.Errorf("cannot read the %s data: %w", c.name, err)
	}
	return fmt.Errorf("the %s data are corrupt: %w", c.name, err)
}
