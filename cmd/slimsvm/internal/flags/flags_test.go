package flags

import (
	"strings"
	"testing"
)

func TestFloatFlag(t *testing.T) {
	for text, want := range map[string]string{
		"10": "10", "010": "10", "-0.5": "-0.5", "1e3": "1000", "+.5": "0.5", "inf": "+Inf", "nan": "NaN", "1e-400": "0",
		"": "expected a number", "1_0": "expected a number", "0x1p4": "expected a number", "0x10": "expected a number",
		" 1": "expected a number", "1,5": "expected a number", "ten": "expected a number",
		"1e999": "expected a number below 1.8e308",
	} {
		v := float{number: 1}
		var got string
		if err := v.Set(text); err != nil {
			got = err.Error()
		} else {
			got = v.String()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestIntFlag(t *testing.T) {
	for text, want := range map[string]string{
		"10": "10", "010": "10", "08": "8", "-3": "-3", "+7": "7", "0": "0",
		"": "expected a whole number", "0x10": "expected a whole number", "0b11": "expected a whole number",
		"1_000": "expected a whole number", "1.5": "expected a whole number", " 1": "expected a whole number",
		"-99999999999999999999": "expected a whole number of ",
	} {
		v := whole(1)
		var got string
		if err := v.Set(text); err != nil {
			got = err.Error()
		} else {
			got = v.String()
		}
		if got != want && !(strings.HasSuffix(want, " ") && strings.HasPrefix(got, want)) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
