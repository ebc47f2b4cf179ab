package scale

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Problem: few whole numbers of 32 bits need that many. Tables have columns of counts and marks
// beside some of large numbers.
//
// Method: numbers are stored as bytes if all fit, else as their lower 16 bits. A few may be tall:
// they have upper bits, which are stored separately, and a bit for each number marks them. Or all
// numbers have a byte of upper bits.

// packedWholes are whole numbers: as they are; or the bytes, or lower 16 bits, of what they are
// more than base; or nothing but their number where each is a step more than the one before.
type packedWholes struct {
	all   []int32
	small []uint8
	half  []uint16
	tall  []uint16 // which of sixteen halves have upper bits, from the lowest bit on; nil: none
	upper []uint16 // these, and tallsAtOnce more
	third []uint8  // of all halves
	base  int32
	steps int
	step  int32
}

// tallsAtOnce is how many numbers share a word of marks.
const tallsAtOnce = 16

// talls are memory to pack whole numbers with.
type talls struct {
	tall, upper []uint16
	third       []uint8
}

// sampleWholes is how many of the first numbers tell whether there are too many tall ones.
const sampleWholes = 1 << 9

// pack packs whole numbers, which are not in the arena.
func (t *talls) pack(x []int32, arena *pages.Arena) packedWholes {
	if p, ok := stepsOf(x); ok {
		return p
	}
	below := int32(0) // or -1
	for _, v := range x[:min(len(x), sampleWholes)] {
		below |= v >> 31
	}
	bytes, base := scratch[uint8](arena, len(x)), below<<7
	if bytesOfWholes(bytes, x, base) == len(x) {
		return packedWholes{small: kept(arena, bytes), base: base}
	}
	halves, base := scratch[uint16](arena, len(x)), below<<15
	if !hasTalls() {
		done := halvesOfWholes(halves, x, base)
		if done < len(x) && x[done] < 0 && below == 0 {
			base = math.MinInt16
			done = halvesOfWholes(halves, x, base)
		}
		if done == len(x) {
			return packedWholes{half: kept(arena, halves), base: base}
		}
		return packedWholes{all: kept(arena, x)}
	}
	n := (len(x) + tallsAtOnce - 1) / tallsAtOnce
	t.tall = slices.Grow(t.tall[:0], n)[:n]
	t.upper = slices.Grow(t.upper[:0], len(x)+tallsAtOnce)[:len(x)+tallsAtOnce]
	some := min(len(x), sampleWholes)
	count := tallsOfWholes(halves, t.tall, t.upper, x[:some], base)
	if 16*count >= 7*some { // more bits than three bytes
		t.third = slices.Grow(t.third[:0], len(x))[:len(x)]
		base := below << 23
		if threesOfWholes(halves, t.third, x, base) == len(x) {
			return packedWholes{half: kept(arena, halves), third: kept(arena, t.third), base: base}
		}
	}
	if worth(count, some) {
		if count = tallsOfWholes(halves, t.tall, t.upper, x, base); count == 0 {
			return packedWholes{half: kept(arena, halves), base: base}
		} else if worth(count, len(x)) {
			return packedWholes{half: kept(arena, halves), tall: kept(arena, t.tall), upper: kept(arena, t.upper[:count+tallsAtOnce]), base: base}
		}
	}
	return packedWholes{all: kept(arena, x)}
}

// worth reports whether n numbers with so many tall ones take a good deal less memory than with 32
// bits each.
func worth(count, n int) bool { return 4*count < 3*n || count == 0 }

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

// narrowed sets dst to x-base as long as that has room there, and returns how many these are.
func narrowed[T uint8 | uint16](dst []T, x []int32, base int32) (done int) {
	dst = dst[:len(x)]
	for i, v := range x {
		if uint32(v-base) > uint32(^T(0)) {
			return i
		}
		dst[i] = T(v - base)
	}
	return len(x)
}

// tallsOfWholesPortable sets dst to the lower bits of x-base, tall to marks of those with upper
// bits, and upper to these. It returns how many these are.
func tallsOfWholesPortable(dst, tall, upper []uint16, x []int32, base int32) (count int) {
	for i, v := range x {
		if i%tallsAtOnce == 0 {
			tall[i/tallsAtOnce] = 0
		}
		v -= base
		dst[i] = uint16(v)
		if more := uint16(uint32(v) >> 16); more > 0 {
			tall[i/tallsAtOnce] |= 1 << (i % tallsAtOnce)
			upper[count] = more
			count++
		}
	}
	return count
}

// threesOfWholesPortable sets dst to the lower bits of x-base and third to the upper ones as long
// as these are a byte, and returns how many they are.
func threesOfWholesPortable(dst []uint16, third []uint8, x []int32, base int32) (done int) {
	for i, v := range x {
		v -= base
		if uint32(v)>>24 > 0 {
			return i
		}
		dst[i], third[i] = uint16(v), uint8(v>>16)
	}
	return len(x)
}

// numbers returns the numbers, in the memory of dst if there is room.
func (p *packedWholes) numbers(dst []int32) []int32 {
	n := p.len()
	dst = slices.Grow(dst[:0], n)[:n]
	some, _ := p.some(dst, 0, 0)
	copy(dst, some)
	return dst
}

// some returns numbers from one on, a multiple of tallsAtOnce, as many as there are or buf has room
// for. They may be in buf. So many upper bits were used for those before; it returns how many for
// these too.
func (p *packedWholes) some(buf []int32, from, used int) (x []int32, next int) {
	buf = buf[:min(len(buf), p.len()-from)]
	switch {
	case p.steps > 0:
		for i := range buf {
			buf[i] = p.base + p.step*int32(from+i)
		}
	case p.small != nil:
		wholesOfBytes(buf, p.small[from:], p.base)
	case p.tall != nil:
		used += wholesOfTalls(buf, p.half[from:], p.tall[from/tallsAtOnce:], p.upper[used:], p.base)
	case p.third != nil:
		wholesOfThrees(buf, p.half[from:], p.third[from:], p.base)
	case p.half != nil:
		wholesOfHalves(buf, p.half[from:], p.base)
	default:
		return p.all[from : from+len(buf)], used
	}
	return buf, used
}

// widened sets dst to x+base.
func widened[T uint8 | uint16](dst []int32, x []T, base int32) {
	for i, v := range x[:len(dst)] {
		dst[i] = int32(v) + base
	}
}

// wholesOfThreesPortable sets dst to what threesOfWholesPortable made both of.
func wholesOfThreesPortable(dst []int32, half []uint16, third []uint8, base int32) {
	for i, v := range half[:len(dst)] {
		dst[i] = int32(third[i])<<16 + int32(v) + base
	}
}

// wholesOfTallsPortable sets dst to what tallsOfWholesPortable made halves, marks and upper bits
// of, and returns how many of these it used.
func wholesOfTallsPortable(dst []int32, half, tall, upper []uint16, base int32) (used int) {
	for i, v := range half[:len(dst)] {
		dst[i] = int32(v) + base
		if tall[i/tallsAtOnce]>>(i%tallsAtOnce)&1 > 0 {
			dst[i] += int32(upper[used]) << 16
			used++
		}
	}
	return used
}

func (p *packedWholes) len() int { return len(p.all) + len(p.small) + len(p.half) + p.steps }

func (p *packedWholes) bytes() int {
	return 4*len(p.all) + len(p.small) + len(p.third) + 2*(len(p.half)+len(p.tall)+len(p.upper))
}
