package compat_test

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A grade says how an output of ours stands against the reference's.
type grade int

const (
	equal     grade = iota // to the byte
	reasoned               // an error message, the same, and then our reason
	near                   // the same text, reals within their tolerance
	permitted              // another answer that the case allows
	different
)

// A judgement is a grade with its grounds.
type judgement struct {
	grade    grade
	relative float64 // the largest relative difference of two reals
	detail   string  // of a difference: where it is
}

// judgeBytes asks for the same bytes.
func judgeBytes(got, want []byte) judgement {
	if bytes.Equal(got, want) {
		return judgement{}
	}
	return judgement{grade: different, detail: firstDifference(got, want)}
}

// judgeError asks for the same error message; what follows it on its line, after
// a colon, is ours.
func judgeError(got, want []byte) judgement {
	j := judgeBytes(got, want)
	if j.grade == equal || len(want) == 0 {
		return j
	}
	rest, same := bytes.CutPrefix(got, bytes.TrimSuffix(want, []byte("\n")))
	if same && bytes.HasPrefix(rest, []byte(": ")) && bytes.IndexByte(rest, '\n') == len(rest)-1 {
		return judgement{grade: reasoned}
	}
	return j
}

// number is a decimal number as printf writes it.
var number = regexp.MustCompile(`[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`)

// judgeDigits asks for the same text around the numbers, the same integers and
// feature values (numbers after a colon), and reals that agree as agree says.
func judgeDigits(got, want []byte) judgement {
	j := judgeBytes(got, want)
	if j.grade == equal {
		return j
	}
	g, w := number.FindAllIndex(got, -1), number.FindAllIndex(want, -1)
	if len(g) != len(w) {
		j.detail = fmt.Sprintf("%d numbers instead of %d; %s", len(g), len(w), j.detail)
		return j
	}
	near := judgement{grade: near}
	gEnd, wEnd := 0, 0
	for i := range w {
		before := want[wEnd:w[i][0]]
		if !bytes.Equal(got[gEnd:g[i][0]], before) {
			return j
		}
		gEnd, wEnd = g[i][1], w[i][1]
		a, b := string(got[g[i][0]:gEnd]), string(want[w[i][0]:wEnd])
		if a == b {
			continue
		}
		relative, ok := agree(a, b)
		if !ok || bytes.HasSuffix(before, []byte(":")) {
			line := 1 + bytes.Count(want[:wEnd], []byte("\n"))
			return judgement{grade: different, relative: relative, detail: fmt.Sprintf("line %d: %s instead of %s", line, a, b)}
		}
		near.relative = max(near.relative, relative)
	}
	if !bytes.Equal(got[gEnd:], want[wEnd:]) {
		return j
	}
	return near
}

// tolerance is the relative difference allowed to a real printed in full.
const tolerance = 1e-9

// agree reports whether two printed numbers may stand for each other: reals
// within a relative tolerance of 1e-9, those printed with six digits (%g) or six
// decimals (%f) within one unit of the last place, integers not at all.
func agree(a, b string) (relative float64, ok bool) {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil {
		return math.Inf(1), false
	}
	d := math.Abs(x - y)
	if d > 0 {
		relative = d / max(math.Abs(x), math.Abs(y))
	}
	if !strings.ContainsAny(a+b, ".eE") {
		return relative, false
	}
	if relative <= tolerance {
		return relative, true
	}
	const slack = 1 + 1e-6 // decimal fractions are not exact
	switch {
	case decimals(a) == 6 && decimals(b) == 6:
		return relative, d <= 1e-6*slack
	case digits(a) <= 6 && digits(b) <= 6:
		least := min(math.Abs(x), math.Abs(y))
		return relative, least > 0 && d <= math.Pow(10, math.Floor(math.Log10(least))-5)*slack
	}
	return relative, false
}

// decimals returns the number of digits after the point, -1 with an exponent.
func decimals(s string) int {
	if strings.ContainsAny(s, "eE") {
		return -1
	}
	_, fraction, _ := strings.Cut(s, ".")
	return len(fraction)
}

// digits returns the number of significant digits, counted from the first that
// is not 0.
func digits(s string) int {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s = s[:i]
	}
	return len(strings.TrimLeft(strings.NewReplacer("+", "", "-", "", ".", "").Replace(s), "0"))
}

// firstDifference shows the first lines that differ.
func firstDifference(got, want []byte) string {
	g, w := bytes.SplitAfter(got, []byte("\n")), bytes.SplitAfter(want, []byte("\n"))
	for i := 0; i < max(len(g), len(w)); i++ {
		var a, b []byte
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if !bytes.Equal(a, b) {
			return fmt.Sprintf("line %d: %q instead of %q", i+1, excerpt(a), excerpt(b))
		}
	}
	return "no difference"
}

// excerpt cuts b to what a log line can bear.
func excerpt(b []byte) []byte {
	const most = 200
	return b[:min(len(b), most)]
}
