package format

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// xzInput reads the fields of an .xz file, counts their bytes and sums them up.
// The end of the file is io.ErrUnexpectedEOF to it.
type xzInput struct {
	r   *bufio.Reader
	n   int64
	sum hash.Hash32
}

func (x *xzInput) ReadByte() (byte, error) {
	c, err := x.r.ReadByte()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		x.n++
		x.sum.Write([]byte{c})
	}
	return c, err
}

// take reads n bytes, at most a thousand or so, which are neither counted nor summed up.
func (x *xzInput) take(n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(x.r, b)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// number reads an integer: seven bits a byte, the lowest first, at most nine
// bytes and no more than needed.
func (x *xzInput) number() (v uint64, err error) {
	for k := range 9 {
		c, err := x.ReadByte()
		if err != nil {
			return 0, err
		}
		v |= uint64(c&0x7f) << (7 * k)
		if c < 0x80 {
			if c == 0 && k > 0 {
				break
			}
			return v, nil
		}
	}
	return 0, errors.New("wrong form of a number")
}

// padding reads zeros up to a count that four divides.
func (x *xzInput) padding() error {
	for x.n%4 != 0 {
		c, err := x.ReadByte()
		if err != nil {
			return err
		}
		if c != 0 {
			return errors.New("padding that is not zero")
		}
	}
	return nil
}

// checkSum reads the sum of what was read.
func (x *xzInput) checkSum() error {
	b, err := x.take(4)
	if err == nil && binary.LittleEndian.Uint32(b) != x.sum.Sum32() {
		err = errors.New("wrong check sum")
	}
	return err
}

// An xzBlock reads a block's content:
//
//	block  = header chunks padding check
//	header = length/4-1 flags [packed size] [size] 21 01 dictionary zeros crc32
//	flags  = 40: packed size present, 80: size present
type xzBlock struct {
	in           *xzInput
	header       int
	packed, size int64 // as the header has them; -1: it has not
	chunks       *xzChunks
	lzma         *lzma.Reader2
	check        xzCheck
	n            int64 // bytes of content so far
	narrow       bool  // the content may refer back further than what is kept
}

// mostChunk is how many bytes a chunk stands for at most, and so how much of the content
// may be there but not be read yet.
const mostChunk = 2 << 20

// errFilter reports valid data that are not read.
var errFilter = errors.New("filters other than LZMA2 are not supported; unpack them with xz -d")

// lzma2 is the number of the filter LZMA2, and the length of its properties.
const lzma2 = "\x21\x01"

// newXZBlock reads a block's header of the given length behind its first byte,
// which in.sum knows.
func newXZBlock(in *xzInput, length int, check byte) (*xzBlock, error) {
	b, err := in.take(length - 1)
	if err != nil {
		return nil, err
	}
	fields, sum := b[:length-5], b[length-5:]
	in.sum.Write(fields)
	if binary.LittleEndian.Uint32(sum) != in.sum.Sum32() {
		return nil, errors.New("wrong check sum of a block's header")
	}
	x := &xzBlock{in: in, header: length, packed: -1, size: -1}
	f := xzInput{r: bufio.NewReader(bytes.NewReader(fields)), sum: crc32.NewIEEE()}
	flags, err := f.ReadByte()
	for _, field := range []struct {
		flag byte
		to   *int64
	}{{0x40, &x.packed}, {0x80, &x.size}} {
		if flags&field.flag != 0 && err == nil {
			var v uint64
			v, err = f.number()
			*field.to = int64(v)
		}
	}
	if err != nil {
		return nil, errors.New("wrong header of a block")
	}
	rest, _ := io.ReadAll(f.r)
	switch {
	case flags&0x3c != 0, len(rest) < 3:
		return nil, errors.New("wrong header of a block")
	case flags&3 != 0, string(rest[:2]) != lzma2:
		return nil, errFilter
	case rest[2] > 40, len(bytes.Trim(rest[3:], "\x00")) > 0:
		return nil, errors.New("wrong header of a block")
	}
	dictionary := (2 | int64(rest[2])&1) << (rest[2]/2 + 11)
	x.chunks = &xzChunks{r: in.r}
	for _, n := range []int64{x.size, x.chunks.ahead()} {
		if n >= 0 { // a block reaches back no further than to its start
			dictionary = min(dictionary, n)
		}
	}
	if x.narrow = dictionary > maxWindow; x.narrow { // few files make use of what they ask for
		dictionary = maxWindow
	}
	x.check, _ = newXZCheck(check)
	x.lzma, err = lzma.Reader2Config{DictCap: int(max(dictionary, lzma.MinDictCap))}.NewReader2(x.chunks)
	return x, err
}

func (x *xzBlock) Read(p []byte) (int, error) {
	n, err := x.lzma.Read(p)
	x.n += int64(n)
	x.check.write(p[:n])
	switch {
	case x.chunks.err != nil:
		return n, x.chunks.err
	case err == io.EOF && !x.lzma.EOS(), err == io.ErrUnexpectedEOF:
		return n, errors.New("wrong length of a chunk")
	case err != nil && err != io.EOF && x.narrow && x.n >= maxWindow-mostChunk:
		return n, errWindow
	case err != io.EOF:
		return n, err
	case x.packed >= 0 && x.packed != x.chunks.n, x.size >= 0 && x.size != x.n:
		return n, errors.New("wrong length of a block")
	}
	x.in.n = x.chunks.n
	if err := x.in.padding(); err != nil {
		return n, err
	}
	want := x.check.bytes()
	got, err := x.in.take(len(want))
	if err == nil && !bytes.Equal(got, want) {
		err = errors.New("wrong check sum of a block")
	}
	if err == nil {
		err = io.EOF
	}
	return n, err
}

// sizes returns what the index says of the block.
func (x *xzBlock) sizes() [2]uint64 {
	return [2]uint64{uint64(int64(x.header) + x.chunks.n + int64(len(x.check.bytes()))), uint64(x.n)}
}

// xzChunks passes on a block's LZMA2 chunks, up to the end mark, and checks what
// their headers say:
//
//	chunk = 00                              the end
//	      | 01..02 n1 n1 data               n+1 bytes as they are
//	      | 80..ff n1 n1 m1 m1 [p] data     m+1 bytes that stand for n+1; five more
//	                                        bits of n in the first byte; p from c0 on
//
// p = (pb*5+lp)*9+lc with lc+lp <= 4, pb <= 4. The package for LZMA2 does not
// check that sum, on which the memory depends.
type xzChunks struct {
	r      *bufio.Reader
	header []byte // not yet passed on
	left   int    // bytes of data not yet passed on
	end    bool
	n      int64 // bytes passed on
	err    error // other than the end
}

// xzChunkHeader returns the length of the header of a chunk that begins so, and
// the number of its bytes and of those it stands for, as far as head holds them.
func xzChunkHeader(head []byte) (length, packed, size int, err error) {
	switch c := head[0]; {
	case c == 0:
		return 1, 0, 0, nil
	case c <= 2:
		length = 3
	case c < 0x80:
		return 0, 0, 0, fmt.Errorf("wrong kind of chunk %#x", c)
	case c < 0xc0:
		length = 5
	default:
		length = 6
	}
	if len(head) < length {
		return length, 0, 0, nil
	}
	size = int(binary.BigEndian.Uint16(head[1:])) + 1
	if length == 3 {
		return length, size, size, nil
	}
	size += int(head[0]&0x1f) << 16
	packed = int(binary.BigEndian.Uint16(head[3:])) + 1
	if length == 6 && (head[5] >= 5*9*5 || head[5]%9+head[5]/9%5 > 4) {
		err = fmt.Errorf("wrong properties %#x of a chunk", head[5])
	}
	return length, packed, size, err
}

func (x *xzChunks) Read(p []byte) (n int, err error) {
	if x.err == nil && !x.end && len(x.header) == 0 && x.left == 0 {
		x.err = x.next()
	}
	switch {
	case x.err != nil:
		return 0, x.err
	case len(x.header) > 0:
		n = copy(p, x.header)
		x.header = x.header[n:]
	case x.end:
		return 0, io.EOF
	default:
		n, err = x.r.Read(p[:min(len(p), x.left)])
		x.left -= n
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		x.err = err
	}
	x.n += int64(n)
	return n, err
}

// next reads a chunk's header.
func (x *xzChunks) next() error {
	in := xzInput{r: x.r}
	head, err := in.take(1)
	if err != nil {
		return err
	}
	length, _, _, err := xzChunkHeader(head)
	if err != nil {
		return err
	}
	rest, err := in.take(length - 1)
	if err != nil {
		return err
	}
	x.header = append(head, rest...)
	_, x.left, _, err = xzChunkHeader(x.header)
	x.end = length == 1
	return err
}

// ahead returns the number of bytes that the chunks stand for if their end is
// near, else -1. It waits for as many bytes as it looks at, so that what comes
// of a file does not depend on the pieces in which it arrives.
func (x *xzChunks) ahead() int64 {
	b, _ := x.r.Peek(packedBuffer)
	total := int64(0)
	for len(b) > 0 {
		length, packed, size, err := xzChunkHeader(b)
		if err != nil || length+packed > len(b) {
			return -1
		}
		if length == 1 {
			return total
		}
		total += int64(size)
		b = b[length+packed:]
	}
	return -1
}
