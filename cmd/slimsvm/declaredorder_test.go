package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeclaredOrder: with --as weka-smo a cross-validation lists labels as a model does, in the order
// of their declaration though another occurs first, with the scores that belong to them; and with
// methods whose models list them as they occur, in that order.
func TestDeclaredOrder(t *testing.T) {
	data := filepath.Join(newFolder(t), "data.arff")
	for _, labels := range [][]string{{"yes", "no"}, {"c", "10", "a"}} {
		var b strings.Builder
		fmt.Fprintf(&b, "@relation order\n@attribute a numeric\n@attribute b numeric\n@attribute class {%s}\n@data\n", strings.Join(labels, ","))
		n := len(labels)
		for i := range 20 * n {
			k := n - 1 - i%n
			fmt.Fprintf(&b, "%d,%d,%s\n", 10*k+i*7%13, (n-k)*(n-k)*10+i*5%11, labels[k])
		}
		if err := os.WriteFile(data, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		for options, declared := range map[string]bool{"": true, " --method nusvc --nu 0.2": true, " --multiclass ovr": false, " --scale none --kernel linear": true} {
			options = "--as weka-smo --probability --quiet" + options
			status, _, stderr := slimsvm(t, "cv "+options+" --roc cv.csv --out cv.txt "+data,
				"train "+options+" "+data+" model", "predict --probability --quiet --roc model.csv --out model.txt "+data+" model")
			if status != 0 {
				t.Fatalf("%s: %s", options, stderr)
			}
			want, _, _ := strings.Cut(read(t, "model.txt"), "\n")
			got, _, _ := strings.Cut(read(t, "cv.txt"), "\n")
			if got != want || declared && got != "labels "+strings.Join(labels, " ") {
				t.Errorf("%s: %q, a model has %q; %q are declared", options, got, want, labels)
			}
			areas, of := curvesOf(t, "cv.csv", ','), curvesOf(t, "model.csv", ',')
			for label, area := range areas {
				if _, ok := of[label]; !ok || area < 0.8 || len(of) != len(areas) {
					t.Errorf("%s: curves %v, of a model %v", options, areas, of)
				}
			}
		}
	}
}

// TestSignOrder: of labels -1 and 1 a cross-validation lists 1 first, as models do, and its curve is that of 1.
func TestSignOrder(t *testing.T) {
	data := filepath.Join(newFolder(t), "data")
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "-1 1:%d 2:%d\n1 1:%d 2:%d\n", i*7%13, i*5%11, 5+i*3%13, 5+i*4%11)
	}
	if err := os.WriteFile(data, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, options := range []string{"", "--multiclass ovr", "--method nusvc --nu 0.3", "--method rsvm", "--method joint --vectors 4"} {
		options = "--probability --quiet --gamma 0.01 " + options
		status, stdout, stderr := slimsvm(t, "cv --stats "+options+" --roc cv.csv --out cv.txt "+data,
			"train "+options+" "+data+" model", "predict --probability --quiet --roc model.csv --out model.txt "+data+" model")
		if status != 0 {
			t.Fatalf("%s: %s", options, stderr)
		}
		if got, _, _ := strings.Cut(read(t, "cv.txt"), "\n"); got != "labels 1 -1" || !strings.HasPrefix(read(t, "model.txt"), got) {
			t.Errorf("%s: %q", options, got)
		}
		if strings.Index(stdout, "\n             -1 ") < strings.Index(stdout, "\n              1 ") {
			t.Errorf("%s: -1 is listed first:\n%s", options, stdout)
		}
		areas, of := curvesOf(t, "cv.csv", ','), curvesOf(t, "model.csv", ',')
		if len(areas) != len(of) || areas["1"] < 0.7 {
			t.Errorf("%s: curves %v, of a model %v", options, areas, of)
		}
	}
}
