package columns

import (
	"iter"

	"github.com/slimsvm/slimsvm/predict/internal/combine"
)

// Lists are lists of rows with a coefficient for each. [Lists.AddTo] is faster than [AddRows], which
// must look at every index before it trusts it. The zero value has no lists.
type Lists struct {
	ends  []int // list k has the entries from ends[k-1], or from 0, to ends[k]-1
	index []int32
	coef  []float64
	rows  int // more than any index
}

// Append appends a list, which it copies. It panics if an index is negative, or if coef and index
// differ in length.
func (l *Lists) Append(index []int32, coef []float64) {
	if len(index) != len(coef) {
		panic("columns: indices and coefficients differ in number")
	}
	for _, i := range index {
		if i < 0 {
			panic("columns: a row before the first")
		}
		l.rows = max(l.rows, int(i)+1)
	}
	l.index, l.coef = append(l.index, index...), append(l.coef, coef...)
	l.ends = append(l.ends, len(l.index))
}

// Len returns the number of lists.
func (l *Lists) Len() int { return len(l.ends) }

func (l *Lists) bounds(k int) (from, to int) {
	if k > 0 {
		from = l.ends[k-1]
	}
	return from, l.ends[k]
}

// Entries returns the rows and coefficients of list k in order.
func (l *Lists) Entries(k int) iter.Seq2[int32, float64] {
	from, to := l.bounds(k)
	return func(yield func(int32, float64) bool) {
		for i, row := range l.index[from:to] {
			if !yield(row, l.coef[from+i]) {
				return
			}
		}
	}
}

// AddTo is [AddRows] with the rows and coefficients of list k. It panics if rows lacks a row of any
// of the lists.
func (l *Lists) AddTo(sum, rows []float64, k int) {
	if l.rows*len(sum) > len(rows) {
		panic("columns: lists have a row that does not exist")
	}
	from, to := l.bounds(k)
	combine.AddKnownRowsInOrder(sum, rows, l.index[from:to], l.coef[from:to])
}
