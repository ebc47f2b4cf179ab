package scale

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

func TestMeasure(t *testing.T) {
	tests := []struct{ rows, want string }{
		{"", "x/-1 1"},
		{"1", "y/0 1/1 1/x/-1 1"},
		{"3 1:5 | -2", "y/0 1/-2 3/x/-1 1/1 0 5"},
		{"1 1:5", "y/0 1/1 1/x/-1 1"},                         // constant
		{"1 1:5 | 1 1:5", "y/0 1/1 1/x/-1 1"},                 // constant
		{"1 1:5 | 1", "y/0 1/1 1/x/-1 1/1 0 5"},               // absent is 0
		{"1 | 1 1:-5", "y/0 1/1 1/x/-1 1/1 -5 0"},             // absent before
		{"1 1:2 | 1 1:3 | 1 1:2.5", "y/0 1/1 1/x/-1 1/1 2 3"}, // never absent
		{"1 1:2 | 1 | 1 1:3", "y/0 1/1 1/x/-1 1/1 0 3"},       // absent between
		{"1 1:0 | 1", "y/0 1/1 1/x/-1 1"},                     // listed zeros
		{"1 0:1 | 1 | 1 0:3", "y/0 1/1 1/x/-1 1/0 1 3"},       // index 0: only where it is listed
		{"1 0:1 | 1", "y/0 1/1 1/x/-1 1"},                     // and so constant here
		{"1 2:1 | 1 1:1", "y/0 1/1 1/x/-1 1/1 0 1/2 0 1"},     // sorted at last
		{"1 2147483647:1 | 1 7:1", "y/0 1/1 1/x/-1 1/7 0 1/2147483647 0 1"},
		// of equal zeros the last one stays, as in LIBSVM 3.24
		{"1 1:2 2:-0 | -1 1:3 | 2 1:4 2:-0 | 3 2:-1", "y/0 1/-1 3/x/-1 1/1 0 4/2 -1 -0"},
		{"1 2:-0 | 3 2:-1 | 2", "y/0 1/1 3/x/-1 1/2 -1 0"},
		{"0 | -0 | -1", "y/0 1/-1 -0/x/-1 1"},
		{"-0 | 0 | 1", "y/0 1/0 1/x/-1 1"},
	}
	for _, tt := range tests {
		m := measured(rowsOf(t, tt.rows))
		if got := text(t, m.Ranges(Limits{-1, 1}, &Limits{0, 1})); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.rows, got, tt.want)
		}
		if r := m.Ranges(Limits{-1, 1}, nil); r.Y != nil {
			t.Errorf("%q: labels without limits: %+v", tt.rows, r.Y)
		}
	}
}

func TestMeasureCounts(t *testing.T) {
	m := measured(rowsOf(t, "1 1:5 2:0 | 1 | 1 7:1"))
	if m.Rows() != 3 || m.Pairs() != 3 || m.HasZero() {
		t.Errorf("rows %d, pairs %d, zero %v", m.Rows(), m.Pairs(), m.HasZero())
	}
	if m := measured(rowsOf(t, "1 0:5")); !m.HasZero() {
		t.Error("index 0 is not seen")
	}
	if new(Measure).HasZero() {
		t.Error("index 0 in no rows")
	}
}

// naive returns the ranges as the definition has them: all features of a row
// looked at one after another, an absent one as 0.
func naive(rows []row, top int32) []Feature {
	var list []Feature
	for j := range top + 1 {
		r := Range{math.MaxFloat64, -math.MaxFloat64}
		for _, x := range rows {
			k, listed := slices.BinarySearch(x.x.Index, j)
			if !listed && j == 0 {
				continue
			}
			v := 0.0
			if listed {
				v = x.x.Value[k]
			}
			if !(r.Max > v) {
				r.Max = v
			}
			if !(r.Min < v) {
				r.Min = v
			}
		}
		if r.Min < r.Max {
			list = append(list, Feature{j, r})
		}
	}
	return list
}

// randomRows makes rows with features 0..top, few different values and many
// zeros of both signs.
func randomRows(rng *rand.Rand, n int, top int32) []row {
	values := []float64{0, math.Copysign(0, -1), 1, -1, 2.5, -7, 1e300, 5e-324}
	if rng.IntN(2) == 0 {
		values[1] = 3 // without it, repeated rows take another way
	}
	density := []float64{rng.Float64(), 1}[rng.IntN(2)]
	rows := make([]row, n)
	for i := range rows {
		rows[i].y = values[rng.IntN(len(values))]
		for j := range top + 1 {
			if rng.Float64() < density {
				rows[i].x.Index = append(rows[i].x.Index, j)
				rows[i].x.Value = append(rows[i].x.Value, values[rng.IntN(len(values))])
			}
		}
	}
	return rows
}

func TestMeasureIsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	defer simd.Use(simd.Best())
	for round := range 6000 {
		simd.Use(simd.Level(round) % (simd.Best() + 1))
		rows := randomRows(rng, rng.IntN(12), int32(rng.IntN(6)))
		got, want := measured(rows).Ranges(Limits{-1, 1}, nil), naive(rows, 6)
		if text(t, got) != text(t, &Ranges{X: &Features{Limits{-1, 1}, want}}) {
			t.Fatalf("rows %v:\n got %v\nwant %v", rows, got.X.Ranges, want)
		}
	}
}

// reader gives out rows, then err.
type reader struct {
	rows []row
	err  error
}

func (r *reader) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

func (r *reader) Read() (format.Instance, error) {
	if len(r.rows) == 0 {
		return format.Instance{}, r.err
	}
	in := format.Instance{X: r.rows[0].x, Y: r.rows[0].y, Weight: 1}
	r.rows = r.rows[1:]
	return in, nil
}

func TestMeasureAll(t *testing.T) {
	rows := rowsOf(t, "1 1:5 | 2")
	m, err := MeasureAll(context.Background(), &reader{rows, io.EOF})
	if err != nil || text(t, m.Ranges(Limits{0, 2}, nil)) != "x/0 2/1 0 5" {
		t.Errorf("%+v, %v", m, err)
	}
	fault := errors.New("fault")
	if _, err := MeasureAll(context.Background(), &reader{rows, fault}); err != fault {
		t.Errorf("the reader's error came out as %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(fault)
	if _, err := MeasureAll(ctx, &reader{rows, io.EOF}); !errors.Is(err, context.Canceled) || !errors.Is(err, fault) {
		t.Errorf("cancelled: %v", err)
	}
	for want, x := range map[string]vec.Vector{
		"row 3: index -1 is negative":                           {Index: []int32{-1}, Value: []float64{1}},
		"row 3: 1 indices but 0 values":                         {Index: []int32{1}},
		"row 3: feature 1 is NaN, expected a finite number":     {Index: []int32{1}, Value: []float64{math.NaN()}},
		"row 3: index 1 follows index 2: indices must increase": {Index: []int32{2, 1}, Value: []float64{1, 2}},
	} {
		odd := append(slices.Clone(rows), row{x: x})
		if _, err := MeasureAll(context.Background(), &reader{odd, io.EOF}); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := MeasureAll(context.Background(), declaring{&reader{rows, io.EOF}}); err != format.ErrColumns {
		t.Errorf("declared columns are measured as features: %v", err)
	}
}

// declaring gives out rows under declared columns.
type declaring struct{ *reader }

func (declaring) Header() (*format.Header, error) {
	return &format.Header{Class: 1, Attributes: []format.Attribute{{Name: "x"}, {Name: "y"}}}, nil
}

// A huge index costs no more than a small one, in either order of arrival.
func TestMeasureMemory(t *testing.T) {
	for _, first := range []int32{1, math.MaxInt32 - 1} {
		m := new(Measure)
		m.Add(1, vec.Vector{Index: []int32{first}, Value: []float64{1}})
		m.Add(1, vec.Vector{Index: []int32{1, math.MaxInt32 - 1}, Value: []float64{1, 1}})
		if len(m.index.direct) > directMin {
			t.Errorf("a table of %d entries for two indices", len(m.index.direct))
		}
	}
}
