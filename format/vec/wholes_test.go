package vec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// wholeKinds are ranges of whole numbers: those of a byte, and of 16 bits with rows so long that
// their sums are as large as MaxWholeNorm allows.
var wholeKinds = []struct {
	name        string
	bytes       bool
	least, most int
}{
	{"bytes", true, 0, 255},
	{"signs", false, -1, 1},
	{"words", false, -2500, 2500},
	{"extremes", false, math.MinInt16, math.MaxInt16},
}

// wholeRow draws a row, mostly of zeros if its squared norm would be too large otherwise.
func wholeRow(r *rand.Rand, columns, least, most int) []float64 {
	row := make([]float64, columns)
	norm := int64(0)
	for _, k := range r.Perm(columns) {
		v := least + r.IntN(most-least+1)
		switch r.IntN(4) {
		case 0:
			v = least
		case 1:
			v = most
		}
		if square := int64(v) * int64(v); norm+square <= vec.MaxWholeNorm {
			row[k] = float64(v)
			norm += square
		}
	}
	return row
}

// TestWholePanels tests every number of rows around the limits with every number of query rows, on
// random ranges of panels, packed in two parts and exchanged; the words around the results do not
// change.
func TestWholePanels(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, kind := range wholeKinds {
			r := rand.New(rand.NewPCG(31, 2))
			var p vec.WholePanels
			for n := range 130 {
				if skipped(n) {
					continue
				}
				columns := (7*n + len(kind.name)) % 67
				switch n {
				case 33, 64, 128:
					columns = 300 + n%2
				}
				dense := make([][]float64, n)
				for i := range dense {
					dense[i] = wholeRow(r, columns, kind.least, kind.most)
				}
				p.ResetWithin(n, n+r.IntN(40), columns, kind.bytes)
				row := func(i int) []float64 { return append(slices.Clone(dense[i]), 7) } // numbers beyond the columns are ignored
				cut := r.IntN(n/vec.PackRows+1) * vec.PackRows
				p.SetRows(cut, n, row)
				if n%2 == 0 {
					p.SetRows(0, cut, row)
				} else {
					setEach(p.Set, columns, dense[:cut])
				}
				for range n {
					i, j := r.IntN(n), r.IntN(n)
					p.Swap(i, j)
					dense[i], dense[j] = dense[j], dense[i]
				}
				if p.Len() != n || p.Columns() != columns {
					t.Fatalf("%d rows of %d columns, want %d of %d", p.Len(), p.Columns(), n, columns)
				}
				queries := min(n, n%(vec.MaxQueries+1))
				testAdding(t, kind.name, &p, n, r, queries, func(there float64, _ []int16, _, row, other int) float64 {
					return denseDot(dense[row], dense[other]) + there
				})
			}
		}
	})
}

// setEach sets rows one by one, from entries at indices that are not the numbers of their columns,
// some of which have no column.
func setEach(set func(i int, v vec.Vector, column []int32), columns int, rows [][]float64) {
	column := []int32{-1}
	for k := range columns {
		column = append(column, int32(k), -1)
	}
	for i, row := range rows {
		v := vec.Vector{Index: []int32{0}, Value: []float64{9}}
		for k, x := range row {
			if x != 0 {
				v.Index, v.Value = append(v.Index, int32(2*k+1), int32(2*k+2)), append(v.Value, x, 7)
			}
		}
		v.Index, v.Value = append(v.Index, int32(len(column)), 1<<30), append(v.Value, 3, 4)
		set(i, v, column)
	}
}

// addingPanels are panels whose products with a query can be added to numbers that are there.
type addingPanels[Q any] interface {
	Columns() int
	QueryTo(dst []Q, rows []int) []Q
	DotsTo(dst []float64, stride int, query []Q, rows, panel, panels int)
	AddDotsTo(dst []float64, stride int, query []Q, rows, panel, panels int)
}

// testAdding computes the products of some of p's n rows with some panels, by themselves or added
// to numbers that are there. It compares them with sum(there, query, q, row, other), where row q of
// the query is that number, and other another row. The words around the results do not change.
func testAdding[Q any](t *testing.T, name string, p addingPanels[Q], n int, r *rand.Rand, queries int, sum func(there float64, query []Q, q, row, other int) float64) {
	t.Helper()
	rows := make([]int, queries)
	for q := range rows {
		rows[q] = r.IntN(n)
	}
	prefix := r.IntN(3)
	query := p.QueryTo(make([]Q, prefix), rows)[prefix:]
	all := (n + vec.PanelRows - 1) / vec.PanelRows
	panel := r.IntN(all + 1)
	panels := r.IntN(all - panel + 1)
	stride := vec.PanelRows * (panels + r.IntN(2))
	lead := 1 + r.IntN(4)
	guarded := slices.Repeat([]float64{guard}, queries*stride+lead+8)
	dst := guarded[lead : lead+queries*stride]
	there := 0.0
	if r.IntN(2) == 0 {
		there = guard
		p.AddDotsTo(dst, stride, query, queries, panel, panels)
	} else {
		p.DotsTo(dst, stride, query, queries, panel, panels)
	}
	for at, got := range guarded {
		q, i := -1, 0
		if at >= lead && at < lead+len(dst) {
			q, i = (at-lead)/stride, (at-lead)%stride
		}
		want := float64(guard)
		if q >= 0 && i < panels*vec.PanelRows {
			want = there
			if other := panel*vec.PanelRows + i; other < n {
				want = sum(there, query, q, rows[q], other)
			}
		}
		if got != want || math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("%s: %d rows of %d columns, query %v, panels %d to %d, stride %d: place %d of query row %d is %v, want %v",
				name, n, p.Columns(), rows, panel, panel+panels-1, stride, i, q, got, want)
		}
	}
}

// TestWholeNorm: rows whose squared norm is the largest allowed have the right products with
// themselves and their opposites, whichever pairs of their values are added first.
func TestWholeNorm(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, values := range [][]float64{
			{32767, 32767, 256, -1, 1},                  // 2^31 - 2^17 + 2 + 2^16 + 2
			{32767, -32767, 256, 181, 181, 3},           // close to 2^31
			append([]float64{0}, wholesOf(1448, 11)...), // 1024.2 of these
		} {
			for norm := square(values); norm < vec.MaxWholeNorm; { // fill up to it
				v := math.Floor(math.Sqrt(min(vec.MaxWholeNorm-norm, 32767*32767)))
				values = append(values, v)
				norm += v * v
			}
			if square(values) != vec.MaxWholeNorm {
				t.Fatalf("%v has a squared norm of %v", values, square(values))
			}
			opposite := slices.Clone(values)
			for k := range opposite {
				opposite[k] = -opposite[k]
			}
			var m vec.Matrix
			var p vec.WholePanels
			both := [][]float64{values, opposite}
			p.ResetWithin(2, 2, len(values), false)
			p.SetRows(0, 2, func(i int) []float64 {
				m.Append(listed(both[i]))
				return both[i]
			})
			if _, _, ok := m.WholeRange(); !ok {
				t.Errorf("%v are refused", values)
			}
			dst := make([]float64, 64)
			p.DotsTo(dst, 32, p.QueryTo(nil, []int{0, 1}), 2, 0, 1)
			const most = vec.MaxWholeNorm
			if dst[0] != most || dst[1] != -most || dst[32] != -most || dst[33] != most {
				t.Errorf("%v: products %v %v, %v %v, want +-%d", values, dst[0], dst[1], dst[32], dst[33], most)
			}
		}
	})
}

func wholesOf(value float64, n int) []float64 { return slices.Repeat([]float64{value}, n) }

// listed returns a row with all its values.
func listed(row []float64) vec.Vector {
	v := vec.Vector{Value: row}
	for k := range row {
		v.Index = append(v.Index, int32(k))
	}
	return v
}

func square(x []float64) float64 { return denseDot(x, x) }

func TestWholeRange(t *testing.T) {
	for _, c := range []struct {
		rows        [][]float64
		least, most int
		ok          bool
	}{
		{nil, 0, 0, true},
		{[][]float64{{3, 0, 255}, {7}}, 0, 255, true},
		{[][]float64{{3}, {-1, 256}}, -1, 256, true},
		{[][]float64{{32767}, {-32768, 0}}, -32768, 32767, true},
		{[][]float64{{32768}}, 0, 32768, false},
		{[][]float64{{-32769}}, -32769, 0, false},
		{[][]float64{{32767, 32767, 363}}, 0, 0, false}, // 2^31 + 697
		{[][]float64{{1, 2}, {1, 2.5}}, 0, 0, false},
		{[][]float64{{1e300}}, 0, 0, false},
		{[][]float64{{math.Inf(1)}}, 0, 0, false},
		{[][]float64{{math.NaN()}}, 0, 0, false},
		{[][]float64{{math.Copysign(0, -1), 1}}, 0, 1, true},
	} {
		var m vec.Matrix
		for _, row := range c.rows {
			m.Append(listed(row))
		}
		least, most, ok := m.WholeRange()
		if ok != c.ok || ok && (least != c.least || most != c.most) {
			t.Errorf("%v: from %d to %d, %v; want %d to %d, %v", c.rows, least, most, ok, c.least, c.most, c.ok)
		}
	}
}

// TestWholePanelsShapes: wrong lengths do not reach the assembly.
func TestWholePanelsShapes(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, bytes := range []bool{true, false} {
			var p vec.WholePanels
			p.ResetWithin(40, 40, 3, bytes)
			for _, c := range []struct{ dst, stride, query, rows, panel, panels int }{
				{63, 64, 4, 1, 0, 2}, {64, 32, 4, 1, 0, 2}, {64, 63, 4, 1, 0, 1}, {64, 64, 3, 1, 0, 2}, {64, 64, 4, 2, 0, 2},
				{64, 64, 4, 1, 1, 2}, {64, 64, 4, 1, -1, 2}, {64, 64, 4, 1, 0, -1}, {64, 64, 4, 1, 3, 0}, {7 * 32, 32, 28, 7, 0, 1},
				{0, 32, 0, -1, 0, 1}, {64, -64, 4, 1, 0, 2},
			} {
				wantPanic(t, fmt.Sprint(c), func() {
					p.DotsTo(make([]float64, c.dst), c.stride, make([]int16, c.query), c.rows, c.panel, c.panels)
				})
			}
			for _, i := range []int{-1, 40} {
				wantPanic(t, "row", func() { p.QueryTo(nil, []int{i}) })
				wantPanic(t, "row", func() { p.Swap(0, i) })
			}
			wantPanic(t, "rows", func() { p.SetRows(4, 8, func(int) []float64 { return make([]float64, 3) }) })
			wantPanic(t, "rows", func() { p.SetRows(0, 41, func(int) []float64 { return make([]float64, 3) }) })
			wantPanic(t, "size", func() { p.ResetWithin(-1, 0, 3, bytes) })
			if size := map[bool]int{true: 1, false: 2}[bytes] * 64 * 4; p.Bytes() != size {
				t.Errorf("%d bytes, want %d", p.Bytes(), size)
			}
		}
	})
}

// BenchmarkWholes measures products of some rows with 2000 others, as bytes, words and float64.
func BenchmarkWholes(b *testing.B) {
	const n = 2016
	for _, columns := range []int{16, 36, 256, 784} {
		r := rand.New(rand.NewPCG(1, 1))
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = wholeRow(r, columns, 0, 255)
		}
		row := func(i int) []float64 { return rows[i] }
		for _, queries := range []int{1, 2, 4, 6} {
			dst, which := make([]float64, queries*n), []int{1, 2, 3, 4, 5, 6}[:queries]
			for l := simd.Portable; l <= simd.Best(); l++ {
				for _, kind := range []string{"bytes", "words", "floats"} {
					b.Run(fmt.Sprintf("%dcolumns/%drows/%v/%s", columns, queries, l, kind), func(b *testing.B) {
						defer simd.Use(simd.Use(l))
						b.SetBytes(int64(queries * n * columns)) // products
						if kind == "floats" {
							var p vec.Panels
							p.Reset(n, columns)
							p.SetRows(0, n, row)
							query := p.QueryTo(nil, which)
							for b.Loop() {
								p.DotsTo(dst, n, query, queries, 0, n/vec.PanelRows)
							}
							return
						}
						var p vec.WholePanels
						p.ResetWithin(n, n, columns, kind == "bytes")
						p.SetRows(0, n, row)
						query := p.QueryTo(nil, which)
						for b.Loop() {
							p.DotsTo(dst, n, query, queries, 0, n/vec.PanelRows)
						}
					})
				}
			}
		}
	}
}
