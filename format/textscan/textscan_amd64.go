//go:build amd64 && !purego

package textscan

import (
	"math"
	"slices"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

//go:generate sh -c "cd ../../_generate && go run ./textscan -out ../format/textscan/textscan_amd64.s -stubs ../format/textscan/stubs_amd64.go -pkg textscan"

// setVector is set by vector instructions, if there are any. It reports whether it leaves a number
// that is not 0.
func (s *SixDigits) setVector(x *[SixDigitsLen]float64, n int, near float64) (odd, ok bool) {
	left := 0
	switch {
	case simd.Current() < simd.AVX2:
		return false, false
	case n == 0:
	case simd.Text():
		left = sixesAVX512(&s.Lo[0], &s.Hi[0], &s.N[0], &x[0], (n+7)/8, &sixes.power[0], near)
	default:
		left = sixesAVX2(&s.Lo[0], &s.Hi[0], &s.N[0], &x[0], (n+3)/4, &sixes.power[0], near)
	}
	return left != 0, true
}

// namedVector is the loop of AppendNamed by vector instructions, if there are any. The last
// of between has a size below 0. It returns how many bytes it wrote, where it stopped, how
// many zeros it met, and how many of between it is done with.
func (s *SixDigits) namedVector(room []byte, x *[SixDigitsLen]float64, names *[SixDigitsLen]Name, k int, between []Insertion, all []byte) (size, stop, zeros, done int, ok bool) {
	if simd.Current() < simd.AVX2 {
		return 0, 0, 0, 0, false
	}
	size, stop, zeros, rest := namedAVX2(unsafe.SliceData(room), &s.Lo[0], &s.Hi[0], &s.N[0], &x[0], (*uint64)(&names[0]), k, &between[0].Place, unsafe.SliceData(all))
	done = int(uintptr(unsafe.Pointer(rest))-uintptr(unsafe.Pointer(&between[0]))) / int(unsafe.Sizeof(between[0]))
	return size, stop, zeros, done, true
}

// fewPairs is how long a text is of two pairs or so, which four lanes read no sooner than plainPairs.
const fewPairs = 28

// vectorPairs appends the pairs of line[at:] as long as they are plain, and returns
// where it stopped and the last index.
func vectorPairs(line []byte, at int, last int64, index []int32, value []float64) (stop int, highest int64, _ []int32, _ []float64) {
	if cap(line)-len(line) < Slack || simd.Current() < simd.AVX2 {
		return at, last, index, value
	}
	wide := simd.Text()
	if !wide && len(line)-at < fewPairs {
		return at, last, index, value
	}
	for at < len(line) && line[at] == ' ' {
		room := min(cap(index)-len(index), cap(value)-len(value))
		if room < 8 {
			room = min(max(64, len(index)), (len(line)-at)/4+8) // a pair takes 4 bytes
			index, value = slices.Grow(index, room), slices.Grow(value, room)
		}
		i, v := index[len(index):cap(index)], value[len(value):cap(value)]
		var n, next int
		if wide {
			n, next, last = pairsAVX512(&line[at], len(line)-at, &i[0], &v[0], room, last, &pairTables.powers[0])
		} else {
			n, next, last = pairsAVX2(&line[at], len(line)-at, &i[0], &v[0], room, last, &pairTables.powers[0])
		}
		index, value = index[:len(index)+n], value[:len(value)+n]
		at += next
		if n < 8 {
			break
		}
	}
	return at, last, index, value
}

// vectorRows reports whether there is readRows.
func vectorRows() bool { return simd.Current() >= simd.AVX2 }

// readRows is rowsAVX512, or rowsAVX2.
func readRows(text []byte, labels []float64, starts, index []int32, value []float64, before, rowRoom, pairRoom int) (rows, pairs, stop int) {
	if simd.Text() {
		return rowsAVX512(&text[0], len(text), unsafe.SliceData(labels), unsafe.SliceData(starts), rowRoom, unsafe.SliceData(index), unsafe.SliceData(value), before, before+pairRoom, &pairTables.powers[0])
	}
	return rowsAVX2(&text[0], len(text), unsafe.SliceData(labels), unsafe.SliceData(starts), rowRoom, unsafe.SliceData(index), unsafe.SliceData(value), before, before+pairRoom, &pairTables.powers[0])
}

// pairTables are what the readers of pairs and rows look up.
var pairTables = func() (t struct {
	powers [16]float64
	bytes  [64]byte
	tens   [maxPow10 + 1]float64
	halves [8]uint32 // the upper halves of 10^(8-k), and of 1 first
}) {
	copy(t.powers[:], pow10[:])
	t.tens = pow10
	for i := range t.bytes {
		t.bytes[i] = byte(i)
	}
	for k := range t.halves {
		t.halves[k] = uint32(math.Float64bits(pow10[(8-k)%8]) >> 32)
	}
	return t
}()
