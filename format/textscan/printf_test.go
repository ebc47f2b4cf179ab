package textscan_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

var printfTests = []struct {
	x           float64
	g6, g8, g17 string
	f6          string
}{
	{0, "0", "0", "0", "0.000000"},
	{negZero, "-0", "-0", "-0", "-0.000000"},
	{1, "1", "1", "1", "1.000000"},
	{-0.5, "-0.5", "-0.5", "-0.5", "-0.500000"},
	{0.1, "0.1", "0.1", "0.10000000000000001", "0.100000"},
	{1.0 / 3, "0.333333", "0.33333333", "0.33333333333333331", "0.333333"},
	{100000, "100000", "100000", "100000", "100000.000000"},
	{999999, "999999", "999999", "999999", "999999.000000"},
	{999999.5, "1e+06", "999999.5", "999999.5", "999999.500000"},
	{1e6, "1e+06", "1000000", "1000000", "1000000.000000"},
	{1e8, "1e+08", "1e+08", "100000000", "100000000.000000"},
	{123456789, "1.23457e+08", "1.2345679e+08", "123456789", "123456789.000000"},
	{1e16, "1e+16", "1e+16", "10000000000000000", "10000000000000000.000000"},
	{1e17, "1e+17", "1e+17", "1e+17", "100000000000000000.000000"},
	{1e-4, "0.0001", "0.0001", "0.0001", "0.000100"},
	{0.00012345678, "0.000123457", "0.00012345678", "0.00012345678000000001", "0.000123"},
	{1e-5, "1e-05", "1e-05", "1.0000000000000001e-05", "0.000010"},
	{9.9999995e-5, "0.0001", "9.9999995e-05", "9.9999994999999998e-05", "0.000100"},
	{9.9999999999e-5, "0.0001", "0.0001", "9.9999999999000004e-05", "0.000100"},
	{0.5e-6, "5e-07", "5e-07", "4.9999999999999998e-07", "0.000000"},
	{1e100, "1e+100", "1e+100", "1e+100", "10000000000000000159028911097599180468360808563945281389781327557747838772170381060813469985856815104.000000"},
	{1e-100, "1e-100", "1e-100", "1e-100", "0.000000"},
	{0x1p-1074, "4.94066e-324", "4.9406565e-324", "4.9406564584124654e-324", "0.000000"},
	{2.5, "2.5", "2.5", "2.5", "2.500000"},
	{1000.0625, "1000.06", "1000.0625", "1000.0625", "1000.062500"},
	{0.0000005, "5e-07", "5e-07", "4.9999999999999998e-07", "0.000000"},
	{1.0000005, "1", "1.0000005", "1.0000005000000001", "1.000001"},
	{math.MaxFloat64, "1.79769e+308", "1.7976931e+308", "1.7976931348623157e+308", "179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177180919299881250404026184124858368.000000"},
	{inf, "inf", "inf", "inf", "inf"},
	{-inf, "-inf", "-inf", "-inf", "-inf"},
	{nan, "nan", "nan", "nan", "nan"},
	{negNaN, "-nan", "-nan", "-nan", "-nan"},
}

func TestPrintf(t *testing.T) {
	for _, test := range printfTests {
		for prec, want := range map[int]string{6: test.g6, 8: test.g8, 17: test.g17} {
			if got := string(textscan.AppendG([]byte("1:"), test.x, prec)); got != "1:"+want {
				t.Errorf("%%.%dg of %x is %s, want %s", prec, test.x, got[2:], want)
			}
		}
		if got := string(textscan.AppendF([]byte("1:"), test.x, 6)); got != "1:"+test.f6 {
			t.Errorf("%%f of %x is %s, want %s", test.x, got[2:], test.f6)
		}
	}
}

// Other precisions, also those C gives a meaning of their own.
func TestPrintfPrecision(t *testing.T) {
	tests := []struct {
		x    float64
		prec int
		g, f string
	}{
		{123.456, 0, "1e+02", "123"},
		{0, 0, "0", "0"},
		{9.5, 0, "1e+01", "10"}, // to even: 9.5 is a tie
		{8.5, 0, "8", "8"},
		{0.5, 0, "0.5", "0"},
		{123.456, 1, "1e+02", "123.5"},
		{123.456, 3, "123", "123.456"},
		{0.1, 20, "0.10000000000000000555", "0.10000000000000000555"},
		{1, 25, "1", "1.0000000000000000000000000"},
		{1e22, 23, "10000000000000000000000", "10000000000000000000000.00000000000000000000000"},
	}
	for _, test := range tests {
		if got := string(textscan.AppendG(nil, test.x, test.prec)); got != test.g {
			t.Errorf("%%.%dg of %v is %s, want %s", test.prec, test.x, got, test.g)
		}
		if got := string(textscan.AppendF(nil, test.x, test.prec)); got != test.f {
			t.Errorf("%%.%df of %v is %s, want %s", test.prec, test.x, got, test.f)
		}
	}
}

func TestAppendInt(t *testing.T) {
	for _, i := range []int64{0, 1, 9, 10, 99, 100, 12345678, 99999999, 100000000, 2147483647, math.MaxInt64, -1, -10, -99999999, math.MinInt64} {
		if got, want := string(textscan.AppendInt([]byte("x"), i)), "x"+strconv.FormatInt(i, 10); got != want {
			t.Errorf("%d is written as %s", i, got)
		}
	}
	for i := range int64(20_000) {
		if got, want := string(textscan.AppendInt(nil, i*37)), strconv.FormatInt(i*37, 10); got != want {
			t.Errorf("%s is written as %s", want, got)
		}
	}
}

// Numbers are written without an allocation where there is room.
func TestPrintfAllocation(t *testing.T) {
	b := make([]byte, 0, 64)
	for _, x := range []float64{0, 1, -0.5, 1.0 / 3, 123456.5, 0x1p-1074, math.MaxFloat64, inf} {
		for _, prec := range []int{6, 8, 17} {
			if n := testing.AllocsPerRun(10, func() { b = textscan.AppendG(b[:0], x, prec) }); n != 0 {
				t.Errorf("%%.%dg of %v allocates %v times", prec, x, n)
			}
		}
		if n := testing.AllocsPerRun(10, func() { b = textscan.AppendInt(b[:0], int64(min(x, 1e18))) }); n != 0 {
			t.Errorf("%%d of %v allocates %v times", x, n)
		}
	}
}
