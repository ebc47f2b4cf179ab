package scaling_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/scaling"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
)

// table has two numeric columns, one of labels between them, and a numeric label.
var table = &format.Header{Class: 3, Attributes: []format.Attribute{
	{Name: "a"}, {Name: "kind", Type: format.Nominal, Labels: []string{"x", "y"}}, {Name: "b"}, {Name: "target"},
}}

func row(values ...float64) vec.Vector {
	var x vec.Vector
	for i, v := range values {
		x.Index, x.Value = append(x.Index, int32(i)), append(x.Value, v)
	}
	return x
}

// measured returns the columns of table, which have seen some rows.
func measured(t *testing.T, labels bool) *scaling.Columns {
	t.Helper()
	c, err := scaling.New(table, 3, -1, labels)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []vec.Vector{row(0, 1, 10, 5), row(4, 0, math.NaN(), 7), row(2, 1, 30, 9)} {
		if err := c.Measure(x); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestRow: numeric columns are scaled, and the label if it is to be; labels and what is missing stay.
func TestRow(t *testing.T) {
	for labels, want := range map[bool]string{
		false: "{[0 1 2 3] [0.5 1 0 7]} {[0 1 2 3] [1 0 NaN 9]}",
		true:  "{[0 1 2 3] [0.5 1 0 1]} {[0 1 2 3] [1 0 NaN 2]}",
	} {
		c := measured(t, labels)
		y := &scale.Limits{Lower: 0, Upper: 2}
		if !labels {
			y = nil
		}
		s := scale.NewScaler(c.Ranges(scale.Limits{Lower: 0, Upper: 1}, y))
		var got [2]vec.Vector
		for k, x := range []vec.Vector{row(2, 1, 10, 7), row(4, 0, math.NaN(), 9)} {
			if err := c.Row(&got[k], x, s); err != nil {
				t.Fatal(err)
			}
		}
		if got := fmt.Sprint(got[0], got[1]); got != want {
			t.Errorf("label scaled: %v: %s, want %s", labels, got, want)
		}
	}
}

// TestAdopt: ranges of other data are those of the columns of their names, or without names of their numbers.
func TestAdopt(t *testing.T) {
	ranges := func(numbers ...int32) *scale.Ranges {
		r := &scale.Ranges{X: &scale.Features{}}
		for _, i := range numbers {
			r.X.Ranges = append(r.X.Ranges, scale.Feature{Index: i})
		}
		return r
	}
	for _, c := range []struct {
		file  *scale.Ranges
		names map[int32]string
		want  string
	}{
		{ranges(1, 2), map[int32]string{1: "b", 2: "a", 3: "kind"}, "[1 3]"},
		{ranges(1, 2, 3), nil, "[1 3]"},
		{ranges(1, 5), nil, "feature 5 has a range, but the data have no such column: there are 4"},
	} {
		err := measured(t, false).SetRanges(c.file, c.names)
		var numbers []int32
		for _, f := range c.file.X.Ranges {
			numbers = append(numbers, f.Index)
		}
		got := fmt.Sprint(numbers)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.names, got, c.want)
		}
	}
}

// TestRelabel: a column that was a feature is no label, where the ranges of its data say so.
func TestRelabel(t *testing.T) {
	file := &scale.Ranges{X: &scale.Features{Ranges: []scale.Feature{{Index: 4}}}}
	for want, names := range map[int]map[int32]string{-1: nil, 2: {1: "a", 2: "kind", 4: "target"}, 3: {1: "a"}} {
		c := measured(t, false)
		c.Relabel(file, names)
		if got := c.Label(); got != want {
			t.Errorf("%v: column %d, want %d", names, got, want)
		}
	}
}

// TestInfinite: a value that cannot be scaled is an error, but not as a label that stays.
func TestInfinite(t *testing.T) {
	for labels, want := range map[bool]string{
		false: "<nil>", true: `column "target": a value that is not finite cannot be scaled: +Inf`,
	} {
		if got := fmt.Sprint(measured(t, labels).Measure(row(1, 1, 1, math.Inf(1)))); got != want {
			t.Errorf("label scaled: %v: %s, want %s", labels, got, want)
		}
	}
}
