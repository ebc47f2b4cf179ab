package scale

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestLongRows: rows that are staged by parts become what others do, among rows that are not,
// whatever they list.
func TestLongRows(t *testing.T) {
	defer simd.Use(simd.Best())
	rng := rand.New(rand.NewPCG(5, 3))
	const most = longRow + 30_000
	var features []Feature
	for i := range int32(most) {
		switch r := rng.IntN(50); {
		case r == 0: // no range
		case r == 1:
			features = append(features, Feature{3 * i, Range{2, 2}})
		default:
			features = append(features, Feature{3 * i, Range{-float64(r), float64(rng.IntN(9)) + 1}})
		}
	}
	s := NewScaler(&Ranges{X: &Features{Limits{-1, 1}, features}})
	row := func(n int) (x vec.Vector) {
		for _, i := range rng.Perm(most)[:n] {
			x.Index = append(x.Index, int32(3*i+rng.IntN(30)/29))
		}
		slices.Sort(x.Index)
		for range x.Index {
			x.Value = append(x.Value, float64(rng.IntN(40)-20)/4)
		}
		return x
	}
	sparse, long := row(5), row(most-10_000)
	list := []vec.Vector{sparse, long, long, {}, row(longRow), sparse}
	var want []byte
	for _, x := range list {
		var scaled vec.Vector
		if err := s.RowTo(&scaled, x); err != nil {
			t.Fatal(err)
		}
		want = append(want, "1 "...)
		for k, i := range scaled.Index {
			want = append(textscan.AppendInt(want, int64(i)), ':')
			want = append(textscan.AppendG(want, scaled.Value[k], 6), ' ')
		}
		want = append(want, '\n')
	}
	for _, l := range []simd.Level{simd.Portable, simd.Best()} {
		simd.Use(l)
		rows := &Rows{Starts: []int32{0}}
		for i, x := range list {
			rows.Labels = append(rows.Labels, 1)
			if i == 2 { // shares its list
				rows.Lists = append(rows.Lists, rows.Lists[1])
			} else {
				rows.Lists = append(rows.Lists, int32(len(rows.Index)))
				rows.Index = append(rows.Index, x.Index...)
			}
			rows.Value = append(rows.Value, x.Value...)
			rows.Starts = append(rows.Starts, int32(len(rows.Value)))
		}
		p := NewPrinter(s)
		got, _, _, err := p.AppendAll(nil, rows)
		if err != nil || string(got) != string(want) {
			t.Errorf("%v: %v, %d bytes, want %d", l, err, len(got), len(want))
		}
		got = got[:0]
		q := p.Clone()
		for _, x := range list {
			if got, _, err = q.AppendRow(got, 1, x); err != nil {
				t.Fatal(err)
			}
		}
		if string(got) != string(want) {
			t.Errorf("%v, row by row: %d bytes, want %d", l, len(got), len(want))
		}
	}
}
