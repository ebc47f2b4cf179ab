package compat_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestWekaSMOreg does with targets, to which Weka has SMOreg, what TestWekaSMO does with labels.
// Both sides are asked for more than their usual tolerance; Weka prints three decimals.
func TestWekaSMOreg(t *testing.T) {
	w, bin, data := installedWeka(t), commands(t), realData(t)
	const tight = "-I weka.classifiers.functions.supportVector.RegSMOImproved|-T|1e-9 "
	runs := []struct{ name, weka, ours string }{
		{"cpu", "-N 0", ""},
		{"cpu.with.vendor", "-N 0", ""},
		{"cpu.with.vendor", "-N 1", "--scale standardize"},
		{"iris", "-N 2 -c 4", "--scale none --class 4"},
		{"vowel", "-N 2 -c 4", "--scale none --class 4"},
		{"cpu.with.vendor", "-N 0 -C 4 -K weka.classifiers.functions.supportVector.RBFKernel|-G|0.5", "--cost 4 --kernel rbf --gamma 0.5"},
	}
	if os.Getenv("SLIMSVM_LIVE") != "full" {
		t.Log("runs are left out; SLIMSVM_LIVE=full takes more")
		runs = runs[2:4]
	}
	compared := 0
	for _, r := range runs {
		dir := t.TempDir()
		path := filepath.Join(dir, "data.arff")
		text, err := readPacked(filepath.Join(data, "arff_dev", r.name+".arff.zst"))
		if err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		options := strings.Fields(tight + r.weka)
		for i := range options {
			options[i] = strings.ReplaceAll(options[i], "|", " ")
		}
		out, err := w.run(t.Context(), "weka.classifiers.functions.SMOreg", append(options, "-t", path, "-T", path, "-p", "0")...)
		if err != nil {
			t.Fatal(err)
		}
		want := wekaTarget.FindAllSubmatch(out, -1)
		for _, line := range []string{"slimsvm train --as weka-smo --tolerance 1e-6 " + r.ours + " data.arff model", "slimsvm predict --out predicted data.arff model"} {
			if r := run(t, bin, dir, line, time.Minute); r.exit != 0 {
				t.Fatalf("%s: %s", line, r.stderr)
			}
		}
		predicted, err := os.ReadFile(filepath.Join(dir, "predicted"))
		if err != nil {
			t.Fatal(err)
		}
		got := bytes.Fields(predicted)
		if len(got) == 0 || len(got) != len(want) {
			t.Fatalf("%s: %d predictions, Weka has %d", r.name, len(got), len(want))
		}
		furthest := 0.0
		for i := range got {
			ours, err := strconv.ParseFloat(string(got[i]), 64)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := strconv.ParseFloat(string(want[i][1]), 64)
			if err != nil {
				t.Fatal(err)
			}
			furthest = max(furthest, math.Abs(ours-theirs))
		}
		t.Logf("%s, SMOreg %s: %d predictions, at most %.2g apart", r.name, r.weka, len(got), furthest)
		if !(furthest <= 0.05) {
			t.Errorf("%s, SMOreg %s: predictions are %v apart", r.name, r.weka, furthest)
		}
		compared += len(got)
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// wekaTarget is a line of number, actual and predicted target, and their difference.
var wekaTarget = regexp.MustCompile(`(?m)^ *\d+ +-?[\d.]+ +(-?[\d.]+) +-?[\d.]+ *$`)
