package main

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestFlagKinds: no option has a kind that reads 010 as eight or 1_0 as ten, or that splits texts at
// commas or takes their blanks away.
func TestFlagKinds(t *testing.T) {
	app := newApp(&env{})
	if !app.DisableSliceFlagSeparator {
		t.Error("texts are split at commas")
	}
	kinds := 0
	for _, c := range app.Commands {
		for _, f := range c.Flags {
			switch f := f.(type) {
			case *cli.BoolFlag, *cli.StringFlag, floatFlag, intFlag, seedFlag, gammaFlag:
				kinds++
			case *cli.StringSliceFlag:
				if kinds++; !f.KeepSpace {
					t.Errorf("%s --%s: blanks are taken away", c.Name, f.Name)
				}
			default:
				t.Errorf("%s --%s is %T", c.Name, f.Names()[0], f)
			}
		}
	}
	if kinds < 100 {
		t.Errorf("%d options", kinds)
	}
}

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
