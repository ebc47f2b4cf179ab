package textscan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestSixDigitsOfMany: more numbers than there is room for panic, with vector instructions too, which
// wrote behind the room.
func TestSixDigitsOfMany(t *testing.T) {
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		for _, n := range []int{-1, textscan.SixDigitsLen + 1} {
			want := fmt.Sprintf("textscan: SixDigits of %d numbers, expected 0 to %d", n, textscan.SixDigitsLen)
			s, x := new(textscan.SixDigits), new([textscan.SixDigitsLen]float64)
			for _, set := range []func(*[textscan.SixDigitsLen]float64, int){s.Set, s.SetEightDigits} {
				if got := testenv.PanicOf(func() { set(x, n) }); got != want {
					t.Errorf("%v: panics with %q, want %q", l, got, want)
				}
			}
		}
	}
}

// TestNoCause: an error that a program made without a cause has a text.
func TestNoCause(t *testing.T) {
	for want, err := range map[string]error{
		"<nil>":           &textscan.Error{},
		"<nil> ":          &textscan.Fault{},
		"a file:3: <nil>": &textscan.Error{Path: "a file", Line: 3},
	} {
		if got := err.Error(); got != strings.TrimSpace(want) {
			t.Errorf("the text is %q, want %q", got, want)
		}
	}
}
