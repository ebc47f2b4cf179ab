package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/usagetext"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// FuzzOptions: parse does not panic, whatever the words; a command line that it
// accepts, written again from what it understood, is understood the same; and
// values are the numbers that strconv finds in them, where it accepts them whole.
func FuzzOptions(f *testing.F) {
	for _, line := range []string{
		"data", "-s 3 -t 2 -c 10 -g 0.5 -p 0.01 data model", "-w1 2 -w-1 0.5 -wx 1 data", "-q data -c", "-",
		"-c", "-v 1 data", "-v 5 -b 1 -h 0 -e 1e-6 -m 0x10 data model more", "--help", "-cost 1e1x -s 0.9 -t 2abc data",
		"-c nan -g inf -n -0 data", "-d 99999999999999999999 data", "-z 1 data", "-\xff data", "-w 3 data",
	} {
		f.Add(strings.ReplaceAll(line, " ", "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := parse(strings.Split(text, "\n"))
		if err != nil {
			if o != nil {
				t.Fatal("options and an error")
			}
			return
		}
		o.checkParameters()
		again, err := parse(o.words())
		if err != nil {
			t.Fatalf("%q, written again as %q: %v", text, o.words(), err)
		}
		if !o.equal(again) {
			t.Fatalf("%q is %+v, written again %+v", text, *o, *again)
		}
	})
}

// words writes options as a command line.
func (o *options) words() []string {
	real := func(x float64) string { return string(textscan.AppendG(nil, x, 17)) }
	words := []string{
		"-s", strconv.Itoa(o.svmType), "-t", strconv.Itoa(o.kernelType), "-d", strconv.Itoa(o.degree),
		"-g", real(o.gamma), "-r", real(o.coef0), "-c", real(o.cost), "-n", real(o.nu), "-p", real(o.epsilon),
		"-m", real(o.cacheMB), "-e", real(o.tolerance), "-h", strconv.Itoa(o.shrinking), "-b", strconv.Itoa(o.probability),
	}
	for _, w := range o.weights {
		words = append(words, fmt.Sprintf("-w%d", w.Label), real(w.Weight))
	}
	if o.folds > 0 {
		words = append(words, "-v", strconv.Itoa(o.folds))
	}
	if o.quiet {
		words = append(words, "-q")
	}
	return append(words, o.data, o.model)
}

func (o *options) equal(p *options) bool {
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	if len(o.weights) != len(p.weights) {
		return false
	}
	for i, w := range o.weights {
		if w.Label != p.weights[i].Label || !same(w.Weight, p.weights[i].Weight) {
			return false
		}
	}
	return o.svmType == p.svmType && o.kernelType == p.kernelType && o.degree == p.degree &&
		same(o.gamma, p.gamma) && same(o.coef0, p.coef0) && same(o.cost, p.cost) && same(o.nu, p.nu) &&
		same(o.epsilon, p.epsilon) && same(o.cacheMB, p.cacheMB) && same(o.tolerance, p.tolerance) &&
		o.shrinking == p.shrinking && o.probability == p.probability && o.folds == p.folds && o.quiet == p.quiet &&
		o.data == p.data && o.model == p.model
}

// TestValues: option values are read as strconv reads them, where it does.
func TestValues(t *testing.T) {
	for _, text := range []string{"1", "-1.5", "1e-3", "0x1p-2", "1e400", "-inf", "NaN", "12345678901234567890", ".5", "5."} {
		o, err := parse([]string{"-c", text, "data"})
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseFloat(text, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			t.Fatal(err)
		}
		if o.cost != want && !(math.IsNaN(want) && math.IsNaN(o.cost)) {
			t.Errorf("-c %s is %v, want %v", text, o.cost, want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ line, want string }{ // an error's text, "usage", or data > model
		{"", "usage"},
		{"-q", "usage"},
		{"-c", "usage"},
		{"-c 1", "usage"},
		{"--help", "usage"},
		{"-x 1 data", "Unknown option: -x"},
		{"--help data", "Unknown option: --"},
		{"- data", "Unknown option: -\x00"},
		{"-\xff data", "Unknown option: -\xff"},
		{"-v 1 data", "n-fold cross validation: n must >= 2"},
		{"-v 1 -x 1 data", "n-fold cross validation: n must >= 2"},
		{"folder/data", "folder/data > data.model"},
		{"data -q", "data > -q"},
		{"-c 1 data model -q", "data > model"},
		{"-cost 2 data m", "data > m"},
	} {
		o, err := parse(strings.Fields(c.line))
		got := ""
		switch {
		case errors.Is(err, errUsage):
			got = "usage"
		case err != nil:
			got = err.Error()
		default:
			got = o.data + " > " + o.model
		}
		if got != c.want {
			t.Errorf("svm-train %s: %q, want %q", c.line, got, c.want)
		}
	}
}

// TestParameters: faults in LIBSVM's order and words, and ours for what is no
// number.
func TestParameters(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"-s 5 -t 9", "unknown svm type"},
		{"-s -1", "unknown svm type"},
		{"-t 5 -g -1", "unknown kernel type"},
		{"-g -1 -c 0", "gamma < 0"},
		{"-g nan", "gamma is not finite"},
		{"-g inf", "gamma is not finite"},
		{"-t 0 -g -1", ""},
		{"-t 3 -r nan", "coef0 is not finite"},
		{"-t 1 -d -1", "degree of polynomial kernel < 0"},
		{"-m 0 -e 0", "cache_size <= 0"},
		{"-m nan", "cache_size is not a number"},
		{"-e 0 -c 0", "eps <= 0"},
		{"-e nan", "eps is not a number"},
		{"-c 0 -h 2", "C <= 0"},
		{"-c abc", "C <= 0"},
		{"-c nan", "C is not a number"},
		{"-s 1 -c 0", ""},
		{"-s 1 -n 0", "nu <= 0 or nu > 1"},
		{"-s 2 -n 1.5", "nu <= 0 or nu > 1"},
		{"-s 4 -n nan", "nu is not a number"},
		{"-s 3 -p -1", "p < 0"},
		{"-s 3 -p nan", "p is not finite"},
		{"-p -1", ""},
		{"-h 2 -b 2", "shrinking != 0 and shrinking != 1"},
		{"-b 2", "probability != 0 and probability != 1"},
		{"-w1 0", ""}, // there may be no class 1
	} {
		o, err := parse(append(strings.Fields(c.line), "data"))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := o.checkParameters(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("svm-train %s: %q, want %q", c.line, got, c.want)
		}
	}
}

// TestUsage: the usage text names every option.
func TestUsage(t *testing.T) {
	letters := []byte("stdgrcnpmehbvqw")
	for letter := range byte(255) {
		known := arity(letter) >= 0
		if known != slices.Contains(letters, letter) {
			t.Errorf("-%c: known is %v", letter, known)
		}
		if known && !strings.Contains(usagetext.Train, fmt.Sprintf("\n  -%c", letter)) {
			t.Errorf("the usage text does not name -%c", letter)
		}
	}
}
