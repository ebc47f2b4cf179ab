package scale

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// scaled writes what s makes of rows in the notation of rowsOf, an error in
// place of the row.
func scaled(s *Scaler, rows []row) string {
	var out []string
	var x vec.Vector
	for _, r := range rows {
		y, err := s.Label(r.y)
		if err == nil {
			err = s.RowTo(&x, r.x)
		}
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		line := strconv.FormatFloat(y, 'g', -1, 64)
		for k, index := range x.Index {
			line += " " + strconv.Itoa(int(index)) + ":" + strconv.FormatFloat(x.Value[k], 'g', -1, 64)
		}
		out = append(out, line)
	}
	return strings.Join(out, " | ")
}

// TestScalerEnds: the ends of a range become the limits, also where the formula, which is rounded, gives
// their neighbours.
func TestScalerEnds(t *testing.T) {
	missed := 0
	for lower := -1.0; lower < 1; lower += 0.1 {
		for upper := lower + 0.1; upper < 1.05; upper += 0.1 {
			l, r := Limits{lower, upper}, Range{-0.3, 0.6}
			if u := l.newRule(r); l.formula(r.Min, &u) != lower || l.formula(r.Max, &u) != upper {
				missed++
			}
			s := NewScaler(&Ranges{X: &Features{Limits: l, Ranges: []Feature{{1, r}, {2, r}}}})
			var x vec.Vector
			if err := s.RowTo(&x, vec.Vector{Index: []int32{1, 2}, Value: []float64{r.Min, r.Max}}); err != nil {
				t.Fatal(err)
			}
			if x.At(1) != lower || x.At(2) != upper {
				t.Errorf("the ends become %v and %v, want %v and %v", x.At(1), x.At(2), lower, upper)
			}
		}
	}
	if missed == 0 {
		t.Fatal("the test is void: the formula gives all limits")
	}
}

func TestScaler(t *testing.T) {
	tests := []struct{ ranges, rows, want string }{
		{"x/-1 1/1 0 4", "1 1:0 | 2 1:4 | 3 1:1 | 4 1:2 | 5 1:8", "1 1:-1 | 2 1:1 | 3 1:-0.5 | 4 | 5 1:3"}, // 0 is left out
		{"x/-1 1/1 0 4/3 2 3/5 -1 1", "1 | 1 2:7 3:3 | 1 5:1", "1 1:-1 3:-5 | 1 1:-1 3:1 | 1 1:-1 3:-5 5:1"},
		{"x/0 1/1 0 4/3 0 3", "1 | 1 1:2 | 1 3:1.5 9:1", "1 | 1 1:0.5 | 1 3:0.5"},
		{"x/-1 1/2 5 5", "1 | 1 2:5 | 1 2:6", "1 | 1 | 1"}, // constant
		{"x/-1 1", "1 1:1", "1"}, // not in the file
		{"x/-1 1/0 1 3/1 0 1", "1 | 1 0:1 | 1 0:2 | 1 0:0", "1 1:-1 | 1 0:-1 1:-1 | 1 1:-1 | 1 0:-2 1:-1"}, // 0 is not filled in
		{"y/0 1/-1 3", "-1 | 3 | 1 | 7 1:1 2:0 3:-5e-324", "0 | 1 | 0.5 | 2 1:1 3:-5e-324"},                // nothing is said on features
		{"y/0 1/3 3", "3 | 4", "0 | cannot scale the label 4: the range of the labels holds 3 only"},
		{"y/0 1/0 1e-308", "1e-308 | 1e308", "1 | cannot scale the label 1e+308 from 0..1e-308 to 0..1: the result is out of range"},
		{"x/-1 1/1 -1e308 1e308", "1 1:-1e308 | 1 1:1e308 | 1 1:0 | 1 1:5e307 | 1 1:-9.5e307 | 1", "1 1:-1 | 1 1:1 | 1 | 1 1:0.5 | 1 1:-0.95 | 1"},
		{"x/-1e308 1e308/1 0 4", "1 1:1 | 1 1:2 | 1 1:3", "1 1:-5e+307 | 1 | 1 1:5e+307"},
		{"x/0 1/1 0 1e-308", "1 1:1e308",
			"cannot scale the value 1e+308 of feature 1 from 0..1e-308 to 0..1: the result is out of range"},
		{"x/0 1/1 1e308 1.1e308/4 1e308 1.00000000000000002e308", "1 1:1e308 | 2 1:1.1e308", "1 | 2 1:1"}, // 4 is constant
		{"x/0 1e300/4 1e300 1.0000000000000002e300", "1 4:1e300 | 2 | 3 4:1.0000000000000002e300",
			"1 | cannot scale the value 0 of feature 4 from 1e+300..1.0000000000000002e+300 to 0..1e+300: the result is out of range | 3 4:1e+300"},
	}
	for _, tt := range tests {
		if got := scaled(NewScaler(fileOf(t, tt.ranges)), rowsOf(t, tt.rows)); got != tt.want {
			t.Errorf("%s of %s:\n got %s\nwant %s", tt.ranges, tt.rows, got, tt.want)
		}
	}
}

// TestScaleInPlace: a row may be scaled where it is, also where that makes it longer.
func TestScaleInPlace(t *testing.T) {
	for _, c := range []struct{ ranges, row string }{
		{"x/-1 1/1 0 4/2 0 16/3 0 2", "1 2:4"},
		{"x/-1 1/1 0 4/2 0 16/3 0 2", "1 1:1 3:2"},
		{"x/-1 1/1 0 4/2 0 16/3 5 5", "1"},
		{"x/0 1/1 0 4/2 0 16/3 0 2", "1 1:4 2:0 3:1 9:7"},
		{"y/0 1/0 2", "1 1:4 2:0 3:1"},
	} {
		s := NewScaler(fileOf(t, c.ranges))
		x := rowsOf(t, c.row)[0].x
		var want vec.Vector
		if err := s.RowTo(&want, x); err != nil {
			t.Fatal(err)
		}
		got := vec.Vector{Index: append(make([]int32, 0, 9), x.Index...), Value: append(make([]float64, 0, 9), x.Value...)}
		if err := s.RowTo(&got, got); err != nil || !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Value, want.Value) {
			t.Errorf("%s, %s: %v, %v, want %v", c.ranges, c.row, got, err, want)
		}
	}
}

// Where float64 overflows half way the result is still the formula's: it is
// compared with a calculation of 2000 bits.
func TestScaleOverflow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	wide := func() float64 {
		return (rng.Float64()*2 - 1) * math.MaxFloat64
	}
	overflowed := 0
	for range 20000 {
		r, l := Range{wide(), wide()}, Limits{wide(), wide()}
		if rng.IntN(2) == 0 {
			l = Limits{rng.Float64() - 1, rng.Float64() * 10}
		}
		if r.Min > r.Max {
			r.Min, r.Max = r.Max, r.Min
		}
		if l.Lower > l.Upper {
			l.Lower, l.Upper = l.Upper, l.Lower
		}
		v := r.Min/2 + r.Max/2 + (r.Max/2-r.Min/2)*(rng.Float64()*2-1)
		if math.IsInf((l.Upper-l.Lower)*(v-r.Min), 0) || math.IsInf(r.Max-r.Min, 0) {
			overflowed++
		}
		got := l.scale(v, r)
		f := func(x float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(x) }
		sub := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(2000).Sub(a, b) }
		y := sub(f(v), f(r.Min))
		y.Mul(y, sub(f(l.Upper), f(l.Lower)))
		y.Quo(y, sub(f(r.Max), f(r.Min)))
		y.Add(y, f(l.Lower))
		want, _ := y.Float64()
		if d := math.Abs(got/4 - want/4); !(d <= 1e-12*(math.Abs(l.Lower/4)+math.Abs(l.Upper/4))) {
			t.Fatalf("%g of %g..%g to %g..%g: %g, want %g", v, r.Min, r.Max, l.Lower, l.Upper, got, want)
		}
	}
	if overflowed < 1000 {
		t.Errorf("only %d cases overflow", overflowed)
	}
}

// Scaled by its own ranges every value lies within the limits, and some value of
// every feature at either of them.
func TestScaleOwnRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	l := Limits{-0.5, 2}
	for range 500 {
		rows := randomRows(rng, 1+rng.IntN(8), int32(rng.IntN(6)))
		m := measured(rows)
		r := m.Ranges(l, &l)
		s := NewScaler(r)
		if !s.Covers(m) {
			t.Fatalf("%v: not covered", rows)
		}
		found := map[int32]*Range{}
		var x vec.Vector
		for _, in := range rows {
			if err := s.RowTo(&x, in.x); err != nil {
				t.Fatal(err)
			}
			for k, index := range x.Index {
				if k > 0 && index <= x.Index[k-1] {
					t.Fatalf("indices %v", x.Index)
				}
				if found[index] == nil {
					found[index] = &Range{x.Value[k], x.Value[k]}
				}
				found[index].include(x.Value[k])
			}
		}
		if len(found) != len(r.X.Ranges) {
			t.Fatalf("%v: %d features come out, %d have ranges", rows, len(found), len(r.X.Ranges))
		}
		for index, f := range found {
			if *f != (Range{l.Lower, l.Upper}) {
				t.Fatalf("%v: feature %d comes out in %v", rows, index, *f)
			}
		}
	}
}

func TestCovers(t *testing.T) {
	tests := []struct {
		ranges, rows string
		want         bool
	}{
		{"x/-1 1/1 0 4", "1 1:1e300", true},
		{"x/-1 1/1 0 1e-300", "1 1:1e300 | 1", false},
		{"x/-1 1/1 0 1e-300", "1 1:-1e300 | 1", false},
		{"x/-1 1/1 0 1e-300", "1 2:1e300", true},
		{"x/-1 1/1 3 3", "1 1:1e300", true},
		{"x/-1 1e300/1 1e300 1.0000000000000002e300", "1", false},
		{"y/0 1/3 3", "3 | 3", true},
		{"y/0 1/3 3", "3 | 4", false},
		{"y/0 1/3 3", "", true},
	}
	for _, tt := range tests {
		if got := NewScaler(fileOf(t, tt.ranges)).Covers(measured(rowsOf(t, tt.rows))); got != tt.want {
			t.Errorf("%s, rows %s: %v", tt.ranges, tt.rows, got)
		}
	}
}

func TestRestore(t *testing.T) {
	tests := []struct{ file, own, want, unseen string }{
		{"x/0 1/2 0 5/4 1 2", "x/-1 1/2 0 9/4 0 9", "x/0 1/2 0 5/4 1 2", ""},
		{"x/0 1/2 0 5/4 1 2", "x/-1 1/1 0 9/3 0 1/4 0 1/7 0 1", "x/0 1/2 0 5/4 1 2", "1 3 7"},
		{"x/0 1/2 0 5", "x/-1 1/0 0 9", "x/0 1/0 0 9/2 0 5", ""},
		{"x/0 1/0 1 2/2 0 5", "x/-1 1/0 0 9", "x/0 1/0 1 2/2 0 5", ""},
		{"x/0 1", "x/-1 1/0 0 9/1 0 1", "x/0 1/0 0 9", "1"},
		{"y/0 1/2 3", "x/-1 1/0 0 9/1 0 1", "y/0 1/2 3/x/-1 1/0 0 9/1 0 1", ""},
		{"y/0 1/2 3/x/0 1/1 0 5", "y/-1 1/5 7/x/-1 1", "y/0 1/2 3/x/0 1/1 0 5", ""},
		{"x/0 1/1 0 5", "y/-1 1/5 7/x/-1 1", "y/-1 1/5 7/x/0 1/1 0 5", ""},
		{"x/0 1/1 0 5", "y/-1 1/5 7", "y/-1 1/5 7/x/0 1/1 0 5", ""},
	}
	for _, tt := range tests {
		file := fileOf(t, tt.file)
		r, unseen := Restore(file, fileOf(t, tt.own))
		var words []string
		for _, u := range unseen {
			words = append(words, strconv.Itoa(int(u)))
		}
		if got := strings.Join(words, " "); text(t, r) != tt.want || got != tt.unseen {
			t.Errorf("%s over %s:\n got %s, unseen %s\nwant %s, unseen %s", tt.file, tt.own, text(t, r), got, tt.want, tt.unseen)
		}
		if text(t, file) != tt.file {
			t.Errorf("%s was changed to %s", tt.file, text(t, file))
		}
	}
}
