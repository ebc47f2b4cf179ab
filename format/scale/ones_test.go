package scale

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// someOnes are rows of random lists whose values are all 1.
func someOnes(rnd *rand.Rand, scale int32) *Rows {
	rows := &Rows{Starts: []int32{0}, Ones: true}
	lists := rnd.IntN(40)
	if rnd.IntN(50) == 0 {
		lists = 1500 // so many that they are counted in a table
	}
	for range lists {
		list := int32(len(rows.Index))
		n := int32(0)
		for i := rnd.Int32N(2); i < 12; i += 1 + rnd.Int32N(4) {
			rows.Index, rows.Value = append(rows.Index, i*scale), append(rows.Value, 1)
			n++
		}
		for range 1 + rnd.IntN(2) { // rows may share a list
			rows.Labels, rows.Lists = append(rows.Labels, float64(rnd.IntN(7))/3), append(rows.Lists, list)
			rows.Starts = append(rows.Starts, rows.Starts[len(rows.Starts)-1]+n)
		}
		for len(rows.Value) < int(rows.Starts[len(rows.Starts)-1]) {
			rows.Value = append(rows.Value, 1)
		}
	}
	return rows
}

// Rows of ones are measured and printed as others are, between others too, whether or not
// they are said to be ones.
func TestOnes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	fast, far, constant, beyond := 0, 0, 0, 0
	for range 3000 {
		scale := []int32{1, 300, 5000}[rnd.IntN(3)]
		one, all := new(Measure), new(Measure)
		for range 1 + rnd.IntN(4) {
			rows := someOnes(rnd, scale)
			if rnd.IntN(3) == 0 {
				rows.Ones = false
				for k := range rows.Value {
					rows.Value[k] = float64(rnd.IntN(4) - 1)
				}
			}
			all.AddRows(rows)
			for i := range rows.Labels {
				one.Add(rows.Row(i))
			}
		}
		limits := Limits{0, 1}
		want, got := fmt.Sprint(text(t, one.Ranges(limits, &limits)), one.Rows(), one.Pairs()), fmt.Sprint(text(t, all.Ranges(limits, &limits)), all.Rows(), all.Pairs())
		if got != want {
			t.Fatalf("measured\n%s\nwant\n%s", got, want)
		}

		r := &Ranges{X: &Features{Limits: []Limits{{0, 1}, {0, 1e-7 / 3}, {0, 1.7e308}, {-1, 1}}[rnd.IntN(4)]}}
		if rnd.IntN(3) == 0 {
			r.Y = &Labels{Limits{-1, 1}, Range{0, []float64{2, 0}[rnd.IntN(2)]}}
		}
		for i := range int32(12) {
			if rnd.IntN(4) > 0 {
				f := Feature{i * scale, Range{0, []float64{1, 0.25, 3, 7, 0}[rnd.IntN(5)]}}
				if f.Constant() {
					constant++
				}
				r.X.Ranges = append(r.X.Ranges, f)
			}
		}
		p := NewPrinter(NewScaler(r))
		for range 3 {
			rows := someOnes(rnd, scale)
			for from := 0; from < len(rows.Labels); {
				var want string
				wantPairs := 0
				before := p.ones.texts
				got, stop, pairs, err := p.AppendRows([]byte("before"), rows, from, len("before")+1+rnd.IntN(300))
				for i := from; i < stop; i++ {
					y, x := rows.Row(i)
					text, n, err := printed(p.s, y, x)
					if err != nil {
						t.Fatalf("row %d is written in spite of %v", i, err)
					}
					want, wantPairs = want+text, wantPairs+n
				}
				if err != nil {
					y, x := rows.Row(stop)
					if _, _, wantErr := printed(p.s, y, x); fmt.Sprint(err) != fmt.Sprint(wantErr) {
						t.Fatalf("row %d: %v, want %v", stop, err, wantErr)
					}
					beyond++
				}
				if stop == from && err == nil || string(got) != "before"+want || pairs != wantPairs {
					t.Fatalf("%+v: rows from %d to %d:\n%q with %d pairs, want\n%q with %d", r.X, from, stop, got, pairs, want, wantPairs)
				}
				if err != nil {
					break
				}
				if from = stop; before != nil && !p.ones.off {
					fast++
				} else if scale == 5000 {
					far++
				}
			}
		}
	}
	if min(fast, far, constant, beyond) < 100 {
		t.Errorf("only %d pieces by texts, %d of far features; %d constant ones, %d results out of range", fast, far, constant, beyond)
	}
	p := NewPrinter(NewScaler(&Ranges{}))
	if got, _, _, _ := p.AppendRows(nil, &Rows{Labels: []float64{2}, Lists: []int32{0}, Starts: []int32{0, 1}, Index: []int32{1}, Value: []float64{1}, Ones: true}, 0, 1); string(got) != "2 1:1 \n" {
		t.Errorf("without ranges: %q", got)
	}
}

// Texts are copied alike with all instructions, and nothing behind them is written.
func TestCopyOnes(t *testing.T) {
	defer simd.Use(simd.Best())
	rnd := rand.New(rand.NewPCG(9, 1))
	for n := range 130 {
		for round := range 8 {
			p := &Printer{ones: ones{texts: make([]oneText, 1+rnd.IntN(60))}}
			for k := range p.ones.texts {
				p.ones.texts[k] = oneText{[2]uint64{rnd.Uint64(), rnd.Uint64()}, 1 + rnd.IntN(1+oneBytes)}
				if rnd.IntN(100) < round {
					p.ones.texts[k].size = 0
				}
			}
			index := make([]int32, n)
			for k := range index {
				index[k] = rnd.Int32N(70)
			}
			index = append(index, -1)[:n]
			want := ""
			for l := simd.Portable; l <= simd.Best(); l++ {
				simd.Use(l)
				room := make([]byte, (n+1)*oneBytes+32)
				size, done, written := p.copyOnes(room[:(n+1)*oneBytes], index)
				got := fmt.Sprintf("%x %d %d", room[:size], done, written)
				if want == "" {
					want = got
				}
				if got != want || [32]byte(room[(n+1)*oneBytes:]) != [32]byte{} {
					t.Fatalf("%v, %d indices: got %s\nwant %s", l, n, got, want)
				}
			}
		}
	}
}

// What is counted in a table counts once.
func TestManyOnes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 2))
	one, all := new(Measure), new(Measure)
	for batch := range 4 {
		rows := &Rows{Starts: []int32{0}, Ones: true}
		for range 2000 {
			rows.Labels, rows.Lists = append(rows.Labels, 1), append(rows.Lists, int32(len(rows.Index)))
			for i := range int32(12) {
				if i < 2 && batch < 2 || rnd.IntN(3) > 0 {
					rows.Index, rows.Value = append(rows.Index, i*700), append(rows.Value, 1)
				}
			}
			rows.Starts = append(rows.Starts, int32(len(rows.Value)))
		}
		all.AddRows(rows)
		for i := range rows.Labels {
			one.Add(rows.Row(i))
		}
		for _, f := range all.features {
			if k := one.index.find(f.Index); one.features[k] != f {
				t.Fatalf("batch %d: %v, want %v", batch, f, one.features[k])
			}
		}
	}
}

// Whether all values are 1 is the same with all instructions, up to the last value of every length.
func TestAllOne(t *testing.T) {
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		for n := range 130 {
			values := make([]float64, n+1)
			for k := range values {
				values[k] = 1
			}
			values[n] = 2 // beyond
			if !AllOne(values[:n]) {
				t.Fatalf("%v: %d values are not all 1", l, n)
			}
			for k := range n {
				for _, v := range []float64{0, -1, math.Nextafter(1, 2), math.NaN()} {
					values[k] = v
					if AllOne(values[:n]) {
						t.Fatalf("%v: value %d of %d is %g", l, k, n, v)
					}
				}
				values[k] = 1
			}
		}
	}
}
