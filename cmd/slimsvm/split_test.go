package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// What cv says of a fold is what a model of FIRST gets right of REST.
func TestSplitFoldsAreCVs(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRows(t, "all.arff", mixedRows(61))
	header, rows, _ := strings.Cut(read(t, "all.arff"), "@data\n")
	all := strings.Split(strings.TrimSpace(rows), "\n")
	column := slices.Clone(all)
	for i := range all { // rows of weight 0 take no part
		w := i % 4 * (i % 3)
		all[i], column[i] = fmt.Sprintf("%s,{%d}", all[i], w), fmt.Sprintf("%s,%d", all[i], w)
	}
	if err := os.WriteFile("own.arff", []byte(header+"@data\n"+strings.Join(all, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("column.arff", []byte(header+"@attribute w numeric\n@data\n"+strings.Join(column, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	sides := strings.NewReplacer("{yes,no}", "{1,-1}", ",yes", ",1", ",no", ",-1").Replace(read(t, "all.arff"))
	if err := os.WriteFile("sides.arff", []byte(sides), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ data, split, cv string }{
		{"all.arff", "--class class", "--class class"},
		{"all.arff", "--class y --random", "--class y --method epsilon-svr"},
		{"sides.arff", "--class class --random", "--class class --method oneclass"},
		{"own.arff", "--class class", "--class class"},
		{"own.arff", "--class y --random", "--class y --method epsilon-svr"},
		{"column.arff", "--weight-column w --class class", "--weight-column w --class class"},
	} {
		weights := ""
		if strings.HasPrefix(c.cv, "--weight-column w ") {
			weights = " --weight-column w"
		}
		var v validated
		text := command(t, "cv --json --folds 4 --seed 5 "+c.data+" "+c.cv)
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		for fold, want := range v.Values {
			command(t, fmt.Sprintf("split -q --folds 4 --fold %d --seed 5 %s first.arff rest.arff %s", fold+1, c.data, c.split+weights))
			command(t, "train -q first.arff m "+c.cv)
			var s scored
			text := command(t, "predict -q --json --out labels rest.arff m"+weights)
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				t.Fatal(err)
			}
			got := s.Accuracy
			if v.Measure != "accuracy" {
				got = s.MeanSquaredError
			}
			if got == nil || !(math.Abs(float64(*got-want)) <= 1e-9*math.Abs(float64(want))) {
				t.Errorf("%s, %s, fold %d: %v, but cv says %v", c.data, c.split, fold+1, told(got), want)
			}
		}
	}
}

// TestDivisionFaults: options that do not say which rows go where, or say it twice, are told so, and nothing is written.
func TestDivisionFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRows(t, "all.arff", mixedRows(7))
	const size = `: expected a number of rows, or a share between 0 and 1 such as 0.75 or 75%`
	for options, want := range map[string]string{
		"--fold 2":              "--fold goes with --folds",
		"--folds 1":             "--folds 1: expected 2 or more",
		"--folds 3 --fold 4":    "--fold 4: expected 1 to 3",
		"--folds 3 --fold 0":    "--fold 0: expected 1 to 3",
		"--folds 3 --size 2":    "--folds and --size do not go together: both say which rows go where",
		"--folds 3 --in-order":  "--folds and --in-order do not go together: both say which rows go where",
		"--in-order --random":   "--in-order and --random both say which rows go first",
		"--in-order --seed 1":   "--seed does not go with --in-order, which draws nothing",
		"--size 0":              `--size "0"` + size,
		"--size -2":             `--size "-2"` + size,
		"--size 1.5":            `--size "1.5"` + size,
		"--size 100%":           `--size "100%"` + size,
		"--size 0.0":            `--size "0.0"` + size,
		"--size nan":            `--size "nan"` + size,
		"--size half":           `--size "half"` + size,
		"--size 2 --in-order":   "",
		"--size 0.5 --seed 1":   "",
		"--folds 3 --fold 3 -q": "",
	} {
		status, _, stderr := spaced(t, "split "+options+" all.arff first.arff rest.arff")
		if first, _, _ := strings.Cut(stderr, "\n"); want != "" && (status != statusUsage || first != "slimsvm: "+want) || want == "" && status != 0 {
			t.Errorf("split %s: status %d, %s, want %s", options, status, stderr, want)
		}
		for _, name := range []string{"first.arff", "rest.arff"} {
			if err := os.Remove(name); (err == nil) != (want == "") {
				t.Errorf("split %s: %s: %v", options, name, err)
			}
		}
	}
}
