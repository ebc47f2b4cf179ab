package predict

import "github.com/slimsvm/slimsvm/predict/internal/pairs"

// Problem: find the probability p_0 of the first of k classes, given the probabilities of all
// pairs, r_st of s against t, by the second method of Wu, Lin and Weng (2004): the p with sum 1
// that minimises p'Qp,
//
//	Q_tt = sum_{s != t} r_st^2,  Q_st = -r_st r_ts.
//
// LIBSVM, and pairs.Coupling, approach the minimum in rounds that end within 0.005/k of the
// condition Qp = c e. For thousands of members it is faster to compute the minimum itself.
//
// Method: p is Q^-1 e, or adj(Q) e, divided by its sum.

// couple returns p_0. r has the probabilities of the pairs in order, all above 0 and below 1.
func (s *memberEvaluator) couple(k int, r []float64) float64 {
	switch k {
	case 3:
		return pairs.Three(r[0], r[1], r[2])
	case 4:
		return pairs.Four((*[6]float64)(r))
	}
	// L D L' = Q with class 0 last, and y = L^-1 e. Then e'Q^-1 e is the sum of y_i^2/d_i, and the
	// last element of Q^-1 e is y/d.
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
		least := q[i*k+i] * pairs.Rounding
		for j := range i {
			l := q[i*k+j] // l_ij d_j
			for m := range j {
				l -= float64(q[i*k+m] * float64(q[j*k+m]*d[m]))
			}
			q[i*k+j] = l / d[j]
			q[i*k+i] -= float64(l * q[i*k+j])
			y[i] -= float64(q[i*k+j] * y[j])
		}
		// consistent pairs make Q singular: y is then 1/p_0 in the limit
		d[i] = max(q[i*k+i], least)
		sum += float64(y[i]*y[i]) / d[i]
	}
	return y[k-1] / d[k-1] / sum
}
