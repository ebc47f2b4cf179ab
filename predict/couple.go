package predict

// Problem: the probability p_0 of the first of k classes, given those of all pairs,
// r_st of s against t, by the second method of Wu, Lin and Weng (2004): the p with sum 1
// that minimises p'Qp,
//
//	Q_tt = sum_{s != t} r_st^2,  Q_st = -r_st r_ts.
//
// LIBSVM, and coupling, come near by rounds that end within 0.005/k of the condition Qp = c e.
// For thousands of members the minimum itself is sooner found: p is Q^-1 e, or adj(Q) e,
// divided by its sum.

// couple returns p_0; r are the pairs' in their order, from 0 to 1 without these.
func (s *speaker) couple(k int, r []float64) float64 {
	switch k {
	case 3:
		return coupleThree(r[0], r[1], r[2])
	case 4:
		return coupleFour((*[6]float64)(r))
	}
	// L D L' = Q with class 0 last, and y = L^-1 e: e'Q^-1 e is the sum of y_i^2/d_i, and
	// the last of Q^-1 e is y/d
	s.work = room(s.work, k*k+2*k)
	q, y, d := s.work[:k*k], s.work[k*k:k*k+k], s.work[k*k+k:]
	clear(q)
	n := 0
	for a := range k {
		for b := a + 1; b < k; b++ {
			i, j := k-1-a, k-1-b // i > j
			q[j*k+j] += float64(r[n] * r[n])
			q[i*k+i] += float64((1 - r[n]) * (1 - r[n]))
			q[i*k+j] = -r[n] * (1 - r[n])
			n++
		}
	}
	sum := 0.0
	for i := range k {
		y[i] = 1
		least := q[i*k+i] * rounding
		for j := range i {
			l := q[i*k+j] // l_ij d_j
			for m := range j {
				l -= float64(q[i*k+m] * float64(q[j*k+m]*d[m]))
			}
			q[i*k+j] = l / d[j]
			q[i*k+i] -= float64(l * q[i*k+j])
			y[i] -= float64(q[i*k+j] * y[j])
		}
		// consistent pairs make Q singular: then y is 1/p_0 in the limit
		d[i] = max(q[i*k+i], least)
		sum += float64(y[i]*y[i]) / d[i]
	}
	return y[k-1] / d[k-1] / sum
}

// rounding is what a pivot may be by rounding alone, in parts of what it began with.
const rounding = 1e-15

// coupleThree is couple of three classes, of the cofactors of Q, whose terms are all
// positive.
func coupleThree(r01, r02, r12 float64) float64 {
	r10, r20, r21 := 1-r01, 1-r02, 1-r12
	s01, s10, s02, s20, s12, s21 := r01*r01, r10*r10, r02*r02, r20*r20, r12*r12, r21*r21
	o01, o02, o12 := r01*r10, r02*r20, r12*r21
	c01 := float64(o01*(s02+s12)) + float64(o02*o12)
	c02 := float64(o02*(s01+s21)) + float64(o01*o12)
	c12 := float64(o12*(s10+s20)) + float64(o01*o02)
	c00 := float64(s01*(s02+s12)) + float64(s21*s02)
	c11 := float64(s10*(s02+s12)) + float64(s20*s12)
	c22 := float64(s21*(s10+s20)) + float64(s20*s01)
	p0 := c00 + c01 + c02
	return p0 / (p0 + (c01 + c11 + c12) + (c02 + c12 + c22))
}

// coupleFour is couple of four classes: class 3 is eliminated first, then 2 and 1. o is -Q.
func coupleFour(r *[6]float64) float64 {
	r01, r02, r03, r12, r13, r23 := r[0], r[1], r[2], r[3], r[4], r[5]
	r10, r20, r30, r21, r31, r32 := 1-r01, 1-r02, 1-r03, 1-r12, 1-r13, 1-r23
	q0 := float64(r10*r10) + float64(r20*r20) + float64(r30*r30)
	q1 := float64(r01*r01) + float64(r21*r21) + float64(r31*r31)
	q2 := float64(r02*r02) + float64(r12*r12) + float64(r32*r32)
	q3 := float64(r03*r03) + float64(r13*r13) + float64(r23*r23)
	o01, o02, o03, o12, o13, o23 := r01*r10, r02*r20, r03*r30, r12*r21, r13*r31, r23*r32

	f := 1 / q3
	l0, l1, l2 := o03*f, o13*f, o23*f
	d0, d1, d2 := q0-float64(o03*l0), q1-float64(o13*l1), max(q2-float64(o23*l2), q2*rounding)
	o01, o02, o12 = o01+float64(o13*l0), o02+float64(o23*l0), o12+float64(o23*l1)
	y0, y1, y2 := 1+l0, 1+l1, 1+l2
	sum := f

	f = 1 / d2
	l0, l1 = o02*f, o12*f
	d0, d1 = d0-float64(o02*l0), max(d1-float64(o12*l1), q1*rounding)
	o01 += float64(o12 * l0)
	y0, y1 = y0+float64(l0*y2), y1+float64(l1*y2)
	sum += float64(y2 * y2 * f)

	f = 1 / d1
	l0 = o01 * f
	d0 = max(d0-float64(o01*l0), q0*rounding)
	y0 += float64(l0 * y1)
	sum += float64(y1 * y1 * f)
	return y0 / (float64(y0*y0) + float64(sum*d0))
}
