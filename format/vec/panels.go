package vec

import (
	"fmt"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute sums over the columns of several query rows with each of many rows, each sum in
// ascending order, in float64, with every product rounded.
//
// Method: rows are side by side in panels of PanelRows: element k of all rows of a panel is
// together in memory. Each lane of a vector register holds one row and adds that row's products in
// order, so that the available instructions do not change a bit. Several query rows share what is
// loaded.

// PanelRows is the number of rows in a panel. The last panel has zeros in the places beyond the
// rows.
const PanelRows = 32

// MaxQueries is the largest number of query rows in one call.
const MaxQueries = 6

// Panels hold dense rows. The zero Panels is empty. If values are finite, sums are those of the
// sparse vectors.
type Panels struct {
	rows, columns int
	data          []float64
}

// Reset makes p hold rows of zeros, in its present memory if that is enough.
func (p *Panels) Reset(rows, columns int) { p.ResetWithin(rows, rows, columns) }

// ResetWithin is Reset, but memory that must be allocated is enough for most rows, so that later
// Resets fit as well. Pages that are not touched take no memory.
func (p *Panels) ResetWithin(rows, most, columns int) {
	if rows < 0 || columns < 0 {
		panic(fmt.Sprintf("vec: %d rows of %d columns", rows, columns))
	}
	p.rows, p.columns = rows, columns
	p.data = zeroed(p.data, panelsOf(rows)*columns*PanelRows, panelsOf(most)*columns*PanelRows)
}

// zeroed returns n zeros that are about to be written to. It uses s if that has room, else memory
// for most elements.
func zeroed[T pages.Number](s []T, n, most int) []T {
	if cap(s) < n {
		s = pages.Make[T](max(n, most))[:n]
		pages.Prepare(s)
		return s
	}
	if n > len(s) { // the rest may never have been used
		pages.Prepare(s[len(s):n])
	}
	s = s[:n]
	clear(s)
	return s
}

// panelsOf returns the number of panels for this many rows.
func panelsOf(rows int) int { return (rows + PanelRows - 1) / PanelRows }

// Len returns the number of rows.
func (p *Panels) Len() int { return p.rows }

// Columns returns the number of columns.
func (p *Panels) Columns() int { return p.columns }

// Bytes returns the memory in use.
func (p *Panels) Bytes() int { return 8 * cap(p.data) }

// start returns the place of row i's first element. Its other elements follow at distances of
// PanelRows.
func (p *Panels) start(i int) int {
	if uint(i) >= uint(p.rows) {
		panic(fmt.Sprintf("vec: row %d of %d", i, p.rows))
	}
	if p.columns == 0 {
		return 0 // nothing is read or written there
	}
	return i/PanelRows*PanelRows*p.columns + i%PanelRows
}

// Set writes v into row i: entry k goes to column[v.Index[k]]. Entries whose column is negative, or
// whose index is beyond column, are left out; Set returns how many of those are not zero. Other
// elements of the row are unchanged.
func (p *Panels) Set(i int, v Vector, column []int32) (out int) {
	data := p.data[p.start(i):]
	for k, index := range v.Index {
		if int(index) < len(column) && column[index] >= 0 {
			data[int(column[index])*PanelRows] = v.Value[k]
		} else if v.Value[k] != 0 {
			out++
		}
	}
	return out
}

// SetDense writes values, one for each column, into row i.
func (p *Panels) SetDense(i int, values []float64) {
	at := p.start(i)
	for _, x := range values[:p.columns] {
		p.data[at] = x
		at += PanelRows
	}
}

// PackRows is the number of rows that SetRows packs at a time.
const PackRows = 8

// SetRows writes row(i), one value for each column, into row i, for rows from to to-1. from must be
// a multiple of [PackRows]. It calls row in ascending order, and row may return the memory that it
// returned for row i - PackRows. Several goroutines may write different rows at once.
func (p *Panels) SetRows(from, to int, row func(i int) []float64) {
	const side = PackRows
	if from < 0 || from%side != 0 || to > p.rows {
		panic(fmt.Sprintf("vec: rows %d to %d of %d", from, to-1, p.rows))
	}
	whole := p.columns &^ (side - 1)
	var rows [side]*float64
	i := from
	for level := simd.Current(); whole > 0 && i+side <= to; i += side {
		for k := range rows {
			values := row(i + k)[:p.columns]
			rows[k] = &values[0]
			at := p.start(i+k) + whole*PanelRows
			for _, x := range values[whole:] {
				p.data[at] = x
				at += PanelRows
			}
		}
		if !transpose(level, p.data[p.start(i):][:(whole-1)*PanelRows+side], &rows, whole) {
			break
		}
	}
	for ; i < to; i++ {
		p.SetDense(i, row(i))
	}
}

// Swap exchanges rows i and j.
func (p *Panels) Swap(i, j int) {
	a, b := p.start(i), p.start(j)
	for range p.columns {
		p.data[a], p.data[b] = p.data[b], p.data[a]
		a += PanelRows
		b += PanelRows
	}
}

// Panel returns the memory of a panel. Element k of its row i is at PanelRows*k+i.
func (p *Panels) Panel(panel int) []float64 {
	if panel < 0 || panel >= panelsOf(p.rows) {
		panic(fmt.Sprintf("vec: panel %d of %d rows", panel, p.rows))
	}
	size := p.columns * PanelRows
	return p.data[panel*size : (panel+1)*size]
}

// QueryTo appends the given rows to dst as a query: element k of all of them together.
func (p *Panels) QueryTo(dst []float64, rows []int) []float64 {
	at := len(dst)
	n := len(rows)
	dst = slices.Grow(dst, n*p.columns)[:at+n*p.columns]
	for r := 0; r < n; {
		from, beside := p.start(rows[r]), sideBySide(rows[r:], p.rows)
		switch k := at + r; beside {
		case 1:
			for ; k < len(dst); k += n {
				dst[k] = p.data[from]
				from += PanelRows
			}
		case 6: // the most frequent number of rows
			for ; k < len(dst); k += n {
				*(*[6]float64)(dst[k:]) = *(*[6]float64)(p.data[from:])
				from += PanelRows
			}
		default:
			for ; k < len(dst); k += n {
				copy(dst[k:k+beside], p.data[from:])
				from += PanelRows
			}
		}
		r += beside
	}
	return dst
}

// sideBySide returns how many of the rows, from the first on, are consecutive in one panel and
// below n.
func sideBySide(rows []int, n int) int {
	beside := 1
	for next := rows[0] + 1; beside < len(rows) && rows[beside] == next && next%PanelRows > 0 && next < n; next++ {
		beside++
	}
	return beside
}

// DotsTo sets dst[r*stride+i] to the dot product of query row r and row PanelRows*panel+i, for each
// row of the given number of panels and each of the query's rows.
func (p *Panels) DotsTo(dst []float64, stride int, query []float64, rows, panel, panels int) {
	p.sum(dots, dst, stride, query, rows, panel, panels)
}

// FusedDotsTo is [Panels.DotsTo] with fused multiply-add: products are not rounded before they are
// added.
func (p *Panels) FusedDotsTo(dst []float64, stride int, query []float64, rows, panel, panels int) {
	p.sum(nears, dst, stride, query, rows, panel, panels)
}

// DistancesTo is [Panels.DotsTo] with sums of squared differences.
func (p *Panels) DistancesTo(dst []float64, stride int, query []float64, rows, panel, panels int) {
	p.sum(distances, dst, stride, query, rows, panel, panels)
}

func (p *Panels) sum(f sum, dst []float64, stride int, query []float64, rows, panel, panels int) {
	checkQuery(len(dst), stride, len(query), rows, p.columns)
	if panel < 0 || panels < 0 || panels > panelsOf(p.rows)-panel || stride < panels*PanelRows {
		panic(fmt.Sprintf("vec: panels %d to %d of %d rows at a distance of %d", panel, panel+panels-1, p.rows, stride))
	}
	if rows == 0 || panels == 0 {
		return
	}
	size := p.columns * PanelRows
	f.to(simd.Current(), dst, stride, p.data[panel*size:(panel+panels)*size], panels, query, p.columns, rows)
}

// checkQuery panics unless the lengths fit a query of this many rows and columns.
func checkQuery(dst, stride, query, rows, columns int) {
	if rows < 0 || rows > MaxQueries || stride < 0 || stride%PanelRows != 0 || query != rows*columns || dst != rows*stride {
		panic(fmt.Sprintf("vec: query of %d rows in %d values, room for %d at a distance of %d", rows, query, dst, stride))
	}
}

// clearPanels sets the results to 0, which is right if there are no columns.
func clearPanels[T float64 | uint32](dst []T, stride, count, rows int) {
	for r := range rows {
		clear(dst[r*stride:][:count*PanelRows])
	}
}

// A sum says what is summed for two rows.
type sum int

const (
	dots      sum = iota // x_k z_k
	distances            // (x_k - z_k)^2
	nears                // x_k z_k, unrounded

	sums = iota // number of kinds
)
