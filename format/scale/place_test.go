package scale

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// oddValues are such as have no quick text, or become 0, or are of no use.
var oddValues = []float64{0, math.Copysign(0, -1), 1e-9, -1e-300, 1e7, 1e300, -math.MaxFloat64, math.Pi, 1.0 / 3}

// someSize returns how much text rows are to become.
func someSize(rnd *rand.Rand) int {
	if rnd.IntN(4) == 0 {
		return math.MaxInt
	}
	return 1 + rnd.IntN(100000)
}

// Rows that list different features, of any length, are written as by Label and RowTo, and the first
// that is out of range is reported.
func TestPlaced(t *testing.T) {
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		rnd := rand.New(rand.NewPCG(7, 1))
		failed, long := 0, 0
		for range 150 {
			p := manyMarks(rnd)
			p.texts.credit = -1 // none are copied
			features := p.s.ranges.X.Ranges
			if rnd.IntN(3) == 0 { // a rule that is not plain
				f := &features[rnd.IntN(len(features))].Range
				f.Min, f.Max = -math.MaxFloat64, math.MaxFloat64
				p = NewPrinter(NewScaler(&p.s.ranges))
				p.texts.credit = -1
			}
			rows := &Rows{Starts: []int32{0}}
			for range 1 + rnd.IntN(30) {
				rows.Labels, rows.Lists = append(rows.Labels, float64(rnd.IntN(3))), append(rows.Lists, int32(len(rows.Index)))
				each := 1 + rnd.IntN(30)
				for _, f := range features {
					if rnd.IntN(each) > 0 {
						continue
					}
					v := rnd.Float64() * f.Max
					if rnd.IntN(20) == 0 {
						v = oddValues[rnd.IntN(len(oddValues))]
					}
					rows.Index, rows.Value = append(rows.Index, f.Index), append(rows.Value, v)
				}
				if rnd.IntN(10) == 0 {
					rows.Index, rows.Value = append(rows.Index, 5000, 50000), append(rows.Value, 1, 2)
				}
				rows.Starts = append(rows.Starts, int32(len(rows.Value)))
			}
			failed += appendsAlone(t, rnd, p, rows)
			for i := range rows.Labels {
				if _, x := rows.Row(i); len(x.Index) > textscan.SixDigitsLen {
					long++
				}
			}
		}
		if failed < 10 || long < 100 {
			t.Errorf("%v: only %d failed, %d long", l, failed, long)
		}
	}
}

// Numbers become ready and are placed alike with all instructions, with as many bytes behind as there
// may be.
func TestPlace(t *testing.T) {
	defer simd.Use(simd.Best())
	rnd := rand.New(rand.NewPCG(7, 2))
	p := manyMarks(rnd)
	features := p.s.ranges.X.Ranges
	stopped := 0
	for n := range textscan.SixDigitsLen + 1 {
		for range 30 {
			index, value := make([]int32, n), make([]float64, n)
			first := rnd.IntN(len(features) - n)
			for k := range n {
				f := features[first+k]
				index[k], value[k] = f.Index, rnd.Float64()*f.Max
				switch rnd.IntN(100) {
				case 0:
					value[k] = oddValues[rnd.IntN(len(oddValues))]
				case 1:
					index[k] += []int32{1, -1, 10000, math.MaxInt32 - 3000}[rnd.IntN(4)] // unknown, twice, far
				}
			}
			at, zero := rnd.IntN(n+1), p.starts[rnd.IntN(len(p.starts))]
			var wantNumbers []float64
			want, wantOutcome := []byte(nil), ""
			for l := simd.Portable; l <= simd.Best(); l++ {
				simd.Use(l)
				b := &p.piece
				for k := range b.values {
					b.values[k] = 77
				}
				p.formulaOfMarks(b.values[:n], index, value)
				numbers := slices.Clone(b.values[:])
				b.sixes.Set((*[textscan.SixDigitsLen]float64)(b.values[:]), n)
				room := bytes.Repeat([]byte{'#'}, len(p.zeros)+n*numberRoom+placeSlack+100)
				done, size, more, next := p.place(room, zero, index[at:], at)
				outcome := fmt.Sprint(done, size, more, next)
				if l == simd.Portable {
					wantNumbers, want, wantOutcome = numbers, bytes.Clone(room[:size]), outcome
				}
				if !slices.EqualFunc(numbers, wantNumbers, sameBits) || outcome != wantOutcome || !bytes.Equal(room[:size], want) {
					t.Fatalf("%v: %v of %v: %s, %q, want %s, %q", l, value, index, outcome, room[:size], wantOutcome, want)
				}
				if bytes.Trim(room[size+placeSlack:], "#") != nil {
					t.Fatalf("%v: more than %d bytes behind are written", l, placeSlack)
				}
				if done < n-at {
					stopped++
				}
			}
		}
	}
	if stopped < 100 {
		t.Errorf("only %d stopped", stopped)
	}
}
