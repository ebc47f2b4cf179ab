package format

import (
	"bufio"
	"io"
	"os"
	"runtime"
)

// packedBuffer is large enough that reading costs few system calls.
const packedBuffer = 64 << 10

// A stream is the content of a file that may be packed, or in UTF-16. How it is packed, if at all,
// is found out by the first Read.
type stream struct {
	path   string
	file   io.ReadCloser
	input  stickyReader
	packed *bufio.Reader
	how    *compression // nil: as it is
	plain  io.Reader    // in UTF-8; nil before the first Read
	ahead  *aheadReader // plain, if it is read ahead; else nil
	err    error        // of the last Read
	broken bool         // err is a fault of packed data
	head   []byte       // of the content that was read
}

// A stickyReader gives the same error for ever after the first: a terminal
// would go on after its end.
type stickyReader struct {
	r   io.Reader
	err error
}

func (l *stickyReader) Read(p []byte) (n int, err error) {
	if l.err == nil {
		n, l.err = l.r.Read(p)
	}
	return n, l.err
}

// failed returns the error of reading, unless that is the end of the data.
func (l *stickyReader) failed() error {
	if l.err == io.EOF {
		return nil
	}
	return l.err
}

// newStream returns the content of a file, which errors call path.
func newStream(file io.ReadCloser, path string) *stream {
	s := &stream{path: path, file: file}
	s.input.r = file
	s.packed = bufio.NewReaderSize(&s.input, packedBuffer)
	return s
}

// Read reads the content. A fault in packed data is an *Error with the path.
func (s *stream) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	var n int
	var err error
	if s.plain == nil {
		err = s.begin()
	}
	if err == nil {
		n, err = s.plain.Read(p)
		s.head = append(s.head, p[:min(n, headSize-len(s.head))]...)
	}
	switch {
	case err == nil || err == io.EOF && s.input.failed() == nil || s.how == nil && err != errHalfUnit:
	case s.input.failed() != nil:
		err = s.input.failed()
	case err == errHalfUnit:
		err = &Error{Path: s.path, Err: err}
	default:
		err, s.broken = &Error{Path: s.path, Err: s.how.fault(err)}, true
	}
	s.err = err
	return n, err
}

// mostBehind is how much of the content is read to learn whether packed data are damaged:
// hardly any data have more, and what would be unpacked for ever ends.
const mostBehind = 1 << 30

// damage returns the fault of packed data, nil if there is none. They are read to their end for that.
// A stream of nil has none.
func (s *stream) damage() error {
	if s == nil || s.how == nil {
		return nil
	}
	if s.err == nil {
		io.CopyN(io.Discard, s, mostBehind) // its error is that of s
	}
	if s.broken {
		return s.err
	}
	return nil
}

// begin looks at the first bytes, at no more than it takes to tell, since more
// may be long in coming.
func (s *stream) begin() (err error) {
	for n := 1; ; n++ {
		head, err := s.packed.Peek(n)
		how, more := recognise(head, err != nil)
		s.how = how
		if !more {
			break
		}
	}
	if s.how != nil && s.input.failed() != nil {
		return s.input.failed() // what came before it is not all there is
	}
	if s.how == nil && s.input.err == io.EOF && s.packed.Buffered() == 0 {
		if s.how = packedBy(s.path); s.how != nil {
			return io.ErrUnexpectedEOF
		}
	}
	if s.how == nil {
		s.setPlain(inUTF8(s.packed))
		return nil
	}
	plain, err := s.how.unpack(s.packed)
	switch err {
	case nil:
		s.setPlain(inUTF8(bufio.NewReader(&stickyReader{r: plain})))
	case io.EOF:
		err = io.ErrUnexpectedEOF // what has begun to be packed is not nothing
	}
	return err
}

// setPlain sets what the content is read from: r, which is read ahead if there is a processor for
// that. What comes from a pipe or a terminal is read when it is wanted.
func (s *stream) setPlain(r io.Reader) {
	s.plain = r
	if file, _ := regularFile(s.file); file != nil && runtime.GOMAXPROCS(0) > 1 {
		s.ahead = &aheadReader{r: r}
		s.plain = s.ahead
	}
}

// Close closes the file.
func (s *stream) Close() error {
	if s.ahead != nil {
		s.ahead.wait()
	}
	return s.file.Close()
}

// unpackFile returns f itself, to be read from its start, unless it is packed, is in UTF-16 or
// cannot be looked at beforehand.
func unpackFile(f *os.File, path string, regular bool) io.ReadCloser {
	if !regular {
		return newStream(f, path)
	}
	var head [longestMagic]byte
	n, err := f.ReadAt(head[:], 0)
	how, _ := recognise(head[:n], err == io.EOF)
	order, _ := orderOf(head[:n], true)
	if how == nil && order == notUTF16 && (n > 0 || packedBy(path) == nil) {
		return f
	}
	return newStream(f, path)
}
