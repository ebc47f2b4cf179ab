package scale

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Rows of one list and of two, with values that become 0, unlisted features, and at times one that
// is out of range, are written as each by itself, up to the one at fault.
func TestAppendRuns(t *testing.T) {
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		rnd := rand.New(rand.NewPCG(7, 1))
		failed, runs, single := 0, 0, 0
		for round := range 600 {
			r := &Ranges{X: &Features{Limits: Limits{-1, 1}}}
			columns := int32(1 + rnd.IntN(shortRow+2))
			for i := range columns {
				if i == 0 || rnd.IntN(8) > 0 {
					r.X.Ranges = append(r.X.Ranges, Feature{i + 1, Range{-2, []float64{2, 3, -1.75}[rnd.IntN(3)]}})
				}
			}
			if round%3 == 0 {
				r.X.Limits = Limits{0, 1}
			}
			lists := [2][]int32{}
			for k := range lists {
				for i := range columns {
					if rnd.IntN(10) > 0 {
						lists[k] = append(lists[k], i+1)
					}
				}
			}
			rows := Rows{Starts: []int32{0}, Index: append(append([]int32{}, lists[0]...), lists[1]...)}
			other, huge, zeros := rnd.IntN(4), rnd.IntN(4), rnd.IntN(3)
			for range rnd.IntN(300) {
				k := 0
				if other > 0 && rnd.IntN(4*other) == 0 {
					k = 1
				}
				rows.Labels = append(rows.Labels, []float64{1, -1, 480.48, 1.0 / 3}[rnd.IntN(4)])
				rows.Lists = append(rows.Lists, int32(k*len(lists[0])))
				for range lists[k] {
					v := float64(rnd.IntN(9)-4) / 2
					if zeros > 0 && rnd.IntN(2*zeros) == 0 {
						v = r.X.Ranges[0].Min
					}
					if huge == 0 && rnd.IntN(2000) == 0 {
						v = math.MaxFloat64
					}
					rows.Value = append(rows.Value, v)
				}
				rows.Starts = append(rows.Starts, int32(len(rows.Value)))
			}
			s := NewScaler(r)
			want, wantPairs, wantStop := "", 0, len(rows.Labels)
			var wantErr error
			for i := range rows.Labels {
				text, n, err := printed(s, rows.Labels[i], vec.Vector{Index: rows.Index[rows.Lists[i] : rows.Lists[i]+rows.Starts[i+1]-rows.Starts[i]], Value: rows.Value[rows.Starts[i]:rows.Starts[i+1]]})
				if err != nil {
					wantStop, wantErr = i, err
					break
				}
				want += text
				wantPairs += n
			}
			p := NewPrinter(s)
			p.texts.credit = -1 // else texts of values are copied
			if round%4 > 0 {
				p.marks = nil // else rows are put together by these
			}
			got, stop, pairs, err := p.AppendRows(nil, &rows, 0, math.MaxInt)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || stop != wantStop || string(got) != want || pairs != wantPairs {
				t.Fatalf("%v, round %d: row %d, %d pairs, %v, want %d, %d, %v:\n%s\nwant\n%s", l, round, stop, pairs, err, wantStop, wantPairs, wantErr, got, want)
			}
			switch {
			case err != nil:
				failed++
			case p.stage != nil && p.stage.skips:
				single++
			case p.stage != nil && p.stage.rows > 1:
				runs++
			}
		}
		if failed < 30 || runs < 20 || single < 5 {
			t.Errorf("%v: %d failed, %d runs, %d singly", l, failed, runs, single)
		}
	}
}

// Of rows of which most list the same, those that do share a list, wherever the others are.
func TestShareRuns(t *testing.T) {
	if !hasRows() {
		t.Skip("rows share no lists without the instructions for it")
	}
	rnd := rand.New(rand.NewPCG(7, 2))
	for round := range 300 {
		n := 1 + rnd.IntN(shortRow)
		var index, starts []int32
		starts = append(starts, 0)
		var odd []bool
		for range rnd.IntN(400) {
			odd = append(odd, rnd.IntN(1+40*(round%5)) == 0)
			for k := range n {
				index = append(index, int32(2*k+1))
			}
			if odd[len(odd)-1] {
				index[len(index)-1-rnd.IntN(n)]++
			}
			starts = append(starts, int32(len(index)))
		}
		want := append([]int32{}, index...)
		lists := make([]int32, len(odd))
		var s Interner
		done, end := s.Intern(index, 0, 0, starts, lists)
		if done != len(lists) {
			t.Fatalf("round %d: %d of %d rows", round, done, len(lists))
		}
		for i, list := range lists {
			if !vec.EqualIndices(index[list:int(list)+n], want[i*n:(i+1)*n]) {
				t.Fatalf("round %d, row %d: %v, want %v", round, i, index[list:int(list)+n], want[i*n:(i+1)*n])
			}
			if odd[i] {
				continue
			}
			if round%5 == 4 && i > 0 && !odd[i-1] && list != lists[i-1] {
				t.Fatalf("round %d: row %d has not the list of the one before", round, i)
			}
		}
		if round%5 == 4 && len(odd) > 200 && end > len(index)/4 {
			t.Errorf("round %d: %d of %d indices are left", round, end, len(index))
		}
	}
}
