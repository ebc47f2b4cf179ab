//go:build amd64 && !purego

package textscan

import (
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

//go:generate sh -c "cd ../../_generate && go run ./textscan -out ../format/textscan/textscan_amd64.s -stubs ../format/textscan/stubs_amd64.go -pkg textscan"

// setVector is Set by vector instructions, if there are any.
func (s *Sixes) setVector(x *[SixesAtOnce]float64, n int) bool {
	if !simd.Text() {
		return false
	}
	if n > 0 {
		sixesAVX512(&s.Lo[0], &s.Hi[0], &s.N[0], &x[0], (n+7)/8, &sixes.power[0])
	}
	return true
}

// namedVector is AppendNamed by vector instructions, if there are any, into room for its
// text and 63 bytes more. It returns how many bytes it wrote and how many numbers it is
// done with.
func (s *Sixes) namedVector(room []byte, x *[SixesAtOnce]float64, slots *[SixesAtOnce]int32, names []Name, k, end int) (size, done, written int, ok bool) {
	if !simd.Text() {
		return 0, 0, 0, false
	}
	size, done, written = namedAVX512(&room[0], &s.Lo[k], &s.Hi[k], &s.N[k], &x[k], &slots[k], (*uint64)(&names[0]), end-k, &namedPlaces[0])
	return size, done, written, true
}

// namedPlaces says, for two lanes at a time, which words stand behind each other: a name,
// the two words of a text, and one that does not count. Words of texts count from 8.
var namedPlaces = func() (t [32]uint64) {
	for i := range uint64(8) {
		copy(t[4*i:], []uint64{i, 8 + i, i, i})
	}
	return t
}()

// vectorPairs appends the pairs of line[at:] as long as they are plain, and returns
// where it stopped and the last index.
func vectorPairs(line []byte, at int, last int64, index []int32, value []float64) (stop int, highest int64, _ []int32, _ []float64) {
	if cap(line)-len(line) < Slack || !simd.Text() {
		return at, last, index, value
	}
	for at < len(line) && line[at] == ' ' {
		room := min(cap(index)-len(index), cap(value)-len(value))
		if room < 8 {
			room = min(max(64, len(index)), (len(line)-at)/4+8) // a pair takes 4 bytes
			index, value = slices.Grow(index, room), slices.Grow(value, room)
		}
		i, v := index[len(index):cap(index)], value[len(value):cap(value)]
		n, next, highest := pairsAVX512(&line[at], len(line)-at, &i[0], &v[0], room, last, &pairTables.powers[0])
		index, value = index[:len(index)+n], value[:len(value)+n]
		at += next
		last = highest
		if n < 8 {
			break
		}
	}
	return at, last, index, value
}

// pairTables are what pairsAVX512 looks up.
var pairTables = func() (t struct {
	powers [16]float64
	bytes  [64]byte
}) {
	copy(t.powers[:], pow10[:])
	for i := range t.bytes {
		t.bytes[i] = byte(i)
	}
	return t
}()
