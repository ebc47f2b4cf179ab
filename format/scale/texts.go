package scale

import (
	"math"
	"slices"
)

// Features often have few different values: classes, counts, numbers that were rounded. Where a
// look at the first ones tells so, the text of each value of each feature is kept and copied.

// A valueText is the text of a feature's value, name and blank included.
type valueText struct {
	bits uint64 // of the value
	text [knownBytes / 8]uint64
	slot int32 // of the feature's rule
	size int32 // of the text; 0: the value is not written
}

const (
	// manyTexts bounds the memory of texts to a hundred kilobytes. Of the places for their
	// numbers half stay free.
	manyTexts  = 1 << 11
	textPlaces = 2 * manyTexts

	// lookedAt is how many values are looked at, of which half must have been there before.
	lookedAt = 1 << 11

	// A text that is made costs as much as so many that are copied save.
	textCost   = 32
	textCredit = manyTexts / 2 * textCost
)

// texts are those of values that came before.
type texts struct {
	list   []valueText        // the first is none
	places [textPlaces]uint16 // of texts in the list, by a hash; 0: none
	looked int                // how many values were looked at
	again  int                // how many of them had been there before
	credit int                // below 0: they are not worth it
}

// Factors that spread what is in bits and slots in the higher bits.
const (
	spreadBits = 0x9e3779b97f4a7c15
	spreadSlot = 0xc2b2ae3d27d4eb4f
)

// textHash returns a hash of a value of a feature, whose highest bits are its place.
func textHash(bits uint64, slot int32) uint64 { return bits*spreadBits + uint64(slot)*spreadSlot }

// textPlace returns the place of a value of a feature, behind which it is if others took that before.
func textPlace(bits uint64, slot int32) uint64 { return textHash(bits, slot) / (1 << 64 / textPlaces) }

// worth reports whether texts are to be copied. It looks at values, as long as that is not known.
func (t *texts) worth(value []float64, slot []int32) bool {
	if t.looked >= lookedAt {
		return t.credit >= 0
	}
	for k, v := range value {
		hash := textHash(math.Float64bits(v), slot[k])
		place, mark := &t.places[hash/(1<<64/textPlaces)], uint16(hash>>32)
		if *place == mark {
			t.again++
		}
		*place = mark
	}
	if t.looked += len(value); t.looked < lookedAt {
		return false
	}
	clear(t.places[:])
	t.list = make([]valueText, 1, manyTexts/8)
	if t.credit = textCredit; t.again < lookedAt/2 {
		t.credit = -1
	}
	return t.credit >= 0
}

// appendTexts appends rows from one on by texts of values, as appendShort would, as long as they have
// its list and there are fewer than so many bytes. It returns how many rows it has done; it stops before
// one for which that does not do.
func (p *Printer) appendTexts(dst []byte, rows *Rows, from, size int) (text []byte, done, pairs int) {
	list := rows.listed(from)
	for i := from; i < len(rows.Labels) && len(dst) < size && rows.listed(i) == list; i++ {
		before := len(dst)
		value := rows.Value[rows.Starts[i]:rows.Starts[i+1]]
		written, ok := 0, false
		if dst, written, ok = p.appendRowTexts(dst, rows.Labels[i], value); !ok {
			return dst[:before], done, pairs
		}
		done++
		pairs += written
	}
	return dst, done, pairs
}

// appendRowTexts appends a row by texts of values. ok is false if that does not do.
func (p *Printer) appendRowTexts(dst []byte, y float64, value []float64) (text []byte, pairs int, ok bool) {
	g := p.stage
	dst = slices.Grow(dst, len(labelText{}.text)+(len(value)+1)*knownBytes+len(p.zeros)+1)
	dst = p.appendLabel(dst, y)
	pairs, p.texts.credit = g.count, min(p.texts.credit+len(value), textCredit)
	for at, k := 0, 0; ; k++ {
		end := len(value)
		if k < len(g.before) {
			end = g.before[k].Place
		}
		for at < end {
			done, size, written := p.texts.copyTo(dst[len(dst):cap(dst)], value[at:end], g.slot[at:end])
			dst = dst[:len(dst)+size]
			pairs += written
			if at += done; at < end && !p.makeText(value[at], g.slot[at]) {
				return dst, 0, false
			}
		}
		zeros := g.behind
		if k < len(g.before) {
			zeros = g.before[k]
		}
		dst = append(dst, p.zeros[zeros.From:zeros.From+zeros.Size]...)
		if k == len(g.before) {
			return append(dst, '\n'), pairs, true
		}
	}
}

// copyToPortable copies texts to room, where they and one more fit, as long as there are such, and
// returns how many it did, how many bytes these have, and how many of them are not empty.
func (t *texts) copyToPortable(room []byte, value []float64, slot []int32) (done, size, written int) {
	slot = slot[:len(value)]
	for k, v := range value {
		e := t.find(math.Float64bits(v), slot[k])
		if e == nil {
			return k, size, written
		}
		putText((*[knownBytes]byte)(room[size:]), &e.text)
		size += int(e.size)
		written += int(-uint32(e.size) >> 31)
	}
	return len(value), size, written
}

// find returns the text of a value, nil if there is none.
func (t *texts) find(bits uint64, slot int32) *valueText {
	for place := textPlace(bits, slot); ; place++ {
		n := t.places[place%textPlaces]
		if n == 0 {
			return nil
		}
		if e := &t.list[n]; e.bits == bits && e.slot == slot {
			return e
		}
	}
}

// makeText makes the text of a value, if it is short and in range.
func (p *Printer) makeText(v float64, slot int32) bool {
	t := &p.texts
	if t.credit -= textCost; t.credit < 0 || len(t.list) == manyTexts {
		return false
	}
	e := valueText{bits: math.Float64bits(v), slot: slot}
	y := p.s.ranges.X.Limits.value(v, &p.s.rules[slot])
	if math.IsNaN(y) {
		return false
	}
	if y != 0 {
		if e.text, e.size = p.pairText(slot, y); e.size == 0 {
			return false
		}
	}
	place := textPlace(e.bits, slot)
	for t.places[place%textPlaces] != 0 {
		place++
	}
	t.places[place%textPlaces] = uint16(len(t.list))
	t.list = append(t.list, e)
	return true
}
