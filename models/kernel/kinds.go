package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: which columns of a matrix take few bits.
//
// Method: the number of decimal digits after the point that every value of a column has is looked for, from none on. What
// is a whole number of 32 bits with those is decimal. All columns of few digits together are whole numbers of 16 bits, of
// the same digits, as long as products of rows are those of vec.WholePanels; of the numbers of digits
// that this holds for the one is taken that gives the least work.

// columnKinds tells the columns that are real numbers from those that are decimal and whole.
type columnKinds struct {
	real, decimal, whole    []int32 // the column of each index among those of its kind, -1 for none
	reals, decimals, wholes int
	columns                 *vec.Decimals // decimal ones
	digits                  int           // of whole ones
	bytes                   bool          // whole ones are from 0 to 255
	most                    int           // number of columns of the row with most
	norm                    float64       // the largest squared one of a row
	time                    float64       // that a dot product takes
}

// one reports whether all columns are decimal, or all whole.
func (k *columnKinds) one() bool { return k.reals == 0 && (k.decimals == 0 || k.wholes == 0) }

// Rough times in nanoseconds: of a column of real numbers, and of what each kind takes more than columns that are alike.
const mixedExtra = 0.15

func realColumn() float64 {
	if simd.Current() == simd.AVX2 {
		return 0.12
	}
	return 0.08
}

// decimalPart is the part of the time of a column of real numbers that a decimal one takes.
const decimalPart = 0.6

// mixedShare is the part of the time of another form that kinds of columns have to take at most.
const mixedShare = 0.8

// kindsTime returns the time of a value of so many columns.
func kindsTime(reals, decimals, wholes int) float64 {
	kinds := 0
	for _, n := range []int{reals, decimals, wholes} {
		kinds += min(n, 1)
	}
	return float64(mixedExtra*float64(kinds)) + float64(realColumn()*(float64(reals)+float64(decimalPart*float64(decimals))+float64(float64(wholes)/wholesAtOnce)))
}

// kindsPay reports whether that is less than the form that s has takes.
func (s *Store) kindsPay(time float64) bool {
	now := float64(0.7*s.columns.shared) + 1.8
	if s.form == asPanels {
		now = realColumn() * float64(s.columns.count)
	}
	return time <= mixedShare*now
}

// sampleRows are looked at before all are.
const sampleRows = 100

// A digitsLook is what is known of a column's digits.
type digitsLook struct {
	scale     float64 // 10^digits, NaN if it is real
	low, high float64 // the least and the largest value, zero included
	digits    int
}

// see looks at a value.
func (l *digitsLook) see(v float64) {
	for !vec.Decimal(v, l.digits) {
		if l.digits++; l.digits > vec.MaxDigits || !(math.Abs(v)*vec.Power(l.digits) < math.MaxInt32+0.5) {
			l.scale = math.NaN()
			return
		}
	}
	l.scale = vec.Power(l.digits)
}

// largest returns the largest absolute value.
func (l *digitsLook) largest() float64 { return max(l.high, -l.low) }

// within reports whether 10^digits times all values are whole numbers up to most.
func (l *digitsLook) within(digits int, most float64) bool {
	return l.scale == l.scale && l.digits <= digits && float64(l.largest()*vec.Power(digits)) < most+0.5
}

// decimal reports whether the column is.
func (l *digitsLook) decimal() bool { return l.within(l.digits, math.MaxInt32) }

// look looks at rows from to to-1.
func (s *Store) look(columns []digitsLook, from, to int) {
	of := s.columns.of
	for i := from; i < to; i++ {
		row := s.near.Row(i)
		values := row.Value[:len(row.Index)]
		for e, index := range row.Index {
			at := of[index]
			if at < 0 {
				continue
			}
			l, v := &columns[at], values[e]
			if v > l.high {
				l.high = v
			} else if v < l.low {
				l.low = v
			}
			if !vec.IsWhole(float64(v*l.scale)) && l.scale == l.scale {
				l.see(v)
			}
		}
	}
}

// mostWholeDigits is the largest number of digits that whole columns are tried with: with more, a value of 3 is none of 16 bits.
const mostWholeDigits = 4

// wholeDigits returns the number of digits for which whole columns are of most use, the number of those
// and of those that are decimal, and the time that a value takes.
func wholeDigits(columns []digitsLook) (digits, decimals, wholes int, time float64) {
	all := 0
	for i := range columns {
		if columns[i].decimal() {
			all++
		}
	}
	time = math.Inf(1)
	for d := -1; d <= mostWholeDigits; d++ { // from no whole ones on
		n, both, square := 0, 0, 0.0
		for i := range columns {
			if l := &columns[i]; d >= 0 && l.within(d, math.MaxInt16) {
				n++
				if l.decimal() {
					both++
				}
				most := float64(l.largest() * vec.Power(d))
				square += float64(most * most)
			}
		}
		if square > vec.MaxWholeNorm {
			n, both = 0, 0
		}
		if t := kindsTime(len(columns)-all-n+both, all-both, n); t < time {
			digits, decimals, wholes, time = max(d, 0), all-both, n, t
		}
	}
	return digits, decimals, wholes, time
}

// kindsOf returns the kinds of columns, nil unless they are of use.
func (s *Store) kindsOf() *columnKinds {
	c, n := &s.columns, s.near.Len()
	if simd.Current() == simd.Portable || s.form != asPanels && s.form != asLists || !s.kindsPay(kindsTime(0, 0, c.count)) {
		return nil
	}
	columns := make([]digitsLook, c.count)
	for i := range columns {
		columns[i].scale = 1
	}
	k := &columnKinds{bytes: true, most: c.longest}
	for from, to := 0, min(n, sampleRows); from < n; from, to = to, n {
		s.look(columns, from, to)
		if k.digits, k.decimals, k.wholes, k.time = wholeDigits(columns); !s.kindsPay(k.time) {
			return nil
		}
	}
	k.reals = c.count - k.decimals - k.wholes
	k.sort(s, columns)
	element := 2
	if k.bytes {
		element = 1
	}
	if s.form == asLists && (8*k.reals+4*k.decimals+element*k.wholes)*n > 16*c.entries+64*n {
		return nil
	}
	for i := range n {
		k.norm = max(k.norm, s.near.SquaredNorm(i))
	}
	return k
}

// sort numbers the columns of each kind.
func (k *columnKinds) sort(s *Store, columns []digitsLook) {
	of := s.columns.of
	indices := make([]int32, 3*len(of))
	for i := range indices {
		indices[i] = -1
	}
	k.real, k.decimal, k.whole = indices[:len(of)], indices[len(of):2*len(of)], indices[2*len(of):]
	var reals, wholes int32
	var digits []int
	for i, at := range of {
		if at < 0 {
			continue
		}
		switch l := &columns[at]; {
		case k.wholes > 0 && l.within(k.digits, math.MaxInt16):
			k.whole[i] = wholes
			wholes++
			k.bytes = k.bytes && l.low == 0 && l.within(k.digits, math.MaxUint8)
		case l.decimal():
			k.decimal[i] = int32(len(digits))
			digits = append(digits, l.digits)
		default:
			k.real[i] = reals
			reals++
		}
	}
	k.columns = vec.NewDecimals(digits)
}
