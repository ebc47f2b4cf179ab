package main

import (
	"os/exec"
	"strings"
	"testing"
)

// lines writes the notation of the tables, "/" between lines, as a text.
func lines(s string) string {
	if s == "" {
		return ""
	}
	return strings.ReplaceAll(s, "/", "\n") + "\n"
}

const (
	warnZero   = "WARNING: minimal feature index is 0, but indices should start from 1"
	warnStored = "WARNING: scaling factors with indices smaller than 1 are not stored to the file range."
)

func warnUnseen(index string) string {
	return "WARNING: feature index " + index + " appeared in file data was not seen in the scaling factor file given. The feature is scaled to 0."
}

func warnMore(from, to string) string {
	return "WARNING: original #nonzeros " + from + "\n       > new      #nonzeros " + to +
		"\nIf feature values are non-negative and sparse, use -l 0 rather than the default -l -1"
}

// Each case is also put to LIBSVM's svm-scale where it is installed.
func TestSound(t *testing.T) {
	cases := []struct {
		name, args  string // a file name "data" is added
		data, given string // "/" between lines; given is a range file for -r
		stdout      string
		stderr      []string
		saved       string
	}{
		{name: "default", args: "-s range", data: "1 1:0 2:5/-1 1:4/+1 1:1 2:-5",
			stdout: "1 1:-1 2:1 /-1 1:1 /1 1:-0.5 2:-1 ", saved: "x/-1 1/1 0 4/2 -5 5"},
		{name: "absent is 0", args: "-s range", data: "1 3:1/1 5:3", stdout: "1 3:1 5:-1 /1 3:-1 5:1 ",
			stderr: []string{warnMore("2", "4")}, saved: "x/-1 1/3 0 1/5 0 3"},
		{name: "sparse", args: "-l 0", data: "1 3:1/1 5:3", stdout: "1 3:1 /1 5:1 "},
		{name: "label only", data: "1 1:1/-1", stdout: "1 1:1 /-1 1:-1 ", stderr: []string{warnMore("1", "2")}},
		{name: "constant", args: "-s range", data: "1 1:3 2:1/2 1:3 2:2", stdout: "1 2:-1 /2 2:1 ", saved: "x/-1 1/2 1 2"},
		{name: "one row", args: "-s range", data: "1 1:3", stdout: "1 ", saved: "x/-1 1"},
		{name: "no rows", args: "-s range", data: "", stdout: "", saved: "x/-1 1"},
		{name: "no rows and given ranges", args: "-r given", given: "x/-1 1/2 0 4/3 1 1/6 0 1", stderr: []string{warnUnseen("1"), warnUnseen("4"), warnUnseen("5")}},
		{name: "no rows and given ranges of labels too", args: "-y 0 1 -r given", given: "y/0 1/1 4/x/-1 1/0 1 2/2 0 1", stderr: []string{warnUnseen("1")}},
		{name: "no rows and given ranges of labels", args: "-r given", given: "y/0 1/1 4"},
		{name: "labels only and given ranges", args: "-r given", data: "3/4", given: "x/0 1/2 0 4/3 1 1/6 0 1", stdout: "3 /4 "},
		{name: "labels", args: "-y 0 1 -s range", data: "3 1:1/-1 1:2/0.1 1:3", stdout: "1 1:-1 /0 /0.27500000000000002 1:1 ",
			saved: "y/0 1/-1 3/x/-1 1/1 1 3"},
		{name: "label text", data: "+1/0.1/1e0/0x10/1e-5/123456789012/-0", stdout: "1 /0.10000000000000001 /1 /16 /1.0000000000000001e-05 /123456789012 /-0 "},
		{name: "constant label", args: "-y 0 1 -s range", data: "7 1:1/7 1:2", stdout: "0 1:-1 /0 1:1 ",
			saved: "y/0 1/7 7/x/-1 1/1 1 2"},
		{name: "limits", args: "-l -0.5 -u 2.5", data: "1 1:1/1 1:2/1 1:3", stdout: "1 1:-0.5 /1 1:1 /1 1:2.5 "},
		{name: "option words", args: "-lower 0 -u 0x4 -save range", data: "1 1:1/1 1:2/1 1:3", stdout: "1 /1 1:2 /1 1:4 ",
			saved: "x/0 4/1 1 3"},
		{name: "digits", data: "1 1:0/1 1:1/1 1:3", stdout: "1 1:-1 /1 1:-0.333333 /1 1:1 "},
		{name: "signed zeros", args: "-s range", data: "1 1:2 2:-0/-1 1:3/2 1:4 2:-0/3 2:-1",
			stdout: "1 2:1 /-1 1:0.5 2:1 /2 1:1 2:1 /3 1:-1 2:-1 ", stderr: []string{warnMore("6", "7")}, saved: "x/-1 1/1 0 4/2 -1 -0"},
		{name: "tiny values", args: "-s range", data: "1 1:1e-310/2 1:1e-400/3 1:3e-310",
			stdout: "1 1:-0.333333 /2 1:-1 /3 1:1 ", saved: "x/-1 1/1 0 2.9999999999999908e-310"},
		{name: "large values", data: "1 1:1e300 2:1e300/-1 1:-1e300 2:1/1 1:1 2:1/-1 1:2 2:2",
			stdout: "1 1:1 2:1 /-1 1:-1 2:-1 /1 2:-1 /-1 2:-1 "},
		{name: "index 0", args: "-s range", data: "1 0:1 1:1/-1 0:2 1:1 2:3/1 0:200 1:1 200:5/3",
			stdout: "1 0:-1 1:1 2:-1 200:-1 /-1 0:-0.98995 1:1 2:1 200:-1 /1 0:1 1:1 2:-1 200:1 /3 1:-1 2:-1 200:-1 ",
			stderr: []string{warnZero, warnStored, warnMore("8", "15")}, saved: "x/-1 1/1 0 1/2 0 3/200 0 5"},
		{name: "blanks", data: " 1\t1:1  3:\t5\v/2 +1:2 03:-5 ", stdout: "1 1:-1 3:1 /2 1:1 3:-1 "},
		{name: "white space between pairs", data: "1 1:1\v2:\f3\r4:5\r/1\v1:2\r\f2:5 # \v x: 1/1\f\f4:7", stdout: "1 2:0.2 4:0.428571 /1 1:1 2:1 4:-1 /1 1:-1 2:-1 4:1 ", stderr: []string{warnMore("6", "8")}},
		{name: "white space behind labels", data: "1\v2:3/1\f2:5/1\r2:4", stdout: "1 2:-1 /1 2:1 /1 "},
		{name: "CR LF", data: "1 1:1\r/2\r/3 1:4\r", stdout: "1 1:-0.5 /2 1:-1 /3 1:1 ", stderr: []string{warnMore("2", "3")}},
		{name: "comments", data: "1 1:1 # first/2 1:2 #/3 # third: 3:1", stdout: "1 /2 1:1 /3 1:-1 "},
		{name: "restore", args: "-r given", given: "x/-1 1/1 0 4/3 -2 2", data: "1 1:8 2:7 3:1/1 2:7",
			stdout: "1 1:3 3:0.5 /1 1:-1 "},
		{name: "restore, unseen", args: "-r given", given: "x/-1 1/2 0 1", data: "1 0:1 3:1/1 0:2 5:3/3",
			stdout: "1 0:-1 2:-1 /1 0:1 2:-1 /3 2:-1 ", stderr: []string{warnZero, warnUnseen("3"), warnUnseen("5"), warnMore("4", "5")}},
		{name: "restore, index 0 given", args: "-r given", given: "x/-1 1/0 0 4/2 0 1", data: "1 0:1/1 0:2/3",
			stdout: "1 0:-0.5 2:-1 /1 2:-1 /3 2:-1 ", stderr: []string{warnZero, warnMore("2", "4")}},
		{name: "restore, labels only", args: "-l 0 -r given", given: "y/0 1/3 5", data: "1 0:1 3:1/1 0:2 5:3/3",
			stdout: "-1 3:1 /-1 0:1 5:1 /0 ", stderr: []string{warnZero}},
		{name: "restore, labels and CR LF", args: "-r given", given: "y\r/0 1\r/3 5\r/x\r/0 1\r/3 0 4\r", data: "1 3:1/1 5:3/3",
			stdout: "-1 3:0.25 /-1 /0 ", stderr: []string{warnUnseen("5")}},
		{name: "restore, limits given too", args: "-l 5 -u 6 -y 7 8 -r given", given: "y/0 1/3 5/x/0 1/3 0 4", data: "4 3:2/5",
			stdout: "0.5 3:0.5 /1 "},
		{name: "restore, own labels", args: "-y 0 1 -r given", given: "x/-1 1/2 0 1", data: "1 2:1/3 2:.5/5",
			stdout: "0 2:1 /0.5 /1 2:-1 "},
		{name: "restore, no features", args: "-r given", given: "x/-1 1", data: "1 1:1/1 1:2", stdout: "1 /1 ", stderr: []string{warnUnseen("1")}},
		{name: "restore, constant feature", args: "-r given", given: "x/-1 1/1 3 3/2 0 1", data: "1 1:1 2:1/1 1:2", stdout: "1 2:1 /1 2:-1 "},
		{name: "restore, several on a line", args: "-r given", given: "x/-1 1/1 0 2 2 0 4//4 0 8/", data: "1 1:1 2:1/1 4:2",
			stdout: "1 2:-0.5 4:-1 /1 1:-1 2:-1 4:-0.5 ", stderr: []string{warnMore("3", "5")}},
	}
	libsvm := oracle(t)
	if libsvm == "" {
		t.Log("LIBSVM's svm-scale is not installed: compared with its recorded output only")
	}
	t.Chdir(t.TempDir())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			reset(t)
			writeFile(t, "data", lines(c.data))
			writeFile(t, "given", lines(c.given))
			want := result{0, lines(c.stdout), lines(strings.Join(c.stderr, "\n")), "-"}
			if c.saved != "" {
				want.saved = lines(c.saved)
			}
			args := append(strings.Fields(c.args), "data")
			if got := ours(t, args...); got != want {
				t.Errorf("got  %v\nwant %v", got, want)
			}
			for _, end := range []string{"\n", "\r\n"} { // without the last line's end
				writeFile(t, "data", strings.TrimSuffix(lines(c.data), end))
				if got := ours(t, args...); got != want {
					t.Errorf("without a final line end: got %v\nwant %v", got, want)
				}
			}
			if libsvm != "" {
				reset(t)
				writeFile(t, "data", lines(c.data))
				if got := outcome(t, exec.Command(libsvm, args...)); got != want {
					t.Errorf("LIBSVM gives %v\nwant %v", got, want)
				}
			}
		})
	}
}

// What LIBSVM gets wrong and svm-scale gets right.
func TestBetter(t *testing.T) {
	t.Chdir(t.TempDir())
	tests := []struct{ name, data, stdout string }{
		{"the difference overflows", "1 1:-1e308/2 1:1e308/3 1:1/4 1:5e307", "1 1:-1 /2 1:1 /3 /4 1:0.5 "},
		{"the largest index", "1 2147483647:1/2 2147483646:1", "1 2147483646:-1 2147483647:1 /2 2147483646:1 2147483647:-1 "},
		{"byte order mark", "\xef\xbb\xbf1 1:1/2 1:2", "1 1:-1 /2 1:1 "},
	}
	for _, tt := range tests {
		writeFile(t, "data", lines(tt.data))
		if got := ours(t, "data"); got.status != 0 || got.stdout != lines(tt.stdout) {
			t.Errorf("%s: got %v, want %q", tt.name, got, lines(tt.stdout))
		}
	}
}

// Data without rows and a range file of few features with large indices are mentioned in one line:
// LIBSVM's would fill a disk, one for each index that the file leaves out.
func TestFewRangesFarApart(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "data", "")
	for _, tt := range []struct{ given, left string }{
		{"y/0 1/1 4/x/-1 1/0 0 1/2 0 1/100003 0 1", "100001"},
		{"x/-1 1/2 0 1/150003 0 1/2147483646 0 1", "2147483643"},
	} {
		writeFile(t, "given", lines(tt.given))
		want := result{0, "", "WARNING: data has no rows; " + tt.left + " features below the largest one are not in the scaling factor file given.\n", "-"}
		if got := ours(t, "-r", "given", "data"); got != want {
			t.Fatalf("%.60s: status %d, stderr of %d bytes, %.200q, want %q", tt.given, got.status, len(got.stderr), got.stderr, want.stderr)
		}
	}
	writeFile(t, "given", lines("x/-1 1/2 0 1/100002 0 1"))
	if got := ours(t, "-r", "given", "data"); strings.Count(got.stderr, "\n") != 100000 || !strings.HasPrefix(got.stderr, warnUnseen("1")) {
		t.Errorf("100000 features left out: %d lines, %.200q", strings.Count(got.stderr, "\n"), got.stderr)
	}
}
