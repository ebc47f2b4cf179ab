package pairs

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: find the probabilities p of k classes, given those of all pairs, r_st of s against t, by
// the second method of Wu, Lin and Weng (2004), Algorithm 2, ended as LIBSVM ends it. It is the p
// with sum 1 that minimises p'Qp,
//
//	Q_tt = sum_{s != t} r_st^2,  Q_tj = -r_jt r_tj,
//
// by rounds that update one p_t after the other, each update followed by a division of all by their
// sum, until max_t |(Qp)_t - p'Qp| < 0.005/k.
//
// Several rows are worked on side by side, each in a lane of a vector register; a row that is done
// leaves its lane to the next. Divisions would be half of the work. Their results are part of the
// answer, so the assembly computes the same bits by products.

// A Coupling has the memory to couple the classes of rows. The zero Coupling is ready.
type Coupling struct {
	q, p, qp   []float64
	pqp, worst [Lanes]float64
	one        []float64
}

// rounds is how many there are at most.
func rounds(k int) int { return max(100, k) }

// near is how near to a minimum is enough.
func near(k int) float64 { return 0.005 / float64(k) }

// One sets p to the probabilities of the classes of one row; r are those of the pairs, in
// their order. limit reports that the rounds ran out. Lanes are classes, behind which there
// are some of 1, in Q too: these stay numbers that are as soon divided as others.
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
			turn(level, row, all, qp, step, sum)
		}
	}
	copy(p, all)
	return limit
}

// fill makes Q of one row, whose rows are so wide, and equal probabilities.
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
	diagonal := c.qp[:k] // until there is Q p
	clear(diagonal)
	for a := range k {
		row, others, own := q[a*width:][:k], diagonal[a+1:], diagonal[a]
		right, down := row[a+1:], (a+1)*width+a
		of := r[:len(right)]
		for i, first := range of {
			second := 1 - first
			// in order: what is before a was added when it was first
			own += float64(second * second)
			others[i] += float64(first * first)
			product := -first * second
			right[i], q[down] = product, product
			down += width
		}
		row[a], r = own, r[len(of):]
	}
}

// productPortable sets qp to Q p: with a symmetric Q, each sum is in the order of its row.
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

// turnPortable sets qp to (qp + step row) / sum and p to p / sum.
func turnPortable(row, p, qp []float64, step, sum float64) {
	p, qp = p[:len(row)], qp[:len(row)]
	for j, v := range row {
		qp[j] = (qp[j] + float64(step*v)) / sum
		p[j] /= sum
	}
}

// reserve makes room for k classes and so many rows side by side.
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

// load makes the Q of a row in a lane, of so many: of its rows what stands from the diagonal on, half of it, so that
// more of what rounds go through again and again is in the first cache. The pairs' probabilities are at r[at],
// r[at+stride] and so on.
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
			// in order: what is before a was added when it was first
			own += float64(second * second)
			q[diagonal+(b-a)*lanes] = -first * second
			other += (k - b + 1) * lanes
			q[other] += float64(first * first)
		}
		q[diagonal] = own
		diagonal += (k - a) * lanes
	}
}

// Rows sets p[k*i:k*(i+1)] to what One gives for row i, and limits[i], for as many rows as
// there are limits; r[stride*n+i] is the probability of the n-th pair.
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
			continue // those who came have no products yet
		}
		sweep(simd.Current(), c, k)
		for lane := range w.done {
			w.done[lane]++
		}
	}
}

// fewRows is the number of rows from which they are sooner coupled side by side.
const fewRows = 3

// A window is the rows that are side by side.
type window struct {
	*Coupling
	r         []float64
	stride, k int
	p         []float64
	limits    []bool

	next int        // the first row that has not had a lane
	row  [Lanes]int // which has a lane, -1 for none
	done [Lanes]int // its rounds so far
	busy int        // lanes that have a row
}

// take gives a lane to the next row. If there is none it goes on with what it has, at first
// with that of row 0, so that no lane works on what are no numbers.
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

// leave writes down the rows that are done, whose lanes others take.
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
