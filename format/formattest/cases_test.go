package formattest

import (
	"flag"
	"fmt"
	"strconv"
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
		short    int // in short mode
	}{{"", 7, 1}, {"11", 11, 2}, {"2", 2, 1}} {
		for _, short := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s short %t", tt.variable, short), func(t *testing.T) {
				setShort(t, short)
				t.Setenv(casesVariable, tt.variable)
				want := tt.want
				if short {
					want = tt.short
				}
				if n := Cases(t, 7); n != want {
					t.Errorf("%d cases, want %d", n, want)
				}
				if n := count(t); n != want {
					t.Errorf("%d cases were tried, want %d", n, want)
				}
			})
		}
	}
	if n := count(t); n != usual {
		t.Errorf("afterwards %d cases are tried, want %d", n, usual)
	}
}

// setShort sets whether the mode is short, for one test.
func setShort(t *testing.T, short bool) {
	t.Helper()
	mode := flag.Lookup("test.short")
	before := mode.Value.String()
	t.Cleanup(func() { mode.Value.Set(before) })
	if err := mode.Value.Set(strconv.FormatBool(short)); err != nil {
		t.Fatal(err)
	}
}
