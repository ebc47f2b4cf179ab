//go:build !amd64 || purego

package textscan

func (*SixDigits) setVector(*[SixDigitsLen]float64, int, float64) (odd, ok bool) { return false, false }

func (*SixDigits) namedVector([]byte, *[SixDigitsLen]float64, *[SixDigitsLen]Name, int, []Insertion, []byte) (size, stop, zeros, done int, ok bool) {
	return 0, 0, 0, 0, false
}

func vectorPairs(_ []byte, at int, last int64, index []int32, value []float64) (int, int64, []int32, []float64) {
	return at, last, index, value
}

func vectorRows() bool { return false }

func readRows([]byte, []float64, []int32, []int32, []float64, int, int, int) (rows, pairs, stop int) {
	return 0, 0, 0
}
