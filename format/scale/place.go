package scale

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// appendPlaced is AppendRows, by marks, for rows before one. It stops before a row that is at
// fault. Rows are put together many at a time, and more and more of them one by one where that does
// not do.
func (p *Printer) appendPlaced(dst []byte, rows *Rows, from, to, size int) (text []byte, stop, pairs int) {
	for stop = from; stop < to && len(dst) < size; {
		var n, m int
		before := stop
		dst, stop, n = p.appendReady(dst, rows, stop, to, size)
		if pairs += n; stop-before > mostOdd {
			p.odd = 0
		}
		if stop == to || len(dst) >= size {
			break
		}
		p.odd = min(2*p.odd+1, mostOdd)
		end := min(stop+p.odd, to)
		dst, stop, m = p.appendEach(dst, rows, stop, end, size)
		if pairs += m; stop < end {
			break
		}
	}
	return dst, stop, pairs
}

// mostOdd is how many rows are put together one by one, at most, before many are tried at a time.
const mostOdd = 1 << 6

// appendEach is appendPlaced for one row after the other.
func (p *Printer) appendEach(dst []byte, rows *Rows, from, to, size int) (text []byte, stop, pairs int) {
	at, n := 0, 0 // of the numbers that are ready, which is the next, and where they end
	for stop = from; stop < to && len(dst) < size; stop++ {
		y, index, value := rows.row(stop)
		y, err := p.s.Label(y)
		if err != nil {
			break
		}
		before := len(dst)
		dst = slices.Grow(dst, len(labelText{}.text)+len(value)*numberRoom+len(p.zeros)+placeSlack)
		dst = p.appendLabel(dst, y)
		written, zero := len(p.s.zeros), 0
		for k := 0; k < len(index); {
			if at == n {
				at, n = 0, p.ready(rows, stop, k, to)
			}
			done, size, more, next := p.place(dst[len(dst):cap(dst)], zero, index[k:min(k+n-at, len(index))], at)
			dst, written, zero = dst[:len(dst)+size], written+more, next
			at, k = at+done, k+done
			if at == n || k == len(index) {
				continue
			}
			ok := false // the fast way does not do
			if dst, more, ok = p.appendOdd(dst, index[k], value[k]); !ok {
				return dst[:before], stop, pairs
			}
			written += more
			at, k = at+1, k+1
		}
		dst = append(append(dst, p.zeros[zero:]...), '\n')
		pairs += written
	}
	return dst, stop, pairs
}

const (
	numberRoom = markBytes + 16 + 1 // where a name, a number and a blank fit
	placeSlack = 64                 // bytes that are written behind
)

// ready makes numbers of values ready, from one of a row on, up to those of the row before to, and
// returns how many.
func (p *Printer) ready(rows *Rows, row, k, to int) (n int) {
	b := &p.piece
	for ; row < to && n < textscan.SixDigitsLen; row++ {
		_, index, value := rows.row(row)
		m := min(len(index)-k, textscan.SixDigitsLen-n)
		p.formulaOfMarks(b.values[n:n+m], index[k:k+m], value[k:k+m])
		n, k = n+m, 0
	}
	b.sixes.Set((*[textscan.SixDigitsLen]float64)(b.values[:]), n)
	return n
}

// appendOdd appends the pair of any value, and returns how many pairs that is. ok is false if it is
// out of range.
func (p *Printer) appendOdd(dst []byte, index int32, v float64) (text []byte, pairs int, ok bool) {
	y := p.s.ranges.X.Limits.value(v, &p.s.rules[p.s.index.find(index)])
	if y == 0 || math.IsNaN(y) {
		return dst, 0, y == 0
	}
	var buf [64]byte // AppendG wants more room than it uses
	pair := append(textscan.AppendG(append(textscan.AppendInt(buf[:0], int64(index)), ':'), y, 6), ' ')
	return append(dst, pair...), 1, true
}

// formulaOfMarksPortable sets y to what the formula makes of values.
func (p *Printer) formulaOfMarksPortable(y []float64, index []int32, value []float64) {
	lower, width := p.s.ranges.X.Limits.Lower, p.s.ranges.X.Limits.Upper-p.s.ranges.X.Limits.Lower
	value, y = value[:len(index)], y[:len(index)]
	for k, i := range index {
		m := &p.marks[min(uint(uint32(i)), uint(len(p.marks)-1))]
		y[k] = lower + float64(width*(value[k]-m.min))/m.span
	}
}

// placePortable copies the texts of numbers that are ready, from number at on, and of the zeros
// before them to room, up to one that has no text and is not 0, but for the zeros before that,
// which are copied. It returns how many it did, how many bytes these have, how many more pairs than
// zeros of its own it wrote, and the next zero.
func (p *Printer) placePortable(room []byte, zero int, index []int32, at int) (done, size, more, next int) {
	s := &p.piece.sixes
	for k, i := range index {
		if uint(i) >= uint(len(p.marks)) || p.marks[i].spread == 0 {
			continue
		}
		m := &p.marks[i]
		n, own, next := m.putZeros(room[size:], p.zeros, zero)
		size, more, zero = size+n, more+own, next
		if n = int(s.N[at+k]); n == 0 {
			if p.piece.values[at+k] != 0 {
				return k, size, more, zero
			}
			continue
		}
		more++
		// each word over what the one before has too much
		to := (*[8 + numberRoom]byte)(room[size:])
		front := int(m.name>>56) & 7
		binary.LittleEndian.PutUint64(to[:8], uint64(m.name))
		binary.LittleEndian.PutUint64(to[front:front+8], s.Lo[at+k])
		binary.LittleEndian.PutUint64(to[front+8:front+16], s.Hi[at+k])
		front += n
		to[front&31] = ' '
		size += front + 1
	}
	return len(index), size, more, zero
}
