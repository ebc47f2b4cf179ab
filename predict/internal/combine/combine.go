// Package combine adds linear combinations of columns, side by side for many rows.
package combine

import "github.com/slimsvm/slimsvm/format/vec/simd"

// Lanes is the unit of the lengths of sums: they are multiples of it.
const Lanes = 32

// AddTo adds, for each m, row r and i in order,
//
//	sums[m][r] += coef[m][i] * values[i*lanes+r]
//
// where lanes is the length of all sums, a multiple of Lanes. Each product and each sum is rounded,
// so that a sum has the bits of a plain loop.
func AddTo(sums, coef [][]float64, values []float64) {
	if len(sums) > 0 {
		AddFirstTo(sums, coef, values, len(sums[0]))
	} else {
		AddFirstTo(sums, coef, values, 0)
	}
}

// firstLanes is the unit of the numbers of rows that AddFirstTo tells apart.
const firstLanes = 8

// AddFirstTo is AddTo for the first rows of the lanes alone. It may add to the other sums or not.
func AddFirstTo(sums, coef [][]float64, values []float64, rows int) {
	if len(sums) != len(coef) {
		panic("combine: sums and coefficients differ in number")
	}
	if len(sums) == 0 {
		return
	}
	lanes, n := len(sums[0]), len(coef[0])
	for m := range sums {
		if len(sums[m]) != lanes || len(coef[m]) != n {
			panic("combine: sums or coefficients differ in length")
		}
	}
	if lanes%Lanes != 0 || len(values) != n*lanes {
		panic("combine: the values do not fit the sums")
	}
	if rows < 0 || rows > lanes {
		panic("combine: more rows than sums")
	}
	if n == 0 || rows == 0 {
		return
	}
	addTo(simd.Current(), sums, coef, values, (rows+firstLanes-1)/firstLanes*firstLanes)
}

// addPortable is AddFirstTo in plain Go. rows is a multiple of firstLanes.
func addPortable(sums, coef [][]float64, values []float64, rows int) {
	for m := range sums {
		addOne(sums[m], coef[m], values, rows)
	}
}

// addOne is addPortable for one machine. It keeps eight sums in registers.
func addOne(sums, coef, values []float64, rows int) {
	lanes := len(sums)
	for at := 0; at < rows; at += firstLanes {
		s := (*[8]float64)(sums[at:])
		s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
		for i, c := range coef {
			v := (*[8]float64)(values[i*lanes+at:])
			s0 += float64(c * v[0])
			s1 += float64(c * v[1])
			s2 += float64(c * v[2])
			s3 += float64(c * v[3])
			s4 += float64(c * v[4])
			s5 += float64(c * v[5])
			s6 += float64(c * v[6])
			s7 += float64(c * v[7])
		}
		*s = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	}
}
