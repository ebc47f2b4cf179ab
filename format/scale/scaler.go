package scale

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
)

// A Scaler scales rows. It does not change, and several goroutines may use it at once.
type Scaler struct {
	ranges Ranges
	index  slots     // index -> position in rules and in ranges.X.Ranges
	rules  []rule    // how each feature is scaled
	plain  bool      // all rules are that are not constant
	zeros  []written // what stands for 0 in features that a row does not list
}

// A rule is a feature's range with what is found out once.
type rule struct {
	Range
	before   int32 // number of zeros that stand for features before this one
	zero     bool  // one stands for this one
	constant bool
	// plain: the formula gives the limits at the ends of the range.
	plain bool
}

// after returns the number of zeros that stand for features up to this one.
func (r *rule) after() int {
	if r.zero {
		return int(r.before) + 1
	}
	return int(r.before)
}

// span returns Max-Min, +Inf if that is beyond float64.
func (r *rule) span() float64 { return r.Max - r.Min }

// newRule returns the rule of a range.
func (l Limits) newRule(r Range) rule {
	u := rule{Range: r, constant: r.Constant()}
	u.plain = !u.constant && u.span() <= math.MaxFloat64 && l.formula(r.Min, &u) == l.Lower && l.formula(r.Max, &u) == l.Upper
	return u
}

// written is a scaled value that is not 0.
type written struct {
	index int32
	value float64 // nan: out of range
}

// NewScaler returns a scaler by r. It shares memory with r, which must not be changed. It panics if
// r is not valid.
func NewScaler(r *Ranges) *Scaler {
	if err := r.Validate(); err != nil {
		panic("scale: NewScaler: " + err.Error())
	}
	s := &Scaler{ranges: *r}
	if r.X == nil {
		return s
	}
	s.rules = make([]rule, len(r.X.Ranges))
	s.plain = true
	for i, f := range r.X.Ranges {
		s.index.add(f.Index)
		u := r.X.Limits.newRule(f.Range)
		u.before = int32(len(s.zeros))
		if f.Index != 0 && !u.constant {
			if v := r.X.Limits.scale(0, f.Range); v != 0 {
				if s.zeros == nil {
					s.zeros = make([]written, 0, len(r.X.Ranges)-i) // mostly all
				}
				s.zeros = append(s.zeros, written{f.Index, v})
				u.zero = true
			}
		}
		s.rules[i] = u
		s.plain = s.plain && (u.constant || u.plain)
	}
	return s
}

// formula returns lower + (upper-lower)*(v-min)/(max-min).
func (l Limits) formula(v float64, r *rule) float64 {
	return l.Lower + (l.Upper-l.Lower)*(v-r.Min)/r.span()
}

// value returns what Limits.scale does.
func (l Limits) value(v float64, r *rule) float64 {
	if r.plain {
		// a product that overflows leaves no finite number
		if y := l.formula(v, r); math.Abs(y) <= math.MaxFloat64 {
			return y
		}
	}
	return l.scale(v, r.Range)
}

// scale returns lower + (upper-lower)*(v-min)/(max-min), exactly the limits at
// the ends of the range, or nan where the result is beyond float64.
func (l Limits) scale(v float64, r Range) float64 {
	switch v {
	case r.Min:
		return l.Lower
	case r.Max:
		return l.Upper
	}
	product, span := (l.Upper-l.Lower)*(v-r.Min), r.Max-r.Min
	if !math.IsInf(product, 0) && !math.IsInf(span, 0) {
		if y := l.Lower + product/span; !math.IsInf(y, 0) {
			return y
		}
	}
	// An intermediate result overflowed; quarters of float64s do not.
	t := (float64(v/4) - float64(r.Min/4)) / (float64(r.Max/4) - float64(r.Min/4))
	y := l.Lower + float64((l.Upper-l.Lower)*t)
	if math.IsInf(y, 0) || math.IsNaN(y) {
		y = float64(l.Lower*(1-t)) + float64(l.Upper*t)
	}
	if math.IsInf(y, 0) {
		y = math.NaN()
	}
	return y
}

// Label returns the scaled label, or y if labels stay. It returns an error if the result overflows
// a float64; with a constant range, that is so for every label but the one in the range.
func (s *Scaler) Label(y float64) (float64, error) {
	l := s.ranges.Y
	if l == nil {
		return y, nil
	}
	v := l.Limits.scale(y, l.Range)
	switch {
	case !math.IsNaN(v):
		return v, nil
	case l.Constant():
		return 0, fmt.Errorf("cannot scale the label %g: the range of the labels holds %g only", y, l.Min)
	}
	return 0, fmt.Errorf("cannot scale the label %g from %g..%g to %g..%g: the result is out of range", y, l.Min, l.Max, l.Lower, l.Upper)
}

// RowTo writes the scaled x to dst and reuses dst's memory. dst lists the values that are not 0
// after scaling, those of features that x does not list included. Features without a range and
// constant ones are dropped; if the ranges have no features, x stays as it is. It returns an error
// if a result overflows a float64.
//
// dst may be x itself; it may then get new memory.
func (s *Scaler) RowTo(dst *vec.Vector, x vec.Vector) error {
	if len(s.zeros) > 0 && (same(dst.Index, x.Index) || same(dst.Value, x.Value)) {
		*dst = vec.Vector{} // more may be written than has been read
	}
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	if s.ranges.X == nil {
		for k, v := range x.Value {
			if v != 0 {
				dst.Index, dst.Value = append(dst.Index, x.Index[k]), append(dst.Value, v)
			}
		}
		return nil
	}
	zero := 0 // the next that may stand for a feature
	for k, index := range x.Index {
		slot := s.index.find(index)
		if slot < 0 {
			continue
		}
		r := &s.rules[slot]
		for ; zero < int(r.before); zero++ {
			if err := s.put(dst, s.zeros[zero], 0); err != nil {
				return err
			}
		}
		if r.constant {
			continue
		}
		zero = r.after()
		if v := s.ranges.X.Limits.value(x.Value[k], r); v != 0 {
			if err := s.put(dst, written{index, v}, x.Value[k]); err != nil {
				return err
			}
		}
	}
	for _, z := range s.zeros[zero:] {
		if err := s.put(dst, z, 0); err != nil {
			return err
		}
	}
	return nil
}

// same reports whether a and b begin in one place.
func same[E any](a, b []E) bool { return cap(a) > 0 && len(b) > 0 && &a[:1][0] == &b[0] }

// put appends w, which is what v became.
func (s *Scaler) put(dst *vec.Vector, w written, v float64) error {
	if math.IsNaN(w.value) {
		return s.beyond(w.index, v)
	}
	dst.Index = append(dst.Index, w.index)
	dst.Value = append(dst.Value, w.value)
	return nil
}

// beyond returns the error of the value v of a feature, which scaling takes out of
// float64's range.
func (s *Scaler) beyond(index int32, v float64) error {
	l, r := s.ranges.X.Limits, s.ranges.X.Ranges[s.index.find(index)]
	return fmt.Errorf("cannot scale the value %g of feature %d from %g..%g to %g..%g: the result is out of range",
		v, index, r.Min, r.Max, l.Lower, l.Upper)
}

// Covers reports whether every row that m measured can be scaled. It may return false although all
// can, but only if some results would be near the limits of float64.
func (s *Scaler) Covers(m *Measure) bool {
	if m.rows == 0 {
		return true
	}
	ends := func(l Limits, from, values Range) bool {
		return !math.IsNaN(l.scale(values.Min, from)) && !math.IsNaN(l.scale(values.Max, from))
	}
	if y := s.ranges.Y; y != nil && !ends(y.Limits, y.Range, m.labels) {
		return false
	}
	if s.ranges.X == nil {
		return true // they stay
	}
	for _, z := range s.zeros {
		if math.IsNaN(z.value) {
			return false
		}
	}
	m.settle()
	for i := range m.features {
		f := &m.features[i]
		slot := s.index.find(f.Index)
		if slot < 0 {
			continue
		}
		if r := s.ranges.X.Ranges[slot].Range; !r.Constant() && !ends(s.ranges.X.Limits, r, m.final(int32(i))) {
			return false
		}
	}
	return true
}
