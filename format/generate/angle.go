package generate

import "math"

// eighth[j] is the cosine of j pi/16, and eighth[8-j] the sine, for j = 0..8,
// by the half-angle formula 2 cos(a/2) = sqrt(2 + 2 cos a).
var eighth = [9]float64{
	1,
	math.Sqrt(2+math.Sqrt(2+math.Sqrt2)) / 2,
	math.Sqrt(2+math.Sqrt2) / 2,
	math.Sqrt(2+math.Sqrt(2-math.Sqrt2)) / 2,
	math.Sqrt2 / 2,
	math.Sqrt(2-math.Sqrt(2-math.Sqrt2)) / 2,
	math.Sqrt(2-math.Sqrt2) / 2,
	math.Sqrt(2-math.Sqrt(2+math.Sqrt2)) / 2,
	0,
}

// angle returns the cosine and the sine of t pi/16, for t from 0 to 2^31, to
// about 1e-15. Unlike math.Sincos it has the same bits on every processor.
func angle(t float64) (cos, sin float64) {
	whole := math.Floor(t)
	f := (t - whole) * (math.Pi / 16)
	q := f * f
	// Taylor series, next terms q^6/13! and q^7/14! below 1e-17
	s := f * (1 - float64(q/6*(1-float64(q/20*(1-float64(q/42*(1-float64(q/72*(1-q/110)))))))))
	c := 1 - float64(q/2*(1-float64(q/12*(1-float64(q/30*(1-float64(q/56*(1-float64(q/90*(1-q/132))))))))))

	j := int(whole) % 32
	quarter, j := j/8, j%8
	wc, ws := eighth[j], eighth[8-j]
	cos = float64(wc*c) - float64(ws*s)
	sin = float64(ws*c) + float64(wc*s)
	switch quarter {
	case 1:
		return -sin, cos
	case 2:
		return -cos, -sin
	case 3:
		return sin, -cos
	}
	return cos, sin
}
