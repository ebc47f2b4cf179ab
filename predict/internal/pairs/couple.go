package pairs

// Problem: find the probability of the first of three or four classes by the second method of Wu,
// Lin and Weng (2004), given the probabilities of all pairs in order, of the pair's first class
// against its second. These are between 0 and 1, excluding both.

// Rounding is the size, relative to its initial value, that a pivot may have because of rounding
// alone.
const Rounding = 1e-15

// Three couples three classes, from the cofactors of Q, all of whose terms are positive.
func Three(r01, r02, r12 float64) float64 {
	r10, r20, r21 := 1-r01, 1-r02, 1-r12
	s01, s10 := float64(r01*r01), float64(r10*r10)
	s02, s20 := float64(r02*r02), float64(r20*r20)
	s12, s21 := float64(r12*r12), float64(r21*r21)
	o01, o02, o12 := float64(r01*r10), float64(r02*r20), float64(r12*r21)
	c01 := float64(o01*(s02+s12)) + float64(o02*o12)
	c02 := float64(o02*(s01+s21)) + float64(o01*o12)
	c12 := float64(o12*(s10+s20)) + float64(o01*o02)
	c00 := float64(s01*(s02+s12)) + float64(s21*s02)
	c11 := float64(s10*(s02+s12)) + float64(s20*s12)
	c22 := float64(s21*(s10+s20)) + float64(s20*s01)
	p0 := c00 + c01 + c02
	return p0 / (p0 + (c01 + c11 + c12) + (c02 + c12 + c22))
}

// Four couples four classes. r has the probabilities of the pairs (0, 1), (0, 2), (0, 3), (1, 2),
// (1, 3) and (2, 3). Class 3 is eliminated first, then 2 and 1. The variables o are elements of -Q.
func Four(r *[6]float64) float64 {
	r01, r02, r03, r12, r13, r23 := r[0], r[1], r[2], r[3], r[4], r[5]
	r10, r20, r30, r21, r31, r32 := 1-r01, 1-r02, 1-r03, 1-r12, 1-r13, 1-r23
	q0 := float64(r10*r10) + float64(r20*r20) + float64(r30*r30)
	q1 := float64(r01*r01) + float64(r21*r21) + float64(r31*r31)
	q2 := float64(r02*r02) + float64(r12*r12) + float64(r32*r32)
	q3 := float64(r03*r03) + float64(r13*r13) + float64(r23*r23)
	o01, o02, o03 := float64(r01*r10), float64(r02*r20), float64(r03*r30)
	o12, o13, o23 := float64(r12*r21), float64(r13*r31), float64(r23*r32)

	f := 1 / q3
	l0, l1, l2 := float64(o03*f), float64(o13*f), float64(o23*f)
	d0, d1, d2 := q0-float64(o03*l0), q1-float64(o13*l1), max(q2-float64(o23*l2), q2*Rounding)
	o01, o02, o12 = o01+float64(o13*l0), o02+float64(o23*l0), o12+float64(o23*l1)
	y0, y1, y2 := 1+l0, 1+l1, 1+l2
	sum := f

	f = 1 / d2
	l0, l1 = float64(o02*f), float64(o12*f)
	d0, d1 = d0-float64(o02*l0), max(d1-float64(o12*l1), q1*Rounding)
	o01 += float64(o12 * l0)
	y0, y1 = y0+float64(l0*y2), y1+float64(l1*y2)
	sum += float64(y2 * y2 * f)

	f = 1 / d1
	l0 = float64(o01 * f)
	d0 = max(d0-float64(o01*l0), q0*Rounding)
	y0 += float64(l0 * y1)
	sum += float64(y1 * y1 * f)
	return y0 / (float64(y0*y0) + float64(sum*d0))
}
