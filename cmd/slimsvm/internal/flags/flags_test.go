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

// TestListFlag: an option that lists several is given once: a second value would replace the first in silence.
func TestListFlag(t *testing.T) {
	v := list{text: "kmeans"}
	if err := v.Set("random,cs"); err != nil || v.String() != "random,cs" {
		t.Errorf("%q, %v", v.String(), err)
	}
	const want = `the option was given before, as "random,cs": list all in one value, such as "random,cs,kmeans"`
	if err := v.Set("kmeans"); err == nil || err.Error() != want || v.String() != "random,cs" {
		t.Errorf("%q, %v, want %s", v.String(), err, want)
	}
}
