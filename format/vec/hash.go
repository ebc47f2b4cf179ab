package vec

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"
)

// HashIndices returns a hash of a list of indices. Its highest bits are the best.
func HashIndices(index []int32) uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	// two indices at a time go into each of two hashes, which do not wait for each other
	a, b := uint64(len(index)), uint64(0)
	for ; len(index) >= 4; index = index[4:] {
		a = (a ^ two(index[0], index[1])) * golden
		b = (b ^ two(index[2], index[3])) * golden
		a ^= a >> 32 // else the second of the two would only affect the highest half
		b ^= b >> 32
	}
	for _, i := range index {
		a = (a ^ uint64(uint32(i))) * golden
	}
	return (a ^ b>>1) * golden
}

func two(i, j int32) uint64 { return uint64(uint32(i)) | uint64(uint32(j))<<32 }

// EqualIndices reports whether two lists are equal. For long lists it is faster than slices.Equal.
func EqualIndices(a, b []int32) bool {
	return sameIndex(a, b) || len(a) == len(b) && text(a) == text(b)
}

// text returns the bytes of a list as a string, because strings are compared many bytes at a time.
func text(index []int32) string {
	return unsafe.String((*byte)(unsafe.Pointer(unsafe.SliceData(index))), 4*len(index))
}

// A Distinct numbers vectors so that equal ones have the same number. Vectors are equal if they have
// the same indices and values; one with a value 0 and one without it differ. The zero Distinct has no
// vectors.
type Distinct struct {
	vectors []Vector
	numbers map[uint64][]int32 // by hash
}

// Number returns the number of v: that of the first vector that was equal to it, or the next one from
// 0. It keeps v, whose slices must not change.
func (d *Distinct) Number(v Vector) int {
	const golden = 0x9e3779b97f4a7c15 // as above
	hash := HashIndices(v.Index)
	for _, x := range v.Value {
		if x == 0 {
			x = 0 // -0 equals it
		}
		hash = bits.RotateLeft64(hash, 5) ^ math.Float64bits(x)*golden
	}
	for _, n := range d.numbers[hash] {
		if w := d.vectors[n]; EqualIndices(v.Index, w.Index) && slices.Equal(v.Value, w.Value) {
			return int(n)
		}
	}
	if d.numbers == nil {
		d.numbers = map[uint64][]int32{}
	}
	n := len(d.vectors)
	d.vectors, d.numbers[hash] = append(d.vectors, v), append(d.numbers[hash], int32(n))
	return n
}

// Vectors returns the first vector of each number.
func (d *Distinct) Vectors() []Vector { return d.vectors }
