package kernel

import "math"

// The steps of Estimates in plain Go. Vector instructions fuse products and sums, and this code
// does not. The results differ, but both are within the claimed error.

// denseDotsPortable sets dst[r*EstimateRows+i] to the sum of panel[k*EstimateRows+i] times
// z[r*columns+k] over k < columns.
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

// denseApartPortable sets dst[r*EstimateRows+i] to the sum of the squares of
// panel[k*EstimateRows+i] - z[r*columns+k] over k < columns.
func denseApartPortable(dst, panel, z []float32, columns int) {
	for len(dst) > 0 {
		to := (*[EstimateRows]float32)(dst)
		clear(to[:])
		for k, v := range z[:columns] {
			for i, x := range (*[EstimateRows]float32)(panel[k*EstimateRows:]) {
				d := x - v
				to[i] += float32(d * d)
			}
		}
		dst, z = dst[EstimateRows:], z[columns:]
	}
}

// sparseDotsPortable sets dst[i] to the sum of panel[slots[index[k]]*EstimateRows+i] times z[k].
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

// exp2Portable replaces v = values[k*EstimateRows+i] by 2^(v factor + shifts[k] + offsets[i]).
// Exponents below exp2Least are replaced by it.
func exp2Portable(values, shifts []float32, offsets *[EstimateRows]float32, factor float32) {
	for _, shift := range shifts {
		lane := (*[EstimateRows]float32)(values)
		for i, v := range lane {
			x := float32(v*factor) + shift + offsets[i]
			if x < exp2Least {
				x = exp2Least
			}
			lane[i] = exp2One(x)
		}
		values = values[EstimateRows:]
	}
}

// exp2One returns 2^x for |x| <= 126.
//
// Write x = k + r with integer k and |r| <= 1/2; 2^r is approximated by a polynomial of degree 5,
// which agrees with it at the zeros of the Chebyshev polynomial of degree 6, with a relative error
// of 1.02e-7.
func exp2One(x float32) float32 {
	k := float32(math.RoundToEven(float64(x)))
	r := x - k
	p := float32(exp2c5)
	for _, c := range [...]float32{exp2c4, exp2c3, exp2c2, exp2c1, exp2c0} {
		p = float32(p*r) + c
	}
	return p * math.Float32frombits(uint32(int32(k)+127)<<23)
}

// nearsPortable replaces v = values[k*EstimateRows+i] by 1 - 2^(v + shifts[k] + offsets[i]). It
// uses the first six terms of the power series -x (ln 2 + x (ln 2)^2/2 + ...). For exponents x of
// at most nearMost in size their relative error, without rounding, is below 2^-27.
func nearsPortable(values, shifts []float32, offsets *[EstimateRows]float32) {
	for _, shift := range shifts {
		lane := (*[EstimateRows]float32)(values)
		for i, v := range lane {
			x := v + shift + offsets[i]
			p := float32(nearc5)
			for _, c := range [...]float32{nearc4, nearc3, nearc2, nearc1, nearc0} {
				p = float32(p*x) + c
			}
			lane[i] = p * x
		}
		values = values[EstimateRows:]
	}
}

// powersPortable replaces each value v by (gamma v + coef0)^degree.
func powersPortable(values []float32, gamma, coef0 float32, degree int) {
	for i, v := range values {
		x, y := float32(gamma*v)+coef0, float32(1)
		for n := degree; n > 0; x *= x {
			if n%2 == 1 {
				y *= x
			}
			n /= 2
		}
		values[i] = y
	}
}

// tanhsPortable replaces each value v by of[2]/(2^(of[0] v + of[1]) + 1) + of[3]. Exponents are cut
// to tanhsMost in size, beyond which the result hardly changes.
func tanhsPortable(values []float32, of *[4]float32) {
	for i, v := range values {
		x := min(max(float32(of[0]*v)+of[1], -tanhsMost), tanhsMost)
		if x == x {
			values[i] = of[2]/(float32(exp2One(x))+1) + of[3]
		}
	}
}

const (
	exp2c0 = 0x1.000002p0
	exp2c1 = 0x1.62e430p-1
	exp2c2 = 0x1.ebf906p-3
	exp2c3 = 0x1.c6af6cp-5
	exp2c4 = 0x1.3d1070p-7
	exp2c5 = 0x1.5f0890p-10

	// the coefficients of nearsPortable, -(ln 2)^(k+1)/(k+1)!
	nearc0 = -0x1.62e43p-1
	nearc1 = -0x1.ebfbep-3
	nearc2 = -0x1.c6b08ep-5
	nearc3 = -0x1.3b2ab6p-7
	nearc4 = -0x1.5d87fep-10
	nearc5 = -0x1.430912p-13

	nearMost = 1. / 4

	exp2Least = -125
	tanhsMost = 125
)
