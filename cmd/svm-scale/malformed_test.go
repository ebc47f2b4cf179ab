package main

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Everything here LIBSVM reads as something else than stands there, or crashes
// on. Nothing is written but the message.
func TestMalformedData(t *testing.T) {
	label := func(position, says string) (int, string) {
		return 255, "ERROR: failed to read labels: data:" + position + ": " + says
	}
	other := func(text string) (int, string) { return 1, "data:" + text }
	type fault struct {
		data   string
		status int
		stderr string
	}
	var tests []fault
	add := func(data string, status int, stderr string) { tests = append(tests, fault{data, status, stderr}) }
	const notNumber = "the label is not a number: "
	for _, c := range [][3]string{
		{"1 1:1\n\n2 1:2\n", "2:1", "empty line, expected a label"},
		{"1 1:1\n2 1:2\n \t\r\n", "3:1", "empty line, expected a label"},
		{"\n", "1:1", "empty line, expected a label"},
		{"abc 1:1\n", "1:1", notNumber + `"abc"`},
		{"# comment\n1 1:1\n", "1:1", notNumber + `"#"`},
		{"1 1:1\n 1:2 2:3\n", "2:2", notNumber + `"1:2"`}, // no label
		{"1,2 1:1\n", "1:1", notNumber + `"1,2"`},
		{"a,b,c\n1,2,3\n", "1:1", notNumber + `"a,b,c"`},
		{"1abc 1:1\n", "1:1", notNumber + `"1abc"`},
		{"? 1:1\n", "1:1", notNumber + `"?"`},
		{"qid:3 1:1\n", "1:1", notNumber + `"qid:3"`},
		{"nan 1:1\n", "1:1", notNumber + `"nan" is not finite`},
		{"-inf 1:1\n", "1:1", notNumber + `"-inf" is not finite`},
		{"1e999 1:1\n", "1:1", notNumber + `"1e999" is not finite`},
		{"\xff\xfd1 1:1\n", "1:1", notNumber + `"\xff\xfd1"`},
		{"1 1:1\n\xef\xbb\xbf1 1:1\n", "2:1", notNumber + `"\ufeff1"`},
		{"\x1f\x8c\x08 1:1\n", "1:1", notNumber + `"\x1f\x8c\b"`}, // gzip begins 1f 8b
	} {
		status, text := label(c[1], c[2])
		add(c[0], status, text)
	}
	for data, text := range map[string]string{
		"1 1:1\x00 2:1\n":           "1:6: unexpected NUL byte",
		"1\x00 \x001\x00:\x001\x00": "1:1: the text is UTF-16, expected UTF-8",
		"1 1:1 # \x00\n":            "1:9: unexpected NUL byte",
		"1 -5:1 1:2\n":              "1:3: feature index \"-5\" is negative",
		"1 1:1\n2 -3:1\n":           "2:3: feature index \"-3\" is negative",
		"1 2147483648:1\n":          `1:3: feature index "2147483648" is larger than 2147483647`,
		"1 4294967297:1\n":          `1:3: feature index "4294967297" is larger than 2147483647`,
		"1 99999999999999999999:1":  `1:3: feature index "99999999999999999999" is larger than 2147483647`,
		"1 2:1 1:1\n":               "1:7: feature index 1 does not follow 2: indices must increase",
		"1 1:1 1:2\n":               "1:7: feature index 1 does not follow 1: indices must increase",
		"1 1:1 0:2\n":               "1:7: feature index 0 does not follow 1: indices must increase",
		"1 1:1 5\n":                 `1:7: expected index:value, found "5"`,
		"1 1:1 5 6:1\n":             `1:7: expected index:value, found "5"`,
		"1 1:1 junk\n":              `1:7: expected index:value, found "junk"`,
		"1 1:1 : :\n":               `1:7: expected index:value, found ":"`,
		"1 1 :1\n":                  `1:3: expected index:value, found "1"`,
		"1 1.5:1\n":                 `1:3: expected index:value, found "1.5:1"`,
		"1 0x1:1\n":                 `1:3: expected index:value, found "0x1:1"`,
		"1 a:1\n":                   `1:3: expected index:value, found "a:1"`,
		"1 1:1\r2 1:2\r":            `1:5: expected a blank behind the value of feature 1, found "1\r2"`,
		"1 1:\n":                    "1:5: expected a number as value of feature 1, found the end of the line",
		"1 1:a\n":                   `1:5: expected a number as value of feature 1, found "a"`,
		"1 1:1,5\n":                 `1:5: expected a number as value of feature 1, found "1,5"`,
		"1 1:1:2\n":                 `1:5: expected a number as value of feature 1, found "1:2"`,
		"1 1: 2:3\n":                `1:5: expected a number as value of feature 1, found "2:3"`,
		"1 1:1# 2:3\n":              `1:5: expected a number as value of feature 1, found "1#"`,
		"1 1:# 2:3\n":               `1:5: expected a number as value of feature 1, found "#"`,
		"1 1:nan\n":                 `1:5: value "nan" of feature 1 is not a finite number`,
		"1 1:-inf\n":                `1:5: value "-inf" of feature 1 is not a finite number`,
		"1 1:1e999\n":               `1:5: value "1e999" of feature 1 is not a finite number`,
	} {
		status, text := other(text)
		add(data, status, text)
	}
	t.Chdir(t.TempDir())
	writeFile(t, "given", "x\n-1 1\n1 0 5\n")
	for _, tt := range tests {
		writeFile(t, "data", tt.data)
		for _, args := range []string{"data", "-s range -y 0 1 data", "-r given data"} {
			if got, want := ours(t, strings.Fields(args)...), (result{tt.status, "", tt.stderr + "\n", "-"}); got != want {
				t.Errorf("%q, %s:\n got %v\nwant %v", tt.data, args, got, want)
			}
		}
	}
}

func TestMalformedRanges(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "data", "1 1:1\n2 1:2\n3 2:1\n")
	for ranges, want := range map[string]string{
		"":                         `given:1: no ranges: the file is empty, expected "x" or "y"`,
		"junk\n":                   `given:1:1: expected "x" or "y", found "junk"`,
		"x\n-1 1\n2 0 4\n1 0 4\n":  "given:4:1: feature index 1 does not follow 2: indices must increase",
		"x\n-1 1\n1 0 4\njunk\n":   `given:4:1: expected a feature index, found "junk"`,
		"x\n-1 1\n1 0 nan\n":       `given:3:5: feature 1: expected two finite numbers, the minimum and maximum, found "nan"`,
		"y\n0 1\n":                 "given:2: expected a line with the minimum and maximum of the labels, found the end of the file",
		"x\n1 1\n1 0 4\n":          "given:2:1: the lower limit is not below the upper limit: 1 and 1",
		"x\n-1 1\n-1 0 4\n":        `given:3:1: feature index "-1" is not in 0..2147483647`,
		"x\n-1 1\n1000000000000 0": `given:3:1: feature index "1000000000000" is not in 0..2147483647`,
	} {
		writeFile(t, "given", ranges)
		got := ours(t, "-r", "given", "data")
		if want := (result{255, "", "ERROR: failed to read scaling parameters: " + want + "\n", "-"}); got != want {
			t.Errorf("%q:\n got %v\nwant %v", ranges, got, want)
		}
	}
}

// Results beyond float64 are refused before any output.
func TestOutOfRange(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ args, given, data, stderr string }{
		{"-r given data", "x/-1 1/1 0 1e-300", "1 1:1/2 1:2/3 1:1e300",
			"data:3: cannot scale the value 1e+300 of feature 1 from 0..1e-300 to -1..1: the result is out of range"},
		{"-r given data", "y/0 1/3 3", "3 1:1/3 1:2/4", "data:3: cannot scale the label 4: the range of the labels holds 3 only"},
		{"-y 0 1 -s range data", "", "", "data: no rows: the range of the labels is not known"},
	} {
		writeFile(t, "given", lines(tt.given))
		writeFile(t, "data", lines(tt.data))
		got := ours(t, strings.Fields(tt.args)...)
		if want := (result{1, "", tt.stderr + "\n", "-"}); got != want {
			t.Errorf("%s:\n got %v\nwant %v", tt.data, got, want)
		}
	}
	// also when what is sound before it is more than a buffer holds
	writeFile(t, "given", "x\n-1 1\n1 0 20000\n3 0 6\n5 0 1e-300\n")
	writeFile(t, "data", manyRows()+"1 5:1e300\n")
	want := "data:20001: cannot scale the value 1e+300 of feature 5 from 0..1e-300 to -1..1: the result is out of range\n"
	if got := ours(t, "-r", "given", "data"); got != (result{1, "", want, "-"}) {
		t.Errorf("%d bytes of output, stderr %q", len(got.stdout), got.stderr)
	}
	// near the end of float64's range, but within
	writeFile(t, "given", "x\n-1e300 1e300\n1 0 1e-8\n")
	writeFile(t, "data", "1 1:0.5\n2 1:-0.5\n")
	if got, want := ours(t, "-r", "given", "data"), (result{0, "1 1:1e+308 \n2 1:-1e+308 \n", "", "-"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A row of 300,000 features, and a huge index, cost what their text costs.
func TestLongRowsAndHugeIndices(t *testing.T) {
	t.Chdir(t.TempDir())
	var data, want strings.Builder
	const n = 300000
	for i, label := range []string{"1", "2", "3"} {
		data.WriteString(label)
		want.WriteString(label + " ")
		for j := range n {
			data.WriteString(" " + strconv.Itoa(j+1) + ":" + strconv.Itoa((i+j)%3))
			if v := (i+j)%3 - 1; v != 0 {
				want.WriteString(strconv.Itoa(j+1) + ":" + strconv.Itoa(v) + " ")
			}
		}
		data.WriteString("\n")
		want.WriteString("\n")
	}
	writeFile(t, "data", data.String())
	if got := ours(t, "data"); got.status != 0 || got.stdout != want.String() || got.stderr != "" {
		t.Errorf("status %d, %d bytes, want %d, stderr %q", got.status, len(got.stdout), want.Len(), got.stderr)
	}

	writeFile(t, "data", "1 2147483646:1\n2 7:1 2147483647:4\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := ours(t, "-l", "0", "-s", "range", "data")
	runtime.ReadMemStats(&after)
	if want := (result{0, "1 2147483646:1 \n2 7:1 2147483647:1 \n", "", "x\n0 1\n7 0 1\n2147483646 0 1\n2147483647 0 4\n"}); got != want {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d bytes allocated for two rows", used)
	}
}
