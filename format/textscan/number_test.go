package textscan

import (
	"errors"
	"math"
	"strconv"
	"testing"
)

// TestNumber: a number is a whole text, in decimal.
func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "10": 10, "010": 10, "-1.5": -1.5, "+.5": .5, "5.": 5, "1e3": 1000, "2.5E-3": .0025, "1e-400": 0, "5e-324": 5e-324,
		"inf": math.Inf(1), "-Infinity": math.Inf(-1), "NaN": math.NaN(), "0.1": .1, "123456789012345678901234567890": 123456789012345678901234567890,
	} {
		got, err := Number(text)
		if err != nil || !(got == want || got != got && want != want) {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
		if v, err := strconv.ParseFloat(text, 64); err != nil || !(v == got || v != v && got != got) {
			t.Errorf("%q is %v, to strconv %v, %v", text, got, v, err)
		}
	}
	for _, text := range []string{"", " ", "1_0", "1_000.5", "0x10", "0x1p4", "-0X1P-2", " 1", "1 ", "\t1", "1\n", "1,5", "1e", "e1", ".", "-", "+-1", "1.2.3", "infinit", "nan(1)", "nan()", "1d", "1f", "12abc", "１"} {
		if v, err := Number(text); !errors.Is(err, ErrNotNumber) {
			t.Errorf("%q is %v, %v", text, v, err)
		}
	}
	for text, want := range map[string]float64{"1e999": math.Inf(1), "-1e999": math.Inf(-1)} {
		if v, err := Number(text); !errors.Is(err, ErrRange) || v != want {
			t.Errorf("%q is %v, %v", text, v, err)
		}
	}
}
