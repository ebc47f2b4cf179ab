package rsvm

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"strings"
)

// The file of a Partial, all numbers little-endian:
//
//	"slimsvm partial sums 1\n"
//	the problem's digest, 32 bytes
//	the number of rows, 8 bytes
//	the number of machines, 4 bytes
//	for each machine
//	    the number n of unknowns, 4 bytes; 0: the machine needs no sums
//	    the loss; the gradient; the Hessian's upper triangle, line after line;
//	    8 bytes for each number
//	the SHA-256 of everything before, 32 bytes

const partialMark = "slimsvm partial sums 1\n"

// Errors of reading partial sums.
var (
	// ErrNoPartial reports that a file does not begin as partial sums do.
	ErrNoPartial = errors.New("no file of partial sums: it begins otherwise")
	// ErrCutOff reports that a file ends too early. It wraps io.ErrUnexpectedEOF.
	ErrCutOff error = cutOff{}
	// ErrDamaged reports that a file is not as it was written.
	ErrDamaged = errors.New("the file of partial sums is damaged")
)

// A cutOff is what ErrCutOff is.
type cutOff struct{}

// Error implements error.
func (cutOff) Error() string { return "the file of partial sums is cut off" }

// Unwrap returns io.ErrUnexpectedEOF.
func (cutOff) Unwrap() error { return io.ErrUnexpectedEOF }

// Write writes p as a file, which ReadPartial reads. If a Hessian's size does not match its
// gradient's, it returns ErrMismatch and writes nothing.
func (p *Partial) Write(to io.Writer) error {
	for _, s := range p.Sums {
		if s != nil && !s.whole() {
			return ErrMismatch
		}
	}
	if to == nil {
		return errors.New("nothing to write partial sums to")
	}
	b := bufio.NewWriter(to)
	h := sha256.New()
	w := io.MultiWriter(b, h)
	put := func(v any) { binary.Write(w, binary.LittleEndian, v) } // b keeps its error
	io.WriteString(w, partialMark)
	put(p.Problem)
	put(p.Rows)
	put(uint32(len(p.Sums)))
	for _, s := range p.Sums {
		if s == nil {
			put(uint32(0))
			continue
		}
		n := len(s.Gradient)
		put(uint32(n))
		put(s.Loss)
		put(s.Gradient)
		for i := range n {
			put(s.Hessian[i*n+i : (i+1)*n])
		}
	}
	b.Write(h.Sum(nil))
	return b.Flush()
}

// ReadPartial reads what Write wrote. Memory grows with what is read, not with the counts in the
// file.
func ReadPartial(r io.Reader) (*Partial, error) {
	if r == nil {
		return nil, errors.New("no file of partial sums")
	}
	f := &partialReader{r: bufio.NewReader(r), hash: sha256.New()}
	if _, err := f.r.Peek(1); err == io.EOF {
		return nil, ErrNoPartial
	}
	switch mark, err := f.bytes(len(partialMark)); {
	case !strings.HasPrefix(partialMark, string(mark)):
		return nil, ErrNoPartial
	case err != nil:
		return nil, err
	}
	p, err := f.partial()
	if err != nil {
		return nil, err
	}
	sum := f.hash.Sum(nil)
	written, err := f.bytes(len(sum))
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(sum, written) {
		return nil, ErrDamaged
	}
	if _, err := f.r.ReadByte(); err == nil {
		return nil, fmt.Errorf("%w: there is more behind its end", ErrDamaged)
	} else if err != io.EOF {
		return nil, err
	}
	return p, nil
}

type partialReader struct {
	r    *bufio.Reader
	hash hash.Hash
}

// bytes returns the next n bytes, or with an error those that there are.
func (f *partialReader) bytes(n int) ([]byte, error) {
	b := make([]byte, n)
	if n, err := io.ReadFull(f.r, b); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = ErrCutOff
		}
		return b[:n], err
	}
	f.hash.Write(b)
	return b, nil
}

// count returns the next 4 bytes as a count of at most most.
func (f *partialReader) count(most int, what string) (int, error) {
	b, err := f.bytes(4)
	if err != nil {
		return 0, err
	}
	n := binary.LittleEndian.Uint32(b)
	if int64(n) > int64(most) {
		return 0, fmt.Errorf("%w: %d %s", ErrDamaged, n, what)
	}
	return int(n), nil
}

// reals appends the next n numbers.
func (f *partialReader) reals(to []float64, n int) ([]float64, error) {
	const most = 1 << 10
	for n > 0 {
		k := min(n, most)
		b, err := f.bytes(8 * k)
		if err != nil {
			return nil, err
		}
		for i := range k {
			to = append(to, math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
		}
		n -= k
	}
	return to, nil
}

func (f *partialReader) partial() (*Partial, error) {
	p := new(Partial)
	head, err := f.bytes(sha256.Size + 8)
	if err != nil {
		return nil, err
	}
	copy(p.Problem[:], head)
	if p.Rows = int64(binary.LittleEndian.Uint64(head[sha256.Size:])); p.Rows < 0 {
		return nil, fmt.Errorf("%w: %d rows", ErrDamaged, p.Rows)
	}
	machines, err := f.count(math.MaxInt32, "machines")
	if err != nil {
		return nil, err
	}
	for range machines {
		s, err := f.sum()
		if err != nil {
			return nil, err
		}
		p.Sums = append(p.Sums, s)
	}
	return p, nil
}

func (f *partialReader) sum() (*Sum, error) {
	n, err := f.count(mostUnknowns, "unknowns")
	if err != nil || n == 0 {
		return nil, err
	}
	numbers, err := f.reals(nil, 1+n+n*(n+1)/2)
	if err != nil {
		return nil, err
	}
	s := &Sum{Loss: numbers[0], Gradient: numbers[1 : 1+n : 1+n], Hessian: make([]float64, n*n)}
	triangle := numbers[1+n:]
	for i := range n {
		triangle = triangle[copy(s.Hessian[i*n+i:(i+1)*n], triangle):]
	}
	return s, nil
}
