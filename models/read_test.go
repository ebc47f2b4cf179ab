package models_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// wantPlaced tests that an error takes the name of a file.
func wantPlaced(t *testing.T, err error, text string) {
	t.Helper()
	if _, ok := err.(*textscan.Error); !ok {
		t.Errorf("%q is a %T, want a *textscan.Error", err, err)
	}
	if got := textscan.WithPath(err, "f.model").Error(); got != "f.model:"+text {
		t.Errorf("with path: %q, want %q", got, "f.model:"+text)
	}
}

// vectorFaults change the vectors of a model.
var vectorFaults = []struct {
	model, old, new, err string
}{
	// lines
	{"", "-1 1:4 \n", "", "12: the file ends where support vector 2 of 2 is expected"},
	{"", "1 1:2 3:0.5 \n-1 1:4 \n", "", "11: the file ends where support vector 1 of 2 is expected"},
	{"", "1 1:2 3:0.5 \n-1", "1 1:2 3:0.5 \n\n-1", "13:1: expected coefficient 1 of 1, found the end of the line"},
	{"", "-1 1:4 \n", "-1 1:4 \n-1 1:4 \n", `14:1: expected the end of the file after 2 support vectors, found "-1"`},
	{"", "-1 1:4 \n", "-1 1:4 \n\n  # \n", `15:1: expected the end of the file after 2 support vectors, found "#"`},
	{"", "1:2 3:0.5 \n-1 1:4 \n", "1:2 3:0.5 -1 1:4 \n", `12:13: expected index:value, found "-1"`},
	{"", "-1 1:4 \n", "-1 1:", "13:6: expected a number as value of feature 1, found the end of the line"},
	{"", "-1 1:4 \n", "-1 1", `13:4: expected index:value, found "1"`},

	// coefficients
	{"", "-1 1:4", "x 1:4", `13:1: expected coefficient 1 of 1, found "x"`},
	{"", "-1 1:4", "1:4", `13:1: expected coefficient 1 of 1, found "1:4"`},
	{"", "-1 1:4", "nan 1:4", `13:1: coefficient "nan" is not finite`},
	{"", "-1 1:4", "-1e999 1:4", `13:1: coefficient "-1e999" is not finite`},
	{"", "-1 1:4", "-1 2 1:4", `13:4: expected index:value, found "2"`},
	{"", "-1 1:4", "-1\v2 1:4", `13:1: expected coefficient 1 of 1, found "-1\v2"`},
	{"", "-1 1:4", "\r -1 1:4", `13:1: expected coefficient 1 of 1, found a word of nothing but "\r"`},
	{"", "-1 1:4", " \v\f\t-1 1:4", `13:2: expected coefficient 1 of 1, found a word of nothing but "\v"`},
	{"classes", "3 -4 1:2", "3 \f -4 1:2", `13:3: expected coefficient 2 of 2, found a word of nothing but "\f"`},
	{"classes", "3 -4 1:2", "3 1:2", `13:3: expected coefficient 2 of 2, found "1:2"`},
	{"classes", "3 -4 1:2", "3   y 1:2", `13:5: expected coefficient 2 of 2, found "y"`},
	{"classes", "3 -4 1:2 ", "3 ", `13:3: expected coefficient 2 of 2, found the end of the line`},
	{"classes", "3 -4 1:2", "3 inf", `13:3: coefficient "inf" is not finite`},

	// features
	{"", "-1 1:4", "-1 -1:4", `13:4: feature index "-1" is negative`},
	{"", "-1 1:4", "-1 1:4 1:5", "13:8: feature index 1 does not follow 1: indices must increase"},
	{"", "-1 1:4", "-1 2147483648:4", `13:4: feature index "2147483648" is larger than 2147483647`},
	{"", "-1 1:4", "-1 1:nan", `13:6: value "nan" of feature 1 is not a finite number`},
	{"", "-1 1:4", "-1 1:x", `13:6: expected a number as value of feature 1, found "x"`},
	{"", "-1 1:4", "-1 1:4\x00", `13:6: expected a number as value of feature 1, found "4\x00"`},
	{"", "-1 1:4", "-1 \x00", `13:4: expected index:value, found "\x00"`},
	{"", "-1 1:4", "-1 1:4\r2:5", `13:6: expected a blank behind the value of feature 1, found "4\r2:5"`},

	{"", "-1 1:4", "-1 1:\r 4", `13:6: expected a number as value of feature 1, found a word of nothing but "\r"`},
	{"", "-1 1:4", "-1 1: \v\t4", `13:7: expected a number as value of feature 1, found a word of nothing but "\v"`},

	// those of a precomputed kernel
	{"one_class", "0.5 0:2", "0.5", "9:1: first column must be 0:sample_serial_number"},
	{"one_class", "0.5 0:2", "0.5 1:2", "9:1: first column must be 0:sample_serial_number"},
	{"one_class", "0.5 0:2", "0.5 0:0", "9:1: sample_serial_number out of range: 0"},
	{"one_class", "0.5 0:2", "0.5 0:-3", "9:1: sample_serial_number out of range: -3"},
	{"one_class", "0.5 0:2", "0.5 0:2147483648", "9:1: sample_serial_number out of range: 2.147483648e+09"},
}

func TestVectorFaults(t *testing.T) {
	checkFaults(t, vectorFaults)
}

func TestOneClassHasNoVectors(t *testing.T) {
	const text = "svm_type c_svc kernel_type linear nr_class 1 total_sv 1 rho label 7 nr_sv 1\nSV\n1 1:2\n"
	_, err := read(text)
	if want := "2: total_sv is 1, but a model of one class has no support vectors"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestPrecomputedIsCut: only the serial number of a support vector of a precomputed kernel is used.
func TestPrecomputedIsCut(t *testing.T) {
	m := mustRead(t, change(t, otherTasks["one_class"], "0.5 0:2 ", "0.5 0:2.9 1:0.25 3:1"))
	if s, err := kernel.Serial(m.Vectors.Row(1)); s != 2 || err != nil || m.Vectors.NNZ() != 2 {
		t.Errorf("serial number %d, %v; %d values", s, err, m.Vectors.NNZ())
	}
	wantSameText(t, "written", mustWrite(t, m), otherTasks["one_class"])
	if fault := difference(mustRead(t, otherTasks["one_class"]), m); fault != "" {
		t.Errorf("written and read again: %s", fault)
	}
}

// TestInputs tests the section on inputs, behind what LIBSVM reads.
func TestInputs(t *testing.T) {
	for inputs, want := range map[string]string{
		"":                    "",
		"a 1\n":               "a 1\n",
		"a 1\n\n b\x00 \r\n":  "a 1\n\n b\x00 \r\n",
		"a":                   "a\n",
		"slimsvm inputs\nSV ": "slimsvm inputs\nSV \n",
	} {
		for _, blank := range []string{"", "\n", " \r\n\n"} {
			m := mustRead(t, sound+blank+"slimsvm inputs\n"+inputs)
			if string(m.Inputs) != want || m.Inputs == nil {
				t.Errorf("inputs %q, want %q", m.Inputs, want)
			}
			if line := strings.Count(sound+blank, "\n") + 2; m.InputsLine != line {
				t.Errorf("%q: the inputs begin in line %d, want %d", blank, m.InputsLine, line)
			}
			wantSameText(t, inputs, mustWrite(t, m), sound+"slimsvm inputs\n"+want)
		}
	}
	m := mustRead(t, sound)
	if m.Inputs != nil {
		t.Errorf("inputs %q of a model without", m.Inputs)
	}
	m.Inputs = []byte("x")
	wantSameText(t, "no newline", mustWrite(t, m), sound+"slimsvm inputs\nx\n")
}

// TestReadError: a failing device is not taken for the end of the file, and its error is not an
// error of the text.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{otherTasks["classes"], shared, memberEnsemble} {
		whole := text + "slimsvm inputs\nx\n"
		for n := range len(whole) + 1 {
			m, err := models.Read(io.MultiReader(strings.NewReader(whole[:n]), iotest.ErrReader(broken)))
			if m != nil || err != broken {
				t.Errorf("after %q: %v, %v, want %v", whole[:n], m, err, broken)
			}
		}
	}
}

// TestTruncated: a model that is cut anywhere before its last line yields an error.
func TestTruncated(t *testing.T) {
	for name, text := range map[string]string{
		"sound": sound, "regression": otherTasks["regression"], "classes": otherTasks["classes"],
		"shared": shared, "rest": rest, "ensemble": ensemble, "members": memberEnsemble,
	} {
		last := strings.LastIndexByte(text[:len(text)-1], '\n') + 1
		for n := range last + 1 {
			if m, err := read(text[:n]); err == nil {
				t.Errorf("%s cut after %q is read as\n%s", name, text[:n], mustWrite(t, m))
			}
		}
	}
}
