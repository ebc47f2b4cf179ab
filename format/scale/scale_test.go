package scale

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// row is a row of a data set.
type row struct {
	y float64
	x vec.Vector
}

// rowsOf reads rows written as "1 1:0.5 3:-0 | -1 2:1".
func rowsOf(t testing.TB, text string) []row {
	t.Helper()
	var rows []row
	for line := range strings.SplitSeq(text, "|") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		r := row{y: number(t, words[0])}
		for _, w := range words[1:] {
			index, value, ok := strings.Cut(w, ":")
			if !ok {
				t.Fatalf("%q is no pair", w)
			}
			r.x.Index = append(r.x.Index, int32(number(t, index)))
			r.x.Value = append(r.x.Value, number(t, value))
		}
		rows = append(rows, r)
	}
	return rows
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func measured(rows []row) *Measure {
	m := new(Measure)
	for _, r := range rows {
		m.Add(r.y, r.x)
	}
	return m
}

// text returns the range file of r on one line, "/" for its line ends.
func text(t testing.TB, r *Ranges) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", "/")
}

// fileOf reads a range file written as text returns it.
func fileOf(t testing.TB, s string) *Ranges {
	t.Helper()
	r, err := Read(strings.NewReader(strings.ReplaceAll(s, "/", "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLimitsValidate(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tt := range []struct {
		lower, upper float64
		ok           bool
	}{
		{-1, 1, true}, {0, 5e-324, true}, {-1e308, 1e308, true},
		{1, 1, false}, {1, -1, false}, {0, math.Copysign(0, -1), false},
		{nan, 1, false}, {-1, nan, false}, {-inf, 1, false}, {-1, inf, false}, {-inf, inf, false},
	} {
		if err := (Limits{tt.lower, tt.upper}).Validate(); (err == nil) != tt.ok {
			t.Errorf("%g..%g: %v", tt.lower, tt.upper, err)
		}
		wantRange := tt.ok || tt.lower == tt.upper && !math.IsInf(tt.lower, 0)
		if err := (Range{tt.lower, tt.upper}).Validate(); (err == nil) != wantRange {
			t.Errorf("range %g..%g: %v", tt.lower, tt.upper, err)
		}
	}
}

func TestInvalidRangesPanic(t *testing.T) {
	for _, r := range []*Ranges{
		nil,
		{X: &Features{Limits: Limits{1, 1}}},
		{X: &Features{Limits{-1, 1}, []Feature{{1, Range{2, 1}}}}},
		{X: &Features{Limits{-1, 1}, []Feature{{2, Range{0, 1}}, {2, Range{0, 1}}}}},
		{X: &Features{Limits{-1, 1}, []Feature{{-1, Range{0, 1}}}}},
		{Y: &Labels{Limits{0, 1}, Range{math.NaN(), 1}}},
		{Y: &Labels{Limits{0, math.Inf(1)}, Range{0, 1}}},
	} {
		for name, f := range map[string]func(){
			"NewScaler": func() { NewScaler(r) },
			"Write":     func() { _ = Write(new(bytes.Buffer), r) },
		} {
			func() {
				defer func() {
					if e := fmt.Sprint(recover()); !strings.HasPrefix(e, "scale: "+name+": ") {
						t.Errorf("%s of %+v: %s", name, r, e)
					}
				}()
				f()
			}()
		}
	}
}
