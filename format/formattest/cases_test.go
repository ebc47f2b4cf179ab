package formattest

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCases(t *testing.T) {
	count := func(t *testing.T) (n int) {
		rapid.Check(t, func(t *rapid.T) { n++ })
		return n
	}
	usual := count(t)
	for _, tt := range []struct {
		variable string
		want     int
	}{{"", 7}, {"11", 11}} {
		t.Run(tt.variable, func(t *testing.T) {
			t.Setenv(casesVariable, tt.variable)
			if n := Cases(t, 7); n != tt.want {
				t.Errorf("%d cases, want %d", n, tt.want)
			}
			if n := count(t); n != tt.want {
				t.Errorf("%d cases were tried, want %d", n, tt.want)
			}
		})
	}
	if n := count(t); n != usual {
		t.Errorf("afterwards %d cases are tried, want %d", n, usual)
	}
}
