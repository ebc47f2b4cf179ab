package scale

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// A piece is text that is written at once, some rows or a part of one: scaled values, under
// which names they stand, and what stands between them.
type piece struct {
	n      int // values
	values [textscan.SixDigitsLen + 8]float64
	slots  [textscan.SixDigitsLen + 8]int32 // of the rules
	names  [textscan.SixDigitsLen + 8]textscan.Name

	between []textscan.Insertion
	text    []byte // the printer's zeros, and then what else stands between values
	used    int    // of text, by between
	zeros   int    // how many of those between are pairs

	sixes textscan.SixDigits
}

// fewLeft is for how many values of a row a piece must have room, if it has not for all, to take
// them.
const fewLeft = 16

// betweenText puts what is new in the piece's text behind its values.
func (p *Printer) betweenText() {
	b := &p.piece
	size := len(b.text) - b.used
	if k := len(b.between) - 1; k >= 0 && b.between[k].Place == b.n && b.between[k].From+b.between[k].Size == b.used {
		b.between[k].Size += size
	} else {
		b.between = append(b.between, textscan.Insertion{Place: b.n, From: b.used, Size: size})
	}
	b.used = len(b.text)
}

// betweenZeros puts zeros before the value at a place of the piece. ok is false if one is
// out of range.
func (p *Printer) betweenZeros(place, from, to int) (ok bool) {
	if p.beyond < to && p.outOfRange(from, to) {
		return false
	}
	lo, hi := p.starts[from], p.starts[to]
	p.piece.between = append(p.piece.between, textscan.Insertion{Place: place, From: lo, Size: hi - lo})
	p.piece.zeros += to - from
	return true
}

// drop makes the piece empty.
func (p *Printer) drop() {
	b := &p.piece
	b.n, b.zeros, b.between = 0, 0, b.between[:0]
	b.text = b.text[:p.starts[len(p.starts)-1]]
	b.used = len(b.text)
}

// flush appends the piece and returns the number of its pairs.
func (p *Printer) flush(dst []byte) (text []byte, pairs int) {
	b := &p.piece
	if b.used < len(b.text) {
		p.betweenText()
	}
	if len(b.between) == 0 && b.n == 0 {
		return dst, 0
	}
	values := (*[textscan.SixDigitsLen]float64)(b.values[:])
	names := (*[textscan.SixDigitsLen]textscan.Name)(b.names[:])
	b.text = slices.Grow(b.text, textscan.InsertionSlack)
	b.between = slices.Grow(b.between, 1)
	b.sixes.Set(values, b.n)
	pairs = b.zeros
	between := b.between
	for k := 0; ; k++ {
		var written int
		dst, k, written, between = b.sixes.AppendNamed(dst, values, names, k, b.n, between, b.text)
		pairs += written
		if k == b.n {
			p.drop()
			return dst, pairs
		}
		// the fast way does not do
		dst = append(textscan.AppendInt(dst, int64(p.s.ranges.X.Ranges[b.slots[k]].Index)), ':')
		dst = append(textscan.AppendG(dst, b.values[k], 6), ' ')
		pairs++
	}
}

// appendStaged adds the pairs of a row to the piece, which it appends whenever it is full. It
// returns the number of pairs appended; ok is false if a value is out of range.
func (p *Printer) appendStaged(dst []byte, index []int32, value []float64) (text []byte, pairs int, ok bool) {
	if len(index) > longRow {
		return p.appendLong(dst, index, value)
	}
	if p.stage == nil {
		p.makeTerms()
		p.stage = &p.memory
		p.stage.set(p, index)
	}
	if dst, pairs, ok = p.appendBy(p.stage, dst, value); !ok || !p.lastZeros(p.stage.zero) {
		return dst, 0, false
	}
	return dst, pairs, true
}

// A row of more pairs than longRow is staged by parts of so many, and leaves no stage: what is
// staged, and kept to be compared with the next row, takes three times the memory of the pairs.
const longRow, longPart = 1 << 18, 1 << 12

// longestPair is a pair's longest text; writtenBehind is room for numbers that are written at a
// time, and the label.
const longestPair, writtenBehind = 11 + 14, 1 << 14

// appendLong is appendStaged for a long row.
func (p *Printer) appendLong(dst []byte, index []int32, value []float64) (text []byte, pairs int, ok bool) {
	p.stage = nil
	// Room for all, once. What is not written to is not taken, as long as it need not be cleared.
	if need := len(index)*longestPair + len(p.zeros) + writtenBehind; cap(dst)-len(dst) < need {
		dst = append(make([]byte, 0, len(dst)+need), dst...)
	}
	g, zero := &p.memory, 0
	for len(index) > 0 {
		n := min(len(index), longPart)
		g.setFrom(p, index[:n], zero)
		var m int
		if dst, m, ok = p.appendBy(g, dst, value[:n]); !ok {
			return dst, 0, false
		}
		pairs += m
		index, value, zero = index[n:], value[n:], g.zero
	}
	return dst, pairs, p.lastZeros(zero)
}

// appendBy adds the values of a stage to the piece, with the zeros before each.
func (p *Printer) appendBy(g *stage, dst []byte, value []float64) (text []byte, pairs int, ok bool) {
	if g.dropped {
		p.value = p.value[:0]
		for _, k := range g.place {
			p.value = append(p.value, value[k])
		}
		value = p.value
	}
	gaps, b := g.gaps, &p.piece
	for at := 0; at < len(value); {
		m := min(textscan.SixDigitsLen-b.n, len(value)-at)
		if m < fewLeft && m < len(value)-at {
			var n int
			dst, n = p.flush(dst)
			pairs += n
			continue
		}
		inside := false // gaps are, whose places count on every value
		for ; len(gaps) > 0 && gaps[0].place < at+m; gaps = gaps[1:] {
			inside = inside || gaps[0].place > at
			if !p.betweenZeros(b.n+gaps[0].place-at, gaps[0].from, gaps[0].to) {
				return dst, 0, false
			}
		}
		n, ok := p.scale(g, at, value[at:at+m], inside)
		if !ok {
			return dst, 0, false
		}
		b.n += n
		at += m
	}
	return dst, pairs, true
}

// lastZeros adds zeros from one on to the piece, which stand behind all values. ok is false if one
// is out of range.
func (p *Printer) lastZeros(from int) (ok bool) {
	n := len(p.s.zeros)
	return from == n || p.betweenZeros(p.piece.n, from, n)
}

// appendShort is appendRow for a row whose stage is short, where labels stay and no zero is out of
// range. ok is false if a value is, as appendRow then finds.
func (p *Printer) appendShort(dst []byte, y float64, value []float64) (text []byte, pairs int, ok bool) {
	g, b := p.stage, &p.piece
	if b.n+len(value) > textscan.SixDigitsLen {
		dst, pairs = p.flush(dst)
	}
	b.text = p.appendLabel(b.text, y)
	b.between = append(b.between, textscan.Insertion{Place: b.n, From: b.used, Size: len(b.text) - b.used})
	for _, t := range g.before {
		t.Place += b.n
		b.between = append(b.between, t)
	}
	n, ok := 0, true
	if len(value) > 0 {
		n, ok = p.scale(g, 0, value, g.inside)
	}
	if !ok {
		return dst, pairs, false
	}
	b.used = len(b.text)
	b.n += n
	b.zeros += g.count
	if g.behind.Size > 0 {
		b.between = append(b.between, textscan.Insertion{Place: b.n, From: g.behind.From, Size: g.behind.Size})
	}
	b.text = append(b.text, '\n')
	return dst, pairs, true
}

// outOfRange reports whether one of the zeros from lo to before hi has no text.
func (p *Printer) outOfRange(lo, hi int) bool {
	for i := max(lo, p.beyond); i < hi; i++ {
		if math.IsNaN(p.s.zeros[i].value) {
			return true
		}
	}
	return false
}
