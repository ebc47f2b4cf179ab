package scale

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Packed are rows that are put away between measuring and scaling, in little memory. Touching
// memory for the first time takes longer than putting numbers into less of it: most numbers are
// decimals of few digits, which fit a whole number of 32 bits or less (wholes.go; for others,
// words.go).
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

// Bytes returns the memory of the rows.
func (p *Packed) Bytes() int {
	return p.labels.bytes() + p.value.bytes() + p.lists.bytes() + p.starts.bytes() + p.index.bytes()
}

// Rows sets rows to the packed rows, in rows' memory if that is enough. If rows.Ones is set, all of
// rows.Value must be 1 before the call.
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

// View is Rows without copying, if values were packed unchanged: rows then shares memory that must
// not be changed. Otherwise View does nothing and returns false.
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

// A Packer packs rows of a data set. The zero Packer is ready. Only one goroutine may use it.
type Packer struct {
	labels, values decimals
	scratch        []int32 // the whole numbers of reals
	talls          talls
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

// Pack packs rows into memory of an arena.
func (k *Packer) Pack(rows *Rows, arena *pages.Arena) *Packed {
	p := &Packed{labels: k.reals(rows.Labels, &k.labels, arena)}
	if rows.Ones {
		p.ones = len(rows.Value)
	} else {
		p.value = k.reals(rows.Value, &k.values, arena)
	}
	p.lists, p.starts, p.index = k.talls.pack(rows.Lists, arena), k.talls.pack(rows.Starts, arena), k.talls.pack(rows.Index, arena)
	return p
}

// reals packs numbers of a kind.
func (k *Packer) reals(x []float64, kind *decimals, arena *pages.Arena) packedReals {
	k.scratch = slices.Grow(k.scratch[:0], len(x))
	wholes := k.scratch[:len(x)]
	if scale, ok := kind.wholes(wholes, x); ok {
		return packedReals{wholes: k.talls.pack(wholes, arena), scale: scale}
	}
	if len(x) > 0 && hasWords() {
		if words := scratch[int32](arena, len(x)); wordsOfReals(words, x) == len(x) {
			return packedReals{words: kept(arena, words)}
		}
	}
	return packedReals{all: kept(arena, x)}
}

// wholes sets dst to x*scale, where dst/scale is x to the bit, and returns scale. ok is false if
// there is no such scale, or it was not worth to look for one.
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

// scratch returns n numbers to write to, which kept, if it is what comes next, need not copy.
func scratch[T pages.Number](arena *pages.Arena, n int) []T {
	if s := pages.AllocScratch[T](arena, n); s != nil {
		return s
	}
	return make([]T, n)
}

// kept returns a copy of s in an arena: s itself if scratch returned it last.
func kept[T pages.Number](arena *pages.Arena, s []T) []T {
	c := pages.Alloc[T](arena, len(s))
	if len(s) > 0 && &c[0] != &s[0] {
		copy(c, s)
	}
	return c
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
	for at, used := 0, 0; at < n; at += packedAtOnce {
		var some []int32
		some, used = p.wholes.some(buf[:], at, used)
		realsOfWholes(dst[at:min(at+packedAtOnce, n)], some, p.scale)
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
