package scale

import "math"

// Problem: numbers of a few digits whose decimal points are anywhere, as measurements written with
// eight digits have them, are not multiples of one power of ten for which 32 bits have room.
//
// Method: each number has its own power of ten. A word is a whole number, with its sign, and in its
// lowest wordBits the count of its digits after the point. A number has a word if the quotient
// equals the number to the bit. That is one division of numbers that float64 represents, as in
// reading decimals.

const wordBits = 4

// powers16 are the powers of ten of words.
var powers16 = [1 << wordBits]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// realOfWord returns what a word stands for.
func realOfWord(word int32) float64 {
	return float64(word>>wordBits) / powers16[word&(1<<wordBits-1)]
}

// wordOfReal returns a word of v; ok is false if it has none.
func wordOfReal(v float64) (word int32, ok bool) {
	for e, power := range powers16 {
		if whole := math.RoundToEven(v * power); math.Abs(whole) < 1<<(31-wordBits) {
			word = int32(whole)<<wordBits | int32(e)
			if math.Float64bits(realOfWord(word)) == math.Float64bits(v) {
				return word, true
			}
		}
	}
	return 0, false
}
