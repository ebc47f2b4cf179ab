package format

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// A gzipReader reads the content of a file of one or more gzip members, which zeros
// may follow up to its end, as on a tape or a device: gzip(1) takes them for padding.
//
//	file = member { member } { 00 }
type gzipReader struct {
	packed *bufio.Reader
	member *gzip.Reader
}

func unpackGzip(packed *bufio.Reader) (io.Reader, error) {
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, wrongHeader(err)
	}
	r.Multistream(false)
	return &gzipReader{packed, r}, nil
}

// wrongHeader returns the error of a member's header, in words of our own. The
// member has begun, so that data that end within its header are cut off.
func wrongHeader(err error) error {
	switch {
	case errors.Is(err, gzip.ErrHeader):
		return errors.New("wrong header")
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

func (g *gzipReader) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil && len(p) > 0 {
		if n, err = g.member.Read(p); err == io.EOF {
			err = g.next()
		}
	}
	return n, err
}

// next begins the next member; io.EOF: there is none.
func (g *gzipReader) next() error {
	const magic = "\x1f\x8b"
	head, err := g.packed.Peek(len(magic))
	switch {
	case string(head) == magic:
		if err = g.member.Reset(g.packed); err == nil {
			g.member.Multistream(false)
		}
		return wrongHeader(err)
	case len(head) > 0 && head[0] == 0:
		return g.padding()
	case len(head) == len(magic):
		return errTrailing
	case err != io.EOF || len(head) == 0:
		return err
	case head[0] == magic[0]:
		return io.ErrUnexpectedEOF
	}
	return errTrailing
}

// padding reads zeros to the end of the file.
func (g *gzipReader) padding() error {
	for {
		switch b, err := g.packed.ReadByte(); {
		case err != nil:
			return err
		case b != 0:
			return errTrailing
		}
	}
}
