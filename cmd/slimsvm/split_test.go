package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Of every label FIRST has its share of the rows, to less than one row, and all rows are in
// one file or the other.
func TestDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.SampledFrom([]float64{1, 2, 3, -0.5, math.NaN(), math.Inf(1)}), 2, 60).Draw(t, "labels")
		n := rapid.IntRange(1, len(labels)-1).Draw(t, "rows")
		d := &division{rows: n, random: rapid.Bool().Draw(t, "random"), seed: rapid.Uint32().Draw(t, "seed")}
		keep, err := d.first(labels)
		if err != nil {
			t.Fatal(err)
		}
		all, first := map[string]int{}, map[string]int{}
		kept := 0
		for i, y := range labels {
			all[fmt.Sprint(y)]++
			if keep[i] {
				kept++
				first[fmt.Sprint(y)]++
			}
		}
		if kept != n {
			t.Fatalf("%d rows, want %d", kept, n)
		}
		for y, count := range all {
			want := float64(count) * float64(n) / float64(len(labels))
			if got := float64(first[y]); !d.random && !(math.Abs(got-want) < 1) {
				t.Errorf("label %s: %v rows of %d, want about %v", y, got, count, want)
			}
		}
		again, err := d.first(labels)
		if err != nil || !slices.Equal(keep, again) {
			t.Errorf("another time %v, %v; first %v", again, err, keep)
		}
	})
}

// Rows of labels that all occur once are as likely in FIRST wherever they stand.
func TestDivisionIsRandom(t *testing.T) {
	labels := make([]float64, 10)
	for i := range labels {
		labels[i] = float64(i)
	}
	times := make([]int, len(labels))
	const draws = 2000
	for seed := range uint32(draws) {
		keep, err := (&division{rows: 5, seed: seed + 1}).first(labels)
		if err != nil {
			t.Fatal(err)
		}
		for i, first := range keep {
			if first {
				times[i]++
			}
		}
	}
	for i, n := range times {
		if !(math.Abs(float64(n)-draws/2) <= 5*math.Sqrt(draws)/2) {
			t.Errorf("row %d is in FIRST %d times of %d, want about half of them", i, n, draws)
		}
	}
}

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
