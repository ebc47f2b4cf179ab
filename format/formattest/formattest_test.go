package formattest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

func TestToy(t *testing.T) {
	Run(t, toy, toyLimits, toySamples...)
}

func TestMarks(t *testing.T) {
	for _, tt := range []struct {
		sample Sample
		want   string // text, line and column, or part of the error
	}{
		{Sample{Text: "1 1:2\n"}, `"1 1:2\n" 0 0`},
		{Sample{Text: "§1 1:2\n", Fault: "f"}, `"1 1:2\n" 1 1`},
		{Sample{Text: "1 1:2\n1§", Fault: "f"}, `"1 1:2\n1" 2 2`},
		{Sample{Text: "1\n§\n", Fault: "f"}, `"1\n\n" 2 1`},
		{Sample{Text: "1\n2¶\n3\n", Fault: "f"}, `"1\n2\n3\n" 2 0`},
		{Sample{Text: "1\n", Fault: "f"}, `"1\n" 0 0`},
		{Sample{Name: "s", Text: "§1§\n", Fault: "f"}, "sample s has two marks"},
		{Sample{Name: "s", Text: "§1\n¶", Fault: "f"}, "sample s has two marks"},
		{Sample{Name: "s", Text: "1§\n"}, "sample s marks a fault and names none"},
	} {
		at, err := tt.sample.unmark()
		got := fmt.Sprintf("%q %d %d", at.text, at.line, at.column)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: %s, want %s", tt.sample.Text, got, tt.want)
		}
	}
}

// A sample that a sound codec does not come to is an error too.
func TestWrongSamples(t *testing.T) {
	for _, tt := range []struct {
		sample Sample
		want   string
	}{
		{Sample{Text: "1 1:2\n", Rows: []format.Instance{Row(1, 1, 3)}}, "row 1: entry 1 is 1:2, want 1:3"},
		{Sample{Text: "1 1:2\n", Rows: []format.Instance{Row(1, 1, 2, 4, 5)}}, "row 1: 1 entries, want 2"},
		{Sample{Text: "1 1:2\n"}, "1 rows, want 0"},
		{Sample{Text: "1 1:2\nx\n"}, "2:1: expected a label"},
		{Sample{Text: "1 1:2\n§2\n", Fault: "label"}, `no error and 2 rows, want the error "label"`},
		{Sample{Text: "1 1:2\n§x\n", Fault: "label"}, "1 rows, want 0"},
		{Sample{Text: "1 §1:x\n", Fault: "number"}, "is at line 1, column 5, want 1, 3"},
		{Sample{Text: "1 1:x\n¶", Fault: "number"}, "is at line 1, column 5, want 2, 0"},
		{Sample{Text: "1 1:§x\n", Fault: "digit"}, `want "digit" in it`},
	} {
		err := newSuite(toy, toyLimits, []Sample{tt.sample}).sampleOutcomes()
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.sample.Text, err, tt.want)
		}
	}
}

// cutOf, on rows in the toy's notation: whole, cut, and whether that may be.
func TestCutOf(t *testing.T) {
	for _, tt := range []struct {
		full, cut format.Instance
		ok        bool
	}{
		{Row(12, 1, 5, 3, 67), Row(12, 1, 5, 3, 67), true},
		{Row(12, 1, 5, 3, 67), Row(12, 1, 5, 3, 6), true},
		{Row(12, 1, 5, 3, 67), Row(12, 1, 5), true},
		{Row(12, 1, 5, 3, 67), Row(12), true},
		{Row(12, 1, 5, 3, 67), Row(1), true},
		{Row(12, 1, 5, 3, 67), Row(1, 1, 5, 3, 67), true}, // the label last
		{Row(12, 1, 5, 3, 67), Row(1, 1, 5), false},
		{Row(12, 1, 5, 3, 67), Row(1, 1, 5, 3, 6), false},
		{Row(12, 1, 5, 3, 67), Row(12, 1, 4, 3, 67), false},
		{Row(12, 1, 5, 3, 67), Row(12, 3, 67), false},
		{Row(12, 1, 5), Row(12, 1, 5, 3, 0), false},
	} {
		if err := cutOf(tt.full, tt.cut); (err == nil) != tt.ok {
			t.Errorf("%v cut to %v: %v, want ok: %v", tt.full, tt.cut, err, tt.ok)
		}
	}
}
