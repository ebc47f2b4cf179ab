package format

import (
	"bufio"
	"encoding/binary"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// zstdMagics are how frames begin.
var zstdMagics = []magic{
	{"\x28\xb5\x2f\xfd", "\x28\xb5\x2f\xfd", 2},
	{"\x50\x2a\x4d\x18", "\x5f\x2a\x4d\x18", 4}, // one to skip, as pzstd writes
}

// A zstdReader reads the content of zstd's frames, one behind the other, with a window of maxWindow
// at most: few frames make use of what they ask for. The decoder takes all the memory at once that
// a frame asks for, so it is given frames that ask for no more than that; where one refers back
// further, that is an error.
type zstdReader struct {
	content io.Reader
	frames  zstdFrames
	n       int64 // of the content read so far
}

// mostZstdBlock is how many bytes a block stands for at most, and so how much of the content may be
// there but not be read yet.
const mostZstdBlock = 128 << 10

// unpackZstd reads without goroutines of its own, so that there is nothing to
// release.
func unpackZstd(packed *bufio.Reader) (io.Reader, error) {
	z := &zstdReader{frames: zstdFrames{packed: packed}}
	z.frames.begins = func() int64 { return z.n }
	content, err := zstd.NewReader(&z.frames, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	z.content = content
	return z, err
}

func (z *zstdReader) Read(p []byte) (int, error) {
	n, err := z.content.Read(p)
	z.n += int64(n)
	switch f := &z.frames; {
	case err == io.ErrUnexpectedEOF && f.strange:
		err = errTrailing
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF && f.narrow && z.n-f.begun >= maxWindow-mostZstdBlock:
		err = errWindow
	}
	return n, err
}

// zstdFrames are frames as they are packed, with windows of maxWindow at most.
type zstdFrames struct {
	packed *bufio.Reader
	begins func() int64 // how much of the content was before what is read now

	inside bool   // a frame, behind its header
	summed bool   // the frame has a check sum behind its blocks
	narrow bool   // it asked for more
	begun  int64  // what of the content was before it
	header []byte // to be given first
	left   int64  // and then so many bytes as they are
	other  bool   // the rest as it is: the decoder tells what is wrong with it

	strange bool // the rest is too short for a frame, and does not begin as one
}

func (f *zstdFrames) Read(p []byte) (int, error) {
	for len(f.header) == 0 && f.left == 0 && !f.other {
		switch {
		case f.inside:
			f.block()
		default:
			f.frame()
		}
	}
	switch {
	case len(f.header) > 0:
		n := copy(p, f.header)
		f.header = f.header[n:]
		return n, nil
	case f.other:
		return f.packed.Read(p)
	}
	n, err := f.packed.Read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	return n, err
}

// peek returns the next n bytes, or nil, after which the rest is other, if there are not as many.
func (f *zstdFrames) peek(n int) []byte {
	b, err := f.packed.Peek(n)
	if err != nil {
		f.other = true
		return nil
	}
	return b
}

// The numbers with which frames begin, of those to skip but for the last four bits, and what their
// headers are made of.
const (
	zstdMagic, zstdSkipped   = 0xfd2fb528, 0x184d2a5
	zstdSingle, zstdSummed   = 1 << 5, 1 << 2     // marks of a header: it has no window, and there is a check sum
	zstdLeastLog, zstdWidest = 10, (27 - 10) << 3 // a window is 2 to the power of its first five bits and ten, and eighths of that
	zstdMagicSize, zstdSkip  = 4, 8               // of the number, and with the length of what is to be skipped
)

// frame begins a frame, or what is to be skipped.
func (f *zstdFrames) frame() {
	b := f.peek(zstdMagicSize + 1)
	if b == nil {
		rest, _ := f.packed.Peek(zstdMagicSize)
		f.strange = !slices.ContainsFunc(zstdMagics, func(m magic) bool { return m.matches(rest) == len(rest) })
		return
	}
	switch magic := binary.LittleEndian.Uint32(b); {
	case magic>>4 == zstdSkipped:
		if b = f.peek(zstdSkip); b != nil {
			f.left = zstdSkip + int64(binary.LittleEndian.Uint32(b[zstdMagicSize:]))
		}
		return
	case magic != zstdMagic:
		f.other = true
		return
	}
	marks := b[zstdMagicSize]
	single := marks&zstdSingle != 0
	size := zstdMagicSize + 1 + []int{0, 1, 2, 4}[marks&3] // with the number of a dictionary
	length := []int{0, 2, 4, 8}[marks>>6]                  // of the content's
	switch {
	case !single:
		size++ // the window
	case length == 0:
		length = 1
	}
	if b = f.peek(size + length); b == nil {
		return
	}
	f.header = append(f.header[:0:0], b...)
	f.packed.Discard(len(b)) // which is there
	f.inside, f.summed, f.begun = true, marks&zstdSummed != 0, f.begins()
	switch h := f.header; {
	case !single:
		if f.narrow = zstdWindow(h[zstdMagicSize+1]) > maxWindow; f.narrow {
			h[zstdMagicSize+1] = zstdWidest
		}
	case length >= 4:
		all := uint64(binary.LittleEndian.Uint32(h[size:]))
		if length == 8 {
			all = binary.LittleEndian.Uint64(h[size:])
		}
		if f.narrow = all > maxWindow; f.narrow { // a window of its own in the place of all
			f.header = append(append(append([]byte{}, h[:zstdMagicSize]...), marks&^zstdSingle, zstdWidest), h[zstdMagicSize+1:]...)
		}
	default:
		f.narrow = false
	}
}

// zstdWindow returns the size of the window that a byte of a header stands for.
func zstdWindow(b byte) uint64 {
	base := uint64(1) << (b>>3 + zstdLeastLog)
	return base + base/8*uint64(b&7)
}

// block begins a block of a frame.
func (f *zstdFrames) block() {
	b := f.peek(3)
	if b == nil {
		return
	}
	header := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
	f.left = 3 + header>>3
	if kind := header >> 1 & 3; kind == 1 { // one byte over and over
		f.left = 3 + 1
	}
	if last := header&1 != 0; last {
		f.inside = false
		if f.summed {
			f.left += 4
		}
	}
}
