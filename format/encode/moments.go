package encode

import "math"

// moments sum up one feature. Its rows with 0 may be added together, later.
type moments struct {
	rows     int
	weight   float64
	sum      float64
	mean, s  float64 // running mean, and sum of weighted squared deviations
	min, max float64
}

// add takes a value in: West, "Updating mean and variance estimates", CACM 22
// (1979).
func (m *moments) add(v, weight float64) {
	if m.rows == 0 {
		m.min, m.max = v, v
	}
	m.rows++
	m.min, m.max = min(m.min, v), max(m.max, v)
	before, from := m.weight, v-m.mean
	m.weight += weight
	m.sum += float64(weight * v)
	delta := float64(weight * from)
	m.mean += delta / m.weight
	if weight > overwhelming*max(before, 1) { // what is left of v - m.mean is how the mean was rounded
		m.s += float64(float64(before*from) * float64(float64(weight/m.weight)*from))
		return
	}
	m.s += float64(delta * (v - m.mean))
}

// overwhelming is how many times heavier than 1, and than all rows before it, a row is whose value
// is the mean but for rounding.
const overwhelming = 1 << 40

// catchUp adds the zeros of rows that did not list the feature, up to a number of
// rows and their total weight.
func (m *moments) catchUp(rows int, total float64) {
	if m.rows < rows {
		m.add(0, total-m.weight)
		m.rows = rows
	}
}

// scale returns the feature's scale, which is not finite if the sums are not.
func (m *moments) scale(s Scaling) Scale {
	switch {
	case m.rows == 0:
		return Scale{}
	case s == Normalize:
		return Scale{m.min, m.max - m.min}
	case !finite(m.s):
		return Scale{m.mean, m.s}
	}
	deviation := math.Sqrt(m.s / (m.weight - 1))
	if !(deviation > 0) || m.weight <= 1 { // weights that sum up to 1 tell of no deviation
		deviation = 1
	}
	return Scale{m.sum / m.weight, deviation}
}
