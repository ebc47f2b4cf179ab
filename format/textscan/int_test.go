package textscan_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// The marks are those of floatTests.
var intTests = []struct {
	text string
	want int64
}{
	{"", 0}, {" ", 0}, {"+", 0}, {"-", 0}, {"+-1", 0}, {"- 1", 0}, {"x", 0}, {".5", 0}, {":1", 0}, {"\x001", 0}, {"inf", 0},
	{"0^", 0}, {"-0^", 0}, {"+7^", 7}, {"-7^", -7}, {"007^", 7}, {" \t\n\v\f\r12^ ", 12}, {"12^:5", 12}, {"1^.5", 1}, {"1^e3", 1},
	{"0^x10", 0}, {"1^_000", 1}, {"1^,000", 1}, {"5^\x006", 5}, {"2147483648^", 1 << 31}, {"4294967297^", 1<<32 + 1},
	{"9223372036854775799^", math.MaxInt64 - 8}, {"9223372036854775807^", math.MaxInt64}, {"9223372036854775808!", math.MaxInt64},
	{"-9223372036854775807^", -math.MaxInt64}, {"-9223372036854775808^", math.MinInt64}, {"-9223372036854775809!", math.MinInt64},
	{"9223372036854775810!", math.MaxInt64}, {"-9223372036854775810!", math.MinInt64},
	{"18446744073709551615!", math.MaxInt64}, {"18446744073709551616!", math.MaxInt64}, {"18446744073709551617!:1", math.MaxInt64},
	{"-18446744073709551617!", math.MinInt64}, {"92233720368547758070!", math.MaxInt64}, {"92233720368547758080!", math.MaxInt64},
	{"0000000000000000000000009223372036854775807^", math.MaxInt64},
}

func TestInt(t *testing.T) {
	for _, test := range intTests {
		n, mark, text := 0, "", test.text
		if at := strings.IndexAny(text, "^!"); at >= 0 {
			n, mark, text = at, text[at:at+1], text[:at]+text[at+1:]
		}
		checkInt(t, text, test.want, n, mark == "!")
	}
	const mega = 1 << 20
	checkInt(t, strings.Repeat("0", mega)+"5", 5, mega+1, false)
	checkInt(t, "-"+strings.Repeat("1", mega), math.MinInt64, mega+1, true)
}

// TestIntReference compares with integers of any length.
func TestIntReference(t *testing.T) {
	source := newTokens(7)
	for range count(t, 100_000) {
		text := source.integer()
		v, n, erange := referenceInt([]byte(text))
		checkInt(t, text, v, n, erange)
	}
}

func checkInt(t *testing.T, text string, want int64, wantN int, erange bool) {
	t.Helper()
	v, n, err := textscan.Int([]byte(text))
	if v != want || n != wantN || errors.Is(err, textscan.ErrRange) != erange || err != nil && !erange {
		t.Errorf("Int(%s) = %d, %d, %v, want %d, %d, ERANGE %v", brief(text), v, n, err, want, wantN, erange)
	}
}

func TestAtoi(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "x": 0, "2abc": 2, "0.9": 0, " -3": -3, "0x10": 0, "4294967297": 1, "2147483648": math.MinInt32,
		"99999999999999999999": -1, "-99999999999999999999": 0,
	} {
		if v := textscan.Atoi(text); v != want {
			t.Errorf("Atoi(%q) = %d, want %d", text, v, want)
		}
	}
}

func TestIsSpace(t *testing.T) {
	for b := range 256 {
		if got, want := textscan.IsSpace(byte(b)), strings.IndexByte(" \t\n\v\f\r", byte(b)) >= 0; got != want {
			t.Errorf("IsSpace(%s) = %v", strconv.QuoteRune(rune(b)), got)
		}
	}
}
