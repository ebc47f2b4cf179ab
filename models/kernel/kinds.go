package kernel

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: find the columns of a matrix that need few bits.
//
// Method: for each column, find the smallest number of digits after the decimal point, from 0 on,
// that every value has. A column is decimal if its values, with those digits, are whole numbers of
// 32 bits. All columns of few digits together can be whole numbers of 16 bits with the same number
// of digits, as long as the products of rows meet the conditions of vec.WholePanels. Of the numbers
// of digits for which this holds, the one with the least work is taken.

// columnKinds divides the columns into real, decimal and whole ones.
type columnKinds struct {
	real, decimal, whole    []int32 // for each index, the number of its column among those of its kind, -1 for none
	reals, decimals, wholes int
	columns                 *vec.Decimals // the decimal columns
	digits                  int           // number of digits after the point of the whole columns
	bytes                   bool          // the whole columns have values from 0 to 255
	most                    int           // largest number of columns of a row
	norm                    float64       // largest squared norm of a row
	time                    float64       // time of a dot product
}

// one reports whether all columns are of one kind.
func (k *columnKinds) one() bool {
	return max(k.reals, k.decimals, k.wholes) == k.reals+k.decimals+k.wholes
}

// mixedExtra is about how many nanoseconds each kind that occurs adds to the time of a value.
const mixedExtra = 0.15

// realColumn returns about how many nanoseconds a column of real numbers takes.
func realColumn() float64 {
	if simd.Current() == simd.AVX2 {
		return 0.12
	}
	return 0.08
}

// decimalPart is the time of a decimal column, and nearPart that of a real column with unrounded
// products, as shares of the time of a real column with rounded products.
const decimalPart, nearPart = 0.6, 0.65

// mixedShare is the largest share of another form's time that kinds of columns may take.
const mixedShare = 0.8

// kindsTime returns the time of a value with this many columns of each kind.
func kindsTime(reals, decimals, wholes int) float64 {
	kinds := 0
	for _, n := range []int{reals, decimals, wholes} {
		kinds += min(n, 1)
	}
	return float64(mixedExtra*float64(kinds)) + float64(realColumn()*(float64(nearPart*float64(reals))+float64(decimalPart*float64(decimals))+float64(float64(wholes)/wholesAtOnce)))
}

// kindsPay reports whether the time of a value with kinds of columns is at most mixedShare of the
// time with the store's own form.
func (s *Store) kindsPay(time float64) bool {
	now := float64(0.7*s.columns.shared) + 1.8
	if s.form == asPanels {
		now = realColumn() * float64(s.columns.count)
	}
	return time <= mixedShare*now
}

// sampleRows is the number of rows that are examined first, before all others.
const sampleRows = 100

// columnDigits is what is known about the digits of columns.
type columnDigits struct {
	digits    []int
	real      []bool    // no number of digits is enough
	scale     []float64 // 10^digits, or 0 if the column is real
	low, high []float64 // the smallest and the largest value, including zero
}

func newColumnDigits(columns int) *columnDigits {
	l := &columnDigits{make([]int, columns), make([]bool, columns), make([]float64, columns), make([]float64, columns), make([]float64, columns)}
	for k := range l.scale {
		l.scale[k] = 1
	}
	return l
}

// examine examines value v of column k. The column's digits so far may not be enough.
func (l *columnDigits) examine(k int, v float64) {
	for !l.real[k] && !vec.Decimal(v, l.digits[k]) {
		l.digits[k]++
		l.real[k] = l.digits[k] > vec.MaxDigits || !(math.Abs(v)*vec.PowerOfTen(l.digits[k]) < math.MaxInt32+0.5)
	}
	l.scale[k] = 0
	if !l.real[k] {
		l.scale[k] = vec.PowerOfTen(l.digits[k])
	}
}

// most returns the largest absolute value of column k.
func (l *columnDigits) most(k int) float64 { return max(l.high[k], -l.low[k]) }

// within reports whether 10^digits times all values of column k are whole numbers up to most.
func (l *columnDigits) within(k, digits int, most float64) bool {
	return !l.real[k] && l.digits[k] <= digits && float64(l.most(k)*vec.PowerOfTen(digits)) < most+0.5
}

// decimal reports whether column k is decimal.
func (l *columnDigits) decimal(k int) bool { return l.within(k, l.digits[k], math.MaxInt32) }

// examineDigits examines rows from to to-1.
func (s *Store) examineDigits(l *columnDigits, from, to int) {
	c := &s.columns
	var known *int32
	for i := from; i < to; i++ {
		row := s.near.Row(i)
		if c.all(row.Index, &known) {
			if !vec.AreWhole(row.Value, l.scale, l.low, l.high) {
				for k, v := range row.Value {
					l.examine(k, v)
				}
			}
			continue
		}
		values := row.Value[:len(row.Index)]
		for e, index := range row.Index {
			if k, v := c.of[index], values[e]; k >= 0 {
				l.low[k], l.high[k] = min(l.low[k], v), max(l.high[k], v)
				if !vec.IsWhole(float64(v * l.scale[k])) {
					l.examine(int(k), v)
				}
			}
		}
	}
}

// lookValues is the number of values that make another worker worthwhile.
const lookValues = 1 << 16

// examineDigitsBy is examineDigits with several workers.
func (s *Store) examineDigitsBy(by packers, l *columnDigits, from, to int) {
	rows := to - from
	parts := max(1, min(by.workers, rows*s.columns.count/lookValues))
	others := make([]*columnDigits, parts-1)
	for p := range others {
		others[p] = l.clone()
	}
	by.do(parts, func(p int) {
		part := l
		if p > 0 {
			part = others[p-1]
		}
		s.examineDigits(part, from+p*rows/parts, from+(p+1)*rows/parts)
	})
	for _, o := range others {
		l.join(o)
	}
}

func (l *columnDigits) clone() *columnDigits {
	return &columnDigits{slices.Clone(l.digits), slices.Clone(l.real), slices.Clone(l.scale), slices.Clone(l.low), slices.Clone(l.high)}
}

// join adds what o has found in other rows.
func (l *columnDigits) join(o *columnDigits) {
	for k := range l.digits {
		l.digits[k], l.real[k] = max(l.digits[k], o.digits[k]), l.real[k] || o.real[k]
		l.low[k], l.high[k] = min(l.low[k], o.low[k]), max(l.high[k], o.high[k])
		if l.scale[k] = 0; !l.real[k] {
			l.scale[k] = vec.PowerOfTen(l.digits[k])
		}
	}
}

// mostWholeDigits is the largest number of digits that is tried for whole columns: with more, not
// even a value of 1 fits into 16 bits.
const mostWholeDigits = 4

// wholeDigits returns the number of digits for which whole columns help most, the resulting numbers
// of decimal and whole columns, and the time of a value.
func (l *columnDigits) wholeDigits() (digits, decimals, wholes int, time float64) {
	all, columns := 0, len(l.digits)
	for k := range columns {
		if l.decimal(k) {
			all++
		}
	}
	time = math.Inf(1)
	for d := -1; d <= mostWholeDigits; d++ { // -1: no whole columns
		n, both, square := 0, 0, 0.0
		for k := range columns {
			if d >= 0 && l.within(k, d, math.MaxInt16) {
				n++
				if l.decimal(k) {
					both++
				}
				most := float64(l.most(k) * vec.PowerOfTen(d))
				square += float64(most * most)
			}
		}
		if square > vec.MaxWholeNorm {
			n, both = 0, 0
		}
		if t := kindsTime(columns-all-n+both, all-both, n); t < time {
			digits, decimals, wholes, time = max(d, 0), all-both, n, t
		}
	}
	return digits, decimals, wholes, time
}

// kindsOf returns the kinds of columns, or nil if using them does not pay.
func (s *Store) kindsOf(by packers) *columnKinds {
	c, n := &s.columns, s.near.Len()
	if simd.Current() == simd.Portable || s.form != asPanels && s.form != asLists || !s.kindsPay(kindsTime(0, 0, c.count)) {
		return nil
	}
	columns := newColumnDigits(c.count)
	k := &columnKinds{bytes: true, most: c.longest}
	for from, to := 0, min(n, sampleRows); from < n; from, to = to, n {
		s.examineDigitsBy(by, columns, from, to)
		if k.digits, k.decimals, k.wholes, k.time = columns.wholeDigits(); !s.kindsPay(k.time) {
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
func (k *columnKinds) sort(s *Store, columns *columnDigits) {
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
		switch c := int(at); {
		case k.wholes > 0 && columns.within(c, k.digits, math.MaxInt16):
			k.whole[i] = wholes
			wholes++
			k.bytes = k.bytes && columns.low[c] == 0 && columns.within(c, k.digits, math.MaxUint8)
		case columns.decimal(c):
			k.decimal[i] = int32(len(digits))
			digits = append(digits, columns.digits[c])
		default:
			k.real[i] = reals
			reals++
		}
	}
	k.columns = vec.NewDecimals(digits)
}
