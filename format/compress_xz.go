package format

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"sync"
)

// The .xz format, version 1.2.1, as far as files have it: one filter, LZMA2.
//
//	file   = stream { stream | 00 00 00 00 }
//	stream = header { block } index footer
//	header = xzMagic 00 check crc32(2 bytes before)
//	index  = 00 n { unpadded size } padding crc32(all before)      n blocks' sizes
//	footer = crc32(6 bytes behind) index's length/4-1 00 check "YZ"
//
// The package for LZMA2 reads such files too, but takes a file that ends between
// two blocks for a whole one, and as much memory as a file asks for.
const (
	xzMagic       = "\xfd7zXZ\x00"
	xzFooterMagic = "YZ"
)

// An xzReader reads the content of a file. Any end other than where a stream
// may end is io.ErrUnexpectedEOF.
type xzReader struct {
	r     xzInput
	check byte     // of the current stream
	block *xzBlock // nil between two
	sizes xzSizes  // of the current stream's blocks
	err   error    // of the last Read
	open  bool     // within a stream
	any   bool     // behind the first stream's header
}

func newXZReader(packed *bufio.Reader) *xzReader { return &xzReader{r: xzInput{r: packed}} }

func (x *xzReader) Read(p []byte) (n int, err error) {
	for n == 0 && x.err == nil && len(p) > 0 {
		switch {
		case x.block != nil:
			if n, err = x.block.Read(p); err == io.EOF {
				x.sizes.add(x.block.sizes())
				x.block, err = nil, nil
			}
			x.err = err
		case x.open:
			x.err = x.within()
		default:
			x.err = x.between()
		}
	}
	return n, x.err
}

// between reads what follows a stream: another one's header, padding, the end.
func (x *xzReader) between() error {
	head, err := x.r.r.Peek(len(xzMagic))
	switch {
	case len(head) == 0 && err == io.EOF && x.any:
		return io.EOF
	case x.any && len(head) >= 4 && binary.LittleEndian.Uint32(head) == 0:
		_, err = x.r.r.Discard(4)
		return err
	case x.any && !bytes.HasPrefix(head, []byte(xzMagic[:len(head)])):
		return errTrailing
	}
	b, err := x.r.take(len(xzMagic) + 6)
	switch {
	case err != nil:
		return err
	case string(b[:6]) != xzMagic:
		return errTrailing
	case binary.LittleEndian.Uint32(b[8:]) != crc32.ChecksumIEEE(b[6:8]):
		return errors.New("wrong check sum of a stream's header")
	}
	x.check = b[7]
	if _, err := newXZCheck(x.check); err != nil || b[6] != 0 {
		return fmt.Errorf("unknown kind of check %d", binary.BigEndian.Uint16(b[6:]))
	}
	x.open, x.any, x.sizes = true, true, xzSizes{}
	return nil
}

// within reads what follows a stream's header or block: another block's header,
// or the rest of the stream.
func (x *xzReader) within() (err error) {
	x.r.sum, x.r.n = crc32.NewIEEE(), 0
	size, err := x.r.ReadByte()
	if err != nil {
		return err
	}
	if size > 0 {
		x.block, err = newXZBlock(&x.r, 4*(int(size)+1), x.check)
		return err
	}
	x.open = false
	return x.tail()
}

// tail reads a stream's index behind its first byte, and the footer.
func (x *xzReader) tail() error {
	count, err := x.r.number()
	var sizes xzSizes
	for range count {
		if err != nil || sizes.n > x.sizes.n {
			break
		}
		var of [2]uint64
		if of[0], err = x.r.number(); err == nil {
			of[1], err = x.r.number()
		}
		sizes.add(of)
	}
	if err == nil {
		err = x.r.padding()
	}
	if err != nil {
		return err
	}
	length := x.r.n + 4
	if err := x.r.checkSum(); err != nil {
		return err
	}
	if sizes != x.sizes {
		return errors.New("the index is not that of the blocks")
	}
	b, err := x.r.take(12)
	switch {
	case err != nil:
		return err
	case string(b[10:]) != xzFooterMagic,
		binary.LittleEndian.Uint32(b) != crc32.ChecksumIEEE(b[4:10]),
		4*(int64(binary.LittleEndian.Uint32(b[4:]))+1) != length,
		b[8] != 0, b[9] != x.check:
		return errors.New("wrong end of a stream")
	}
	return nil
}

// xzSizes is what was said of a number of blocks' sizes, in little memory.
type xzSizes struct {
	n   int
	sum uint64
}

func (s *xzSizes) add(of [2]uint64) {
	var b [24]byte
	for k, v := range []uint64{s.sum, of[0], of[1]} {
		binary.LittleEndian.PutUint64(b[8*k:], v)
	}
	s.n++
	s.sum = crc64.Checksum(b[:], crc64ECMA())
}

var crc64ECMA = sync.OnceValue(func() *crc64.Table { return crc64.MakeTable(crc64.ECMA) })

// An xzCheck sums up a block's content; bytes is the sum as the file has it.
type xzCheck struct {
	hash.Hash // nil: no check
}

// newXZCheck returns the check of the given kind.
func newXZCheck(kind byte) (xzCheck, error) {
	switch kind {
	case 0:
		return xzCheck{}, nil
	case 1:
		return xzCheck{crc32.NewIEEE()}, nil
	case 4:
		return xzCheck{crc64.New(crc64ECMA())}, nil
	case 10:
		return xzCheck{sha256.New()}, nil
	}
	return xzCheck{}, errors.New("unknown")
}

func (c xzCheck) write(p []byte) {
	if c.Hash != nil {
		c.Hash.Write(p)
	}
}

// bytes returns the sum as it stands behind a block: CRCs are little-endian.
func (c xzCheck) bytes() []byte {
	if c.Hash == nil {
		return nil
	}
	b := c.Sum(nil)
	if len(b) <= 8 {
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
	return b
}
