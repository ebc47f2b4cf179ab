package scale

import (
	"math"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A Printer writes scaled rows as svm-scale does: the label as C's "%.17g ", each pair as "%d:%g ",
// and a line feed. Only one goroutine may use it at a time.
//
// With limits that do not map 0 to 0, most of the text is for features that rows do not list. That
// text is kept and copied in pieces.
type Printer struct {
	s      *Scaler
	terms  []term    // of the rules; nil: there are none, or they are not made yet
	once   sync.Once // of Clone, which several goroutines may call
	zeros  []byte    // the text of the scaler's zeros
	starts []int     // where in it each begins, and the end
	beyond int       // the first of the zeros that is out of range, or their number

	marks []mark // by index, also those of texts; nil: there are too many, or none

	labels labelTexts

	last    []int32 // indices of the row before
	stage   *stage  // of the row before; nil: it is not staged
	memory  stage   // of which it is made
	ones    ones
	texts   texts
	pairs   pairTexts
	value   []float64 // of the row, without those that are dropped
	piece   piece     // of text that is to be appended
	rows    rowTexts
	run     *stage // of rows of a run that are put together
	runFrom int    // the first of them in the piece
	filled  filled
	odd     int // how many rows are put together one by one before many are tried at a time
}

// A term is what scaling many values at once needs of a rule. span is NaN if that is not plain.
type term struct {
	min, span float64
	name      textscan.Name // an index and a colon
	kept      int           // 0: the rule is constant; else 1
}

// NewPrinter returns a printer of rows scaled by s.
func NewPrinter(s *Scaler) *Printer {
	p := &Printer{s: s, beyond: len(s.zeros), labels: newLabelTexts()}
	if s.ranges.X == nil {
		p.starts = []int{0}
		p.texts = newTexts(nil)
		return p
	}
	if len(s.rules) <= longRow {
		p.makeTerms()
	}
	p.starts = make([]int, len(s.zeros)+1)
	for i, z := range s.zeros {
		if i == someZeros { // the others are much the same: once, not doubling by doubling
			p.zeros = slices.Grow(p.zeros, len(p.zeros)/someZeros*(len(s.zeros)-i)*9/8+zerosSlack)
		}
		if math.IsNaN(z.value) {
			p.beyond = min(p.beyond, i)
		}
		p.zeros = append(textscan.AppendInt(p.zeros, int64(z.index)), ':')
		p.zeros = append(textscan.AppendG(p.zeros, z.value, 6), ' ')
		p.starts[i+1] = len(p.zeros)
	}
	p.zeros = slices.Grow(p.zeros, zerosSlack)
	p.piece.text, p.piece.used = p.zeros, len(p.zeros)
	p.marks = p.newMarks()
	p.texts = newTexts(p.marks)
	p.pairs.entries = p.countPairs()
	return p
}

// makeTerms makes the terms of all rules, if that is not done. Of so many rules that there may be
// long rows, which do without, they are made when another row comes: they take as much memory as
// the ranges.
func (p *Printer) makeTerms() {
	if p.terms == nil {
		p.terms = make([]term, len(p.s.rules))
		for slot := range p.terms {
			p.terms[slot] = p.newTerm(int32(slot))
		}
	}
}

// newTerm makes the term of a rule.
func (p *Printer) newTerm(slot int32) term {
	var buf [16]byte
	u := &p.s.rules[slot]
	t := term{u.Min, u.span(), textscan.NewName(append(textscan.AppendInt(buf[:0], int64(p.s.ranges.X.Ranges[slot].Index)), ':')), 1}
	switch {
	case u.constant:
		t.kept = 0
	case !u.plain:
		t.span = math.NaN()
	}
	return t
}

// someZeros is how many texts of zeros tell how long all are.
const someZeros = 1 << 12

// Clone returns an equal printer for another goroutine. It shares what is prepared for each
// feature.
func (p *Printer) Clone() *Printer {
	if p.s.ranges.X != nil {
		p.once.Do(p.makeTerms)
	}
	q := &Printer{s: p.s, terms: p.terms, starts: p.starts, beyond: p.beyond, marks: p.marks, labels: newLabelTexts()}
	q.texts = newTexts(q.marks)
	if p.s.ranges.X != nil {
		q.zeros = append(make([]byte, 0, len(p.zeros)+zerosSlack), p.zeros...)
		q.piece.text, q.piece.used = q.zeros, len(q.zeros)
		q.pairs.entries = p.pairs.entries
	}
	return q
}

// AppendRow scales a row, whose indices must ascend, and appends its text to dst. It returns the
// text and the number of pairs written. An error is that of [Scaler.Label] or [Scaler.RowTo].
func (p *Printer) AppendRow(dst []byte, y float64, x vec.Vector) (text []byte, pairs int, err error) {
	again := vec.EqualIndices(x.Index, p.last)
	if !again {
		p.note(x.Index)
	}
	if dst, pairs, err = p.appendRow(dst, y, x.Index, x.Value, again); err != nil {
		return dst, 0, err
	}
	dst, more := p.flush(dst)
	return dst, pairs + more, nil
}

// AppendRows is AppendRow for the rows from the given one on, until the text has about size bytes.
// It is faster than row by row. stop is the row where it stopped; if there is an error, that row
// has it and the text is of the rows before it.
func (p *Printer) AppendRows(dst []byte, rows *Rows, from, size int) (text []byte, stop, pairs int, err error) {
	stop = from
	begin := len(dst)
	if rows.Ones && p.takesOnes() {
		var ok bool
		if dst, stop, pairs, ok = p.appendOnes(dst, rows, from, size); ok {
			return dst, stop, pairs, nil
		}
	}
	last, before := noList, p.last
	quick := p.s.ranges.X != nil && p.s.ranges.Y == nil && p.beyond == len(p.s.zeros)
	alike := rows.alike(from)
	byPairs := quick && p.byPairs()
	fills, loss := quick && !byPairs && !alike && p.fills(rows, from), 0
	for ; stop < len(rows.Labels) && len(dst) < size; stop++ {
		n, ok := 0, false
		if byPairs || fills || p.byMarks(rows, stop, alike) {
			dst, n = p.flush(dst)
			pairs += n
			before := stop
			switch {
			case byPairs:
				dst, stop, n = p.appendPairs(dst, rows, stop, size)
			case fills:
				dst, stop, n = p.appendFilled(dst, rows, stop, size)
			default:
				dst, stop, n = p.appendMarked(dst, rows, stop, size, alike)
			}
			if pairs += n; stop == len(rows.Labels) || len(dst) >= size {
				break
			}
			switch {
			case byPairs:
				byPairs = p.pairs.worth(stop - before)
			case fills:
				loss = max(loss-(stop-before), 0) + oddLoss
				fills = loss <= mostLoss
			}
		}
		y, index, value := rows.row(stop)
		list := rows.listed(stop)
		again := list == last || last == noList && vec.EqualIndices(index, before)
		last, before = list, index
		if quick && again && p.stage != nil && p.stage.short {
			to := stop
			dst, to, n = p.appendRun(dst, rows, stop)
			if pairs += n; to > stop {
				stop = to - 1
				continue
			}
			dst, n, ok = p.appendShort(dst, y, value)
		}
		if !ok {
			if dst, n, err = p.appendRow(dst, y, index, value, again); err != nil {
				break
			}
		}
		pairs += n
	}
	p.note(before)
	if err != nil {
		dst, pairs = p.appendBefore(dst[:begin], rows, from, stop)
		return dst, stop, pairs, err
	}
	dst, n := p.flush(dst)
	pairs += n
	p.pairs.written += pairs
	return dst, stop, pairs, nil
}

// note keeps the indices of the row before, if they are not too many.
func (p *Printer) note(index []int32) {
	if p.last = p.last[:0]; len(index) <= longRow {
		p.last = append(p.last, index...)
	}
}

// appendBefore appends the rows that stand before the one at fault, and can be scaled: what was put
// together of them was dropped with what there was of that one.
func (p *Printer) appendBefore(dst []byte, rows *Rows, from, fault int) (text []byte, pairs int) {
	for i := from; i < fault; i++ {
		y, index, value := rows.row(i)
		var n int
		dst, n, _ = p.AppendRow(dst, y, vec.Vector{Index: index, Value: value})
		pairs += n
	}
	return dst, pairs
}

// AppendAll is [Printer.AppendRows] for all rows.
func (p *Printer) AppendAll(dst []byte, rows *Rows) (text []byte, stop, pairs int, err error) {
	return p.AppendRows(dst, rows, 0, math.MaxInt)
}

// Zeros returns the size in bytes of the text for features that a row need not list.
func (p *Printer) Zeros() int { return p.starts[len(p.starts)-1] }

// appendRow is AppendRow, but for what it leaves in p.piece. Again says that the row lists the
// same features as the row before.
func (p *Printer) appendRow(dst []byte, y float64, index []int32, value []float64, again bool) (text []byte, pairs int, err error) {
	if !again {
		p.stage = nil
	}
	if y, err = p.s.Label(y); err != nil {
		p.drop()
		return dst, 0, err
	}
	p.piece.text = p.appendLabel(p.piece.text, y)
	ok := true
	if p.s.ranges.X == nil {
		pairs = p.appendUnscaled(index, value)
	}
	p.betweenText()
	if p.s.ranges.X != nil {
		var n int
		dst, n, ok = p.appendStaged(dst, index, value)
		pairs += n
	}
	if !ok {
		p.drop()
		return dst, 0, p.s.RowTo(new(vec.Vector), vec.Vector{Index: index, Value: value}) // it says what is out of range
	}
	p.piece.text = append(p.piece.text, '\n') // what is behind it goes with it
	return dst, pairs, nil
}

// appendUnscaled adds the pairs of a row whose features stay as they are to the piece's text.
func (p *Printer) appendUnscaled(index []int32, value []float64) (pairs int) {
	b := p.piece.text
	for k, v := range value {
		if v != 0 {
			b = append(textscan.AppendInt(b, int64(index[k])), ':')
			b = append(textscan.AppendG(b, v, 6), ' ')
			pairs++
		}
	}
	p.piece.text = b
	return pairs
}
