package textscan_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// rowText reads a line by Float and Pairs; ok is false if it is no row.
func rowText(line string) (text string, ok bool) {
	defer simd.Use(simd.Use(simd.Portable))
	y, n, _ := textscan.Float([]byte(line))
	if n == 0 || n < len(line) && !textscan.IsSpace(line[n]) || math.IsNaN(y) || math.IsInf(y, 0) {
		return "", false
	}
	index, value, f := textscan.Pairs([]byte(line), n, true, nil, nil)
	return fmt.Sprintf("%016x %s", math.Float64bits(y), pairsText(index, value, nil)), f == nil
}

// checkRows reads a text from the line at an offset on in all ways, into memory with room for so
// many elements. Of the lines, so many from the first on must be read where there are the
// instructions.
func checkRows(t *testing.T, text string, at, room, plain int) {
	t.Helper()
	lines := strings.SplitAfter(text[at:], "\n")
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		const marker, before = 7, 3
		labels, starts := marked[float64](marker, before, room), marked[int32](marker, before+1, room)
		index, value := marked[int32](marker, 2*before, room), marked[float64](marker, before, room)
		starts[before] = before
		rows := textscan.PlainRows{Labels: labels, Starts: starts, Index: index, Value: value}
		stop := rows.AppendText(slack(text, "\n 1:"[room%4]), at)
		ys, ends, is, vs := rows.Labels, rows.Starts, rows.Index, rows.Value
		if len(ys) != len(ends)-1 || int(ends[len(ends)-1]) != len(vs) || len(is)-2*before != len(vs)-before {
			t.Fatalf("%v: %d labels, %d starts, %d indices, %d values", l, len(ys), len(ends), len(is), len(vs))
		}
		for k, guard := range [][]float64{ys[:before], vs[:before], labels[:before+room+8][before+room:], value[:before+room+8][before+room:]} {
			if slices.ContainsFunc(guard, func(v float64) bool { return v != marker }) {
				t.Fatalf("%v: other memory is overwritten: %d %v\n%q", l, k, guard, text)
			}
		}
		for k, guard := range [][]int32{ends[:before], is[:2*before], starts[:before+1+room+8][before+1+room:], index[:2*before+room+8][2*before+room:]} {
			if slices.ContainsFunc(guard, func(v int32) bool { return v != marker }) {
				t.Fatalf("%v: other memory is overwritten: %d %v\n%q", l, k, guard, text)
			}
		}
		next := at
		for k, y := range ys[before:] {
			lo, hi := ends[before+k], ends[before+k+1]
			got := fmt.Sprintf("%016x %s", math.Float64bits(y), pairsText(is[before+lo:before+hi], vs[lo:hi], nil))
			want, ok := rowText(strings.TrimSuffix(lines[k], "\n"))
			if !ok || got != want || !strings.HasSuffix(lines[k], "\n") {
				t.Fatalf("%v, room for %d: line %q, %v:\n got %s\nwant %s\n%q", l, room, lines[k], ok, got, want, text)
			}
			next += len(lines[k])
		}
		if stop != next {
			t.Fatalf("%v: stopped at %d behind rows up to %d\n%q", l, stop, next, text)
		}
		if simd.Current() >= simd.AVX2 && len(ys)-before < plain {
			t.Fatalf("%v, room for %d: %d rows of %d were read\n%q", l, room, len(ys)-before, plain, text)
		}
	}
}

// marked returns n elements and room for more of them, behind which eight stand that only the
// slice of a slice that is too long has.
func marked[T float64 | int32](marker T, n, room int) []T {
	return slices.Repeat([]T{marker}, n+room+8)[: n : n+room+8]
}

// Rows are read like lines one by one, and if all are plain to the end.
func TestPlainRows(t *testing.T) {
	defer simd.Use(simd.Best())
	source := newTokens(41)
	row := func(pairs int) string {
		var b strings.Builder
		b.WriteString(source.pick("1", "-1", "+1", "26", "0.5", "-3.25", "1234567", "0.123456789012"))
		index := -source.IntN(2)
		for range pairs {
			index += 1 + source.IntN(3)
			fmt.Fprintf(&b, " %d:%s", index, source.pick("1", "-1", "0.5", "-0.123456", "+3", "0.1234567890123", "0", "-0", "1234.5678"))
		}
		return b.String() + source.pick("\n", "\n", " \n")
	}
	// rows around those of windows
	for pairs := range 140 {
		var b strings.Builder
		b.WriteString("x\n")
		rows := 1 + source.IntN(40)
		for range rows {
			b.WriteString(row(max(0, pairs-source.IntN(3))))
		}
		checkRows(t, b.String(), 2, 20000, rows)
		checkRows(t, b.String(), 2, source.IntN(1000), 0)
		checkRows(t, b.String()+"1 2:3", 2, 3000, 0)
	}
	for rows := range 600 {
		text := "\n" + strings.Repeat(source.pick("1\n", "-1 \n", "1 1:1\n", "2 10:1 \n"), rows)
		checkRows(t, text, 1, 3000, rows)
		checkRows(t, text, 1, rows, 0)
	}
	// an index that does not follow the one before, at every place of some windows
	for at := 1; at < 200; at++ {
		var b strings.Builder
		b.WriteString("\n1 1:2\n-1")
		for p := range 200 {
			if p == at {
				p--
			}
			fmt.Fprintf(&b, " %d:0.25", 10+p)
		}
		checkRows(t, b.String()+"\n1 1:2\n", 1, 600, 1)
	}
	// long fractions beside numbers without a point
	for rows := range 40 {
		text := "\n"
		for range rows {
			text += source.pick("1", "-1", "0", "+2", "123456789012345", "-0.01234567890123456") + " 1:" +
				source.pick("0.1234567890123456", "-0.01234567890123456", "0.00") + " 2:" + source.pick("-0.8765432109876543", "7", "0", "-00") + "\n"
		}
		checkRows(t, text, 1, 600, rows)
	}
	// every form of a label, a value, an index and an end, at every place
	odd := []string{"", "-", "+", "--1", "+-1", "-+1", "+1", ".", "-.", "+.", "5.", ".5", "-.5", "+.5", "1..2", "1e5", "0x1p3", "inf", "nan", "1\r", "\t1", " 1", "1 ", "1  ",
		"-0", "0", "+0", "00012", "1:2", ":", "1:", ":1", "1,5", "123456789012345", "1234567890123456", "12345678901234567", "-1234567890.12345", "\x80", "1\x00", "1/", "-0.",
		"0.123456789012345", "-0.0123456789012345", "0.12345678901234567", "#", "1 #", "1\n2", "\n", "1\n", "1 \n", "1  \n", "1\n\n2", "1 2", "1 2 ", "1 2\n3", "1 2:\n3", "1 :3"}
	indices := []string{"", "0", "1", "-1", "+7", "12345678", "123456789", "2147483647", "0x1", "7 ", " 7", "a", "1.5", "00000007", "12345", "123456", "7:8", "1\n7", "1\n2 7", "7\n"}
	ends := []string{"\n", " \n", "  \n", "\r\n", " \r\n", "\t\n", "\n\n", " \n \n", " #x\n", " #\n", " 5\n", " :\n", " 5:\n", ":\n", "", " "}
	for pairs := range 10 {
		for at := range pairs + 2 {
			for k, text := range slices.Concat(odd, indices, ends) {
				var b strings.Builder
				b.WriteString(row(0) + row(source.IntN(5)) + row(source.IntN(9)))
				put := func(common string, from, to, place int) {
					if at == place && k >= from && k < to {
						common = text
					}
					b.WriteString(common)
				}
				put("-1", 0, len(odd), pairs)
				for p := range pairs {
					b.WriteByte(' ')
					put(fmt.Sprint(p*3+1), len(odd), len(odd)+len(indices), p)
					b.WriteByte(':')
					put(source.pick("1", "-0.25"), 0, len(odd), p)
				}
				put("\n", len(odd)+len(indices), 1<<30, at)
				b.WriteString(row(source.IntN(4)) + row(7))
				plain := 3
				if slices.ContainsFunc(strings.FieldsFunc(b.String(), func(c rune) bool { return strings.ContainsRune(" :\n", c) }), func(s string) bool { return len(s) > 16 }) {
					plain = 0 // a long number may keep others from being read
				}
				checkRows(t, "\n"+b.String(), 1, 600, plain)
			}
		}
	}
	// anything
	for range 3000 {
		var b strings.Builder
		for range 1 + source.IntN(60) {
			line := row(source.IntN(12))
			if source.IntN(20) == 0 {
				line = strings.Replace(line, source.pick(" ", ":", "1", "\n", "-"), source.pick("  ", "x", "\n", "", " ", ":", "\t", "1e2", "\x00"), 1)
			}
			b.WriteString(line)
		}
		checkRows(t, "\n"+b.String(), 1, source.IntN(2000), 0)
	}
}
