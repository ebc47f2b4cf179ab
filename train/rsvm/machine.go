package rsvm

import (
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train/internal/newton"
)

// A machine is one of the functions to find.
type machine struct {
	pos, neg int32 // classes; neg is models.Rest for all others; both 0 in a regression
	// columns are the vectors of the basis that the machine may use; nil: all.
	columns []int32
	search  *newton.Minimizer
}

// unknowns returns the number of unknowns, gamma included.
func (m *machine) unknowns() int { return len(m.search.Best()) }

// column returns the vector of the basis that unknown k belongs to.
func (m *machine) column(k int) int {
	if m.columns == nil {
		return k
	}
	return int(m.columns[k])
}

// running reports whether the machine needs more sums.
func (m *machine) running() bool { return m.search.Status() == newton.Running }

// target returns y of a row, or false for a row that has no part in the machine.
func (m *machine) target(b *batch, r int) (y float64, ok bool) {
	if b.y != nil {
		return b.y[r], true
	}
	switch c := b.class[r]; {
	case c == m.pos:
		return 1, true
	case c == m.neg || m.neg == models.Rest:
		return -1, true
	}
	return 0, false
}

// valuesTo sets f[r] = K(x_r, Abar') v - gamma for w = (v, gamma) and the rows of a batch, whose
// kernel values are given, len(f) apart.
func (m *machine) valuesTo(f, w, values []float64) {
	lanes := len(f)
	gamma := w[len(w)-1]
	for r := range f {
		f[r] = -gamma
	}
	for k, v := range w[:len(w)-1] {
		line := values[m.column(k)*lanes:][:len(f)]
		for r, x := range line {
			f[r] += float64(v * x)
		}
	}
}

// someValuesTo is valuesTo for some rows. It does not change the values of others.
func (m *machine) someValuesTo(f []float64, rows []int32, w, values []float64) {
	lanes := len(f)
	gamma := w[len(w)-1]
	for _, r := range rows {
		f[r] = -gamma
	}
	for k, v := range w[:len(w)-1] {
		line := values[m.column(k)*lanes:][:lanes]
		for _, r := range rows {
			f[r] += float64(v * line[r])
		}
	}
}
