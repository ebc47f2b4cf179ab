package rsvm

import "math"

// Problem: add to a symmetric matrix H the sum over rows of z z', where z are the
// columns of a matrix Z of n lines with stride numbers each.
//
// Method: each element of H is a dot product of two lines. It is added up in four
// lanes, place k in lane k mod 4, and then (0 + 2) + (1 + 3); every product is
// rounded. Elements are computed in tiles, so that a line that is loaded serves
// several.

// lanesOfDot is the number of sums of a dot product.
const lanesOfDot = 4

// tile is the number of lines of H that are computed at a time.
const tile = 2

// rankTo adds to lines from to to-1 of the upper triangle of h, n by n, the products
// of lines of z. stride is a multiple of lanesOfDot.
func rankTo(h, z []float64, n, stride, from, to int) {
	if stride == 0 {
		return
	}
	for a := from; a < to; a += tile {
		if a+1 == to {
			for b := a; b < n; b++ {
				h[a*n+b] += dot(z[a*stride:][:stride], z[b*stride:][:stride])
			}
			return
		}
		x, y := z[a*stride:][:stride], z[(a+1)*stride:][:stride]
		h[a*n+a] += dot(x, x)
		b := a + 1
		for ; b+1 < n; b += 2 {
			xu, xv, yu, yv := dots(x, y, z[b*stride:][:stride], z[(b+1)*stride:][:stride])
			h[a*n+b] += xu
			h[a*n+b+1] += xv
			h[(a+1)*n+b] += yu
			h[(a+1)*n+b+1] += yv
		}
		if b < n {
			h[a*n+b] += dot(x, z[b*stride:][:stride])
			h[(a+1)*n+b] += dot(y, z[b*stride:][:stride])
		}
	}
}

// dot returns the dot product of two lines.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	for k := 0; k+3 < len(x); k += lanesOfDot {
		s0 += float64(x[k] * y[k])
		s1 += float64(x[k+1] * y[k+1])
		s2 += float64(x[k+2] * y[k+2])
		s3 += float64(x[k+3] * y[k+3])
	}
	return (s0 + s2) + (s1 + s3)
}

// dots returns the dot products of x and y with u and v.
func dots(x, y, u, v []float64) (xu, xv, yu, yv float64) {
	return dot(x, u), dot(x, v), dot(y, u), dot(y, v)
}

// bands cuts the lines of a triangle of n lines into parts of nearly equal area,
// which begin at multiples of tile: part p has the lines cut[p] to cut[p+1]-1.
func bands(n, parts int) []int {
	cut := []int{0}
	for p := 1; p < parts; p++ {
		// what is above line a of the upper triangle is 1 - (1 - a/n)^2 of it
		a := int(float64(n) * (1 - math.Sqrt(1-float64(p)/float64(parts))))
		if a = a / tile * tile; a > cut[len(cut)-1] {
			cut = append(cut, a)
		}
	}
	return append(cut, n)
}
