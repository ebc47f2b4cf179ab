package main

import (
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/usagetext"
)

func TestOptionFaults(t *testing.T) {
	tests := []struct {
		args   string // "_" is an empty word
		stderr string
		usage  bool
	}{
		{"", "", true},
		{"data data", "", true},
		{"data -l 0", "", true},
		{"-l 0", "", true},
		{"-y -1 data", "", true}, // data is the upper limit 0
		{"-x 1 data", "unknown option", true},
		{"-q data", "unknown option", true},
		{"--help", "unknown option", true},
		{"-", "unknown option", true},
		{"-l 2 -x", "unknown option", true}, // before the limits are looked at
		{"-l", `option "-l": a value is missing`, true},
		{"-y 0", `option "-y": a value is missing`, true},
		{"-s", `option "-s": a value is missing`, true},
		{"-l 1 -u 1 data", "inconsistent lower/upper specification", false},
		{"-l 2 data", "inconsistent lower/upper specification", false},
		{"-l nan data", "inconsistent lower/upper specification", false},
		{"-u nan data", "inconsistent lower/upper specification", false},
		{"-l 0,1 -u 0,9 data", `inconsistent lower/upper specification: option "-l": "0,1" is read as 0: expected a number, option "-u": "0,9" is read as 0: expected a number`, false},
		{"-y 1 1 data", "inconsistent lower/upper specification", false},
		{"-y 0 nan data", "inconsistent lower/upper specification", false},
		{"-l 2 -r given data", "inconsistent lower/upper specification", false},
		{"-r a -s b -l 2 data", "inconsistent lower/upper specification", false},
		{"-u inf data", "inconsistent lower/upper specification: limits must be finite", false},
		{"-y -1e999 0 data", "inconsistent lower/upper specification: limits must be finite", false},
		{"-r a -s b data", "cannot use -r and -s simultaneously", false},
		{"-r a -s b", "cannot use -r and -s simultaneously", false},
		{"missing", "can't open file missing", false},
		{"_", "can't open file ", false},
		{"-r missing nodata", "can't open file nodata", false},
		{"-r missing data", "can't open file missing", false},
		{"-s missing/range data", "can't open file missing/range", false},
		{"-s _ data", "can't open file ", false},
		{".", "can't open file .: is a directory", false},
		{"-r . data", "can't open file .: is a directory", false},
		{"-s . data", "can't open file .: is a directory", false},
		{"-s data data", "can't open file data: it is the input file", false},
	}
	t.Chdir(t.TempDir())
	const data = "1 1:1\n2 1:2\n"
	writeFile(t, "data", data)
	writeFile(t, "given", "x\n-1 1\n1 0 5\n")
	for _, tt := range tests {
		args := strings.Fields(tt.args)
		for i := range args {
			if args[i] == "_" {
				args[i] = ""
			}
		}
		got := ours(t, args...)
		want := result{1, "", "", "-"}
		if tt.stderr != "" {
			want.stderr = tt.stderr + "\n"
		}
		if tt.usage {
			want.stdout = usagetext.Scale
		}
		if tt.stderr == "" && !tt.usage {
			want = result{0, "1 1:-1 \n2 \n", "", "-"}
		}
		if got != want {
			t.Errorf("%q:\n got %v\nwant %v", tt.args, got, want)
		}
	}
	// 0 is above -1
	warned := result{0, "1 1:-1 \n2 \n", "WARNING: option \"-u\": \"text\" is read as 0: expected a number\n", "-"}
	if got := ours(t, "-u", "text", "data"); got != warned {
		t.Errorf("a limit of text:\n got %v\nwant %v", got, warned)
	}
	warned = result{0, "-3 1:-1 \n0 1:1 \n", "WARNING: option \"-y\": \"-3,5\" is read as -3: expected a number\n", "-"}
	if got := ours(t, "-y", "-3,5", "0x0", "data"); got != warned {
		t.Errorf("a limit of labels with a decimal comma:\n got %v\nwant %v", got, warned)
	}
	if got := ours(t, "-s", "range", "missing"); got.saved != "-" {
		t.Errorf("a range file without data: %v", got)
	}
}

// The data file is looked at before the contents of the range file, and the
// range file is written when both are sound.
func TestOrderOfFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "bad", "text 1:1\n")
	writeFile(t, "junk", "junk\n")
	writeFile(t, "model", "svm_type c_svc\nkernel_type linear\n")
	writeFile(t, "rows", "1 1:1\n")
	for _, tt := range []struct{ args, stderr string }{
		{"-r junk bad", "ERROR: failed to read labels: bad:1:1: the label is not a number: \"text\"\n"},
		{"-s missing/range bad", "ERROR: failed to read labels: bad:1:1: the label is not a number: \"text\"\n"},
		{"-s range bad", "ERROR: failed to read labels: bad:1:1: the label is not a number: \"text\"\n"},
		{"-r missing bad", "can't open file missing\n"},
		{"model", "ERROR: failed to read labels: model:1:1: the label is not a number: \"svm_type\", which is how a model begins\n"},
		{"-r model rows", "ERROR: failed to read scaling parameters: model:1:1: expected \"x\" or \"y\", found \"svm_type\", which is how a model begins\n"},
	} {
		got := ours(t, strings.Fields(tt.args)...)
		if got.stderr != tt.stderr || got.stdout != "" || got.saved != "-" {
			t.Errorf("%s: got %v, want %q", tt.args, got, tt.stderr)
		}
	}
}

func TestUsageFits(t *testing.T) {
	for line := range strings.Lines(usagetext.Scale) {
		if len(line) > 80 {
			t.Errorf("longer than a terminal's line: %q", line)
		}
	}
	for letter := byte('a'); letter <= 'z'; letter++ {
		if known, told := arity(letter) >= 0, strings.Contains(usagetext.Scale, "\n  -"+string(letter)+" "); known != told {
			t.Errorf("-%c: an option %v, in the usage text %v", letter, known, told)
		}
	}
}
