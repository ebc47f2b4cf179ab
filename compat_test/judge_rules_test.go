package compat_test

import (
	"math"
	"strings"
	"testing"
)

func TestJudgeDigits(t *testing.T) {
	for _, c := range []struct {
		got, want string
		grade     grade
		relative  float64
	}{
		{"rho 0.42446205176771579\n", "rho 0.42446205176771579\n", equal, 0},
		{"rho 0.42446205176771579\n", "rho 0.42446205176771580\n", near, 0},
		{"rho 0.42446205176771579\n", "rho 0.42446205186771579\n", near, 2.4e-10},
		{"rho 0.42446205176771579\n", "rho 0.42446205276771579\n", different, 2.4e-9},
		{"rho 0.42446205176771579\n", "rho -0.42446205176771579\n", different, 2},
		{"rho 0.42446205176771579\n", "rho 0.42446205176771579 \n", different, 0},
		{"rho 0.42446205176771579\n", "Rho 0.42446205176771578\n", different, 0},
		{"rho 0.42446205176771579\n", "rho 0.42446205176771578", different, 0},
		{"rho 1 2\n", "rho 1\n", different, 0},
		{"rho nan\n", "rho -nan\n", different, 0},
		{"", "rho 1\n", different, 0},
		// six digits
		{"1 0.123456 0.876544\n", "1 0.123457 0.876543\n", near, 8.1e-6},
		{"1 0.123456 0.876544\n", "1 0.123458 0.876544\n", different, 1.62e-5},
		{"1 0.999999\n", "1 1\n", near, 1e-6},
		{"1 0.999998\n", "1 1\n", different, 2e-6},
		{"1 1e-05\n", "1 1.00001e-05\n", near, 1e-5},
		{"1 1e-05\n", "1 1.00002e-05\n", different, 2e-5},
		{"1 0\n", "1 0.000001\n", different, 1},
		{"1 0.5\n", "1 0.50001\n", different, 2e-5},
		{"sigma= 0.0432101\n", "sigma= 0.0432102\n", near, 2.3e-6},
		// six decimals
		{"obj = -2063.025841, rho = 0.424462\n", "obj = -2063.025842, rho = 0.424461\n", near, 2.4e-6},
		{"obj = -2063.025841, rho = 0.424462\n", "obj = -2063.025841, rho = 0.424464\n", different, 4.8e-6},
		{"C = 12345678.123456\n", "C = 12345679.123456\n", different, 8.1e-8},
		{"epsilon = -0.000000\n", "epsilon = 0.000000\n", near, 0},
		// counts, labels and feature values
		{"nSV = 132, nBSV = 107\n", "nSV = 132, nBSV = 106\n", different, 1. / 107},
		{"-1 0.5 0.5\n", "1 0.5 0.5\n", different, 2},
		{"0.1 3:0.25000001 \n", "0.1 3:0.25000002 \n", different, 4e-8},
		{"0.25000000000000001 3:1\n", "0.25 3:1\n", near, 0},
		{"0.1 3:1\n", "0.1 4:1\n", different, 0.25},
	} {
		j := judgeDigits([]byte(c.got), []byte(c.want))
		if j.grade != c.grade || math.Abs(j.relative-c.relative) > 0.02*c.relative {
			t.Errorf("%q, %q: grade %d, relative %.3g (%s), want %d, %.3g", c.got, c.want, j.grade, j.relative, j.detail, c.grade, c.relative)
		}
		if j.grade == different && j.detail == "" {
			t.Errorf("%q, %q: different without detail", c.got, c.want)
		}
	}
}

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
	y.add(t, "model", judgement{grade: near, relative: 2.5e-12})
	if s := y.String(); !strings.HasPrefix(s, "2 outputs compared: 1 equal to the byte, 0 with a reason") {
		t.Error(s)
	}
	if s := y.list(); s != "\n\tmodel: largest relative difference 2.5e-12" {
		t.Errorf("%q", s)
	}
}
