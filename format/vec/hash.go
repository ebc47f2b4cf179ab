package vec

import "unsafe"

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
