package scale

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// wholeRanges returns ranges of whole numbers, of few features or of many, with gaps between and
// constant ones.
func wholeRanges(rnd *rand.Rand) *Ranges {
	limits := []Limits{{-1, 1}, {0, 1}, {0, 255}, {-1e-4, 1e-7}, {0.1, 1e8}, {-3, -2}, {0, 0x1p-3}}[rnd.IntN(7)]
	r := &Ranges{X: &Features{Limits: limits}}
	most, gap := int32(10), 1+rnd.Int32N(3)
	if rnd.IntN(3) == 0 {
		most = 2000
	}
	for index := rnd.Int32N(2); index < most; index += 1 + rnd.Int32N(gap)*rnd.Int32N(50) {
		low := float64(rnd.IntN(12) - 6)
		if rnd.IntN(20) == 0 {
			low = -math.MaxInt32
		}
		r.X.Ranges = append(r.X.Ranges, Feature{index, Range{low, low + float64(rnd.IntN(6))}})
	}
	return r
}

// wholeRows returns rows of whole numbers in their ranges, with so many odd values in a thousand.
// Some of them list all features.
func wholeRows(rnd *rand.Rand, r *Ranges, n, odd int) *Rows {
	rows := &Rows{Starts: []int32{0}}
	each := 1 + rnd.IntN(4)*rnd.IntN(10)
	for range n {
		rows.Labels, rows.Lists = append(rows.Labels, float64(rnd.IntN(4))), append(rows.Lists, int32(len(rows.Index)))
		for _, f := range r.X.Ranges {
			if rnd.IntN(each) > 0 {
				continue
			}
			v := f.Min + float64(rnd.IntN(int(f.Max-f.Min)+1))
			if rnd.IntN(1000) < odd {
				v = slices.Concat(oddValues, []float64{v + 0.5, f.Max + 1, f.Min - 1, 1e19, -1e19, 0x1p63})[rnd.IntN(len(oddValues)+6)]
			}
			rows.Index, rows.Value = append(rows.Index, f.Index), append(rows.Value, v)
		}
		if rnd.IntN(20) == 0 {
			rows.Index, rows.Value = append(rows.Index, 5000, 50000), append(rows.Value, 1, 2)
		}
		rows.Starts = append(rows.Starts, int32(len(rows.Value)))
	}
	return rows
}

// Rows of whole numbers are written as each by itself, and nothing behind the room that they were
// given; pairs without a text end them.
func TestPairs(t *testing.T) {
	if simd.Best() < simd.AVX2 {
		t.Skip("no assembly")
	}
	rnd := rand.New(rand.NewPCG(23, 1))
	whole, stopped, zeros := 0, 0, 0
	for round := range 3000 {
		p := NewPrinter(NewScaler(wholeRanges(rnd)))
		rows := wholeRows(rnd, &p.s.ranges, 1+rnd.IntN(40), rnd.IntN(3)*10)
		if p.pairs.entries == 0 || len(rows.Value) == 0 || !p.rowWork(rows) {
			continue
		}
		p.makePairs()
		if n := len(p.pairs.list) - 1; n > p.pairs.entries {
			t.Fatalf("round %d: %d pairs, %d were expected at most", round, n, p.pairs.entries)
		}
		w := &p.rows
		w.numbers, w.first, w.columns, w.pairs = unsafe.Pointer(&rows.Value[0]), 0, &p.pairs.columns[0], &p.pairs.list[0]
		from, room := rnd.IntN(len(rows.Labels)), rnd.IntN(20000)
		end := p.fitting(rows, from, len(rows.Labels), len(rows.Value), room)
		guarded := bytes.Repeat([]byte{0xa5}, room+256)
		got, stop, pairs := p.together(pairRows, guarded[:0:room], rows, from, end)
		if i := slices.IndexFunc(guarded[room:], func(b byte) bool { return b != 0xa5 }); i >= 0 {
			t.Fatalf("round %d: byte %d behind the room is written", round, i)
		}
		alone(t, p.s, rows, from, stop, got, pairs)
		if len(p.s.zeros) > 0 {
			zeros++
		}
		if stop == end {
			whole++
			continue
		}
		stopped++
		_, x := rows.Row(stop)
		if !slices.ContainsFunc(x.Index, func(i int32) bool {
			v := x.Value[slices.Index(x.Index, i)]
			slot := p.s.index.find(i)
			if slot < 0 || p.s.rules[slot].constant {
				return false
			}
			r := p.s.rules[slot]
			y := p.s.ranges.X.Limits.value(v, &r)
			return v != math.Trunc(v) || v < r.Min || v > r.Max || v == 0 && math.Signbit(v) || len(textscan.AppendG(nil, y, 6)) > 16-5
		}) {
			t.Fatalf("round %d: stopped at row %d, of which nothing is odd: %v", round, stop, x)
		}
	}
	if whole < 500 || stopped < 300 || zeros < 300 {
		t.Errorf("%d whole, %d stopped, %d with zeros", whole, stopped, zeros)
	}
}

// AppendRows comes to use texts of pairs, and gives them up where values are other than the ends of
// their ranges, with the same text.
func TestPairsUse(t *testing.T) {
	if simd.Best() < simd.AVX2 {
		t.Skip("no assembly")
	}
	rnd := rand.New(rand.NewPCG(23, 2))
	used, left := 0, 0
	for round := range 60 {
		r := wholeRanges(rnd)
		p := NewPrinter(NewScaler(r))
		odd := []int{0, 1, 500}[round%3]
		for range 12 {
			rows := wholeRows(rnd, r, 40+4000/(len(r.X.Ranges)+10), odd)
			before := p.pairs.list != nil
			appendsAlone(t, rnd, p, rows)
			switch after := p.pairs.list != nil; {
			case after && !before:
				used++
			case before && !after:
				left++
			}
		}
	}
	if used < 20 || left < 6 {
		t.Errorf("%d printers made texts of pairs, %d gave them up", used, left)
	}
}

// Pairs are counted where they are few and of whole numbers.
func TestCountPairs(t *testing.T) {
	for _, c := range []struct {
		ranges []Range
		want   int
	}{
		{[]Range{{0, 1}, {-2, 3}}, 2 + 6},
		{[]Range{{0, 1}, {5, 5}}, 2},
		{[]Range{{0, 1}, {0.5, 0.5}}, 2},
		{[]Range{{0, 1}, {0, 0.5}}, 0},
		{[]Range{{0, 1}, {-0.5, 3}}, 0},
		{[]Range{{0, mostPairs - 1}}, mostPairs},
		{[]Range{{0, mostPairs}}, 0},
		{[]Range{{0, mostPairs - 2}, {0, 1}}, 0},
		{[]Range{{1e300, 1e300 + 1e285}}, 0},
		{[]Range{{-math.MaxInt32 - 2, -math.MaxInt32}}, 0},
		{[]Range{{-math.MaxFloat64, math.MaxFloat64}}, 0},
	} {
		r := &Ranges{X: &Features{Limits: Limits{0, 1}}}
		for i, x := range c.ranges {
			r.X.Ranges = append(r.X.Ranges, Feature{int32(i + 1), x})
		}
		if got := NewPrinter(NewScaler(r)).pairs.entries; got != c.want {
			t.Errorf("%v: %d pairs, want %d", c.ranges, got, c.want)
		}
	}
}
