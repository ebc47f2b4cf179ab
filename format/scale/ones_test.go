package scale

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// someOnes are rows of random lists whose values are all 1.
func someOnes(rnd *rand.Rand, scale int32) *Rows {
	rows := &Rows{Starts: []int32{0}, Ones: true}
	for range rnd.IntN(40) {
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
					break
				}
				if stop == from || string(got) != "before"+want || pairs != wantPairs {
					t.Fatalf("%+v: rows from %d to %d:\n%q with %d pairs, want\n%q with %d", r.X, from, stop, got, pairs, want, wantPairs)
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
	if got, _, _, _ := p.AppendRows(nil, &Rows{Labels: []float64{2}, Lists: []int32{0}, Starts: []int32{0, 1}, Index: []int32{1}, Value: []float64{1}, Ones: true}, 0, 1); string(got) != "2 \n" {
		t.Errorf("without features: %q", got)
	}
}
