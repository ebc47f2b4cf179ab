package scale

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Packed are rows that are put away between measuring and scaling. To touch memory for the first
// time takes longer than to put numbers into less of it: most are written as decimals of few
// digits, which a whole number of 32 bits or 16 stands for; see words.go for others.
type Packed struct {
	labels, value        packedReals
	ones                 int // so many values that are 1, if there are no others
	lists, starts, index packedWholes
}

// packedReals are numbers: as they are, or as multiples of 1/scale, or as words.
type packedReals struct {
	all    []float64
	words  []int32
	wholes packedWholes
	scale  float64 // 0: as they are, or as words
}

// packedWholes are whole numbers: as they are, or as what they are more than base, or nothing but
// their number where each is a step more than the one before.
type packedWholes struct {
	all   []int32
	half  []uint16
	base  int32
	steps int
	step  int32
}

// Bytes returns how many bytes of memory the rows take.
func (p *Packed) Bytes() int {
	return p.labels.bytes() + p.value.bytes() + p.lists.bytes() + p.starts.bytes() + p.index.bytes()
}

// Rows sets rows to those that were packed, in the memory that it had if there is room. All of its
// values before must be 1 if Ones says so.
func (p *Packed) Rows(rows *Rows) {
	p.rest(rows)
	if p.ones == 0 {
		rows.Value, rows.Ones = p.value.numbers(rows.Value), false
		return
	}
	if !rows.Ones {
		rows.Value, rows.Ones = rows.Value[:0], true
	}
	for len(rows.Value) < p.ones {
		rows.Value = append(rows.Value, 1)
	}
	rows.Value = rows.Value[:p.ones]
}

// View is Rows if values were put away as they are: rows has them where they are, and nobody may
// change them. Else it reports that it does nothing.
func (p *Packed) View(rows *Rows) (ok bool) {
	if p.ones > 0 || p.value.scale != 0 || p.value.words != nil {
		return false
	}
	p.rest(rows)
	rows.Value, rows.Ones = p.value.all, false
	return true
}

// rest unpacks what rows are but for the values.
func (p *Packed) rest(rows *Rows) {
	rows.Labels = p.labels.numbers(rows.Labels)
	rows.Lists, rows.Starts, rows.Index = p.lists.numbers(rows.Lists), p.starts.numbers(rows.Starts), p.index.numbers(rows.Index)
}

// A Packer packs rows of a data set. The zero value is ready. It is for one goroutine.
type Packer struct {
	labels, values decimals
}

// decimals says how numbers of a kind were written so far.
type decimals struct {
	places int // behind the point
	gain   int // how much more often they were packed than not
}

const (
	mostPlaces   = 9 // with more, no number of 32 bits stands for 1
	mostUnpacked = 8 // times until it is no longer tried
)

// Pack puts rows away in a room.
func (k *Packer) Pack(rows *Rows, room *pages.Room) *Packed {
	p := &Packed{labels: packReals(rows.Labels, &k.labels, room)}
	if rows.Ones {
		p.ones = len(rows.Value)
	} else {
		p.value = packReals(rows.Value, &k.values, room)
	}
	p.lists, p.starts, p.index = packWholes(rows.Lists, room), packWholes(rows.Starts, room), packWholes(rows.Index, room)
	return p
}

// packReals packs numbers of a kind.
func packReals(x []float64, kind *decimals, room *pages.Room) packedReals {
	wholes := lent[int32](room, len(x))
	scale, ok := kind.wholes(wholes, x)
	if !ok {
		if len(x) > 0 && hasWords() {
			if words := lent[int32](room, len(x)); wordsOfReals(words, x) == len(x) {
				return packedReals{words: kept(room, words)}
			}
		}
		return packedReals{all: kept(room, x)}
	}
	// halves are where wholes are, which are longer and read before
	halves := lent[uint16](room, len(x))
	switch done := halvesOfWholes(halves, wholes, math.MinInt16); done {
	case len(x):
		return packedReals{wholes: packedWholes{half: kept(room, halves), base: math.MinInt16}, scale: scale}
	case 0:
	default:
		wholesOfReals(wholes, x, scale) // again
	}
	return packedReals{wholes: packedWholes{all: kept(room, wholes)}, scale: scale}
}

// wholes sets dst to x*scale, where dst/scale is x to the bit, and returns scale. ok is false if there
// is no such scale, or it was not worth to look for one.
func (d *decimals) wholes(dst []int32, x []float64) (scale float64, ok bool) {
	if !vectors() || d.gain < -mostUnpacked {
		return 0, false
	}
	for fresh := d.places == 0; ; {
		scale = powers10[d.places]
		done := wholesOfReals(dst, x, scale)
		if done == len(x) {
			d.gain = min(d.gain+1, mostUnpacked)
			return scale, true
		}
		// the number there has more places, or is too large for as many as others had
		more := d.places + 1
		for more <= mostPlaces && wholesOfReals(dst[done:done+1], x[done:done+1], powers10[more]) == 0 {
			more++
		}
		if more > mostPlaces {
			if more = 0; fresh {
				d.places = 0
				d.gain--
				return 0, false
			}
			fresh = true
		}
		d.places = more
	}
}

// powers10 are powers of ten.
var powers10 = [mostPlaces + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// wholesOfRealsPortable sets dst to x*scale as long as dst/scale is x again, to the bit, and returns
// how many these are.
func wholesOfRealsPortable(dst []int32, x []float64, scale float64) (done int) {
	const rounds = 3 << 51 // a sum with it has no bits behind the point, and whole numbers are its last bits
	dst = dst[:len(x)]
	for i, v := range x {
		whole := int64(math.Float64bits(float64(v*scale)+rounds)) - int64(math.Float64bits(rounds))
		dst[i] = int32(whole)
		if int64(int32(whole)) != whole || math.Float64bits(float64(whole)/scale) != math.Float64bits(v) {
			return i
		}
	}
	return len(x)
}

// packWholes packs whole numbers.
func packWholes(x []int32, room *pages.Room) packedWholes {
	if p, ok := stepsOf(x); ok {
		return p
	}
	halves := lent[uint16](room, len(x))
	if halvesOfWholes(halves, x, 0) == len(x) {
		return packedWholes{half: kept(room, halves)}
	}
	return packedWholes{all: kept(room, x)}
}

// stepsOf packs whole numbers that come in equal steps; ok is false if they do not.
func stepsOf(x []int32) (p packedWholes, ok bool) {
	if len(x) < 2 {
		return p, false
	}
	step := x[1] - x[0]
	for i, v := range x[1:] {
		if v-x[i] != step {
			return p, false
		}
	}
	return packedWholes{base: x[0], steps: len(x), step: step}, true
}

// lent returns n numbers to write to, which kept, if it is what comes next, need not copy.
func lent[T pages.Number](room *pages.Room, n int) []T {
	if s := pages.Lend[T](room, n); s != nil {
		return s
	}
	return make([]T, n)
}

// kept returns a copy of s in a room: s itself if it was lent last.
func kept[T pages.Number](room *pages.Room, s []T) []T {
	c := pages.Take[T](room, len(s))
	if len(s) > 0 && &c[0] != &s[0] {
		copy(c, s)
	}
	return c
}

// halvesOfWholesPortable sets dst to x-base as long as that has 16 bits, and returns how many these are.
func halvesOfWholesPortable(dst []uint16, x []int32, base int32) (done int) {
	dst = dst[:len(x)]
	for i, v := range x {
		if uint32(v-base) > math.MaxUint16 {
			return i
		}
		dst[i] = uint16(v - base)
	}
	return len(x)
}

// numbers returns the numbers, in the memory of dst if there is room.
func (p *packedReals) numbers(dst []float64) []float64 {
	if p.words != nil {
		dst = slices.Grow(dst[:0], len(p.words))[:len(p.words)]
		realsOfWords(dst, p.words)
		return dst
	}
	if p.scale == 0 {
		return append(dst[:0], p.all...)
	}
	n := p.wholes.len()
	dst = slices.Grow(dst[:0], n)[:n]
	var buf [packedAtOnce]int32
	for at := 0; at < n; at += packedAtOnce {
		realsOfWholes(dst[at:min(at+packedAtOnce, n)], p.wholes.some(buf[:], at), p.scale)
	}
	return dst
}

// packedAtOnce is how many numbers are unpacked by one step before the next.
const packedAtOnce = 1 << 9

// realsOfWholesPortable sets dst to x/scale.
func realsOfWholesPortable(dst []float64, x []int32, scale float64) {
	for i, v := range x[:len(dst)] {
		dst[i] = float64(v) / scale
	}
}

func (p *packedReals) bytes() int { return 8*len(p.all) + 4*len(p.words) + p.wholes.bytes() }

// numbers returns the numbers, in the memory of dst if there is room.
func (p *packedWholes) numbers(dst []int32) []int32 {
	n := p.len()
	dst = slices.Grow(dst[:0], n)[:n]
	copy(dst, p.some(dst, 0))
	return dst
}

// some returns numbers from one on, as many as there are or buf has room for. They may be in buf.
func (p *packedWholes) some(buf []int32, from int) []int32 {
	switch {
	case p.steps > 0:
		buf = buf[:min(len(buf), p.steps-from)]
		for i := range buf {
			buf[i] = p.base + p.step*int32(from+i)
		}
		return buf
	case p.half == nil:
		return p.all[from:min(from+len(buf), len(p.all))]
	}
	buf = buf[:min(len(buf), len(p.half)-from)]
	wholesOfHalves(buf, p.half[from:], p.base)
	return buf
}

// wholesOfHalvesPortable sets dst to x+base.
func wholesOfHalvesPortable(dst []int32, x []uint16, base int32) {
	for i, v := range x[:len(dst)] {
		dst[i] = int32(v) + base
	}
}

func (p *packedWholes) len() int { return len(p.all) + len(p.half) + p.steps }

func (p *packedWholes) bytes() int { return 4*len(p.all) + 2*len(p.half) }
