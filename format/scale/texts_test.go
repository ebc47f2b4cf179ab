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
		{"not so few", func(int) int { return 20 }, true, 300},
		{"few first, then many", func(row int) int { return 4 + row/1000*math.MaxInt16 }, false, 400},
		{"more and more", func(row int) int { return 4 + row/1000*200 }, false, 400},
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
				for k := range columns {
					v := float64(rnd.IntN(c.different(i))) / 16 * float64(1+k) // of ranges of their own
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
				size := len(got) + 10000
				if from > len(rows.Labels)/2 {
					size = math.MaxInt
				}
				text, stop, n, err := p.AppendRows(got, rows, from, size)
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

// manyMarks returns a printer of features with and without marks and zeros, behind each other or not.
func manyMarks(rnd *rand.Rand) *Printer {
	r := &Ranges{X: &Features{Limits: Limits{-1, 1}}}
	for index := rnd.Int32N(2); index < 3000; index += 1 + rnd.Int32N(8)/7*rnd.Int32N(100) {
		highest := float64(rnd.IntN(20)) // some are constant, and some have no zero
		r.X.Ranges = append(r.X.Ranges, Feature{index, Range{-float64(rnd.IntN(3)) / 2 * highest, highest}})
	}
	return NewPrinter(NewScaler(r))
}

// Texts are copied alike with all instructions, up to one that there is not, with as many bytes
// behind as there may be.
func TestCopyTexts(t *testing.T) {
	defer simd.Use(simd.Best())
	rnd := rand.New(rand.NewPCG(6, 2))
	p := manyMarks(rnd)
	p.texts.credit = math.MaxInt
	features := p.s.ranges.X.Ranges
	value := func(f Feature) float64 {
		return float64(rnd.IntN(9)-2) / 4 * f.Max
	}
	for range 20000 {
		f := features[rnd.IntN(len(features))]
		if v := value(f); p.texts.marks[f.Index].spread != 0 && p.texts.find(math.Float64bits(v), p.texts.marks[f.Index].spread) == nil && !p.makeText(v, f.Index) {
			t.Fatalf("no text of %g", v)
		}
	}
	stopped, far := 0, 0
	for n := range 130 {
		for range 30 {
			var index []int32
			var values []float64
			first := rnd.IntN(len(features) - n)
			step := 1 + rnd.IntN((len(features)-first)/(n+1))
			for k := range n {
				f := features[first+k*step]
				v := value(f)
				switch rnd.IntN(300) {
				case 0:
					v = []float64{math.Pi, math.Copysign(0, -1), -v, math.NaN()}[rnd.IntN(4)]
				case 1:
					f.Index += []int32{1, -1, 10000, math.MaxInt32 - 3000}[rnd.IntN(4)] // unknown, twice, far
				}
				index, values = append(index, f.Index), append(values, v)
			}
			zero := 0
			if rnd.IntN(2) == 0 {
				zero = p.starts[rnd.IntN(len(p.starts))]
			}
			want, wantOutcome := []byte(nil), ""
			for l := simd.Portable; l <= simd.Best(); l++ {
				simd.Use(l)
				room := bytes.Repeat([]byte{'#'}, len(p.zeros)-zero+n*(markBytes+textBytes)+textSlack+100)
				done, size, more, next := p.texts.copyTo(room, p.zeros, zero, index, values)
				outcome := fmt.Sprint(done, size, more, next)
				if l == simd.Portable {
					want, wantOutcome = bytes.Clone(room[:size]), outcome
				}
				if outcome != wantOutcome || !bytes.Equal(room[:size], want) {
					t.Fatalf("%v: %v of %v: %s, %q, want %s, %q", l, values, index, outcome, room[:size], wantOutcome, want)
				}
				if bytes.Trim(room[size+textSlack:], "#") != nil {
					t.Fatalf("%v: more than %d bytes behind are written", l, textSlack)
				}
				if done < n {
					stopped++
				}
				if size > 1500 {
					far++
				}
			}
		}
	}
	if stopped < 100 || far < 100 {
		t.Errorf("only %d stopped, %d long", stopped, far)
	}
}

// There are only so many texts, of which each is found.
func TestManyTexts(t *testing.T) {
	p := NewPrinter(NewScaler(&Ranges{X: &Features{Limits{0, 1}, []Feature{{1, Range{0, 1}}, {2, Range{0, 2}}}}}))
	p.texts.credit = math.MaxInt
	for n := 1; n < manyTexts; n++ {
		if v, i := float64(n/2)/1024, int32(1+n%2); !p.makeText(v, i) {
			t.Fatalf("no text of %g, number %d", v, n)
		}
	}
	if p.makeText(math.Pi, 1) {
		t.Error("there are too many texts")
	}
	for n := 1; n < manyTexts; n++ {
		bits := math.Float64bits(float64(n/2) / 1024)
		if e := p.texts.find(bits, p.texts.marks[1+n%2].spread); e != &p.texts.list[n] {
			t.Fatalf("text %d is found as %v", n, e)
		}
	}
	if p.texts.find(math.Float64bits(math.Pi), p.texts.marks[1].spread) != nil {
		t.Error("a text that there is not is found")
	}
}
