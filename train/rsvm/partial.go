package rsvm

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/train/internal/rank"
)

// A Partial is the sums of one Newton step over some of the rows. Partials over parts of the rows,
// made on any computers, add up to the sums over all rows.
type Partial struct {
	// Problem is a digest of everything except the rows that the sums depend on: the reduced set
	// and the part of it that each machine has, the loss, the classes and their weights, and the
	// present coefficients of each machine. Only sums of the same problem can be added.
	Problem [sha256.Size]byte
	Rows    int64 // number of rows that the sums are over
	// Sums has one element for each machine, nil for a machine that needs none.
	Sums []*Sum
}

// A Sum is the sums over rows for one machine with n unknowns.
type Sum struct {
	Loss     float64
	Gradient []float64 // n
	Hessian  []float64 // n x n, row by row; only the upper triangle is used

	wide  []float64    // the Hessian with lines rank.Stride apart, while it is summed up
	arena *pages.Arena // memory for a large wide, which release gives back; nil: the garbage collector's memory
}

// whole reports whether the Hessian is as large as the gradient says.
func (s *Sum) whole() bool { return len(s.Hessian) == len(s.Gradient)*len(s.Gradient) }

// ErrMismatch reports partial sums that belong to another problem or to another step.
var ErrMismatch = errors.New("the partial sums are of another problem, or another step")

// Add adds the sums over further rows. Sums of another problem or step are [ErrMismatch].
func (p *Partial) Add(q *Partial) error {
	if q == nil || p.Problem != q.Problem || len(p.Sums) != len(q.Sums) {
		return ErrMismatch
	}
	for k, s := range p.Sums {
		t := q.Sums[k]
		if (s == nil) != (t == nil) || s != nil && (len(s.Gradient) != len(t.Gradient) || !s.whole() || !t.whole()) {
			return ErrMismatch
		}
	}
	p.Rows += q.Rows
	for k, s := range p.Sums {
		if s == nil {
			continue
		}
		t := q.Sums[k]
		s.Loss += t.Loss
		addTo(s.Gradient, t.Gradient)
		addTo(s.Hessian, t.Hessian)
	}
	return nil
}

func addTo(dst, src []float64) {
	for i, v := range src {
		dst[i] += v
	}
}

// newSum returns a sum over no rows. If ctx is cancelled, its Hessian is undefined.
func newSum(ctx context.Context, unknowns int) *Sum {
	s := new(Sum)
	s.reset(ctx, unknowns)
	return s
}

// clearedAtOnce is the number of values that are cleared in one call, during which the runtime
// cannot stop the goroutine: to clear the Hessian of thousands of vectors may take seconds if the
// system provides memory slowly.
const clearedAtOnce = 1 << 17

// reset makes s, which was not finished, a sum over no rows. If ctx is cancelled, the Hessian is
// undefined.
func (s *Sum) reset(ctx context.Context, unknowns int) {
	s.Loss, s.Hessian = 0, nil
	clear(room(&s.Gradient, unknowns))
	n := unknowns * rank.Stride(unknowns)
	if cap(s.wide) < n {
		if s.release(); s.arena != nil && n > clearedAtOnce {
			s.wide = pages.Alloc[float64](s.arena, n) // the garbage collector may have to clear its memory in one call
		} else {
			s.wide = make([]float64, n)
		}
		return
	}
	s.wide = s.wide[:n]
	for wide := s.wide; len(wide) > 0 && ctx.Err() == nil; {
		some := min(len(wide), clearedAtOnce)
		clear(wide[:some])
		wide = wide[some:]
	}
}

// arenaSum returns a sum whose memory is given back by release. It needs a reset before its use.
func arenaSum() *Sum { return &Sum{arena: &pages.Arena{LargeFirst: true}} }

// release gives the memory of the Hessian back. Nothing may use it any longer.
func (s *Sum) release() {
	if s.wide, s.Hessian = nil, nil; s.arena != nil {
		s.arena.Release()
	}
}

// finish sets the Hessian, with zeros below the diagonal. If ctx is cancelled, the Hessian is
// undefined.
func (s *Sum) finish(ctx context.Context) {
	s.narrow(ctx)
	n := len(s.Gradient)
	for i := 1; i < n && !cancelledAt(ctx, i); i++ {
		clear(s.Hessian[i*n : i*n+i])
	}
	s.wide = nil
}

// narrow sets the Hessian, in the memory of wide. The numbers below the diagonal are undefined, and
// all of them if ctx is cancelled.
func (s *Sum) narrow(ctx context.Context) {
	n := len(s.Gradient)
	for i := 0; i < n && !cancelledAt(ctx, i); i++ {
		copy(s.wide[i*n+i:(i+1)*n], s.wide[i*rank.Stride(n)+i:])
	}
	s.Hessian = s.wide[: n*n : n*n]
}

// cancelledAt reports whether ctx is cancelled. It checks that only at every 256th line of a
// matrix.
func cancelledAt(ctx context.Context, line int) bool { return line%256 == 0 && ctx.Err() != nil }

// A digest is a hash of a problem.
type digest struct{ hash.Hash }

func newDigest() digest { return digest{sha256.New()} }

func (d digest) text(format string, a ...any) {
	s := fmt.Sprintf(format, a...)
	d.ints(len(s))
	d.Write([]byte(s))
}

// clone returns a copy of the digest, to which more can be added.
func (d digest) clone() digest {
	c, err := d.Hash.(hash.Cloner).Clone()
	if err != nil {
		panic(fmt.Sprintf("rsvm: a digest without a copy: %v", err)) // SHA-256 can be cloned
	}
	return digest{c}
}

func (d digest) ints(v ...int) {
	var b [8]byte
	for _, x := range v {
		binary.LittleEndian.PutUint64(b[:], uint64(int64(x)))
		d.Write(b[:])
	}
}

// columns adds the columns to which a machine is restricted; nil: it is not restricted.
func (d digest) columns(of []int32) {
	if of == nil {
		d.ints(-1)
		return
	}
	d.ints(len(of))
	for _, c := range of {
		d.ints(int(c))
	}
}

func (d digest) reals(v []float64) {
	d.ints(len(v))
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	d.Write(b)
}

func (d digest) matrix(m *vec.Matrix) {
	d.ints(m.Len())
	for i := range m.Len() {
		row := m.Row(i)
		b := make([]byte, 0, 8*len(row.Index))
		for _, index := range row.Index {
			b = binary.LittleEndian.AppendUint64(b, uint64(int64(index)))
		}
		d.Write(b)
		d.reals(row.Value)
	}
}
