package vec

import (
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute dot products of query rows with each of many rows whose values are small whole
// numbers, such as grey levels, codes and counts.
//
// Method: as long as sums of products are whole numbers below 2^53, float64 does not round them and
// their order does not matter: each sum is exact. Numbers of 8 or 16 bits take an eighth or a
// quarter of the memory of float64, and an instruction that multiplies and adds pairs of 16-bit
// numbers does four times as much. Rows are side by side as in Panels, with two columns together.
// Decimal numbers of few digits are whole when all are multiplied by one power of ten. Their
// products are then those of the values except for some roundings.

// MaxWholeNorm is the largest squared norm of a row of [WholePanels]. By the Cauchy-Schwarz
// inequality, no sum of products of two such rows, nor a partial sum, then overflows an int32.
const MaxWholeNorm = math.MaxInt32

// WholePanels hold dense rows of whole numbers, or of decimal numbers that are whole when
// multiplied by 10^digits. The zero WholePanels is empty.
type WholePanels struct {
	rows, columns int
	bytes         bool
	scale, unit   float64    // 10^digits, and 10^(-2 digits)
	scales        [8]float64 // scale, repeated for the columns that are packed at once
	narrow        []uint8    // values if bytes is set
	wide          []int16    // values otherwise
}

// WholeRange returns the least and the largest value of m, zero included. ok reports whether the
// values fit [WholePanels]: whole numbers of 16 bits, and no row with a squared norm above
// [MaxWholeNorm].
func (m *Matrix) WholeRange() (least, most int, ok bool) {
	if m.fraction {
		return 0, 0, false
	}
	for _, norm := range m.norms {
		if norm > MaxWholeNorm {
			return 0, 0, false
		}
	}
	low, high := 0.0, 0.0
	for i := range m.Len() {
		for _, v := range m.Row(i).Value {
			low, high = min(low, v), max(high, v)
		}
	}
	return int(low), int(high), low >= math.MinInt16 && high <= math.MaxInt16
}

// ResetWithin makes p hold rows of zeros, for values from 0 to 255 if bytes is true, else for
// values of 16 bits. Memory that must be allocated is enough for most rows.
func (p *WholePanels) ResetWithin(rows, most, columns int, bytes bool) {
	p.ResetScaled(rows, most, columns, bytes, 0)
}

// ResetScaled is ResetWithin for decimal numbers that are whole when multiplied by 10^digits. Their
// products are off by up to [FusedProductError] roundings.
func (p *WholePanels) ResetScaled(rows, most, columns int, bytes bool, digits int) {
	if rows < 0 || columns < 0 {
		panic(fmt.Sprintf("vec: %d rows of %d columns", rows, columns))
	}
	p.rows, p.columns, p.bytes = rows, columns, bytes
	p.scale = PowerOfTen(digits)
	p.unit = 1 / p.scale / p.scale
	for i := range p.scales {
		p.scales[i] = p.scale
	}
	n, within := panelsOf(rows)*p.panelSize(), panelsOf(most)*p.panelSize()
	if bytes {
		p.narrow = zeroed(p.narrow, n, within)
	} else {
		p.wide = zeroed(p.wide, n, within)
	}
}

// pairs returns the number of pairs of columns. If the number of columns is odd, the last pair is
// filled up with 0.
func (p *WholePanels) pairs() int { return (p.columns + 1) / 2 }

// panelSize returns the number of values of a panel.
func (p *WholePanels) panelSize() int { return 2 * PanelRows * p.pairs() }

// Len returns the number of rows.
func (p *WholePanels) Len() int { return p.rows }

// Columns returns the number of columns.
func (p *WholePanels) Columns() int { return p.columns }

// Bytes returns the memory in use.
func (p *WholePanels) Bytes() int { return cap(p.narrow) + 2*cap(p.wide) }

// start returns the place of row i's first two elements. Its other elements follow at distances of
// 2 PanelRows.
func (p *WholePanels) start(i int) int {
	if uint(i) >= uint(p.rows) {
		panic(fmt.Sprintf("vec: row %d of %d", i, p.rows))
	}
	if p.columns == 0 {
		return 0 // nothing is read or written there
	}
	return i/PanelRows*p.panelSize() + 2*(i%PanelRows)
}

// Set writes v into row i: entry k goes to column[v.Index[k]]. Entries whose column is negative, or
// whose index is beyond column, are left out. Other elements of the row are unchanged.
func (p *WholePanels) Set(i int, v Vector, column []int32) {
	if at := p.start(i); p.bytes {
		setEntries(p.narrow[at:], v, column, p.scale)
	} else {
		setEntries(p.wide[at:], v, column, p.scale)
	}
}

func setEntries[T uint8 | int16](to []T, v Vector, column []int32, scale float64) {
	values := v.Value[:len(v.Index)]
	for k, index := range v.Index {
		if int(index) >= len(column) {
			return // indices ascend
		}
		if c := int(column[index]); c >= 0 {
			to[c/2*2*PanelRows+c%2] = T(whole(float64(values[k] * scale)))
		}
	}
}

// SetRows writes row(i), one value for each column, into row i, for rows from to to-1. from must be
// a multiple of [PackRows]. It calls row in ascending order, and row may return the memory that it
// returned for row i - PackRows. Several goroutines may write different rows at once.
func (p *WholePanels) SetRows(from, to int, row func(i int) []float64) {
	if from < 0 || from%PackRows != 0 || to > p.rows {
		panic(fmt.Sprintf("vec: rows %d to %d of %d", from, to-1, p.rows))
	}
	if p.columns == 0 {
		return
	}
	var rows [PackRows][]float64
	var first [PackRows]*float64
	for i, level := from, simd.Current(); i < to; i += PackRows {
		n := min(PackRows, to-i)
		for k := range n {
			rows[k] = row(i + k)[:p.columns]
			first[k] = &rows[k][0]
		}
		turned := 0
		if n == PackRows {
			turned = p.columns &^ (PackRows - 1)
		}
		if p.bytes {
			to := p.narrow[p.start(i):]
			if turned == 0 || !transposeBytes(level, to[:(turned-2)*PanelRows+2*PackRows], &first, &p.scales, turned) {
				turned = 0
			}
			setWholes(to, rows[:n], turned, p.columns, p.scale)
		} else {
			to := p.wide[p.start(i):]
			if turned == 0 || !transposeWords(level, to[:(turned-2)*PanelRows+2*PackRows], &first, &p.scales, turned) {
				turned = 0
			}
			setWholes(to, rows[:n], turned, p.columns, p.scale)
		}
	}
}

// setWholes packs rows side by side, two columns together, from column from on, which must be even.
func setWholes[T uint8 | int16](to []T, rows [][]float64, from, columns int, scale float64) {
	for k := from; k+1 < columns; k += 2 {
		side := to[k*PanelRows:][:2*len(rows)]
		for r, values := range rows {
			two := values[k:][:2]
			side[2*r], side[2*r+1] = T(whole(float64(two[0]*scale))), T(whole(float64(two[1]*scale)))
		}
	}
	if columns%2 > 0 {
		side := to[(columns-1)*PanelRows:]
		for r, values := range rows {
			side[2*r] = T(whole(float64(values[columns-1] * scale)))
		}
	}
}

// Swap exchanges rows i and j.
func (p *WholePanels) Swap(i, j int) {
	if a, b := p.start(i), p.start(j); p.bytes {
		swapWholes(p.narrow, a, b, p.pairs())
	} else {
		swapWholes(p.wide, a, b, p.pairs())
	}
}

func swapWholes[T uint8 | int16](data []T, a, b, pairs int) {
	for range pairs {
		x, z := data[a:][:2], data[b:][:2]
		x[0], x[1], z[0], z[1] = z[0], z[1], x[0], x[1]
		a += 2 * PanelRows
		b += 2 * PanelRows
	}
}

// QueryTo appends the given rows to dst as a query: two elements of each of them together.
func (p *WholePanels) QueryTo(dst []int16, rows []int) []int16 {
	at, size := len(dst), 2*p.pairs()*len(rows)
	dst = slices.Grow(dst, size)[:at+size]
	for r := 0; r < len(rows); {
		from, beside := p.start(rows[r]), sideBySide(rows[r:], p.rows)
		if size > 0 {
			if to := dst[at+2*r:]; p.bytes {
				queryOf(to, 2*len(rows), p.narrow, from, p.pairs(), 2*beside)
			} else {
				queryOf(to, 2*len(rows), p.wide, from, p.pairs(), 2*beside)
			}
		}
		r += beside
	}
	return dst
}

// queryOf sets dst[stride*k+i], for i < n, to element i of the 2 PanelRows elements of pair k.
func queryOf[T uint8 | int16](dst []int16, stride int, data []T, from, pairs, n int) {
	at := 0
	switch n {
	case 2:
		for range pairs {
			x, to := data[from:][:2], dst[at:][:2]
			to[0], to[1] = int16(x[0]), int16(x[1])
			at += stride
			from += 2 * PanelRows
		}
	case 12: // for six rows, the most frequent number
		for range pairs {
			x, to := (*[12]T)(data[from:]), (*[12]int16)(dst[at:])
			to[0], to[1], to[2], to[3], to[4], to[5] = int16(x[0]), int16(x[1]), int16(x[2]), int16(x[3]), int16(x[4]), int16(x[5])
			to[6], to[7], to[8], to[9], to[10], to[11] = int16(x[6]), int16(x[7]), int16(x[8]), int16(x[9]), int16(x[10]), int16(x[11])
			at += stride
			from += 2 * PanelRows
		}
	default:
		for range pairs {
			x, to := data[from:][:n], dst[at:][:n]
			for i, v := range x {
				to[i] = int16(v)
			}
			at += stride
			from += 2 * PanelRows
		}
	}
}

// DotsTo sets dst[r*stride+i] to the dot product of query row r and row PanelRows*panel+i, for each
// row of the given number of panels and each of the query's rows.
func (p *WholePanels) DotsTo(dst []float64, stride int, query []int16, rows, panel, panels int) {
	if panels > 0 && stride >= panels*PanelRows && len(dst) == rows*stride {
		clearPanels(dst, stride, panels, rows)
	}
	p.AddDotsTo(dst, stride, query, rows, panel, panels)
}

// AddDotsTo is [WholePanels.DotsTo], but adds each product to what dst has.
func (p *WholePanels) AddDotsTo(dst []float64, stride int, query []int16, rows, panel, panels int) {
	checkQuery(len(dst), stride, len(query), rows, 2*p.pairs())
	if panel < 0 || panels < 0 || panels > panelsOf(p.rows)-panel || stride < panels*PanelRows {
		panic(fmt.Sprintf("vec: panels %d to %d of %d rows at a distance of %d", panel, panel+panels-1, p.rows, stride))
	}
	switch from, size := panel*p.panelSize(), panels*p.panelSize(); {
	case rows == 0 || panels == 0 || p.columns == 0:
	case p.bytes:
		dotsOfBytes(simd.Current(), dst, stride, p.narrow[from:from+size], panels, query, p.pairs(), rows, p.unit)
	default:
		dotsOfWords(simd.Current(), dst, stride, p.wide[from:from+size], panels, query, p.pairs(), rows, p.unit)
	}
}

// portablePairs is the number of pairs of columns processed at a time: a panel's share of them
// stays in the first-level cache.
const portablePairs = 128

// dotsOfWholes does in plain Go what the assembly does.
func dotsOfWholes[T uint8 | int16](dst []float64, stride int, data []T, panels int, query []int16, pairs, rows int, unit float64) {
	var part [2 * portablePairs]int32
	for p := range panels {
		panel := data[2*PanelRows*pairs*p:][:2*PanelRows*pairs]
		for r := range rows {
			var sums [PanelRows]int32
			for first := 0; first < pairs; first += portablePairs {
				x := part[:2*min(portablePairs, pairs-first)]
				for k := range len(x) / 2 {
					two := query[2*((first+k)*rows+r):][:2]
					x[2*k], x[2*k+1] = int32(two[0]), int32(two[1])
				}
				z := panel[2*PanelRows*first:]
				for i := 0; i < PanelRows; i += 4 {
					addWholes((*[4]int32)(sums[i:]), x, z[2*i:])
				}
			}
			to := dst[r*stride+p*PanelRows:][:PanelRows]
			for i, s := range sums {
				to[i] = math.FMA(float64(s), unit, to[i])
			}
		}
	}
}

// addWholes adds the products of x with four rows to the rows' sums.
func addWholes[T uint8 | int16](sums *[4]int32, x []int32, z8 []T) {
	s0, s1, s2, s3 := sums[0], sums[1], sums[2], sums[3]
	for len(x) >= 2 {
		z, a, b := z8[:8], x[0], x[1]
		s0 += int32(z[0])*a + int32(z[1])*b
		s1 += int32(z[2])*a + int32(z[3])*b
		s2 += int32(z[4])*a + int32(z[5])*b
		s3 += int32(z[6])*a + int32(z[7])*b
		if x = x[2:]; len(x) > 0 {
			z8 = z8[2*PanelRows:]
		}
	}
	*sums = [4]int32{s0, s1, s2, s3}
}
