package vec

// HashIndices returns a hash of a list of indices, for tables of lists that many rows
// have. Its highest bits are the best ones.
func HashIndices(index []int32) uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	hash := uint64(len(index))
	for _, i := range index {
		hash = (hash ^ uint64(uint32(i))) * golden
	}
	return hash
}
