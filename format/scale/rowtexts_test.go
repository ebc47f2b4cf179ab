package scale

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// begins fails unless text begins with that of rows from one on to before another, each written by
// itself. It returns how many pairs these are, and what is behind them.
func begins(t *testing.T, s *Scaler, rows *Rows, from, stop int, text []byte) (pairs int, rest []byte) {
	t.Helper()
	for i := from; i < stop; i++ {
		y, x := rows.Row(i)
		want, n, err := printed(s, y, x)
		if err != nil || !bytes.HasPrefix(text, []byte(want)) {
			t.Fatalf("row %d of %d: %.300q, want %q, %v", i, stop, text, want, err)
		}
		text, pairs = text[len(want):], pairs+n
	}
	return pairs, text
}

// alone fails unless text is that of rows from one on to before another, each written by itself,
// and pairs are theirs.
func alone(t *testing.T, s *Scaler, rows *Rows, from, stop int, text []byte, pairs int) {
	t.Helper()
	if n, rest := begins(t, s, rows, from, stop, text); len(rest) > 0 || pairs != n {
		t.Fatalf("%d bytes too many, and %d pairs, want %d", len(rest), pairs, n)
	}
}

// appendsAlone has p append rows, some at a time, and fails unless all are, and errors, as of each
// by itself. It returns how many are at fault.
func appendsAlone(t *testing.T, rnd *rand.Rand, p *Printer, rows *Rows) (failed int) {
	t.Helper()
	for from := 0; from < len(rows.Labels); {
		got, stop, pairs, err := p.AppendRows(nil, rows, from, someSize(rnd))
		if err == nil {
			if alone(t, p.s, rows, from, stop, got, pairs); stop == from {
				t.Fatalf("stopped at row %d, where it began", stop)
			}
			from = stop
			continue
		}
		begins(t, p.s, rows, from, stop, got)
		y, x := rows.Row(stop)
		if _, _, want := printed(p.s, y, x); fmt.Sprint(err) != fmt.Sprint(want) {
			t.Fatalf("row %d: %v, want %v", stop, err, want)
		}
		from = stop + 1
		failed++
	}
	return failed
}

// Rows that are put together many at a time are as each by itself, with labels that are there, are
// made, take each other's place, or are too long, up to one with a number that has no quick text;
// and nothing is written behind the room that they were given.
func TestTogether(t *testing.T) {
	if simd.Best() < simd.AVX2 {
		t.Skip("no assembly")
	}
	rnd := rand.New(rand.NewPCG(17, 1))
	whole, stopped, long, evicted := 0, 0, 0, 0
	for round := range 2000 {
		p := manyMarks(rnd)
		features := p.s.ranges.X.Ranges
		rows := &Rows{Starts: []int32{0}}
		each, odd, labels := 1+rnd.IntN(30), rnd.IntN(3) == 0, []int{2, 300, 100000}[rnd.IntN(3)]
		for range 1 + rnd.IntN(40) {
			y := float64(rnd.IntN(labels)) / 3
			if labels == 2 && rnd.IntN(100) == 0 {
				y = -1.2345678901234567e-300
			}
			rows.Labels, rows.Lists = append(rows.Labels, y), append(rows.Lists, int32(len(rows.Index)))
			for _, f := range features {
				if rnd.IntN(each) > 0 {
					continue
				}
				v := math.Round(rnd.Float64()*8) / 8 * f.Max
				if odd && rnd.IntN(200) == 0 {
					v = oddValues[rnd.IntN(len(oddValues))]
				}
				rows.Index, rows.Value = append(rows.Index, f.Index), append(rows.Value, v)
			}
			if rnd.IntN(10) == 0 {
				rows.Index, rows.Value = append(rows.Index, 5000, 50000), append(rows.Value, 1, 2)
			}
			rows.Starts = append(rows.Starts, int32(len(rows.Value)))
		}
		if len(rows.Value) == 0 || !p.rowWork(rows) {
			continue
		}
		texts, w, by := round%2 == 0, &p.rows, numberRows
		from := rnd.IntN(len(rows.Labels))
		if texts {
			by = textRows
			for i := range rows.Labels {
				p.appendRowTexts(nil, rows.Labels[i], rows.Index[rows.Lists[i]:][:rows.Starts[i+1]-rows.Starts[i]], rows.Value[rows.Starts[i]:rows.Starts[i+1]])
			}
			w.numbers, w.first = unsafe.Pointer(&rows.Value[0]), 0
			w.texts, w.places, w.textShift, w.last = &p.texts.list[0], &p.texts.places[0], p.texts.shift(), len(p.texts.places)-1
		}
		room := rnd.IntN(20000)
		end := p.fitting(rows, from, len(rows.Labels), textscan.SixDigitsLen, room)
		n := int(rows.Starts[end] - rows.Starts[from])
		if !texts && n > 0 {
			values := rows.Value[rows.Starts[from]:rows.Starts[end]]
			p.formulaOfMarks(p.piece.values[:n], p.indices(rows, from, end), values)
			p.piece.sixes.Set((*[textscan.SixDigitsLen]float64)(p.piece.values[:]), n)
			w.numbers, w.first, w.y = unsafe.Pointer(&p.piece.sixes.Lo[0]), int(rows.Starts[from]), &p.piece.values[0]
		}
		if from == end {
			continue
		}
		guarded := bytes.Repeat([]byte{0xa5}, room+256)
		got, stop, pairs := p.together(by, guarded[:0:room], rows, from, end)
		if i := slices.IndexFunc(guarded[room:], func(b byte) bool { return b != 0xa5 }); i >= 0 {
			t.Fatalf("round %d: byte %d behind the room is written", round, i)
		}
		alone(t, p.s, rows, from, stop, got, pairs)
		switch {
		case stop == end:
			whole++
		case len(textscan.AppendG(nil, rows.Labels[stop], 17))+1 > usualLabel:
			long++
		default:
			stopped++
			_, x := rows.Row(stop)
			isOdd := texts
			for k, i := range x.Index {
				at := int(rows.Starts[stop]-rows.Starts[from]) + k
				isOdd = isOdd || p.piece.sixes.N[at] == 0 && p.piece.values[at] != 0 && int(i) < len(p.marks) && p.marks[i].spread > 0
			}
			if !isOdd {
				t.Fatalf("round %d: stopped at row %d, of which nothing is odd: %v", round, stop, x)
			}
		}
		if labels > 2 {
			evicted++
		}
	}
	if whole < 400 || stopped < 20 || long < 3 || evicted < 200 {
		t.Errorf("%d whole, %d stopped, %d long, %d with many labels", whole, stopped, long, evicted)
	}
}

// Any number of rows whose labels never come again are as each by itself.
func TestTogetherOtherLabels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(17, 2))
	p := manyMarks(rnd)
	rows := &Rows{Starts: []int32{0}}
	for range 10000 {
		rows.Labels, rows.Lists = append(rows.Labels, rnd.Float64()), append(rows.Lists, 0)
		rows.Value = append(rows.Value, 0, float64(1+rnd.IntN(3)))
		rows.Starts = append(rows.Starts, int32(len(rows.Value)))
	}
	rows.Index = []int32{p.s.ranges.X.Ranges[0].Index, p.s.ranges.X.Ranges[1].Index}
	got, stop, pairs, err := p.AppendAll(nil, rows)
	alone(t, p.s, rows, 0, stop, got, pairs)
	if stop != len(rows.Labels) || err != nil {
		t.Fatalf("stop %d, %v", stop, err)
	}
}
