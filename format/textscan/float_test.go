package textscan_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

var (
	inf     = math.Inf(1)
	negZero = math.Copysign(0, -1)
	nan     = math.Float64frombits(0x7ff8 << 48)
	negNaN  = math.Float64frombits(0xfff8 << 48)
)

// In each text ^ stands behind the last byte that strtod uses, ! there if it
// also sets ERANGE. Without either there is no number.
var floatTests = []struct {
	text string
	want float64
}{
	{"", 0}, {" ", 0}, {"+", 0}, {"-", 0}, {".", 0}, {"-.", 0}, {"+-1", 0}, {"- 1", 0}, {"abc", 0}, {"e5", 0}, {".e5", 0},
	{",5", 0}, {"?", 0}, {"\x001", 0}, {"\xc2\xa01", 0}, {"\xef\xbb\xbf1", 0}, {"i", 0}, {"in", 0}, {"na", 0}, {"x1", 0}, {"$", 0},

	{"0^", 0}, {"-0^", negZero}, {"+0^", 0}, {"1^", 1}, {"+1^", 1}, {"-1^", -1}, {"1^ 2", 1}, {"00012^", 12},
	{" \t\n\v\f\r1^", 1}, {"1.^", 1}, {".5^", .5}, {"-.5^", -.5}, {"1.5^.5", 1.5}, {"1^,5", 1}, {"1^_000", 1},
	{"1e3^", 1000}, {"1E+3^", 1000}, {"1e-3^", .001}, {"1^e", 1}, {"1^e+", 1}, {"1^e-x", 1}, {"1^e 5", 1}, {"1e3^x", 1000}, {"1.e2^", 100},
	{"1e3^.5", 1000}, {"1^p3", 1}, {"1^d3", 1}, {"1^f", 1}, {"1^:2", 1}, {"1^\x002", 1}, {"1e0^\x000", 1}, {"1e000000000000000003^", 1000},

	{"0^x", 0}, {"-0^x", negZero}, {"0^xg", 0}, {"0^x.", 0}, {"0^x.p1", 0}, {"0^xp1", 0}, {"0x0^", 0}, {"-0X0p9^", negZero},
	{"0x10^", 16}, {"0XaF^", 0xaf}, {"0x1.8^", 1.5}, {"0x.8^", .5}, {"0x1.^", 1}, {"0x1.8p1^", 3}, {"0x1P-1^", .5}, {"0x1^p", 1},
	{"0x1^p+", 1}, {"0x1.8^.8", 1.5}, {"0x1e1^", 0x1e1}, {"0x1^g", 1}, {"00^x1", 0}, {"0x0^x1", 0}, {"0.^x1", 0}, {"0.0^x1", 0}, {"1^x1", 1},
	{"0x1^:", 1}, {"0x1^/", 1}, {"0x1^@", 1}, {"0x1^G", 1}, {"0x1^`", 1}, {"0xf.8^:", 15.5}, {"0^x:", 0},
	{"0x1p+0003^", 8}, {"0x1^_0", 1},

	{"inf^", inf}, {"-INF^", -inf}, {"+Infinity^", inf}, {"inf^init", inf}, {"infinity^x", inf}, {"iNf^ ", inf}, {"inf^initi", inf},
	{"nan^", nan}, {"-nan^", negNaN}, {"+NaN^", nan}, {"nan()^", nan}, {"nan(1_aZ)^5", nan}, {"nan^(", nan}, {"nan^(1", nan},
	{"nan^(-1)", nan}, {"-nan^( )", negNaN}, {"nan(99999999999999999999)^", nan}, {"nan^x", nan}, {"inf^()", inf},

	// ties go to the even neighbour, sticky digits break them
	{"9007199254740993^", 0x1p53}, {"9007199254740993.0^", 0x1p53}, {"9007199254740993.00000000000000000000000001^", 0x1p53 + 2},
	{"9007199254740995^", 0x1p53 + 4}, {"4503599627370497.5^", 4503599627370498}, {"4503599627370496.5^", 4503599627370496},
	{"18446744073709551615^", 0x1p64}, {"9223372036854775807^", 0x1p63}, {"9999999999999999999^", 1e19}, {"1e23^", 1e23}, {"8.5e22^", 8.5e22},
	{"1844674407370957005e1^", 0x1.0000000000005p+64}, {"1844674407370961101e1^", 0x1.000000000000fp+64}, // a half and a little more
	{"0x20000000000001^", 0x1p53}, {"0x20000000000003^", 0x1p53 + 4}, {"0x20000000000001.0000000000000000000001^", 0x1p53 + 2},
	{"0x1.fffffffffffff8p0^", 2},

	// overflow
	{"1e308^", 1e308}, {"1e309!", inf}, {"-1e999!", -inf}, {"1.7976931348623157e308^", math.MaxFloat64},
	{"1.7976931348623158e308^", math.MaxFloat64}, {"1.7976931348623159e308!", inf}, {"0x1.fffffffffffff7p1023^", math.MaxFloat64},
	{"0x1.fffffffffffff8p1023!", inf}, {"0x1p1024!", inf}, {"-0x1p99999999999999999999!", -inf}, {"1e999999999999999999!", inf},
	{"1e18446744073709551616!", inf}, {"0e999999999999999999^", 0}, {"-0.0e99999^", negZero}, {"0x0p999999999999999999^", 0},

	// subnormal and zero: ERANGE unless exact
	{"1e-310!", 1e-310}, {"1e-400!", 0}, {"-1e-400!", negZero}, {"1e-999999999999999999!", 0}, {"1e-18446744073709551616!", 0},
	{"0e-400^", 0}, {"0x1p-1074^", 0x1p-1074}, {"0x1p-1075!", 0}, {"-0x1p-1076!", negZero}, {"0x1.8p-1074!", 0x1p-1073},
	{"0x1.8p-1075!", 0x1p-1074}, {"0x1.000001p-1075!", 0x1p-1074}, {"0x1p-9999999999999999999!", 0}, {"0x.8p-1073^", 0x1p-1074},
	{"4.9406564584124654e-324!", 0x1p-1074}, {"2.4703282292062327e-324!", 0}, {"2.4703282292062328e-324!", 0x1p-1074},

	// 2^-1022: tiny is judged after rounding to 53 bits
	{"2.2250738585072014e-308^", 0x1p-1022}, {"2.2250738585072012e-308!", 0x1p-1022}, {"2.2250738585072011e-308!", 0x0.fffffffffffffp-1022},
	{"0x1p-1022^", 0x1p-1022}, {"0x1.fffffffffffffp-1023!", 0x1p-1022}, {"0x1.fffffffffffff4p-1023!", 0x1p-1022},
	{"0x1.fffffffffffff7ffp-1023!", 0x1p-1022}, {"0x1.fffffffffffff8p-1023^", 0x1p-1022}, {"0x1.ffffffffffffffffp-1025!", 0x1p-1024}, {"0x1.ffffffffffffep-1023^", 0x0.fffffffffffffp-1022},
}

func TestFloat(t *testing.T) {
	for _, test := range floatTests {
		n, mark, rest := 0, "", test.text
		if at := strings.IndexAny(test.text, "^!"); at >= 0 {
			n, mark, rest = at, test.text[at:at+1], test.text[:at]+test.text[at+1:]
		}
		checkFloat(t, rest, test.want, n, mark == "!")
	}
}

// The exact decimals around the edges of the subnormal range: the middle below
// 2^-1022 in 53 bits, 2^-1074 and its half.
func TestFloatExactDecimals(t *testing.T) {
	half := func(v float64) string { return strconv.FormatFloat(v, 'e', 1200, 64) }
	tests := []struct {
		text   string
		want   float64
		erange bool
	}{
		{half(0x1p-1074), 0x1p-1074, false},
		{half(0x0.fffffffffffffp-1022), 0x0.fffffffffffffp-1022, false},
		{half(0x0.8p-1022), 0x0.8p-1022, false},
		{half(0x1p-1022), 0x1p-1022, false},
		{exactDecimal(1, 1075), 0, true},
		{bump(exactDecimal(1, 1075), 1), 0x1p-1074, true},
		{bump(exactDecimal(1, 1074), 1), 0x1p-1074, true},
		{bump(exactDecimal(1, 1074), -1), 0x1p-1074, true},
		{exactDecimal(1<<54-1, 1076), 0x1p-1022, false},
		{bump(exactDecimal(1<<54-1, 1076), 1), 0x1p-1022, false},
		{bump(exactDecimal(1<<54-1, 1076), -1), 0x1p-1022, true},
		{exactDecimal(1<<54-1, 1076) + strings.Repeat("0", 5000) + "1", 0x1p-1022, false},
		{exactDecimal(1<<54-1, 1076) + strings.Repeat("0", 5000), 0x1p-1022, false},
		{exactDecimal(1, 1074) + strings.Repeat("0", 5000), 0x1p-1074, false},
		{exactDecimal(1, 1074) + strings.Repeat("0", 5000) + "1", 0x1p-1074, true},
	}
	for _, test := range tests {
		checkFloat(t, test.text, test.want, len(test.text), test.erange)
	}
}

// TestFloatReference compares with rational arithmetic.
func TestFloatReference(t *testing.T) {
	source := newTokens(1)
	for range count(t, 60_000) {
		text := source.next()
		v, n, erange := referenceFloat([]byte(text))
		checkFloat(t, text, v, n, erange)
	}
}

// What strconv accepts and C knows too, both read alike.
func TestFloatStrconv(t *testing.T) {
	source := newTokens(2)
	accepted := 0
	for range count(t, 100_000) {
		text := source.number()
		if want, ok := strconvFloat(text); ok {
			accepted++
			v, n, _ := textscan.Float([]byte(text))
			if n != len(text) || !same(v, want) {
				t.Errorf("Float(%s) = %x, %d; strconv has %x of %d", brief(text), v, n, want, len(text))
			}
		}
	}
	if accepted < 1000 {
		t.Fatalf("strconv accepted only %d texts", accepted)
	}
}

// Every float64 that is written with 17 digits comes back.
func TestFloatRoundTrip(t *testing.T) {
	source := newTokens(3)
	var b []byte
	for range count(t, 200_000) {
		want := math.Float64frombits(source.Uint64())
		if want != want {
			continue
		}
		b = textscan.AppendG(b[:0], want, 17)
		if v, n, _ := textscan.Float(b); n != len(b) || !same(v, want) {
			t.Errorf("%s came back as %x, wrote %x", b, v, want)
		}
	}
}

func TestFloatHuge(t *testing.T) {
	const mega = 1 << 20
	zeros, nines := strings.Repeat("0", mega), strings.Repeat("9", mega)
	tests := []struct {
		text   string
		want   float64
		erange bool
	}{
		{zeros, 0, false},
		{zeros + "12.5", 12.5, false},
		{"1" + zeros + "e-" + strconv.Itoa(mega), 1, false},
		{"0." + zeros + "25e" + strconv.Itoa(mega), .25, false},
		{"12.5" + zeros, 12.5, false},
		{"1." + zeros + "1", 1, false},
		{"9007199254740993." + zeros + "1", 0x1p53 + 2, false},
		{nines, inf, true},
		{nines + "e-" + strconv.Itoa(mega), 1, false},
		{"0." + zeros + nines, 0, true},
		{"." + nines + "e-308", 1e-308, true},
		{"0." + zeros + "1e" + zeros + strconv.Itoa(mega+1), 1, false},
		{"1e" + nines, inf, true},
		{"1e-" + nines, 0, true},
		{"1e" + zeros + "1", 10, false},
		{"0e" + nines, 0, false},
		{"0x" + zeros + "1.8", 1.5, false},
		{"0x1" + zeros + "p-" + strconv.Itoa(4*mega), 1, false},
		{"0x." + zeros + "18p" + strconv.Itoa(4*mega+8), 24, false},
		{"0x" + nines, inf, true},
		{"0x" + nines + "p-" + strconv.Itoa(4*mega), 0x.9999999999999ap0, false},
		{"0x20000000000001" + zeros + "1p-" + strconv.Itoa(4*mega+4), 0x1p53 + 2, false},
		{"0x1p-" + nines, 0, true},
		{"0x0p" + nines, 0, false},
		{"0x1p" + nines, inf, true},
		{"nan(" + nines + ")", nan, false},
		{strings.Repeat(" ", mega) + "1", 1, false},
	}
	for _, test := range tests {
		checkFloat(t, test.text, test.want, len(test.text), test.erange)
	}
	checkFloat(t, "nan("+nines, nan, 3, false)
	checkFloat(t, strings.Repeat(" ", mega), 0, 0, false)
}

// Numbers of data files cost no allocation, numbers of a megabyte no memory in
// proportion.
func TestFloatAllocation(t *testing.T) {
	for _, text := range []string{"0.708333", "-1", "123456.789e-3", "0.0001234567890123456", "1.2345678901234567e-05", "0x1p3", "nan"} {
		b := []byte(text)
		if n := testing.AllocsPerRun(100, func() { textscan.Float(b) }); n != 0 {
			t.Errorf("Float(%s) allocates %v times", text, n)
		}
	}
	long := bytes.Repeat([]byte("7"), 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	textscan.Float(long)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<16 {
		t.Errorf("a megabyte of digits allocates %d bytes", n)
	}
}

func TestAtof(t *testing.T) {
	for text, want := range map[string]float64{
		"": 0, "x": 0, "1e3x": 1000, "0.5": .5, " -2": -2, "1e999": inf, "1e-400": 0, "0x10": 16, "5%": 5, "-inf": -inf, "nan": nan, "-0": negZero,
	} {
		if v := textscan.Atof(text); !same(v, want) {
			t.Errorf("Atof(%q) = %v, want %v", text, v, want)
		}
	}
}

func checkFloat(t *testing.T, text string, want float64, wantN int, erange bool) {
	t.Helper()
	v, n, err := textscan.Float([]byte(text))
	if !same(v, want) || n != wantN || errors.Is(err, textscan.ErrRange) != erange || err != nil && !erange {
		t.Errorf("Float(%s) = %x, %d, %v, want %x, %d, ERANGE %v", brief(text), v, n, err, want, wantN, erange)
	}
}

// same compares bits.
func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// brief quotes a text, or the ends of a long one.
func brief(s string) string {
	if len(s) > 1500 {
		return fmt.Sprintf("%q...%q (%d bytes)", s[:40], s[len(s)-40:], len(s))
	}
	return strconv.Quote(s)
}

// strconvFloat is strconv.ParseFloat, for the texts that mean the same to C and
// that it reads right: Go 1.26 misplaces the point of a number with more than
// 800 digits before it, and gives up on exponents above 10000.
func strconvFloat(text string) (v float64, ok bool) {
	if strings.Contains(text, "_") || len(text) > 800 || len(text) != len(limitExponent(text)) {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	if math.IsNaN(v) {
		v = nan
	}
	return v, true
}

// count returns n, or a part of it under -short.
func count(t *testing.T, n int) int {
	if testing.Short() {
		return n / 20
	}
	return n
}
