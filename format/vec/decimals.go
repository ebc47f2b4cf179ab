package vec

import (
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute dot products of query rows with each of many rows whose values are decimal
// numbers of few digits, as in text files, when the rows do not fit into a near cache, so that sums
// wait for memory.
//
// Method: a column is stored as 32-bit whole numbers, 10^d times its values. That takes half the
// memory of float64. The query is stored as 10^-d times its values, in float64. The product of the
// two is the product of the values except for some roundings, so the sums are near those of the
// values but not the same. Since they are not the same anyway, products are added unrounded, with
// two operations in one instruction.

// FusedProductError is the largest error of the product of two elements before it is added, in
// roundings of 2^-53.
const FusedProductError = 9

// Decimals are the numbers of decimal digits of columns.
type Decimals struct {
	scale []float64 // 10^d
	unit  []float64 // 10^-2d
}

// MaxDigits is the largest number of digits after the decimal point of a column of DecimalPanels.
const MaxDigits = 22 // the largest power of ten that float64 holds exactly

// PowerOfTen returns 10^d for 0 <= d <= [MaxDigits].
func PowerOfTen(d int) float64 { return powersOfTen[d] }

var powersOfTen = [MaxDigits + 1]float64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// NewDecimals returns a description of columns: column k has digits[k] digits after the point.
func NewDecimals(digits []int) *Decimals {
	d := &Decimals{make([]float64, len(digits)), make([]float64, len(digits))}
	for k, n := range digits {
		d.scale[k] = PowerOfTen(n)
		d.unit[k] = 1 / d.scale[k] / d.scale[k]
	}
	return d
}

// Adding nearest to a float64 below 2^51 leaves the nearest whole number in the last bits of the
// sum.
const nearest = 3 << 51

// Decimal reports whether x is 10^-digits times a whole number of 32 bits, up to three roundings.
func Decimal(x float64, digits int) bool {
	p := float64(x * PowerOfTen(digits))
	return math.Abs(p) < math.MaxInt32+0.5 && IsWhole(p)
}

// IsWhole reports whether p, which must be below 2^51, is a whole number up to three roundings.
func IsWhole(p float64) bool {
	off := p - ((p + nearest) - nearest)
	return math.Abs(off) <= 0x1p-52*math.Abs(p)
}

// AreWhole reports whether [IsWhole] holds for every values[k] * scale[k]. It also lowers low[k]
// and raises high[k] to values[k], which must be finite.
func AreWhole(values, scale, low, high []float64) bool {
	n := len(values)
	scale, low, high = scale[:n], low[:n], high[:n]
	n, ok := areWhole(simd.Current(), values, scale, low, high)
	return areWholePortable(values[n:], scale[n:], low[n:], high[n:]) && ok
}

// areWholePortable does in plain Go what the assembly does.
func areWholePortable(values, scale, low, high []float64) bool {
	ok := true
	for k, v := range values {
		low[k], high[k] = min(low[k], v), max(high[k], v)
		ok = ok && IsWhole(float64(v*scale[k]))
	}
	return ok
}

// whole returns the whole number nearest to p, which must be below 2^31 in size.
func whole(p float64) int32 { return int32(math.Float64bits(p + nearest)) }

// DecimalPanels hold dense rows of decimal numbers with few digits. Their dot products are not
// exactly those of the values: see [FusedProductError]. The zero DecimalPanels is empty.
type DecimalPanels struct {
	rows    int
	columns *Decimals
	data    []int32
	zeros   []float64 // a row of zeros, for SetRows
}

// ResetWithin makes p hold rows of zeros. Memory that must be allocated is enough for most rows.
func (p *DecimalPanels) ResetWithin(rows, most int, columns *Decimals) {
	if rows < 0 {
		panic(fmt.Sprintf("vec: %d rows", rows))
	}
	p.rows, p.columns = rows, columns
	p.data = zeroed(p.data, panelsOf(rows)*p.panelSize(), panelsOf(most)*p.panelSize())
}

func (p *DecimalPanels) panelSize() int { return PanelRows * p.Columns() }

// Len returns the number of rows.
func (p *DecimalPanels) Len() int { return p.rows }

// Columns returns the number of columns.
func (p *DecimalPanels) Columns() int {
	if p.columns == nil {
		return 0
	}
	return len(p.columns.scale)
}

// Bytes returns the memory in use.
func (p *DecimalPanels) Bytes() int { return 4*cap(p.data) + 8*cap(p.zeros) }

// start returns the place of row i's first element. Its other elements follow at distances of
// PanelRows.
func (p *DecimalPanels) start(i int) int {
	if uint(i) >= uint(p.rows) {
		panic(fmt.Sprintf("vec: row %d of %d", i, p.rows))
	}
	if p.Columns() == 0 {
		return 0 // nothing is read or written there
	}
	return i/PanelRows*p.panelSize() + i%PanelRows
}

// Set writes v into row i: entry k goes to column[v.Index[k]]. Entries whose column is negative, or
// whose index is beyond column, are left out. Other elements of the row are unchanged.
func (p *DecimalPanels) Set(i int, v Vector, column []int32) {
	to, values := p.data[p.start(i):], v.Value[:len(v.Index)]
	for k, index := range v.Index {
		if int(index) >= len(column) {
			return // indices ascend
		}
		if c := int(column[index]); c >= 0 {
			to[c*PanelRows] = whole(float64(values[k] * p.columns.scale[c]))
		}
	}
}

// SetRows writes row(i), one value for each column, into row i, for rows from to to-1. from must be
// a multiple of [PackRows]. It calls row in ascending order, and row may return the memory that it
// returned for row i - PackRows. Several goroutines may write different rows at once.
func (p *DecimalPanels) SetRows(from, to int, row func(i int) []float64) {
	const side = PackRows
	if from < 0 || from%side != 0 || to > p.rows {
		panic(fmt.Sprintf("vec: rows %d to %d of %d", from, to-1, p.rows))
	}
	columns := p.Columns()
	if columns == 0 {
		return
	}
	var rows [side][]float64
	var first [side]*float64
	for i, level := from, simd.Current(); i < to; i += side {
		n, k := min(side, to-i), 0
		for r := range n {
			rows[r] = row(i + r)[:columns]
			first[r] = &rows[r][0]
		}
		if n < side && to == p.rows { // the places after these rows hold only zeros
			if len(p.zeros) < columns {
				p.zeros = make([]float64, columns)
			}
			for r := n; r < side; r++ {
				first[r] = &p.zeros[0]
			}
		}
		data := p.data[p.start(i):]
		if whole := columns &^ (side - 1); (n == side || to == p.rows) && whole > 0 && transposeDecimals(level, data[:(whole-1)*PanelRows+side], &first, p.columns.scale[:whole]) {
			k = whole
		}
		for ; k < columns; k++ {
			to, scale := data[k*PanelRows:][:n], p.columns.scale[k]
			for r := range to {
				to[r] = whole(float64(rows[r][k] * scale))
			}
		}
	}
}

// Swap exchanges rows i and j.
func (p *DecimalPanels) Swap(i, j int) {
	a, b := p.start(i), p.start(j)
	for range p.Columns() {
		p.data[a], p.data[b] = p.data[b], p.data[a]
		a += PanelRows
		b += PanelRows
	}
}

// QueryTo appends the given rows to dst as a query: element k of all of them together.
func (p *DecimalPanels) QueryTo(dst []float64, rows []int) []float64 {
	at, n, level := len(dst), len(rows), simd.Current()
	dst = slices.Grow(dst, n*p.Columns())[:at+n*p.Columns()]
	var unit []float64
	if p.columns != nil {
		unit = p.columns.unit
	}
	for r := 0; r < n; {
		from, beside := p.start(rows[r]), sideBySide(rows[r:], p.rows)
		if to := at + r; beside == 1 {
			for k, u := range unit {
				dst[to+k*n] = float64(p.data[from]) * u
				from += PanelRows
			}
		} else if len(unit) > 0 {
			queryDecimals(level, dst[to:], n, p.data[from:], unit, beside)
		}
		r += beside
	}
	return dst
}

// queryDecimalsPortable sets dst[stride*k+r] to unit[k] times element r of column k of a panel, for
// r < rows. There must be at least one column and one row.
func queryDecimalsPortable(dst []float64, stride int, panel []int32, unit []float64, rows int) {
	from, at := 0, 0
	switch rows {
	case 6: // the most frequent number of rows
		for _, u := range unit {
			x, to := (*[6]int32)(panel[from:]), (*[6]float64)(dst[at:])
			to[0], to[1], to[2] = float64(x[0])*u, float64(x[1])*u, float64(x[2])*u
			to[3], to[4], to[5] = float64(x[3])*u, float64(x[4])*u, float64(x[5])*u
			from += PanelRows
			at += stride
		}
	default:
		for _, u := range unit {
			x, to := panel[from:][:rows], dst[at:][:rows]
			for r, v := range x {
				to[r] = float64(v) * u
			}
			from += PanelRows
			at += stride
		}
	}
}

// AddDotsTo adds to dst[r*stride+i] the dot product of query row r and row PanelRows*panel+i, for
// each row of the given number of panels and each of the query's rows. The sum starts from dst's
// value and runs in ascending order, with products that are off by up to [FusedProductError]
// roundings.
func (p *DecimalPanels) AddDotsTo(dst []float64, stride int, query []float64, rows, panel, panels int) {
	p.sum(1, dst, stride, query, rows, panel, panels)
}

// DotsTo is AddDotsTo with dst set to zeros first.
func (p *DecimalPanels) DotsTo(dst []float64, stride int, query []float64, rows, panel, panels int) {
	p.sum(0, dst, stride, query, rows, panel, panels)
}

func (p *DecimalPanels) sum(add int, dst []float64, stride int, query []float64, rows, panel, panels int) {
	checkQuery(len(dst), stride, len(query), rows, p.Columns())
	if panel < 0 || panels < 0 || panels > panelsOf(p.rows)-panel || stride < panels*PanelRows {
		panic(fmt.Sprintf("vec: panels %d to %d of %d rows at a distance of %d", panel, panel+panels-1, p.rows, stride))
	}
	switch size := p.panelSize(); {
	case rows == 0 || panels == 0:
	case size > 0:
		dotsOfDecimals(simd.Current(), add, dst, stride, p.data[panel*size:(panel+panels)*size], panels, query, p.Columns(), rows)
	case add == 0:
		clearPanels(dst, stride, panels, rows)
	}
}

// dotsOfDecimalsPortable does in plain Go what the assembly does.
func dotsOfDecimalsPortable(add int, dst []float64, stride int, data []int32, panels int, query []float64, columns, rows int) {
	if add == 0 {
		clearPanels(dst, stride, panels, rows)
	}
	for p := range panels {
		panel := data[p*columns*PanelRows:][:columns*PanelRows]
		for r := range rows {
			to := dst[r*stride+p*PanelRows:][:PanelRows]
			for k := range columns {
				x := query[k*rows+r]
				for i, n := range panel[k*PanelRows:][:PanelRows] {
					to[i] = math.FMA(float64(n), x, to[i])
				}
			}
		}
	}
}
