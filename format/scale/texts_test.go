package scale

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Texts of values are made where the first ones are few, as long as that lasts, and not more of
// them than there is room for. What is written is the same.
func TestTexts(t *testing.T) {
	defer simd.Use(simd.Best())
	for _, c := range []struct {
		name      string
		different func(row int) int // values that a feature has
		on        bool              // at the end
		least     int               // texts there are
	}{
		{"few", func(int) int { return 16 }, true, 200},
		{"many", func(int) int { return math.MaxInt32 }, false, 0},
		{"not so few", func(int) int { return 50 }, true, 800},
		{"few first, then many", func(row int) int { return 4 + row/1000*math.MaxInt16 }, false, 500},
		{"few first, then too many", func(row int) int { return 4 + row/1000*100 }, false, 1000},
	} {
		for l := simd.Portable; l <= simd.Best(); l++ {
			simd.Use(l)
			rnd := rand.New(rand.NewPCG(6, 1))
			const columns = 9
			m := new(Measure)
			rows := &Rows{Starts: []int32{0}}
			for k := range int32(columns) {
				rows.Index = append(rows.Index, 3*k+1)
			}
			for i := range 4000 {
				rows.Labels, rows.Lists = append(rows.Labels, float64(i%3)), append(rows.Lists, 0)
				for range columns {
					v := float64(rnd.IntN(c.different(i))) / 16
					rows.Value = append(rows.Value, []float64{v, -v}[rnd.IntN(2)])
				}
				rows.Starts = append(rows.Starts, int32(len(rows.Value)))
			}
			m.Add(0, vec.Vector{Index: []int32{2, 30}, Value: []float64{1, 1}}) // zeros before values and behind
			m.AddRows(rows)
			s := NewScaler(m.Ranges(Limits{-1, 1}, nil))
			p := NewPrinter(s)
			var got []byte
			pairs := 0
			for from := 0; from < len(rows.Labels); {
				text, stop, n, err := p.AppendRows(got, rows, from, len(got)+10000)
				if err != nil {
					t.Fatal(err)
				}
				got, from, pairs = text, stop, pairs+n
			}
			for i := range rows.Labels {
				y, x := rows.Row(i)
				want, n, err := printed(s, y, x)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.HasPrefix(got, []byte(want)) {
					t.Fatalf("%s, %v: row %d: %.300q, want %q", c.name, l, i, got, want)
				}
				got, pairs = got[len(want):], pairs-n
			}
			if len(got) > 0 || pairs != 0 {
				t.Errorf("%s, %v: %d bytes and %d pairs too many", c.name, l, len(got), pairs)
			}
			if on, n := p.texts.credit >= 0, len(p.texts.list); on != c.on || n < c.least || n > manyTexts {
				t.Errorf("%s, %v: copied in the end: %v; %d texts", c.name, l, on, n)
			}
		}
	}
}

// Texts are copied alike with all instructions, up to one that there is not, with as many bytes
// behind as there may be.
func TestCopyTexts(t *testing.T) {
	defer simd.Use(simd.Best())
	rnd := rand.New(rand.NewPCG(6, 2))
	r := &Ranges{X: &Features{Limits: Limits{0, 1}}}
	const features = 3000 // so many that the same value of another is near in the table
	for k := range int32(features) {
		r.X.Ranges = append(r.X.Ranges, Feature{1 + k*(1+k/5)*1000, Range{0, 1 + float64(k)}})
	}
	p := NewPrinter(NewScaler(r))
	p.texts = texts{list: make([]valueText, 1), looked: lookedAt, credit: math.MaxInt}
	made := map[string]bool{}
	for len(p.texts.list) < manyTexts {
		v, slot := float64(rnd.IntN(4))/8, int32(rnd.IntN(features))
		if key := fmt.Sprint(v, slot); !made[key] && !p.makeText(v, slot) {
			t.Fatalf("no text of %g", v)
		} else {
			made[key] = true
		}
	}
	if p.makeText(math.Pi, 1) {
		t.Error("there are too many texts")
	}
	stopped := 0
	for n := range 130 {
		for range 30 {
			value, slot := make([]float64, n), make([]int32, n)
			for k := range n {
				e := &p.texts.list[1+rnd.IntN(manyTexts-1)]
				value[k], slot[k] = math.Float64frombits(e.bits), e.slot
				if rnd.IntN(300) == 0 {
					value[k] = []float64{math.Pi, math.Copysign(0, -1), -value[k]}[rnd.IntN(3)]
				}
			}
			want, wantOutcome := []byte(nil), ""
			for l := simd.Portable; l <= simd.Best(); l++ {
				simd.Use(l)
				room := bytes.Repeat([]byte{'#'}, (n+2)*knownBytes)
				done, size, written := p.texts.copyTo(room, value, slot)
				outcome := fmt.Sprint(done, size, written)
				if l == simd.Portable {
					want, wantOutcome = bytes.Clone(room[:size]), outcome
				}
				if outcome != wantOutcome || !bytes.Equal(room[:size], want) {
					t.Fatalf("%v: %v of %v: %s, %q, want %s, %q", l, value, slot, outcome, room[:size], wantOutcome, want)
				}
				if end := size + knownBytes; bytes.Trim(room[end:], "#") != nil {
					t.Fatalf("%v: more than %d bytes behind are written", l, knownBytes)
				}
				if done < n {
					stopped++
				}
			}
		}
	}
	if stopped < 100 {
		t.Errorf("only %d stopped", stopped)
	}
}
