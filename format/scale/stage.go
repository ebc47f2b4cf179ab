package scale

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// A stage is what the values of a row are scaled by, side by side. Rows often list the
// same features as the row before, and have its stage.
type stage struct {
	slot      []int32 // of the rules for the values that are not dropped
	name      []textscan.Name
	min, span []float64
	place     []int32 // of these values in the row, if some are dropped
	dropped   bool
	plain     bool // all rules are
	gaps      []gap
	zero      int // the first zero behind the values

	// of rows that are short: the texts of the gaps and of what is behind the values, which
	// counts as so many zeros
	short, inside bool // inside: gaps are, whose places count on every value
	solid         bool // nothing stands between the values
	rows          int  // for which values are scaled at a time, of what stands here
	skips         bool // many values become 0, so that rows are better appended one by one
	before        []textscan.Insertion
	behind        textscan.Insertion
	count         int
}

// shortRow is how many values a row has at most to be appended as a whole.
const shortRow = textscan.SixDigitsLen / 4

// A gap is where zeros stand before a value: those from one to before another.
type gap struct{ place, from, to int }

// set makes g the stage of rows with the given indices.
func (g *stage) set(p *Printer, index []int32) { g.setFrom(p, index, 0) }

// setFrom makes g the stage of a part of a row: the zeros before one stand before it.
func (g *stage) setFrom(p *Printer, index []int32, zero int) {
	s, n := p.s, len(index)
	g.slot, g.name = slices.Grow(g.slot[:0], n)[:n], slices.Grow(g.name[:0], n)[:n]
	g.min, g.span = slices.Grow(g.min[:0], n)[:n], slices.Grow(g.span[:0], n)[:n]
	g.place = slices.Grow(g.place[:0], n)[:n]
	g.plain = true
	g.gaps, g.zero = g.gaps[:0], zero
	g.rows, g.skips = 1, false
	k := 0
	for i := 0; i < n; i++ {
		if i, k = g.lookUp(p, index, i, k); i == n {
			break
		}
		if slot := s.index.find(index[i]); slot >= 0 { // a far one
			k += g.put(p, k, i, slot)
		}
	}
	spans := g.span[:k]
	if !s.plain {
		for _, span := range spans {
			g.plain = g.plain && span == span
		}
	}
	if len(s.zeros) > 0 {
		g.setGaps(s, g.slot[:k])
	}
	g.dropped = k < n
	g.slot, g.min, g.span, g.place, g.name = g.slot[:k], g.min[:k], g.span[:k], g.place[:k], g.name[:k]
	if g.short = !g.dropped && n <= shortRow; g.short {
		g.setTexts(p)
	}
}

// setTexts finds the texts of zeros.
func (g *stage) setTexts(p *Printer) {
	g.before, g.inside, g.count = g.before[:0], false, 0
	for _, gap := range g.gaps {
		lo, hi := p.starts[gap.from], p.starts[gap.to]
		g.before = append(g.before, textscan.Insertion{Place: gap.place, From: lo, Size: hi - lo})
		g.inside = g.inside || gap.place > 0
		g.count += gap.to - gap.from
	}
	lo, hi := p.starts[g.zero], p.starts[len(p.starts)-1]
	g.behind = textscan.Insertion{From: lo, Size: hi - lo}
	g.count += len(p.starts) - 1 - g.zero
	g.solid = len(g.gaps) == 0 && g.zero == len(p.s.zeros)
}

// put writes the term of a slot for the value at a place of the row, behind k others, and
// returns 1 if it is kept.
func (g *stage) put(p *Printer, k, place int, slot int32) int {
	if p.terms == nil {
		t := p.newTerm(slot)
		return g.putTerm(&t, k, place, slot)
	}
	return g.putTerm(&p.terms[slot], k, place, slot)
}

// putTerm is put for the term of the slot.
func (g *stage) putTerm(t *term, k, place int, slot int32) int {
	g.slot[k], g.place[k] = slot, int32(place)
	g.min[k], g.span[k], g.name[k] = t.min, t.span, t.name
	return t.kept
}

// lookUpPortable writes the terms of the indices from at on behind those that are kept already,
// until one is not in the table. It returns where it stopped and how many are kept then.
func (g *stage) lookUpPortable(p *Printer, index []int32, at, kept int) (stop, more int) {
	direct := p.s.index.direct
	for ; at < len(index) && uint(index[at]) < uint(len(direct)); at++ {
		if slot := direct[index[at]] - 1; slot >= 0 {
			kept += g.put(p, kept, at, slot)
		}
	}
	return at, kept
}

// setGaps finds where zeros stand before the values of the given slots.
func (g *stage) setGaps(s *Scaler, slots []int32) {
	for k, slot := range slots {
		r := &s.rules[slot]
		if g.zero < r.after() {
			if g.zero < int(r.before) {
				g.gaps = append(g.gaps, gap{k, g.zero, int(r.before)})
			}
			g.zero = r.after()
		}
	}
}

// scale adds to the piece what the values of a row from one on become: those that are not 0,
// or all. It returns their number, without counting them in; ok is false if one is out of
// range.
func (p *Printer) scale(g *stage, at int, value []float64, all bool) (n int, ok bool) {
	if g.plain {
		if n, ok := p.formula(g, at, value, all); ok {
			return n, true
		}
	}
	return p.scaleEach(g, at, value, all)
}

// scaleEach is scale by plain Go, for all rules.
func (p *Printer) scaleEach(g *stage, at int, value []float64, all bool) (n int, ok bool) {
	limits, every := p.s.ranges.X.Limits, uint64(0)
	if all {
		every = 1
	}
	b := &p.piece
	for k, slot := range g.slot[at : at+len(value)] {
		y := limits.value(value[k], &p.s.rules[slot])
		if math.IsNaN(y) {
			return 0, false
		}
		b.values[b.n+n], b.slots[b.n+n], b.names[b.n+n] = y, slot, g.name[at+k]
		u := math.Float64bits(y) << 1
		n += int((u|-u)>>63 | every) // 1 where y is not 0, without a jump
	}
	return n, true
}
