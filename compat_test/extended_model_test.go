package compat_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
)

// extendedRuns are models that slimsvm trains on real ARFF files. Gamma is exact
// in the float32 of LIBSVM 3.24.
var extendedRuns = []struct {
	data, options string
	quick         bool
}{
	{"soybean", "", false},
	{"soybean", "--method nusvc --nu 0.0078125 --gamma 0.0625", true},
	{"soybean", "--kernel linear --scale normalize --probability", false},
	{"labor", "", true},
	{"labor", "--probability --gamma 0.125", true},
	{"labor", "--as weka-libsvm", true},
	{"labor", "--as weka-smo", true},
	{"labor", "--method nusvc --nu 0.25 --kernel poly --degree 2 --coef0 1 --scale standardize --probability", true},
	{"hypothyroid", "--scale normalize --gamma 0.5 --cost 8", false},
	{"hypothyroid", "--kernel linear --cost 0.5 --scale standardize", false},
	{"hypothyroid", "--scale normalize --cost 4 --probability", false},
	{"colic", "--kernel sigmoid --gamma 0.0078125 --scale normalize", true},
	{"colic", "--method nusvc --nu 0.25 --scale normalize --probability", false},
	{"vowel", "--cost 16 --gamma 0.25", false},
	{"weather.nominal", "--probability", true},
	{"airline", "--method epsilon-svr --cost 64 --scale standardize", true},
	{"cpu", "--cost 32 --scale normalize --gamma 0.5", true},
	{"cpu", "--method nu-svr --kernel linear --scale standardize", true},
	{"cpu.with.vendor", "--method epsilon-svr --cost 16 --probability --scale normalize --gamma 0.25", true},
	{"cpu.with.vendor", "--method nu-svr --cost 4 --nu 0.25 --probability --scale normalize", true},
	{"zoo", "--method oneclass --nu 0.125", true},
	{"colic", "--method oneclass --kernel linear --nu 0.25 --scale normalize", false},
	{"iris", "--method oneclass --gamma 0.5", true},
}

// TestExtendedModels trains on raw ARFF files, whose encoding the model keeps,
// and has the svm-predict of the installed LIBSVM 3.24 read the same model and
// the data as slimsvm encodes them: each prediction and probability is the same,
// label numbers being the places of the label texts.
func TestExtendedModels(t *testing.T) {
	v := &extendedRival{theirs: oracle(t), ours: commands(t), data: realData(t)}
	full := os.Getenv("SLIMSVM_LIVE") == "full"
	if !full {
		t.Log("larger sets are left out; SLIMSVM_LIVE=full takes all")
	}
	n := 0
	t.Run("model", func(t *testing.T) {
		for _, r := range extendedRuns {
			if !r.quick && !full {
				continue
			}
			n++
			t.Run(r.data+" "+r.options, func(t *testing.T) {
				t.Parallel()
				v.compare(t, r.data, r.options)
			})
		}
	})
	t.Logf("extended models in LIBSVM 3.24: %d models, %d of them with probabilities; %d labels and %d numbers predicted the same, %d probabilities the same in six digits",
		v.models, v.probable, v.labels, v.numbers, v.probabilities)
	if v.models != n || v.labels == 0 || v.numbers == 0 || v.probabilities == 0 {
		t.Errorf("not all of %d models are compared", n)
	}
}

// An extendedRival compares predictions, and counts them.
type extendedRival struct {
	theirs, ours, data string

	mu                                               sync.Mutex
	models, probable, labels, numbers, probabilities int
}

// read returns the fields of the lines of a file.
func (v *extendedRival) read(t *testing.T, dir, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	for line := range strings.Lines(string(text)) {
		lines = append(lines, strings.Fields(line))
	}
	return lines
}

func (v *extendedRival) compare(t *testing.T, data string, options string) {
	text, err := readPacked(filepath.Join(v.data, "arff_dev", data+".arff.zst"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data.arff"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	h, err := arff.NewReader(bytes.NewReader(text)).Header()
	if err != nil {
		t.Fatal(err)
	}
	class := h.Attributes[len(h.Attributes)-1]
	do := func(bin, line string) {
		t.Helper()
		if r := run(t, bin, dir, line, liveLimit); r.exit != 0 || bytes.Contains(r.stderr, []byte("unknown")) {
			t.Fatalf("%s: exit status %d\n%s", line, r.exit, r.stderr)
		}
	}
	do(v.ours, "slimsvm train "+options+" data.arff model")
	do(v.ours, "slimsvm encode --like model data.arff encoded")
	probable := strings.Contains(options, "--probability")
	regression := strings.Contains(options, "svr") || class.Type == format.Numeric
	named := class.Type == format.Nominal && !strings.Contains(options, "oneclass")
	flags, b := "", ""
	if probable {
		b = "-b 1 "
		if !regression {
			flags = "--probability "
		}
	}
	do(v.ours, "slimsvm predict "+flags+"--out ours data.arff model")
	do(v.theirs, "svm-predict "+b+"encoded model theirs")
	ours, theirs := v.read(t, dir, "ours"), v.read(t, dir, "theirs")
	if len(ours) == 0 || len(ours) != len(theirs) {
		t.Fatalf("%d lines, LIBSVM has %d", len(ours), len(theirs))
	}
	label := func(number string) string {
		k, err := strconv.Atoi(number)
		if err != nil || k < 0 || k >= len(class.Labels) {
			return fmt.Sprintf("no label %s", number)
		}
		return class.Labels[k]
	}
	labels, numbers, probabilities := 0, 0, 0
	for i, want := range theirs {
		got := ours[i]
		if len(got) != len(want) {
			t.Fatalf("line %d: %q, LIBSVM %q", i+1, got, want)
		}
		for k := range want {
			isLabel := (k == 0) != (flags != "" && i == 0) // the first line of probabilities lists labels
			same := got[k] == want[k]
			switch {
			case k == 0 && isLabel && regression:
				numbers++
				same = closeTo(got[k], want[k], 0)
			case isLabel && named:
				labels++
				same = got[k] == label(want[k])
			case isLabel:
				labels++
			case i > 0:
				probabilities++
				same = closeTo(got[k], want[k], 1e-5)
			}
			if !same {
				t.Fatalf("line %d: %q, LIBSVM %q", i+1, got, want)
			}
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.models++
	v.labels += labels
	v.numbers += numbers
	v.probabilities += probabilities
	if probable {
		v.probable++
	}
}

// closeTo compares two numbers, relative to the larger.
func closeTo(a, b string, within float64) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && math.Abs(x-y) <= within*max(math.Abs(x), math.Abs(y))
}
