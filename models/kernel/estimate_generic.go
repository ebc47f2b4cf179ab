package kernel

import "math"

// Problem: the steps of Estimates in plain Go. Vector instructions fuse products and
// sums, which these do not: the two differ, both within the error that is claimed.

// denseDotsPortable sets dst[r*EstimateRows+i] to the sum of panel[k*EstimateRows+i]
// times z[r*columns+k] over k < columns.
func denseDotsPortable(dst, panel, z []float32, columns int) {
	for len(dst) > 0 {
		to := (*[EstimateRows]float32)(dst)
		clear(to[:])
		for k, v := range z[:columns] {
			for i, x := range (*[EstimateRows]float32)(panel[k*EstimateRows:]) {
				to[i] += float32(x * v)
			}
		}
		dst, z = dst[EstimateRows:], z[columns:]
	}
}

// sparseDotsPortable sets dst[i] to the sum of panel[slots[index[k]]*EstimateRows+i]
// times z[k].
func sparseDotsPortable(dst, panel []float32, slots, index []int32, z []float32) {
	to := (*[EstimateRows]float32)(dst)
	clear(to[:])
	for k, at := range index {
		v := z[k]
		for i, x := range (*[EstimateRows]float32)(panel[int(slots[at])*EstimateRows:]) {
			to[i] += float32(x * v)
		}
	}
}

// exp2Portable replaces v = values[k*EstimateRows+i] by 2^(v + shifts[k] + offsets[i]).
//
// Write x = k + r with integer k and |r| <= 1/2; 2^r is a polynomial of degree 5,
// which agrees with it at the zeros of the Chebyshev polynomial of degree 6, with a
// relative error of 1.02e-7. What is below 2^exp2Least becomes about that.
func exp2Portable(values, shifts []float32, offsets *[EstimateRows]float32) {
	for _, shift := range shifts {
		lane := (*[EstimateRows]float32)(values)
		for i, v := range lane {
			x := v + shift + offsets[i]
			if x < exp2Least {
				x = exp2Least
			}
			k := float32(math.RoundToEven(float64(x)))
			r := x - k
			p := float32(exp2c5)
			for _, c := range [...]float32{exp2c4, exp2c3, exp2c2, exp2c1, exp2c0} {
				p = float32(p*r) + c
			}
			lane[i] = p * math.Float32frombits(uint32(int32(k)+127)<<23)
		}
		values = values[EstimateRows:]
	}
}

const (
	exp2c0 = 0x1.000002p0
	exp2c1 = 0x1.62e430p-1
	exp2c2 = 0x1.ebf906p-3
	exp2c3 = 0x1.c6af6cp-5
	exp2c4 = 0x1.3d1070p-7
	exp2c5 = 0x1.5f0890p-10

	exp2Least = -125
)
