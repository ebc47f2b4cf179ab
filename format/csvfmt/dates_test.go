package csvfmt

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// dateSyntax is what looksLikeDate takes.
var dateSyntax = regexp.MustCompile(`^(` +
	`([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}|[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{2}|` +
	`[0-9]{1,2}[- ](?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ][0-9]{2,4})` +
	`([ T][0-9]{1,2}:[0-9]{2}.*)?|[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?( ?(?i:am|pm))?)$`)

// TestLooksLikeDate: days and times, and what a change makes of them, are what the syntax says.
func TestLooksLikeDate(t *testing.T) {
	dates := []string{"2024-01-31", "31.1.2024", "31/1/24", "1 Jan 2024", "12-september-24", "2024/1/2T10:20:30Z",
		"1.2.2024 9:05", "12:30", "9:05:07.25", "12:30 PM", "1:02am", "31/12/1999 23:59:59"}
	for _, s := range dates {
		if !looksLikeDate(s) {
			t.Errorf("%q is no date", s)
		}
	}
	r := rand.New(rand.NewPCG(5, 5))
	const bytes = "0123456789-/.: TapmPMJanfeb\n"
	takes := [2]int{}
	for range 200000 {
		b := []byte(dates[r.IntN(len(dates))])
		for range r.IntN(4) {
			at, c := r.IntN(len(b)), bytes[r.IntN(len(bytes))]
			switch r.IntN(3) {
			case 0:
				b[at] = c
			case 1:
				b = append(b[:at], append([]byte{c}, b[at:]...)...)
			default:
				if b = append(b[:at], b[at+1:]...); len(b) == 0 {
					b = []byte{c}
				}
			}
		}
		s := string(b)
		want := dateSyntax.MatchString(s)
		if got := looksLikeDate(s); got != want {
			t.Fatalf("%q: %v, want %v", s, got, want)
		}
		if want {
			takes[1]++
		} else {
			takes[0]++
		}
	}
	if min(takes[0], takes[1]) < 20000 {
		t.Errorf("%d are none, %d are", takes[0], takes[1])
	}
}
