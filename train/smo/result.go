package smo

import (
	"errors"
	"math"

	"github.com/slimsvm/slimsvm/train"
)

// errNuLarge: nothing bounds the margin from above, or the width of the tube from below. In this
// case LIBSVM writes a model whose rho is not a number.
var errNuLarge = errors.New("nu is too large: all rows of one kind are at their bound")

// result computes what is known only at the end, with all variables active. It puts the variables
// into b, or into new memory if b is nil.
func (s *state) result(b []float64) (*Result, error) {
	if b == nil {
		b = make([]float64, s.n)
	}
	var r *Result
	if s.work != nil {
		r = &s.work.result
	} else {
		r = new(Result)
	}
	*r = Result{B: b, Iterations: s.iterations}
	unbounded := false
	if s.nu {
		// each kind has its own threshold; for variables in [-C,0] it is the negative of the
		// class's
		first, second := s.threshold(0), s.threshold(1)
		unbounded = math.IsInf(first, 0) || math.IsInf(second, 0)
		r.Rho, r.R = (first+second)/2, (first-second)/2
	} else {
		r.Rho = s.threshold(-1)
	}
	for i, b := range s.b {
		r.Objective += float64(b * (s.f[i] + s.p[i]))
	}
	r.Objective /= 2
	for i, b := range s.b {
		r.B[s.order[i]] = b
	}
	// rho may be infinite: if every variable is at its upper end, no variable is free
	switch {
	case math.IsNaN(r.Objective) || math.IsInf(r.Objective, 0):
		return nil, train.ErrOverflow
	case unbounded:
		return nil, errNuLarge
	case math.IsNaN(r.Rho):
		return nil, train.ErrOverflow
	}
	return r, nil
}

// threshold returns the dual variable of the constraint on the sum of one kind of variables, or of
// all variables if kind < 0. It is the mean of f over the free variables. If there are none, it is
// the middle of the interval that the other variables allow.
func (s *state) threshold(kind int) float64 {
	t := newThreshold()
	for i, f := range s.f[:s.active] {
		if kind >= 0 && s.kind(i) != kind {
			continue
		}
		if f == 0 && kind < 0 {
			f = zeroOf(s.positive(i))
		}
		t.add(f, s.where[i])
	}
	return t.value()
}

// A threshold is found from the values f of variables and their places.
type threshold struct {
	free      int
	sum       float64 // of f over the free variables
	low, high float64
}

func newThreshold() threshold { return threshold{low: math.Inf(-1), high: math.Inf(1)} }

func (t *threshold) add(f float64, where uint8) {
	// if values are equal (they may be zeros of either sign), the last one counts
	switch where {
	case atUpper:
		if !(t.low > f) {
			t.low = f
		}
	case atLower:
		if !(t.high < f) {
			t.high = f
		}
	default:
		t.free++
		t.sum += f
	}
}

func (t *threshold) value() float64 {
	if t.free > 0 {
		return t.sum / float64(t.free)
	}
	return (t.high + t.low) / 2
}

// zeroOf returns the zero that LIBSVM has for an f_i of 0: a gradient of +0 times the label. If no
// variable is free, its sign appears in model files.
func zeroOf(positive bool) float64 {
	if positive {
		return 0
	}
	return math.Copysign(0, -1)
}

// mostNamed is the largest number of rows that named examines. One of the first has such a value,
// unless the costs caused the overflow.
const mostNamed = 100

// named explains an overflow with a kernel that may have any values: it returns a
// *train.KernelError with two rows whose kernel value is not finite, if it finds such a value. It
// returns other errors unchanged.
func (s *state) named(err error) error {
	if f, ok := s.src.(interface{ foreign() bool }); err != train.ErrOverflow || !ok || !f.foreign() {
		return err
	}
	n := s.n // number of rows
	if s.doubled != nil {
		n /= 2
	}
	place := make([]int, s.n) // the position of each variable
	for i, variable := range s.order {
		place[variable] = i
	}
	looked := 0
	for _, suspect := range []func(i int) bool{
		func(i int) bool { return i == s.ends[0].I || i == s.ends[1].I }, // a partner was searched with this row
		func(i int) bool { return s.f[i]-s.f[i] != 0 },
		func(i int) bool { return s.b[i] != 0 },
	} {
		for variable, i := range place {
			if !suspect(i) {
				continue
			}
			if looked++; looked > mostNamed {
				return err
			}
			row := s.src.Row(i, s.n)
			for other, j := range place {
				if v := row[j]; v-v != 0 {
					return &train.KernelError{Rows: [2]int{variable % n, other % n}, Value: float64(v)}
				}
			}
		}
	}
	return err
}
