package pairs

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: find the probabilities p of k classes, given the probabilities of all pairs, r_st of s
// against t, by the second method of Wu, Lin and Weng (2004), Algorithm 2, with LIBSVM's stopping
// rule. p is the vector with sum 1 that minimises p'Qp,
//
//	Q_tt = sum_{s != t} r_st^2,  Q_tj = -r_jt r_tj,
//
// in rounds that update one p_t after the other. Each update is followed by a division of all p by
// their sum. The rounds end when max_t |(Qp)_t - p'Qp| < 0.005/k.
//
// Method: several rows are processed side by side, each in a lane of a vector register. A row that
// is done leaves its lane to the next row. Divisions would be half of the work. Their results are
// part of the answer, so the assembly computes the same bits with multiplications.

// A Coupling has the memory to couple the classes of rows. The zero Coupling is ready.
type Coupling struct {
	q, p, qp   []float64
	pqp, worst [Lanes]float64
	one        []float64
}

// rounds returns the largest number of rounds.
func rounds(k int) int { return max(100, k) }

// near returns how close to the minimum is close enough.
func near(k int) float64 { return 0.005 / float64(k) }

// One sets p to the class probabilities of one row. r has the probabilities of the pairs, in order.
// limit reports that the rounds ran out. The lanes are classes. Padding lanes hold 1, in Q too, so
// that they stay finite and take no longer to divide.
func (c *Coupling) One(p, r []float64) (limit bool) {
	k, level := len(p), simd.Current()
	width := k
	if level > simd.Portable {
		width = (k + Lanes - 1) / Lanes * Lanes
	}
	c.fill(r, k, width)
	q, all, qp := c.q, c.p, c.qp
	limit = true
	for range rounds(k) {
		product(level, q, all, qp, k)
		pqp := 0.0
		for t, v := range qp[:k] {
			pqp += float64(all[t] * v)
		}
		worst := 0.0
		for _, v := range qp[:k] {
			if apart := math.Abs(v - pqp); apart > worst {
				worst = apart
			}
		}
		if worst < near(k) {
			limit = false
			break
		}
		for t := range k {
			row := q[t*width : t*width+width]
			step := (pqp - qp[t]) / row[t]
			sum := 1 + step
			all[t] += step
			pqp = (pqp + float64(step*(float64(step*row[t])+float64(2*qp[t])))) / sum / sum
			applyStep(level, row, all, qp, step, sum)
		}
	}
	copy(p, all)
	return limit
}

// fill makes Q of one row, with rows of length width, and sets equal probabilities.
func (c *Coupling) fill(r []float64, k, width int) {
	if n := k * width; cap(c.q) < n {
		c.q = make([]float64, n)
	}
	if cap(c.p) < width {
		c.p, c.qp = make([]float64, width), make([]float64, width)
	}
	c.q, c.p, c.qp = c.q[:k*width], c.p[:width], c.qp[:width]
	q := c.q
	for t := k; t < width; t++ {
		c.p[t] = 1
		for a := range k {
			q[a*width+t] = 1
		}
	}
	for a := range k {
		c.p[a] = 1 / float64(k)
	}
	diagonal := c.qp[:k] // qp is free until Q p is computed
	clear(diagonal)
	for a := range k {
		row, others, own := q[a*width:][:k], diagonal[a+1:], diagonal[a]
		right, down := row[a+1:], (a+1)*width+a
		of := r[:len(right)]
		for i, first := range of {
			second := 1 - first
			// in order: the terms before a were added when their first class was a
			own += float64(second * second)
			others[i] += float64(first * first)
			product := -first * second
			right[i], q[down] = product, product
			down += width
		}
		row[a], r = own, r[len(of):]
	}
}

// productPortable sets qp to Q p. Q is symmetric, and each sum has the order of its row.
func productPortable(q, p, qp []float64, k int) {
	width := len(p)
	for t, row := 0, q; t < k; t, row = t+1, row[width:] {
		sum := 0.0
		for j, v := range row[:k] {
			sum += float64(v * p[j])
		}
		qp[t] = sum
	}
}

// applyStepPortable sets qp to (qp + step row) / sum and p to p / sum.
func applyStepPortable(row, p, qp []float64, step, sum float64) {
	p, qp = p[:len(row)], qp[:len(row)]
	for j, v := range row {
		qp[j] = (qp[j] + float64(step*v)) / sum
		p[j] /= sum
	}
}

// reserve makes room for k classes and the given number of rows side by side.
func (c *Coupling) reserve(k, lanes int) {
	triangle := k * (k + 1) / 2
	if n := triangle * lanes; cap(c.q) < n {
		c.q = make([]float64, n)
	}
	if n := k * lanes; cap(c.p) < n {
		c.p, c.qp = make([]float64, n), make([]float64, n)
	}
	c.q, c.p, c.qp = c.q[:triangle*lanes], c.p[:k*lanes], c.qp[:k*lanes]
}

// load makes the Q of a row in one of several lanes. It stores only the elements from the diagonal
// on, half of each Q, so that more of what the rounds read again and again stays in the first-level
// cache. The probabilities of the pairs are at r[at], r[at+stride] and so on.
func (c *Coupling) load(r []float64, at, stride, k, lane, lanes int) {
	q, diagonal := c.q, lane
	for t := range k {
		q[diagonal] = 0
		diagonal += (k - t) * lanes
	}
	diagonal = lane
	for a := range k {
		own, other := q[diagonal], diagonal
		for b := a + 1; b < k; b++ {
			first, second := r[at], 1-r[at]
			at += stride
			// in order: the terms before a were added when their first class was a
			own += float64(second * second)
			q[diagonal+(b-a)*lanes] = -first * second
			other += (k - b + 1) * lanes
			q[other] += float64(first * first)
		}
		q[diagonal] = own
		diagonal += (k - a) * lanes
	}
}

// Rows does what One does for several rows: it sets p[k*i:k*(i+1)] and limits[i] for row i.
// r[stride*n+i] is the probability of the n-th pair for row i.
func (c *Coupling) Rows(p []float64, limits []bool, r []float64, k, stride int) {
	if k < 2 || len(p) != k*len(limits) || stride < len(limits) || len(limits) > 0 && len(r) < (k*(k-1)/2-1)*stride+len(limits) {
		panic("pairs: the probabilities do not fit")
	}
	if simd.Current() < simd.AVX2 || len(limits) < fewRows {
		if n := k * (k - 1) / 2; len(c.one) != n {
			c.one = make([]float64, n)
		}
		for i := range limits {
			for n := range c.one {
				c.one[n] = r[n*stride+i]
			}
			limits[i] = c.One(p[k*i:k*(i+1)], c.one)
		}
		return
	}
	c.reserve(k, Lanes)
	w := window{Coupling: c, r: r, stride: stride, k: k, p: p, limits: limits}
	for lane := range Lanes {
		w.take(lane)
	}
	for w.busy > 0 {
		products(simd.Current(), c, k)
		if w.leave() {
			continue // rows that have come have no products yet
		}
		sweep(simd.Current(), c, k)
		for lane := range w.done {
			w.done[lane]++
		}
	}
}

// fewRows is the number of rows from which coupling them side by side is faster.
const fewRows = 3

// A window is the state of coupling rows side by side.
type window struct {
	*Coupling
	r         []float64
	stride, k int
	p         []float64
	limits    []bool

	next int        // the first row that has not had a lane
	row  [Lanes]int // the row in each lane, -1 for none
	done [Lanes]int // rounds that this row has had
	busy int        // number of lanes that have a row
}

// take gives a lane to the next row and reports whether there was one. A lane without a row keeps
// its old data; at the start it gets those of row 0, so that no lane contains NaN.
func (w *window) take(lane int) (came bool) {
	at := w.next
	if w.row[lane] = at; at == len(w.limits) {
		w.row[lane] = -1
		if at = 0; w.next > Lanes || lane < w.next {
			return false
		}
	} else {
		w.next++
		w.busy++
	}
	w.done[lane] = 0
	w.load(w.r, at, w.stride, w.k, lane, Lanes)
	for t := range w.k {
		w.Coupling.p[t*Lanes+lane] = 1 / float64(w.k)
	}
	return w.row[lane] >= 0
}

// leave writes the results of rows that are done and gives their lanes to other rows. It reports
// whether any came.
func (w *window) leave() (came bool) {
	for lane, row := range w.row {
		limit := w.done[lane] == rounds(w.k)
		if row < 0 || !limit && !(w.worst[lane] < near(w.k)) {
			continue
		}
		for t := range w.k {
			w.p[row*w.k+t] = w.Coupling.p[t*Lanes+lane]
		}
		w.limits[row] = limit
		w.busy--
		if w.take(lane) {
			came = true
		}
	}
	return came
}
