package encode

import (
	"fmt"
	"testing"
)

// TestHeavyRows: whole weights that are too large to add up exactly are rounded where Weka rounds
// them, which decides between labels that are as common. The labels are those of
// ReplaceMissingValues of Weka 3.6.14.
func TestHeavyRows(t *testing.T) {
	const large = 1 << 51
	type row struct {
		label  string
		weight float64
	}
	for _, c := range []struct {
		name string
		rows []row
		want float64
	}{
		{"exact", []row{{"a", 3}, {"a", large - 4}, {"b", large - 1}}, 0},
		{"less than 2^53", []row{{"a", large + 1}, {"a", large - 2}, {"b", 2*large - 1}}, 1},
		{"2^53", []row{{"a", 1}, {"a", 2*large - 1}, {"b", 2 * large}}, 1},
		{"more than 2^53", []row{{"a", 4 * large}, {"a", 1}, {"a", 1}, {"b", 4*large + 2}}, 1},
	} {
		text := "z{a,b} y"
		for _, r := range append(c.rows, row{"?", 1}) {
			text += fmt.Sprintf("\n%s 1 *%.0f", r.label, r.weight)
		}
		e, err := Fit(t.Context(), parse(t, text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Columns[0].Fill; got != c.want {
			t.Errorf("%s: filled with label %v, want %v", c.name, got, c.want)
		}
	}
}
