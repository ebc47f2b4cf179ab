package compat_test

import (
	"strings"
	"testing"
)

func TestJudgeError(t *testing.T) {
	const theirs = "Wrong input format at line 3\n"
	for got, want := range map[string]grade{
		theirs: equal,
		"Wrong input format at line 3: data:3:7: a value is missing\n": reasoned,
		"Wrong input format at line 3: data:3:7\nmore\n":               different,
		"Wrong input format at line 3: data:3:7":                       different,
		"Wrong input format at line 31\n":                              different,
		"Wrong input format at line 3:\n":                              different,
		"wrong input format at line 3\n":                               different,
		"":                                                             different,
	} {
		if j := judgeError([]byte(got), []byte(theirs)); j.grade != want {
			t.Errorf("%q: grade %d, want %d", got, j.grade, want)
		}
	}
	if j := judgeError([]byte(": reason\n"), nil); j.grade != different {
		t.Error("a message where LIBSVM has none passes")
	}
}

func TestJudgeBytes(t *testing.T) {
	if j := judgeBytes([]byte("a\nb\n"), []byte("a\nb\n")); j.grade != equal {
		t.Error("equal outputs differ")
	}
	j := judgeBytes([]byte("a\nb"), []byte("a\nb\n"))
	if j.grade != different || !strings.Contains(j.detail, `line 2: "b" instead of "b\n"`) {
		t.Errorf("got %+v", j)
	}
}

func TestJudgeChoice(t *testing.T) {
	const model = "SV\n1 1:2 \n"
	accepted := outcome{result: result{stdout: []byte("*\n")}, files: map[string][]byte{"model": []byte(model)}}
	refused := outcome{result: result{exit: 1, stderr: []byte("Wrong input format at line 1\n")}}
	with := func(o outcome, change func(*outcome)) outcome { change(&o); return o }
	for _, c := range []struct {
		name      string
		got, want outcome
		ok        bool
	}{
		{"the same", accepted, accepted, true},
		{"the same refusal", refused, refused, true},
		{"refused", refused, accepted, true},
		{"refused in silence", with(refused, func(o *outcome) { o.stderr = nil }), accepted, false},
		{"refused in two lines", with(refused, func(o *outcome) { o.stderr = []byte("a\nb\n") }), accepted, false},
		{"refused with a trace", with(refused, func(o *outcome) { o.exit = 2 }), accepted, false},
		{"refused, yet a model", with(refused, func(o *outcome) { o.files = accepted.files }), accepted, false},
		{"the same with a warning", with(accepted, func(o *outcome) { o.stderr = []byte("warning\n") }), accepted, true},
		{"a warning and another report", with(accepted, func(o *outcome) { o.stderr, o.stdout = []byte("warning\n"), nil }), accepted, false},
		{"another report", with(accepted, func(o *outcome) { o.stdout = []byte("**\n") }), accepted, false},
		{"another model", with(accepted, func(o *outcome) { o.files = map[string][]byte{"model": nil} }), accepted, false},
		{"accepted", accepted, refused, true},
		{"accepted with a complaint", with(accepted, func(o *outcome) { o.stderr = []byte("error\n") }), refused, false},
		{"accepted without a report", outcome{files: accepted.files}, refused, false},
		{"accepted without a model", outcome{result: accepted.result}, refused, false},
	} {
		if j := judgeChoice(c.got, c.want); (j.grade != different) != c.ok {
			t.Errorf("%s: %+v", c.name, j)
		}
	}
}

func TestJudgeUsage(t *testing.T) {
	theirs := outcome{result: result{exit: 1, stdout: []byte("-b -q"), stderr: []byte("unknown option: -x\n")}}
	for _, c := range []struct {
		name string
		got  outcome
		ok   bool
	}{
		{"another text", outcome{result: result{exit: 1, stdout: []byte("svm-predict [-b 0|1] [-q]"), stderr: theirs.stderr}}, true},
		{"no -q", outcome{result: result{exit: 1, stdout: []byte("svm-predict [-b 0|1] [-quiet]"), stderr: theirs.stderr}}, false},
		{"nothing", outcome{result: result{exit: 1, stderr: theirs.stderr}}, false},
		{"another error", outcome{result: result{exit: 1, stdout: theirs.stdout}}, false},
	} {
		if j := judgeUsage("svm-predict", c.got, theirs); (j.grade != different) != c.ok {
			t.Errorf("%s: %+v", c.name, j)
		}
	}
}

// A difference must reach the test's result and its summary.
func TestTally(t *testing.T) {
	var y tally
	y.add(t, "pred", judgement{})
	y.add(t, "model", judgement{grade: permitted, detail: "refused"})
	if s := y.String(); !strings.HasPrefix(s, "2 outputs compared: 1 equal to the byte, 0 with a reason") {
		t.Error(s)
	}
	if s := y.list(); s != "\n\tmodel: refused" {
		t.Errorf("%q", s)
	}
}
