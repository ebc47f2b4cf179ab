package vec_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// decimal draws a number with this many digits after the point, or often fewer, whose digits are a
// number up to most.
func decimal(r *rand.Rand, digits int, most int64) float64 {
	n := r.Int64N(2*most+1) - most
	switch r.IntN(8) {
	case 0:
		n = 0
	case 1:
		n = most
	case 2:
		n = n / 100 * 100
	}
	x, err := strconv.ParseFloat(fmt.Sprintf("%de-%d", n, digits), 64)
	if err != nil {
		panic(err)
	}
	return x
}

// TestDecimal: numbers with few digits are taken for decimal, and differ from their decimal by no
// more than three roundings; so do products of float64 numbers for whose decimal the caller asks.
// Numbers that need more digits, or more than 32 bits, are not taken for decimal.
func TestDecimal(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 300000 {
		digits := r.IntN(vec.MaxDigits + 1)
		x := decimal(r, digits, 1<<(1+r.IntN(31))-1)
		if !vec.Decimal(x, digits) {
			t.Fatalf("%v is no decimal number of %d digits", x, digits)
		}
		for range r.IntN(3) {
			x = math.Nextafter(x, float64(r.IntN(3)-1))
		}
		if vec.Decimal(x, digits) {
			wantNear(t, x, digits)
		}
	}
	for _, c := range []struct {
		x      float64
		digits int
		want   bool
	}{
		{0, 0, true}, {math.Copysign(0, -1), 3, true}, {1, 0, true}, {0.5, 0, false}, {0.5, 1, true},
		{0.123456, 5, false}, {0.123456, 6, true}, {0.123456, 9, true}, {1. / 3, 9, false},
		{math.MaxInt32, 0, true}, {math.MaxInt32 + 1, 0, false}, {-math.MaxInt32, 0, true}, {math.MinInt32, 0, false}, {2.147483647, 9, true}, {2.147483648, 9, false},
		{1e-22, 22, true}, {1e-30, 22, false}, {5e-324, 22, false}, {1e300, 0, false}, {0x1p51, 0, false}, {0x1p70, 22, false},
		{math.Inf(1), 0, false}, {math.Inf(-1), 9, false}, {math.NaN(), 0, false},
		{1000000.0000001, 0, false}, {0.1 + 0.2, 1, true}, {0.30000000000000016, 1, false},
	} {
		if got := vec.Decimal(c.x, c.digits); got != c.want {
			t.Errorf("%v with %d digits: %v", c.x, c.digits, got)
		}
	}
}

// TestAreWhole: for every length, the same numbers are taken for whole numbers times a scale as one
// by one, and the least and the largest are found; the memory beside them does not change.
func TestAreWhole(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 2))
		odd := 0
		for trial := range 130 * 30 {
			n, lead := trial%130, r.IntN(4)
			values, scale := make([]float64, n), make([]float64, n)
			low, high := slices.Repeat([]float64{guard}, n+8), slices.Repeat([]float64{guard}, n+8)
			var wantLow, wantHigh []float64
			want := true
			for k := range values {
				digits := r.IntN(12)
				values[k], scale[k] = decimal(r, digits, 1<<(1+r.IntN(30))), vec.PowerOfTen(digits)
				switch r.IntN(20 * (n + 1)) {
				case 0:
					values[k] = math.Nextafter(math.Nextafter(math.Nextafter(values[k], 9), 9), 9)
				case 1:
					scale[k] /= 10
				case 2:
					values[k] = 1e-300
				case 3:
					scale[k] = 0 // this column is not tested
				}
				low[lead+k], high[lead+k] = r.NormFloat64(), r.NormFloat64()
				wantLow, wantHigh = append(wantLow, min(low[lead+k], values[k])), append(wantHigh, max(high[lead+k], values[k]))
				want = want && vec.IsWhole(values[k]*scale[k])
			}
			if !want {
				odd++
			}
			if got := vec.AreWhole(values, scale, low[lead:lead+n], high[lead:]); got != want {
				t.Fatalf("%v times %v: %v", values, scale, got)
			}
			if !slices.Equal(low[lead:lead+n], wantLow) || !slices.Equal(high[lead:lead+n], wantHigh) {
				t.Fatalf("%v: from %v to %v", values, low, high)
			}
			for k := range low {
				if (k < lead || k >= lead+n) && (low[k] != guard || high[k] != guard) {
					t.Fatalf("length %d: place %d has changed", n, k-lead)
				}
			}
		}
		if odd < 100 || odd > 130*20 {
			t.Errorf("%d had other numbers: the test tells little", odd)
		}
	})
}

// wantNear fails unless 10^digits x is as near to a whole number as vec.Decimal claims.
func wantNear(t *testing.T, x float64, digits int) {
	t.Helper()
	exact := new(big.Rat).SetFloat64(x)
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	p := new(big.Rat).Mul(exact, scale)
	f, _ := p.Float64()
	off := new(big.Rat).Sub(p, new(big.Rat).SetFloat64(math.RoundToEven(f)))
	bound := new(big.Rat).Mul(p.Abs(p), new(big.Rat).SetFloat64(3.0001*0x1p-53))
	if off.Abs(off).Cmp(bound) > 0 {
		t.Fatalf("%v with %d digits is off by %v", x, digits, off.FloatString(30))
	}
}

// TestDecimalPanels: panels with every number of rows around the limits, packed in two parts and
// exchanged, with every number of query rows and random ranges of panels, have the sums that the
// definition and its order give, the same with all instructions. The words around the results do
// not change. Each product is wrong by FusedProductError roundings at most.
func TestDecimalPanels(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(31, 3))
		var p vec.DecimalPanels
		for n := range 130 {
			if skipped(n) {
				continue
			}
			columns := (7 * n) % 67
			switch n {
			case 33, 64, 128:
				columns = 300 + n%2
			}
			digits := make([]int, columns)
			for k := range digits {
				digits[k] = r.IntN(12)
			}
			dense := make([][]float64, n)
			for i := range dense {
				for _, d := range digits {
					dense[i] = append(dense[i], decimal(r, d, 1<<(1+r.IntN(31))-1))
				}
			}
			p.ResetWithin(n, n+r.IntN(40), vec.NewDecimals(digits))
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
			testAdding(t, "decimals", &p, n, r, queries, func(sum float64, query []float64, q, row, other int) float64 {
				for k, d := range digits {
					a, b := math.RoundToEven(dense[other][k]*vec.PowerOfTen(d)), query[k*queries+q]
					sum = math.FMA(a, b, sum)
					wantProduct(t, a, b, dense[other][k], dense[row][k])
				}
				return sum
			})
		}
	})
}

// wantProduct fails unless a b is as near to x z as FusedProductError claims, which only allows for
// a few roundings.
func wantProduct(t *testing.T, a, b, x, z float64) {
	t.Helper()
	high := float64(x * z)
	low := math.FMA(x, z, -high) // x z = high + low
	if off := math.Abs(math.FMA(a, b, -high) - low); off > vec.FusedProductError*0x1p-53*math.Abs(high) {
		t.Fatalf("%v %v is off %v %v by %v", a, b, x, z, off)
	}
}

// TestScaledWholes: decimal numbers that are held as small whole numbers have the products of
// these, divided.
func TestScaledWholes(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(31, 4))
		for _, c := range []struct {
			digits int
			bytes  bool
			least  int
			most   int
		}{{1, true, 0, 255}, {2, true, 0, 100}, {3, false, -1000, 1000}, {4, false, math.MinInt16, math.MaxInt16}, {0, false, -3, 3}} {
			for _, columns := range []int{1, 2, 8, 9, 15, 16, 67} {
				const n = 77
				var p vec.WholePanels
				wholes, dense := make([][]float64, n), make([][]float64, n)
				for i := range dense {
					wholes[i] = wholeRow(r, columns, c.least, c.most)
					for _, v := range wholes[i] {
						dense[i] = append(dense[i], v/vec.PowerOfTen(c.digits))
					}
				}
				p.ResetScaled(n, n, columns, c.bytes, c.digits)
				if columns%2 == 0 {
					p.SetRows(0, n, func(i int) []float64 { return dense[i] })
				} else {
					setEach(p.Set, columns, dense)
				}
				rows := []int{3, 76, 0, 41, 5, 6}[:1+columns%6]
				const stride = 96
				dst := make([]float64, stride*len(rows))
				p.DotsTo(dst, stride, p.QueryTo(nil, rows), len(rows), 0, 3)
				unit := 1 / vec.PowerOfTen(c.digits) / vec.PowerOfTen(c.digits)
				for q, row := range rows {
					for i := range n {
						if got, want := dst[q*stride+i], denseDot(wholes[row], wholes[i])*unit; got != want {
							t.Fatalf("%+v, %d columns: product of rows %d and %d is %v, want %v", c, columns, row, i, got, want)
						}
					}
				}
			}
		}
	})
}

// TestDecimalQuery: a query has the whole numbers of its rows times 10^-2d, whichever rows these
// are.
func TestDecimalQuery(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 9))
		for trial := range 400 {
			n, columns := 1+r.IntN(100), r.IntN(12)
			digits := make([]int, columns)
			column := make([]int32, columns)
			for k := range digits {
				digits[k], column[k] = r.IntN(7), int32(k)
			}
			var p vec.DecimalPanels
			p.ResetWithin(n, n, vec.NewDecimals(digits))
			want := make([][]float64, n)
			for i := range want {
				var v vec.Vector
				for k, d := range digits {
					w, power := float64(r.IntN(2_000_001)-1_000_000), vec.PowerOfTen(d)
					want[i] = append(want[i], w*(1/power/power))
					v.Index, v.Value = append(v.Index, int32(k)), append(v.Value, w/power)
				}
				p.Set(i, v, column)
			}
			for i := range n {
				if got := p.QueryTo(nil, []int{i}); !slices.Equal(got, want[i]) {
					t.Fatalf("%d columns, row %d of %d: %v, want %v", columns, i, n, got, want[i])
				}
			}
			checkQueries(t, "decimals", p.QueryTo, someRows(r, n, 1+trial%23), 1, columns)
		}
	})
}

// TestDecimalRowsOfEight: some of eight rows can be set without changing the others, which are set
// already or stay zero.
func TestDecimalRowsOfEight(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, columns := range []int{7, 8, 9, 24} {
			for _, n := range []int{5, 8, 13, 40} {
				for some := 1; some <= min(n, 8); some++ {
					var p vec.DecimalPanels
					p.ResetWithin(n, n, vec.NewDecimals(make([]int, columns)))
					p.SetRows(0, n, func(i int) []float64 { return slices.Repeat([]float64{float64(i)}, columns) })
					p.SetRows(0, some, func(i int) []float64 { return slices.Repeat([]float64{float64(100 + i)}, columns) })
					for i := range n {
						want := float64(i)
						if i < some {
							want = float64(100 + i)
						}
						if got := p.QueryTo(nil, []int{i}); !slices.Equal(got, slices.Repeat([]float64{want}, columns)) {
							t.Fatalf("%d of %d rows, %d columns: row %d is %v, want %v", some, n, columns, i, got, want)
						}
					}
				}
			}
		}
	})
}

// TestDecimalPanelsShapes: wrong lengths do not reach the assembly.
func TestDecimalPanelsShapes(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		var p vec.DecimalPanels
		p.ResetWithin(40, 40, vec.NewDecimals([]int{1, 2, 3}))
		for _, c := range []struct{ dst, stride, query, rows, panel, panels int }{
			{63, 64, 3, 1, 0, 2}, {64, 32, 3, 1, 0, 2}, {64, 63, 3, 1, 0, 1}, {64, 64, 4, 1, 0, 2}, {64, 64, 3, 2, 0, 2},
			{64, 64, 3, 1, 1, 2}, {64, 64, 3, 1, -1, 2}, {64, 64, 3, 1, 0, -1}, {64, 64, 3, 1, 3, 0}, {7 * 32, 32, 21, 7, 0, 1},
			{0, 32, 0, -1, 0, 1}, {64, -64, 3, 1, 0, 2},
		} {
			wantPanic(t, fmt.Sprint(c), func() {
				p.DotsTo(make([]float64, c.dst), c.stride, make([]float64, c.query), c.rows, c.panel, c.panels)
			})
		}
		wantPanic(t, "row", func() { p.QueryTo(nil, []int{38, 39, 40}) })
		var none vec.DecimalPanels
		none.ResetWithin(3, 3, nil)
		if q := none.QueryTo(nil, []int{0, 2, 1, 2}); len(q) != 0 {
			t.Errorf("rows of nothing are a query of %d numbers", len(q))
		}
		for _, i := range []int{-1, 40} {
			wantPanic(t, "row", func() { p.QueryTo(nil, []int{i}) })
			wantPanic(t, "row", func() { p.Swap(0, i) })
		}
		wantPanic(t, "rows", func() { p.SetRows(4, 8, func(int) []float64 { return make([]float64, 3) }) })
		wantPanic(t, "rows", func() { p.SetRows(0, 41, func(int) []float64 { return make([]float64, 3) }) })
		wantPanic(t, "columns", func() { p.SetRows(0, 8, func(int) []float64 { return make([]float64, 2) }) })
		wantPanic(t, "size", func() { p.ResetWithin(-1, 0, vec.NewDecimals(nil)) })
		wantPanic(t, "digits", func() { vec.NewDecimals([]int{vec.MaxDigits + 1}) })
		if size := 4 * 64 * 3; p.Bytes() != size {
			t.Errorf("%d bytes, want %d", p.Bytes(), size)
		}
	})
}

// BenchmarkDecimals measures products of some rows with others, which fit into a near cache or do
// not, also for float64.
func BenchmarkDecimals(b *testing.B) {
	for _, columns := range []int{22, 50, 256} {
		for _, n := range []int{2048, 19968} {
			r := rand.New(rand.NewPCG(1, 1))
			rows, digits := make([][]float64, n), slices.Repeat([]int{6}, columns)
			for i := range rows {
				for range columns {
					rows[i] = append(rows[i], decimal(r, 6, 1e6))
				}
			}
			row := func(i int) []float64 { return rows[i] }
			for _, queries := range []int{1, 2, 4, 6} {
				dst, which := make([]float64, queries*n), []int{1, 2, 3, 4, 5, 6}[:queries]
				for l := simd.Portable; l <= simd.Best(); l++ {
					for _, kind := range []string{"decimals", "floats"} {
						b.Run(fmt.Sprintf("%dcolumns/%d/%drows/%v/%s", columns, n, queries, l, kind), func(b *testing.B) {
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
							var p vec.DecimalPanels
							p.ResetWithin(n, n, vec.NewDecimals(digits))
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
}
