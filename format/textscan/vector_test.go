package textscan_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// slack returns the line with other bytes behind it, which may be read.
func slack(line string, fill byte) []byte {
	b := append([]byte(line), bytes.Repeat([]byte{fill}, textscan.Slack)...)
	return b[:len(line)]
}

// samePairs reads a line in all ways and compares.
func samePairs(t *testing.T, line string, room int) {
	t.Helper()
	want := func() string {
		defer simd.Use(simd.Use(simd.Portable))
		return pairsText(textscan.Pairs([]byte(line), 0, true, nil, nil))
	}()
	const fills = " 70-." // what stands behind a line is no part of it
	for l := simd.AVX2; l <= simd.Best(); l++ {
		simd.Use(l)
		for _, k := range []int{len(line), len(line) + 2} {
			fill := fills[k%len(fills)]
			index, value := make([]int32, 0, room), make([]float64, 0, room)
			if got := pairsText(textscan.Pairs(slack(line, fill), 0, true, index, value)); got != want {
				t.Fatalf("%v, with %q behind, room for %d:\n%q\n got %s\nwant %s", l, fill, room, line, got, want)
			}
		}
	}
}

func pairsText(index []int32, value []float64, f *textscan.Fault) string {
	var b strings.Builder
	for k, i := range index {
		fmt.Fprintf(&b, "%d:%016x ", i, math.Float64bits(value[k]))
	}
	if f != nil {
		fmt.Fprintf(&b, "%d: %v", f.At, f.Err)
	}
	return b.String()
}

// Pairs reads the same with and without vector instructions.
func TestVectorPairs(t *testing.T) {
	if simd.Best() == simd.Portable {
		t.Log("no vector instructions here: one way only")
	}
	defer simd.Use(simd.Best())
	source := newTokens(31)
	// every form of a value, at every place among eight and of a window
	odd := []string{"", "-", "--1", "+1", ".", "-.", "5.", ".5", "-.5", "1..2", "1.2.3", "1e5", "0x1p3", "inf", "nan", "1\r", "\t1", " 1",
		"-0", "0", "00012", "1:2", ":", "1,5", "123456789012345", "1234567890123456", "12345678901234567", "-123456789012345",
		"-1234567890.12345", "1234567.8", "12345678.9", "123456789.1", "0.00000000000001", "0.0000000000000123", "9999999999999999", "9007199254740993",
		"\x80", "1\x00", "1/", "-0.", "99999999.9999999", "0.123456789012345", "7.12345678901234",
		"0.0123456789012345", "-0.0123456789012345", "0.1234567890123456", "-0.00123456789012345", "0.000123456789012345", "0.9007199254740992", "0.9007199254740993",
		"-0.9999999999999999", "0.0900719925474099", "0.09007199254740993", "0.12345678901234567", "1.23456789012345678", "0.0000000000000000", "-0.00000000000000001",
		"00", "-00", "00.5", "-00.5", "0.5", "-0.5", "0.05", "0.0000001", "0.00000001", "-0.0666667", "0.00666667", "1234567.", "-1234567.", "12345678.", "0123456.", "00000000", "-0.1234567", "-0.12345678",
		"0.x", "-0x", "0-", "0.-1", ".0", "-.0", "0.1.2", "-0.1.2", "0..1", "/", "0/", "1./5",
		"0.123456789012345x", "0.12345678 012345678", "00.123456789012345", "0.1234567890.2345", "0,1234567890123456", "0.0", "-0.0", "0."}
	plain := [][]string{{"1", "-0.5", "0.123456", "-1234.5678"}, {"0.5", "-0.123456789012345", "0.0986899159742946", "0.00986899159742946"}}
	for length := range 18 { // up to two eights and one more
		for at := range length + 1 {
			for n, text := range slices.Concat(odd, odd) {
				var b strings.Builder
				for k := range length {
					v := source.pick(plain[n/len(odd)]...)
					if k == at {
						v = text
					}
					fmt.Fprintf(&b, " %d:%s", k*7+1, v)
				}
				samePairs(t, b.String(), 0)
			}
		}
	}
	// every form of an index
	for _, text := range []string{"", "0", "1", "-1", "+7", "12345678", "123456789", "2147483647", "2147483648", "0x1", "7 ", " 7", "7\t", "a", "1.5", "00000007", "000000007",
		"12345", "123456", "1234567", "00007", "000007", "1234a", "12345a", "99999", "100000"} {
		for at := range 20 {
			var b strings.Builder
			for k := range 20 {
				i := fmt.Sprint(k - at + 7)
				if k < at {
					i = fmt.Sprint(k)
				}
				if k == at {
					i = text
				}
				fmt.Fprintf(&b, " %s:%s", i, []string{"0.25", "-0.25", "-3", "0", "-0"}[(k+at)%5])
			}
			samePairs(t, b.String(), 3)
		}
	}
	// lines of every length around those of windows, with room for all or some
	for length := range 200 {
		var b strings.Builder
		for k := range length {
			fmt.Fprintf(&b, " %d:%s", k, source.pick("1", "-1", source.common()))
		}
		for _, end := range []string{"", " ", "\r", " #x", " 5", " 900:", " 900:1 ", "  900:1"} {
			samePairs(t, b.String()+end, source.IntN(400))
		}
	}
	for end := range 1200 {
		samePairs(t, manyPairs[:end], end%50)
	}
	// anything
	for range 5000 {
		var b strings.Builder
		index := 0
		for range source.IntN(40) {
			index += 1 + source.IntN(9)
			sep := " "
			if source.IntN(30) == 0 {
				sep = source.pick("  ", "\t", "", "\v", " \t")
			}
			value := source.common()
			if source.IntN(3) > 0 {
				value = source.short()
			}
			if source.IntN(60) == 0 {
				value = source.pick("x", "1e400", "nan", "-", "1#", "1-", "1:1")
			}
			if source.IntN(100) == 0 {
				index -= source.IntN(10)
			}
			fmt.Fprintf(&b, "%s%d:%s", sep, index, value)
		}
		samePairs(t, b.String(), source.IntN(50))
	}
}

// manyPairs is a long line of short pairs.
var manyPairs = func() string {
	var b strings.Builder
	for k := range 400 {
		fmt.Fprintf(&b, " %d:%d", k, k%3)
	}
	return b.String()
}()
