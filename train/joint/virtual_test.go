package joint

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// images returns images of 3 x 2 pixels.
func images(pixels ...[]float64) *format.Dataset {
	d := new(format.Dataset)
	for i, p := range pixels {
		var v vec.Vector
		for k, x := range p {
			if x != 0 {
				v.Index, v.Value = append(v.Index, int32(k+1)), append(v.Value, x)
			}
		}
		d.Append(format.Instance{X: v, Y: float64(i % 2), Weight: 1 + float64(i)})
	}
	return d
}

func TestShifts(t *testing.T) {
	d := images([]float64{
		1, 2, 3,
		4, 5, 6,
	}, []float64{
		-1, -1, -1,
		-1, 0, 7,
	})
	rows, from, err := Shifts{3, 2}.Rows(d)
	if err != nil || !slices.Equal(from, []int{0, 0, 0, 0, 1, 1, 1, 1}) {
		t.Fatal(from, err)
	}
	for i, want := range [][]float64{
		{-1, 1, 2, -1, 4, 5}, {2, 3, -1, 5, 6, -1}, {-1, -1, -1, 1, 2, 3}, {4, 5, 6, -1, -1, -1},
		{-1, -1, -1, -1, -1, 0}, {-1, -1, -1, 0, 7, -1}, {-1, -1, -1, -1, -1, -1}, {-1, 0, 7, -1, -1, -1},
	} {
		got := make([]float64, 6)
		for k, f := range rows.X.Row(i).Index {
			got[f-1] = rows.X.Row(i).Value[k]
		}
		if !slices.Equal(got, want) || rows.Y[i] != d.Y[i/4] || rows.Weights([]int{i})[0] != d.Weight[i/4] {
			t.Errorf("shift %d: %v, label %v, weight %v; want %v", i, got, rows.Y[i], rows.Weight[i], want)
		}
	}
	for want, s := range map[string]Shifts{"feature 6 is no pixel of images of 5 x 1": {5, 1}, "images of 0 x 4 pixels": {0, 4},
		"images of 65536 x 65536 pixels, expected no more than": {1 << 16, 1 << 16}, "images of 4 x": {4, math.MaxInt}, "expected no more than 16777216": {math.MaxInt, 1}} {
		if _, _, err := s.Rows(d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", s, err)
		}
	}
	last := new(format.Dataset)
	last.Append(format.Instance{X: vec.Vector{Index: []int32{math.MaxInt32}, Value: []float64{1}}, Y: 1, Weight: 1})
	if _, _, err := (Shifts{16, 16}).Rows(last); err == nil || err.Error() != "feature 2147483647 is no pixel of images of 16 x 16" {
		t.Errorf("the last feature: %v", err)
	}
	c := small(nil)
	c.Virtual = Shifts{1, 1}
	if _, err := c.Train(t.Context(), d, train.NewRand(1)); err == nil || !strings.Contains(err.Error(), "feature 6 is no pixel") {
		t.Errorf("trained on images of another size: %v", err)
	}
}

// TestBackground: of equally frequent values on the edges, the smallest is the background.
func TestBackground(t *testing.T) {
	for _, c := range []struct {
		pixels []float64
		want   float64
	}{
		{[]float64{0, -1, 0, -1, 5, 6}, -1},
		{[]float64{0, 1, 0, 1, 5, 6}, 0},
		{[]float64{2, 1, 2, 1, 5, 6}, 1},
		{[]float64{2, 0, 2, -1, 5, 6}, 2},
	} {
		if got := (Shifts{3, 2}).background(&images(c.pixels).X); got != c.want {
			t.Errorf("%v: background %v, want %v", c.pixels, got, c.want)
		}
	}
}

// TestFaultOfShift: a fault of a row that was made from another row is reported for the latter.
func TestFaultOfShift(t *testing.T) {
	c := small(nil)
	c.Kernel = kernel.Poly{Degree: 3, Gamma: 1}
	c.Virtual = Shifts{3, 2}
	const v = 1.22e6 // (3 v^2)^3 is a number that can be worked with, (4 v^2)^3 is not
	d := images([]float64{1, 2, 3, 4, 5, 6}, []float64{7, 8, 9, 10, 11, 12}, []float64{v, v, v, 15, 14, 13})
	_, err := c.Train(t.Context(), d, train.NewRand(1))
	var row *train.RowError
	if !errors.As(err, &row) || row.Row != 2 || !errors.Is(err, train.ErrOverflow) || !strings.Contains(err.Error(), "a row made of it: kernel") {
		t.Errorf("error %v", err)
	}
}

// made is a Virtual of the caller's own, with given rows.
type made struct {
	rows *format.Dataset
	from []int
}

func (m made) Rows(*format.Dataset) (*format.Dataset, []int, error) { return m.rows, m.from, nil }

// TestFaultyVirtual: faults of rows that a caller's Virtual makes, and of extra rows, are reported.
func TestFaultyVirtual(t *testing.T) {
	d := images([]float64{1, 2, 3, 4, 5, 6}, []float64{7, 8, 9, 10, 11, 12}, []float64{16, 17, 18, 15, 14, 13})
	declared := &format.Dataset{X: d.X, Y: d.Y, Header: &format.Header{Attributes: make([]format.Attribute, 6)}}
	for want, c := range map[string]made{
		"rows made of others: no data set":                                {nil, nil},
		"rows made of others: 3 rows, but what 1 are made from":           {d, []int{0}},
		"rows made of others: row 2 is made from row 3, expected 0 to 2":  {d, []int{0, 3, 0}},
		"rows made of others: row 3 is made from row -1, expected 0 to 2": {d, []int{0, 2, -1}},
		format.ErrColumns.Error():                                         {declared, []int{0, 1, 2}},
		"rows made of others: 3 rows but 0 labels":                        {&format.Dataset{X: d.X}, []int{0, 1, 2}},
	} {
		trainer := small(nil)
		trainer.Virtual = c
		if _, err := trainer.Train(t.Context(), d, train.NewRand(1)); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	trainer := small(nil)
	trainer.Extra = declared
	if _, err := trainer.Train(t.Context(), d, train.NewRand(1)); err == nil || err.Error() != "extra rows: "+format.ErrColumns.Error() {
		t.Errorf("extra rows: error %v", err)
	}
}

// TestHeldBack: shifted copies of held-out rows are not learned from, and no shifted copy is held
// out.
func TestHeldBack(t *testing.T) {
	var pixels [][]float64
	for i := range 40 {
		pixels = append(pixels, []float64{float64(i), 1, 1, 0, 0, 2})
	}
	c := small(nil)
	c.Virtual, c.Extra = Shifts{3, 2}, images([]float64{1, 1, 1, 1, 1, 1})
	s := &search{Trainer: c, d: images(pixels...), seed: 1}
	if err := s.join(); err != nil {
		t.Fatal(err)
	}
	if err := s.compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.targets(); err != nil {
		t.Fatal(err)
	}
	for part := range 2 {
		learn, held := s.split(part, 2)
		in := map[int]bool{}
		for _, i := range held {
			if i >= 40 {
				t.Errorf("row %d is held out", i)
			}
			in[i] = true
		}
		rows := s.withExtra(learn...)
		if want := 5*(40-len(held)) + 1; len(held) == 0 || len(rows) != want {
			t.Errorf("%d rows to learn from with %d held out, want %d", len(rows), len(held), want)
		}
		for _, i := range rows {
			if i > 40 && in[(i-41)/4] || in[i] {
				t.Errorf("row %d is learned from", i)
			}
		}
	}
}
