package compat_test

import (
	"bytes"
	"fmt"
)

// A grade says how an output of ours stands against the reference's.
type grade int

const (
	equal     grade = iota // to the byte
	reasoned               // an error message, the same, and then our reason
	permitted              // another answer that the case allows
	different
)

// A judgement is a grade with its grounds.
type judgement struct {
	grade  grade
	detail string // of a difference: where it is
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
