package vec_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/format/vec/simd/simdtest"
)

var everyLevel = simdtest.EveryLevel

// guard is the value around results.
const guard = 0x5ca1ab1e

// special are numbers at the limits of float64, so that sums overflow, cancel, and lose subnormal
// parts.
var special = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 5e-324, -5e-324, 3e-310, 1e-160, -1e-160, 1e150, -1e150, 1e300, -1e300, math.MaxFloat64}

// drawers draw finite numbers of several kinds.
var drawers = map[string]func(r *rand.Rand) float64{
	"normal":  func(r *rand.Rand) float64 { return r.NormFloat64() },
	"special": func(r *rand.Rand) float64 { return special[r.IntN(len(special))] },
	"mixed": func(r *rand.Rand) float64 {
		if r.IntN(8) > 0 {
			return r.NormFloat64()
		}
		return special[r.IntN(len(special))]
	},
}

// skipped reports whether a short run leaves out a number of rows: one that is far from a limit.
func skipped(rows int) bool { return testing.Short() && rows%32 > 1 && rows%32 < 31 && rows%5 > 0 }

func samePanels(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// TestPanels tests every number of rows around the limits with every number of query rows, on
// random ranges of panels, at unaligned places, with all widths in turn.
func TestPanels(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for name, draw := range drawers {
			r := rand.New(rand.NewPCG(1, 2))
			var p vec.Panels
			for n := range 130 {
				if skipped(n) {
					continue
				}
				columns := 1 + (7*n+len(name))%67
				switch n {
				case 7:
					columns = 0
				case 33, 64, 128:
					columns = 300
				}
				dense := make([][]float64, n)
				p.Reset(n, columns)
				column := make([]int32, columns)
				for k := range column {
					column[k] = int32(k)
				}
				for i := range dense {
					dense[i] = make([]float64, columns)
					v := vec.Vector{}
					for k := range dense[i] {
						dense[i][k] = draw(r)
						v.Index, v.Value = append(v.Index, int32(k)), append(v.Value, dense[i][k])
					}
					if i%2 == 0 {
						p.SetDense(i, dense[i])
					} else if out := p.Set(i, v, column); out != 0 {
						t.Fatalf("%d left out", out)
					}
				}
				for range n {
					i, j := r.IntN(n), r.IntN(n)
					p.Swap(i, j)
					dense[i], dense[j] = dense[j], dense[i]
				}
				queries := min(n, r.IntN(vec.MaxQueries+1))
				if n > 100 { // all of them, for all the limits
					queries = n % (vec.MaxQueries + 1)
				}
				testPanels(t, name, &p, dense, r, queries)
			}
		}
	})
}

func testPanels(t *testing.T, name string, p *vec.Panels, dense [][]float64, r *rand.Rand, queries int) {
	t.Helper()
	n := len(dense)
	rows := make([]int, queries)
	for q := range rows {
		rows[q] = r.IntN(n)
	}
	prefix := r.IntN(3)
	query := p.QueryTo(make([]float64, prefix), rows)[prefix:]
	all := (n + vec.PanelRows - 1) / vec.PanelRows
	panel := r.IntN(all + 1)
	panels := r.IntN(all - panel + 1)
	stride := vec.PanelRows * (panels + r.IntN(2))
	for form, sum := range map[string]func(dst []float64, stride int, query []float64, rows, panel, panels int){"dots": p.DotsTo, "distances": p.DistancesTo, "unrounded products": p.FusedDotsTo} {
		lead := 1 + r.IntN(4)
		guarded := slices.Repeat([]float64{guard}, queries*stride+lead+8)
		dst := guarded[lead : lead+queries*stride]
		sum(dst, stride, query, queries, panel, panels)
		for at, got := range guarded {
			q, i := -1, 0
			if at >= lead && at < lead+len(dst) {
				q, i = (at-lead)/stride, (at-lead)%stride
			}
			want := float64(guard)
			if q >= 0 && i < panels*vec.PanelRows {
				z := make([]float64, p.Columns())
				if at := panel*vec.PanelRows + i; at < n {
					z = dense[at]
				}
				switch form {
				case "dots":
					want = denseDot(dense[rows[q]], z)
				case "distances":
					want = denseDistance(dense[rows[q]], z)
				default:
					want = 0
					for k, x := range dense[rows[q]] {
						want = math.FMA(x, z[k], want)
					}
				}
			}
			if !samePanels(got, want) {
				t.Fatalf("%s of %s: %d rows of %d columns, query %v, panels %d to %d, stride %d: place %d of query row %d is %x, want %x",
					form, name, n, p.Columns(), rows, panel, panel+panels-1, stride, i, q, got, want)
			}
		}
	}
}

// TestSetRows sets all rows at once, for every number of rows and columns around the size of the
// blocks that are transposed; the places beyond stay zero.
func TestSetRows(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 9))
		var p, want vec.Panels
		for n := range 130 {
			if skipped(n) {
				continue
			}
			columns := (5 * n) % 41
			rows := make([][]float64, n)
			want.Reset(n, columns)
			for i := range rows {
				rows[i] = make([]float64, columns+i%3) // numbers beyond the columns are ignored
				for k := range rows[i] {
					rows[i][k] = r.NormFloat64()
				}
				want.SetDense(i, rows[i])
			}
			p.Reset(n, columns)
			some := make([][]float64, vec.PackRows)
			row := func(i int) []float64 {
				again := &some[i%vec.PackRows]
				*again = append((*again)[:0], rows[i]...)
				return *again
			}
			cut := r.IntN(n/vec.PackRows+1) * vec.PackRows
			p.SetRows(cut, n, row)
			p.SetRows(0, cut, row)
			all := make([]int, n)
			for i := range all {
				all[i] = i
			}
			if got, expected := p.QueryTo(nil, all), want.QueryTo(nil, all); !slices.Equal(got, expected) {
				t.Fatalf("%d rows of %d columns: %v, want %v", n, columns, got, expected)
			}
			if n == 0 {
				continue
			}
			beyond := make([]float64, (n+31)/32*32)
			ones := slices.Repeat([]float64{1}, columns)
			p.DotsTo(beyond, len(beyond), ones, 1, 0, len(beyond)/32)
			if slices.ContainsFunc(beyond[n:], func(x float64) bool { return x != 0 }) {
				t.Fatalf("%d rows of %d columns: sums of places beyond are %v", n, columns, beyond[n:])
			}
		}
	})
}

func TestBitPanels(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		var p vec.BitPanels
		for n := range 130 {
			if skipped(n) {
				continue
			}
			columns := (11 * n) % 300
			switch n {
			case 128:
				columns = 64 * vec.MaxValuesWords // full and empty sets: as many ones as a byte can count
			case 129:
				columns = 64 * 70 // more ones than that
			}
			words := vec.Words(columns)
			sets := make([][]uint64, n)
			p.Reset(n, columns)
			column := make([]int32, columns)
			for k := range column {
				column[k] = int32(columns - 1 - k)
			}
			for i := range sets {
				sets[i] = make([]uint64, words)
				var index []int32
				for k := range columns {
					if n == 128 && i%2 == 0 || n != 128 && r.IntN(4) > 0 {
						index = append(index, int32(k))
						sets[i][column[k]/64] |= 1 << (column[k] % 64)
					}
				}
				if i%2 == 0 {
					p.SetWords(i, sets[i])
				} else if out := p.Set(i, ones(append(index, int32(columns), 1<<30)), column); out != 2 {
					t.Fatalf("%d left out, want 2", out)
				}
			}
			for range n {
				i, j := r.IntN(n), r.IntN(n)
				p.Swap(i, j)
				sets[i], sets[j] = sets[j], sets[i]
			}
			queries := min(n, (n+3)%(vec.MaxQueries+1))
			testBitPanels(t, &p, sets, r, queries, words)
			if n > 0 && words <= vec.MaxValuesWords {
				testValues(t, &p, sets, r, columns)
			}
		}
	})
}

// testValues tests values of counts on random parts, with tables of random values of every size up
// to the largest count, and of sizes around those that registers hold.
func testValues(t *testing.T, p *vec.BitPanels, sets [][]uint64, r *rand.Rand, columns int) {
	t.Helper()
	row := r.IntN(len(sets))
	query := p.QueryTo(nil, []int{row})
	for form, f := range map[string]func(dst []float32, query []uint64, table *vec.Table, from int){"common": p.CommonValuesTo, "apart": p.HammingValuesTo} {
		least := 1
		if form == "apart" { // counted from the empty set
			least += countOf("apart", sets[row], make([]uint64, len(sets[row])))
		}
		wantValues(t, sets, row, form, least, []int{31, 32, 33, 63, 64, 65, 127, 128, 129, columns + 1}, r, vec.NewTable,
			func(dst []float32, table *vec.Table, from int) { f(dst, query, table, from) })
	}
}

// countOf returns the number of columns that two sets have in common, or that just one of them has.
func countOf(form string, x, z []uint64) (n int) {
	for k, word := range x {
		if form == "common" {
			n += bits.OnesCount64(word & z[k])
		} else {
			n += bits.OnesCount64(word ^ z[k])
		}
	}
	return n
}

// wantValues compares the values that f sets, for a row with some consecutive rows, with those of
// the counts. Tables have the given sizes, and counts begin at least.
func wantValues(t *testing.T, sets [][]uint64, row int, form string, least int, sizes []int, r *rand.Rand,
	tableOf func(values []float32) *vec.Table, f func(dst []float32, table *vec.Table, from int)) {
	t.Helper()
	n := len(sets)
	length := r.IntN(n + 1)
	from := r.IntN(n - length + 1)
	counts := make([]int, n)
	for i := range counts {
		counts[i] = countOf(form, sets[row], sets[i])
		least = max(least, counts[i]+1)
	}
	for _, size := range append(sizes, least) {
		if size < least {
			continue
		}
		values := make([]float32, size)
		for i := range values {
			values[i] = r.Float32()
		}
		const lead = 3
		guarded := slices.Repeat([]float32{guard}, length+lead+40)
		f(guarded[lead:lead+length], tableOf(values), from)
		for at, got := range guarded {
			want := float32(guard)
			if i := at - lead; i >= 0 && i < length {
				want = values[counts[from+i]]
			}
			if got != want {
				t.Fatalf("%s: %d sets, row %d, rows %d to %d, a table of %d: place %d is %v, want %v",
					form, n, row, from, from+length-1, size, at-lead, got, want)
			}
		}
	}
}

// TestValuesAllocate: values of some of a panel's rows, with all tables, take no memory, as they
// are computed once an iteration.
func TestValuesAllocate(t *testing.T) {
	var p vec.BitPanels
	p.Reset(100, 70)
	query, dst := p.QueryTo(nil, []int{3}), make([]float32, 90)
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		for _, size := range []int{32, 64, 128, 129} {
			table := vec.NewTable(make([]float32, size))
			for form, f := range map[string]func(dst []float32, query []uint64, table *vec.Table, from int){"common": p.CommonValuesTo, "apart": p.HammingValuesTo} {
				if n := testing.AllocsPerRun(100, func() { f(dst, query, table, 7) }); n > 0 {
					t.Errorf("%v, %s, a table of %d: %g allocations", l, form, size, n)
				}
			}
		}
	}
}

func TestValuesShapes(t *testing.T) {
	var p, empty vec.BitPanels
	p.Reset(40, 70)
	empty.Reset(40, 0)
	table := vec.NewTable([]float32{7})
	dst := make([]float32, 40)
	empty.HammingValuesTo(dst, nil, table, 0)
	if !slices.Equal(dst, slices.Repeat([]float32{7}, 40)) {
		t.Errorf("values of sets without columns: %v, want 7", dst)
	}
	wantPanic(t, "a query of another size", func() { p.HammingValuesTo(dst, make([]uint64, 1), table, 0) })
	wantPanic(t, "rows beyond the last", func() { p.CommonValuesTo(dst, make([]uint64, 2), table, 1) })
	wantPanic(t, "rows before the first", func() { p.CommonValuesTo(dst[:1], make([]uint64, 2), table, -1) })
	p.Reset(40, 64*vec.MaxValuesWords+1)
	wantPanic(t, "too many words", func() { p.HammingValuesTo(dst, make([]uint64, vec.MaxValuesWords+1), table, 0) })
	wantPanic(t, "no values", func() { vec.NewTable(nil) })
}

// ones returns the vector with 1 at each index.
func ones(index []int32) vec.Vector {
	return vec.Vector{Index: index, Value: slices.Repeat([]float64{1}, len(index))}
}

func testBitPanels(t *testing.T, p *vec.BitPanels, sets [][]uint64, r *rand.Rand, queries, words int) {
	t.Helper()
	n := len(sets)
	rows := make([]int, queries)
	for q := range rows {
		rows[q] = r.IntN(n)
	}
	query := p.QueryTo(nil, rows)
	all := (n + vec.PanelRows - 1) / vec.PanelRows
	panel := r.IntN(all + 1)
	panels := r.IntN(all - panel + 1)
	stride := vec.PanelRows * (panels + r.IntN(2))
	for form, count := range map[string]func(dst []uint32, stride int, query []uint64, rows, panel, panels int){"common": p.CommonTo, "apart": p.HammingTo} {
		lead := 1 + r.IntN(4)
		guarded := slices.Repeat([]uint32{guard}, queries*stride+lead+16)
		dst := guarded[lead : lead+queries*stride]
		count(dst, stride, query, queries, panel, panels)
		for at, got := range guarded {
			q, i := -1, 0
			if at >= lead && at < lead+len(dst) {
				q, i = (at-lead)/stride, (at-lead)%stride
			}
			want := uint32(guard)
			if q >= 0 && i < panels*vec.PanelRows {
				want = 0
				z := make([]uint64, words)
				if at := panel*vec.PanelRows + i; at < n {
					z = sets[at]
				}
				for k, x := range sets[rows[q]] {
					if form == "common" {
						want += uint32(bits.OnesCount64(x & z[k]))
					} else {
						want += uint32(bits.OnesCount64(x ^ z[k]))
					}
				}
			}
			if got != want {
				t.Fatalf("%s: %d sets in %d words, query %v, panels %d to %d, stride %d: place %d of query row %d is %d, want %d",
					form, n, words, rows, panel, panel+panels-1, stride, i, q, got, want)
			}
		}
	}
}

func TestPanelsLeaveOut(t *testing.T) {
	var p vec.Panels
	p.Reset(2, 2)
	v := vec.Vector{Index: []int32{0, 1, 2, 3, 9, 10, 11}, Value: []float64{1, 2, 3, 0, 4, 0, 0}}
	if out := p.Set(1, v, []int32{1, -1, 0, -1}); out != 2 {
		t.Errorf("%d left out, want 2: the zeros do not count", out)
	}
	if got := p.QueryTo(nil, []int{1, 0}); !slices.Equal(got, []float64{3, 0, 1, 0}) {
		t.Errorf("rows %v", got)
	}
	if p.Len() != 2 || p.Columns() != 2 || p.Bytes() != 2*32*8 {
		t.Errorf("%d rows of %d columns in %d bytes", p.Len(), p.Columns(), p.Bytes())
	}
	var b vec.BitPanels
	b.Reset(3, 100)
	first := make([]int32, 100)
	first[98] = 1
	first[97] = -1
	out := b.Set(2, vec.Vector{Index: []int32{0, 97, 98, 99, 100, 101}, Value: []float64{1, 1, 0, -1, 1, 0}}, first)
	if out != 2 || b.Count(2) != 1 || b.Count(0) != 0 || b.Len() != 3 || b.Bytes() != 2*32*8 {
		t.Errorf("%d and %d columns of %d sets in %d bytes", b.Count(2), b.Count(0), b.Len(), b.Bytes())
	}
}

// TestPanelsShapes: wrong lengths do not reach the assembly.
func TestPanelsShapes(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		var p vec.Panels
		p.Reset(40, 3)
		var b vec.BitPanels
		b.Reset(40, 3*64)
		for _, c := range []struct{ dst, stride, query, rows, panel, panels int }{
			{63, 64, 3, 1, 0, 2}, {64, 32, 3, 1, 0, 2}, {64, 63, 3, 1, 0, 1}, {64, 64, 2, 1, 0, 2}, {64, 64, 3, 2, 0, 2},
			{64, 64, 3, 1, 1, 2}, {64, 64, 3, 1, -1, 2}, {64, 64, 3, 1, 0, -1}, {64, 64, 3, 1, 3, 0}, {7 * 32, 32, 21, 7, 0, 1},
			{0, 32, 0, -1, 0, 1}, {64, -64, 3, 1, 0, 2},
		} {
			wantPanic(t, fmt.Sprint(c), func() {
				p.DotsTo(make([]float64, c.dst), c.stride, make([]float64, c.query), c.rows, c.panel, c.panels)
			})
			wantPanic(t, fmt.Sprint(c), func() {
				b.HammingTo(make([]uint32, c.dst), c.stride, make([]uint64, c.query), c.rows, c.panel, c.panels)
			})
		}
		for _, i := range []int{-1, 40} {
			wantPanic(t, "row", func() { p.QueryTo(nil, []int{i}) })
			wantPanic(t, "row", func() { p.Swap(0, i) })
			wantPanic(t, "row", func() { b.QueryTo(nil, []int{i}) })
			wantPanic(t, "row", func() { b.Swap(0, i) })
		}
	})
}

func wantPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}
