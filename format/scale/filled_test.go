package scale

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Values come to where their features are, with zeros between, and nothing is written far behind.
func TestFill(t *testing.T) {
	if !hasRows() {
		t.Skip("no rows are filled without the instructions for it")
	}
	rnd := rand.New(rand.NewPCG(23, 1))
	for round := range 1500 {
		f := &filled{list: make([]int32, 1+rnd.IntN(shortRow))}
		each := len(f.list)
		rows := 1 + rnd.IntN(textscan.SixDigitsLen/each)
		var value, want []float64
		dense := rnd.IntN(4)
		for i := range rows {
			for k := range each {
				v := 0.0
				if rnd.IntN(4) <= dense {
					f.mask[i] |= 1 << k
					v = rnd.NormFloat64()
					value = append(value, v)
				}
				want = append(want, v)
			}
		}
		const guard = 1.25
		for k := range f.value {
			f.value[k] = guard
		}
		f.fill(slices.Clip(value), rows)
		if !slices.Equal(f.value[:len(want)], want) || slices.ContainsFunc(f.value[min(len(want)+7, len(f.value)):], func(v float64) bool { return v != guard }) {
			t.Fatalf("round %d, %d rows of %d, masks %b: %v, want %v", round, rows, each, f.mask[:rows], f.value, want)
		}
	}
}

// nearlyFull makes rows that list nearly all of the features with ranges, and at times others.
func nearlyFull(rnd *rand.Rand, ranges []Feature) *Rows {
	gaps, others, huge, ends := 8+rnd.IntN(100), rnd.IntN(3), rnd.IntN(3), rnd.IntN(2)
	rows := &Rows{Starts: []int32{0}}
	lists := map[string]int32{}
	for range rnd.IntN(500) {
		var index []int32
		for _, f := range ranges {
			if rnd.IntN(gaps) == 0 {
				continue
			}
			v := math.Round(1e4*rnd.NormFloat64()) / 1e4
			switch {
			case huge == 0 && rnd.IntN(300) == 0:
				v = math.MaxFloat64
			case ends == 0:
				v = []float64{f.Min, f.Max}[rnd.IntN(2)]
			}
			index, rows.Value = append(index, f.Index), append(rows.Value, v)
		}
		if others > 0 && rnd.IntN(100*others) == 0 {
			index, rows.Value = append(index, int32(100+rnd.IntN(6))), append(rows.Value, 1)
		}
		key := fmt.Sprint(index)
		if n := len(index); n <= len(rows.Index) && slices.Equal(rows.Index[:n], index) {
			lists[key] = 0 // also of one that begins so
		} else if _, ok := lists[key]; !ok {
			lists[key] = int32(len(rows.Index))
			rows.Index = append(rows.Index, index...)
		}
		rows.Labels = append(rows.Labels, []float64{1, -1, 480.48, 1.0 / 3, -1.2345678901234567e-300}[rnd.IntN(5-rnd.IntN(2))])
		rows.Lists = append(rows.Lists, lists[key])
		rows.Starts = append(rows.Starts, int32(len(rows.Value)))
	}
	return rows
}

// Rows that list nearly all of a few features are written as each by itself, whatever else some
// list, what their zeros become, and up to one that is out of range.
func TestAppendFilled(t *testing.T) {
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		rnd := rand.New(rand.NewPCG(23, 2))
		failed, filled := 0, 0
		for round := range 80 {
			r := &Ranges{X: &Features{Limits: []Limits{{-1, 1}, {-2, 0.5}, {0, 1}}[round%3]}}
			var listed []Feature
			unlisted := rnd.IntN(100)
			for i := range 1 + rnd.IntN(shortRow+4) {
				f := Feature{int32(2*i + 1 - (rnd.IntN(20) / 19)), Range{-rnd.Float64(), 1 + 9*rnd.Float64()}}
				if r.X.Ranges = append(r.X.Ranges, f); i != unlisted {
					listed = append(listed, f)
				}
			}
			s := NewScaler(r)
			p := NewPrinter(s)
			for range 3 {
				p.texts.credit, p.run = -1, nil // else texts of values are copied
				if !checkRows(t, s, p, nearlyFull(rnd, listed), 1+rnd.IntN(20000)) {
					failed++
				}
				if p.run == &p.filled.stage {
					filled++
				}
			}
		}
		if failed < 25 || hasRows() != (filled > 25) {
			t.Errorf("%v: %d failed, %d were filled", l, failed, filled)
		}
	}
}

// checkRows has rows written, so many bytes at a time, and compares that with what is written of
// each. It reports whether all were.
func checkRows(t *testing.T, s *Scaler, p *Printer, rows *Rows, size int) bool {
	t.Helper()
	var got []byte
	stop, pairs := 0, 0
	var err error
	for first := true; err == nil && (first || stop < len(rows.Labels)); first = false {
		n := 0
		got, stop, n, err = p.AppendRows(got, rows, stop, len(got)+size)
		pairs += n
	}
	for i := range rows.Labels {
		y, x := rows.Row(i)
		want, n, failed := printed(s, y, x)
		if failed != nil {
			if stop != i || fmt.Sprint(err) != fmt.Sprint(failed) {
				t.Fatalf("row %d: %v, want %d, %v", stop, err, i, failed)
			}
			break
		}
		if err != nil && i >= stop {
			t.Fatalf("row %d: %v, there is none in row %d", stop, err, i)
		}
		if !strings.HasPrefix(string(got), want) {
			t.Fatalf("row %d: %.300q, want %q", i, got, want)
		}
		got, pairs = got[len(want):], pairs-n
	}
	if len(got) > 0 || pairs != 0 {
		t.Fatalf("%d bytes and %d pairs too many", len(got), pairs)
	}
	return err == nil
}
