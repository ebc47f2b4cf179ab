package vec

import (
	"fmt"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: dot products and squared distances of up to PanelRows sparse rows x with
// many sparse vectors z, each sum in ascending index order.
//
// Method: the rows stand side by side, one a lane, with just those columns that one
// of them has. A vector z is a list of terms: how it changes the sums at some of
// these columns. In a distance, columns that z lacks add the squares of x, the same
// for all z, and indices that no x has add the square of z. Columns are gone through
// a few at a time, for all z, so that they stay in the first cache.

// stripColumns is the number of columns at a time: their squares take 16 KB.
const stripColumns = 64

// A Strip holds up to PanelRows sparse rows side by side. The zero Strip is empty
// and ready; one that is set again uses its memory again. Values must be finite.
type Strip struct {
	index   []int32   // of columns, increasing
	x       []float64 // element i of row r at [PanelRows*i+r]
	squares []float64
	at      []int32 // by index: twice the number of columns before it, plus 1 if it is one
	done    []int32 // of each vector, the entries that are dealt with
	terms   []stripTerm
}

// stripTerm is an entry of a vector: its place among a few columns, and whether it
// matches the column there or stands before it.
type stripTerm struct {
	column int
	value  float64
	match  int
}

// Set makes the strip hold the rows xs, for vectors with indices up to max.
func (s *Strip) Set(xs []Vector, max int) {
	if len(xs) > PanelRows {
		panic(fmt.Sprintf("vec: %d rows in a strip", len(xs)))
	}
	s.index = s.index[:0]
	for _, x := range xs {
		s.index = append(s.index, x.Index...)
	}
	slices.Sort(s.index)
	s.index = slices.Compact(s.index)
	n := len(s.index) * PanelRows
	s.x, s.squares = zeroed(s.x, n, n), zeroed(s.squares, n, n)
	for r, x := range xs {
		at := 0
		for k, i := range x.Index {
			for s.index[at] != i {
				at++
			}
			v := x.Value[k]
			s.x[at*PanelRows+r], s.squares[at*PanelRows+r] = v, float64(v*v)
		}
	}
	if cap(s.at) <= max {
		s.at = make([]int32, max+1)
	}
	s.at = s.at[:max+1]
	column := 0
	for i := range s.at {
		s.at[i] = int32(2 * column)
		if column < len(s.index) && int(s.index[column]) == i {
			s.at[i]++
			column++
		}
	}
}

// DotsTo sets dst[(i-from)*stride+r] to the dot product of row r and zs[i], for
// from <= i < to and r < PanelRows; those of places without a row have no meaning.
func (s *Strip) DotsTo(dst []float64, stride int, zs *Matrix, from, to int) {
	s.sum(dots, dst, stride, zs, from, to)
}

// DistancesTo is DotsTo with sums of squared differences.
func (s *Strip) DistancesTo(dst []float64, stride int, zs *Matrix, from, to int) {
	s.sum(distances, dst, stride, zs, from, to)
}

func (s *Strip) sum(f sum, dst []float64, stride int, zs *Matrix, from, to int) {
	if from < 0 || from > to || to > zs.Len() || stride < PanelRows || zs.MaxIndex() >= len(s.at) {
		panic(fmt.Sprintf("vec: vectors %d to %d of %d, indices to %d, at a distance of %d", from, to-1, zs.Len(), zs.MaxIndex(), stride))
	}
	if from == to {
		return
	}
	dst = dst[:(to-from-1)*stride+PanelRows]
	for at := 0; at < len(dst); at += stride {
		clear(dst[at : at+PanelRows])
	}
	if cap(s.done) < to-from {
		s.done = make([]int32, to-from)
	}
	s.done = s.done[:to-from]
	clear(s.done)
	level := simd.Current()
	for first := 0; first == 0 || first < len(s.index); first += stripColumns {
		columns := min(stripColumns, len(s.index)-first)
		last := first+columns == len(s.index)
		x := s.x[first*PanelRows : (first+columns)*PanelRows]
		squares := s.squares[first*PanelRows : (first+columns)*PanelRows]
		for i := from; i < to; i++ {
			s.terms = s.take(s.terms[:0], f, zs.Row(i), &s.done[i-from], first, columns, last)
			sums := dst[(i-from)*stride:][:PanelRows]
			if f == dots {
				if len(s.terms) > 0 {
					stripDots(level, sums, x, s.terms)
				}
			} else {
				stripDistances(level, sums, x, squares, s.terms)
			}
		}
	}
}

// take appends the terms of z for some columns: the entries from done on that match
// one of them or stand before one, in the last columns all that are left. Those
// that do not match have no part in dot products.
func (s *Strip) take(terms []stripTerm, f sum, z Vector, done *int32, first, columns int, last bool) []stripTerm {
	k := int(*done)
	for ; k < len(z.Index); k++ {
		at := s.at[z.Index[k]]
		column, match := int(at/2)-first, int(at%2)
		if column >= columns && !last {
			break
		}
		if match == 1 || f == distances {
			terms = append(terms, stripTerm{column, z.Value[k], match})
		}
	}
	*done = int32(k)
	return terms
}

func stripDotsPortable(sums, x []float64, terms []stripTerm) {
	to := (*[PanelRows]float64)(sums)
	for _, t := range terms {
		from := (*[PanelRows]float64)(x[t.column*PanelRows:])
		for i := range to {
			to[i] += float64(from[i] * t.value)
		}
	}
}

func stripDistancesPortable(sums, x, squares []float64, terms []stripTerm) {
	to := (*[PanelRows]float64)(sums)
	k := 0
	skip := func(until int) {
		for ; k < until; k++ {
			from := (*[PanelRows]float64)(squares[k*PanelRows:])
			for i := range to {
				to[i] += from[i]
			}
		}
	}
	for _, t := range terms {
		skip(t.column)
		if t.match == 1 {
			from := (*[PanelRows]float64)(x[k*PanelRows:])
			for i := range to {
				d := from[i] - t.value
				to[i] += float64(d * d)
			}
			k++
			continue
		}
		square := float64(t.value * t.value)
		for i := range to {
			to[i] += square
		}
	}
	skip(len(squares) / PanelRows)
}
