package vec_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

var faults = []struct {
	x    vec.Vector
	err  string
	most int // largest index
}{
	{vec.Vector{}, "", -1},
	{v(0, 1, 3, -2, 4, 0), "", 4},
	{v(math.MaxInt32, 1), "", math.MaxInt32},
	{v(2, 1e200, 3, 1e200), "", 3}, // the squares overflow
	{v(5, 1, 2, 1), "index 2 follows index 5: indices must increase", 5},
	{v(math.MaxInt32, 1, 0, 1), "index 0 follows index 2147483647: indices must increase", math.MaxInt32},
	{v(1, 1, 4, 1, 4, 1), "index 4 follows index 4: indices must increase", 4},
	{v(-1, 1, 2, 1), "index -1 is negative", 2},
	{v(1, 1, math.MinInt32, 1), "index -2147483648 is negative", 1},
	{v(math.MaxInt32, 1, -2, 1), "index -2 is negative", math.MaxInt32},
	{v(-5, 1, math.MaxInt32, 1), "index -5 is negative", math.MaxInt32},
	{v(1, 2, 7, math.NaN(), 8, 1), "feature 7 is NaN, expected a finite number", 8},
	{v(1, 2, 7, math.Inf(-1)), "feature 7 is -Inf, expected a finite number", 7},
}

func TestVectorCheck(t *testing.T) {
	for _, c := range faults {
		if got := text(c.x.Check()); got != c.err {
			t.Errorf("%v: %q, want %q", c.x, got, c.err)
		}
		want := c.err
		if strings.HasPrefix(want, "feature") {
			want = ""
		}
		if got := text(c.x.CheckIndices()); got != want {
			t.Errorf("indices of %v: %q, want %q", c.x, got, want)
		}
	}
	if got, want := text(v(7, math.NaN(), 7, 1).CheckIndices()), "index 7 follows index 7: indices must increase"; got != want {
		t.Errorf("NaN before an index that comes twice: %q, want %q", got, want)
	}
	for _, x := range []vec.Vector{
		{Index: []int32{1, 2}, Value: []float64{1}},
		{Index: []int32{1}, Value: []float64{1, 1}},
		{Value: []float64{1}},
	} {
		if got, want := text(x.Check()), fmt.Sprintf("%d indices but %d values", len(x.Index), len(x.Value)); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		} else if got := text(x.CheckIndices()); got != want {
			t.Errorf("indices of %v: %q, want %q", x, got, want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestFault: a faulty row is found however it came into the matrix, and whatever was done with the
// matrix since.
func TestFault(t *testing.T) {
	good := v(1, 2, 3, 4)
	for _, c := range faults {
		for way, fill := range map[string]func(m *vec.Matrix){
			"Append": func(m *vec.Matrix) {
				for _, x := range []vec.Vector{good, good, c.x, good} {
					m.Append(x)
				}
			},
			"AppendRows": func(m *vec.Matrix) {
				starts, index, value := []int32{0}, []int32(nil), []float64(nil)
				for _, x := range []vec.Vector{good, good, c.x, good} {
					index, value = append(index, x.Index...), append(value, x.Value...)
					starts = append(starts, int32(len(index)))
				}
				m.AppendRows(starts, index, value)
			},
			"Join": func(m *vec.Matrix) {
				p := m.Part()
				p.Append(c.x) // the part knows its list and values even after it was joined
				m.Join(p)
				*m = vec.Matrix{}
				for _, x := range []vec.Vector{good, good, c.x, good} {
					p.Append(x)
					m.Join(p)
				}
			},
		} {
			var m vec.Matrix
			fill(&m)
			want := 2
			if c.err == "" {
				want = 0
			}
			if row, err := m.Fault(); row != want || text(err) != c.err {
				t.Errorf("%s of %v: row %d, %q, want %d, %q", way, c.x, row, text(err), want, c.err)
			}
			if got := max(c.most, 3); m.MaxIndex() != got {
				t.Errorf("%s of %v: largest index %d, want %d", way, c.x, m.MaxIndex(), got)
			}
			clone, slice, chosen := m.Clone(), m.Slice(2, 4), m.Select([]int{2, 0})
			for of, part := range map[string]*vec.Matrix{"Clone": &clone, "Slice": &slice, "Select": &chosen} {
				want := 0
				if of == "Clone" && c.err != "" {
					want = 2
				}
				if row, err := part.Fault(); row != want || text(err) != c.err {
					t.Errorf("%s after %s of %v: row %d, %q, want %d, %q", of, way, c.x, row, text(err), want, c.err)
				}
			}
			others := m.Select([]int{0, 1, 3})
			if row, err := others.Fault(); err != nil {
				t.Errorf("%s of %v: row %d of the others: %v", way, c.x, row, err)
			}
		}
	}
}
