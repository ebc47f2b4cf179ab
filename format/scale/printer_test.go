package scale

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// printed is what AppendRow must give: Label and RowTo, and the text number by
// number.
func printed(s *Scaler, y float64, x vec.Vector) (text string, pairs int, err error) {
	if y, err = s.Label(y); err != nil {
		return "", 0, err
	}
	var row vec.Vector
	if err := s.RowTo(&row, x); err != nil {
		return "", 0, err
	}
	text = strconv.FormatFloat(y, 'g', 17, 64) + " "
	for k, i := range row.Index {
		text += fmt.Sprintf("%d:%s ", i, strconv.FormatFloat(row.Value[k], 'g', 6, 64))
	}
	return text + "\n", len(row.Index), nil
}

// Random ranges, with constant features, index 0, gaps, long indices, limits of all
// kinds and results out of range; rows with known and unknown features.
func TestPrinter(t *testing.T) {
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		t.Run(l.String(), func(t *testing.T) {
			simd.Use(l)
			testPrinter(t)
		})
	}
}

func testPrinter(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	value := func() float64 {
		switch rnd.IntN(8) {
		case 0:
			return 0
		case 1:
			return math.Ldexp(rnd.Float64()-0.5, rnd.IntN(2000)-1000)
		case 2:
			return (rnd.Float64() - 0.5) * math.MaxFloat64 * 2
		}
		return float64(rnd.IntN(21)-10) / 4
	}
	failed, zeros, copied := 0, 0, 0
	for range 3000 {
		r := &Ranges{X: &Features{Limits: Limits{-1, 1}}}
		for {
			switch rnd.IntN(4) {
			case 0:
				r.X.Limits = Limits{0, 1}
			case 1:
				r.X.Limits = Limits{value(), value()}
			}
			if r.X.Limits.Validate() == nil {
				break
			}
		}
		if rnd.IntN(2) == 0 {
			r.Y = &Labels{Limits{0, 3}, Range{-1, 5}}
		}
		scale := []int32{2, 20, 100_000, 30_000_000}[rnd.IntN(4)]
		index := rnd.Int32N(3)
		for range rnd.IntN(12) {
			a, b := value(), value()
			if rnd.IntN(4) == 0 {
				b = a
			}
			r.X.Ranges = append(r.X.Ranges, Feature{index, Range{min(a, b), max(a, b)}})
			index += 1 + rnd.Int32N(scale)
		}
		s := NewScaler(r)
		if rnd.IntN(16) == 0 {
			s = NewScaler(&Ranges{Y: r.Y}) // features stay as they are
		}
		p := NewPrinter(s)
		if p.texts.credit >= 0 { // texts of values are copied, some, all or none
			p.texts.credit = textCost*rnd.IntN(40) - 1
		}
		all, from := Rows{Starts: []int32{0}}, 0
		repeated := []int{3, 20}[rnd.IntN(2)] // neighbours mostly list the same features, or not
		var wanted []byte
		wantedPairs := 0
		for range 5 {
			var x vec.Vector
			for _, f := range r.X.Ranges {
				if rnd.IntN(2) == 0 {
					continue
				}
				v := []float64{value(), f.Min, f.Max, 0}[rnd.IntN(4)]
				index := f.Index
				if rnd.IntN(4) == 0 && (len(x.Index) == 0 || x.Index[len(x.Index)-1] < index-1) && index > 0 {
					index--
				}
				x.Index, x.Value = append(x.Index, index), append(x.Value, v)
			}
			y := value()
			want, wantPairs, wantErr := printed(s, y, x)
			got, pairs, err := p.AppendRow([]byte("before"), y, x)
			again, pairsAgain, errAgain := p.AppendRow([]byte("before"), y, x)
			if string(again) != string(got) && err == nil || pairsAgain != pairs || fmt.Sprint(errAgain) != fmt.Sprint(err) {
				t.Fatalf("%+v: row %v:\n%q with %d pairs, %v, and then\n%q with %d, %v", r.X, x, got, pairs, err, again, pairsAgain, errAgain)
			}
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%+v: row %v: error %v, want %v", r.X, x, err, wantErr)
			}
			if err != nil {
				failed++
				continue
			}
			if string(got) != "before"+want || pairs != wantPairs {
				t.Fatalf("%+v: row %v:\n%q with %d pairs, want\n%q with %d", r.X, x, got, pairs, want, wantPairs)
			}
			zeros += pairs - len(x.Index)
			for range rnd.IntN(repeated) {
				all.Labels, all.Lists = append(all.Labels, y), append(all.Lists, int32(len(all.Index)))
				all.Value = append(all.Value, x.Value...)
				all.Starts = append(all.Starts, int32(len(all.Value)))
				wanted = append(wanted, want...)
				wantedPairs += wantPairs
			}
			all.Index = append(all.Index, x.Index...)
		}
		var got []byte
		for pairs := 0; from < len(all.Labels) || wantedPairs != pairs; {
			size := len(got) + 1 + rnd.IntN(300)
			text, stop, n, err := p.AppendRows(got, &all, from, size)
			if err != nil || stop == from || stop < len(all.Labels) && len(text) < size {
				t.Fatalf("%+v: rows from %d: stop %d, %d bytes of %d, %v", r.X, from, stop, len(text), size, err)
			}
			got, from, pairs = text, stop, pairs+n
		}
		copied += len(p.texts.list)
		if string(got) != string(wanted) {
			t.Fatalf("%+v: rows %+v:\n%q, want\n%q", r.X, all, got, wanted)
		}
	}
	if failed < 100 || zeros < 100 || copied < 1000 {
		t.Errorf("only %d rows out of range, %d zeros written, %d texts", failed, zeros, copied)
	}
	if got, n, err := NewPrinter(NewScaler(&Ranges{})).AppendRow(nil, 2, vec.Vector{Index: []int32{1}, Value: []float64{1}}); string(got) != "2 1:1 \n" || n != 1 || err != nil {
		t.Errorf("without ranges: %q, %d, %v", got, n, err)
	}
}
