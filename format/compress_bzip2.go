package format

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"io"
)

// A bzip2Reader reads the content of a file. It returns each block only after its checksum was found
// correct: package bzip2 returns the content of a damaged block before it reports the damage, and a
// reader of rows would report faults in those rows.
type bzip2Reader struct {
	r       io.Reader
	packed  *bzip2Bytes // which r reads; nil: nothing is known of them
	checked [][]byte    // to be read next
	read    int         // bytes of the first of them
	held    [][]byte    // behind them, of a block whose sum is not known to be right
	ended   bool        // that block is whole
	free    [][]byte    // to be used again
	err     error       // behind all of that
}

// bzip2Part is the length of what is held in one piece; a number that no block's
// length is often a multiple of. mostHeld is how many pieces a block can fill: of
// at most 900,000 bytes, five stand for up to 259 equal ones.
const (
	bzip2Part = 1<<16 - 15
	mostHeld  = 900_000/5*259/bzip2Part + 1
)

func unpackBzip2(packed *bufio.Reader) (io.Reader, error) {
	b := &bzip2Bytes{Reader: packed}
	return &bzip2Reader{r: bzip2.NewReader(b), packed: b}, nil
}

// bzip2Bytes are the bytes of a file, which package bzip2 reads one by one. The last sixteen are
// known.
type bzip2Bytes struct {
	*bufio.Reader
	before, last uint64
}

// ReadByte returns the next byte.
func (b *bzip2Bytes) ReadByte() (byte, error) {
	c, err := b.Reader.ReadByte()
	if err == nil {
		b.before, b.last = b.before<<8|b.last>>56, b.last<<8|uint64(c)
	}
	return c, err
}

// strange reports whether the last byte stands behind the end of a packed file and begins no other.
// Package bzip2 wants two bytes there to tell. The end is the number that bzip2End shows, a sum of
// 32 bits and what fills up the byte.
func (b *bzip2Bytes) strange() bool {
	const end, bits, sum = 0x177245385090, 48, 32
	for filled := range 8 {
		behind := 8 + filled + sum
		if (b.before<<(64-behind)|b.last>>behind)&(1<<bits-1) == end {
			return byte(b.last) != 'B'
		}
	}
	return false
}

func (b *bzip2Reader) Read(p []byte) (int, error) {
	for len(b.checked) == 0 && b.err == nil && len(p) > 0 {
		b.more()
	}
	if len(b.checked) == 0 {
		return 0, b.err
	}
	part := b.checked[0]
	n := copy(p, part[b.read:])
	if b.read += n; b.read == len(part) {
		b.checked, b.read = b.checked[1:], 0
		b.free = append(b.free, part[:0])
	}
	return n, nil
}

// more reads another part. It comes short of what was asked at the end of a block,
// and the next only when the block's sum is right.
func (b *bzip2Reader) more() {
	part := b.part()
	n, err := b.r.Read(part)
	switch {
	case errors.Is(err, bzip2WrongSum):
		b.held = nil
	case err != nil || b.ended:
		b.checked, b.held = b.held, nil
	case len(b.held) > mostHeld: // two blocks, the first of which ended unnoticed
		b.checked, b.held = b.held[:1:1], b.held[1:]
	}
	if n > 0 {
		b.held = append(b.held, part[:n])
	}
	if err == io.ErrUnexpectedEOF && b.packed != nil && b.packed.strange() {
		err = errTrailing
	}
	if b.ended, b.err = n < len(part), err; err != nil {
		b.checked, b.held = append(b.checked, b.held...), nil
	}
}

// part returns memory for another part.
func (b *bzip2Reader) part() []byte {
	if n := len(b.free) - 1; n >= 0 {
		part := b.free[n]
		b.free = b.free[:n]
		return part[:bzip2Part]
	}
	return make([]byte, bzip2Part)
}

// bzip2WrongSum is package bzip2's word for a block whose content is not what it was.
const bzip2WrongSum = bzip2.StructuralError("block checksum mismatch")

// bzip2Trailing are its words for errTrailing: at the first two bytes, at the third and at the
// fourth. What is wrong with those of the first file is that it is none of bzip2's.
var bzip2Trailing = []error{
	bzip2.StructuralError("bad magic value in continuation file"),
	bzip2.StructuralError("non-Huffman entropy encoding"),
	bzip2.StructuralError("invalid compression level"),
}
