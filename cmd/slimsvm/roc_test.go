package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// rocRows writes rows of a number of classes, one feature each of which tells most of them.
func rocRows(t *testing.T, name string, classes int) {
	t.Helper()
	var b strings.Builder
	for i := range 60 {
		k := i % classes
		fmt.Fprintf(&b, "%d 1:%d 2:%d\n", k+1, (10*k+i*7%13)%(9*classes), i*5%11)
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// curvesOf reads a table of curves and returns the area under that of each label.
func curvesOf(t *testing.T, name string, separator rune) (areas map[string]float64) {
	t.Helper()
	r := csv.NewReader(strings.NewReader(read(t, name)))
	r.Comma = separator
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(lines[0], " "); got != "label score false_positive_rate true_positive_rate" {
		t.Errorf("columns %s", got)
	}
	areas = map[string]float64{}
	was := map[string][2]float64{}
	for _, line := range lines[1:] {
		var at [2]float64
		for k := range at {
			if at[k], err = strconv.ParseFloat(line[2+k], 64); err != nil {
				t.Fatal(err)
			}
		}
		if line[1] != "" {
			from := was[line[0]]
			areas[line[0]] += (at[0] - from[0]) * (at[1] + from[1]) / 2
		} else if at != [2]float64{} {
			t.Errorf("a curve begins at %v", at)
		}
		was[line[0]] = at
	}
	for label, at := range was {
		if at != [2]float64{1, 1} {
			t.Errorf("%s: a curve ends at %v", label, at)
		}
	}
	return areas
}

// TestROCTables: the areas under the curves are those that --stats tells, in predictions and in cross-validation.
func TestROCTables(t *testing.T) {
	t.Chdir(t.TempDir())
	rocRows(t, "two", 2)
	rocRows(t, "three", 3)
	for _, c := range []struct {
		data, options string
		labels        int
	}{{"two", "", 1}, {"two", " --probability", 1}, {"three", " --probability", 3}, {"three", " --multiclass ovr", 3}} {
		command(t, "train -q"+c.options+" "+c.data+" m")
		likely := ""
		if strings.Contains(c.options, "probability") {
			likely = " --probability"
		}
		for line, separator := range map[string]rune{
			"predict --json --stats --out o" + likely + " --roc curves.csv " + c.data + " m": ',',
			"cv --json --stats" + c.options + " --roc curves.tsv " + c.data:                  '\t',
			"cv --json --stats" + c.options + " --repeat 2 --roc curves " + c.data:           '\t',
		} {
			var said struct {
				PerLabel []struct {
					Label string  `json:"label"`
					Area  float64 `json:"roc_area"`
				} `json:"per_label"`
			}
			if err := json.Unmarshal([]byte(command(t, line)), &said); err != nil {
				t.Fatal(err)
			}
			name := strings.Fields(line[strings.Index(line, "--roc"):])[1]
			areas := curvesOf(t, name, separator)
			if len(areas) != c.labels {
				t.Errorf("%s: curves of %v", line, areas)
			}
			for label, area := range areas {
				found := false
				for _, l := range said.PerLabel {
					if l.Label == label {
						found = true
						if math.Abs(l.Area-area) > 1e-12 {
							t.Errorf("%s: label %s has an area of %v, want %v", line, label, area, l.Area)
						}
					}
				}
				if !found {
					t.Errorf("%s: no label %s", line, label)
				}
			}
		}
	}
	plain, also := command(t, "cv two"), command(t, "cv --roc curves.arff two")
	if plain != also || !strings.Contains(read(t, "curves.arff"), "@attribute label {1}") {
		t.Errorf("with curves it prints %q, without %q; %s", also, plain, read(t, "curves.arff")[:100])
	}
}

// TestROCFaults: what has no curves, and files where they cannot go.
func TestROCFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	rocRows(t, "two", 2)
	rocRows(t, "three", 3)
	for name, text := range map[string]string{"numbers": "0.5 1:1\n1.5 1:2\n2.5 1:3\n", "one": "1 1:1\n1 1:2\n", "bare.csv": "f1,f2\n1,2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	command(t, "train -q two m2")
	command(t, "train -q three m3")
	command(t, "train -q --method epsilon-svr numbers r")
	for _, c := range []struct {
		line, want string
		status     int
	}{
		{"predict --roc c.svg three m3", "m3: --roc needs a score for each label, which the model does not have", statusUsage},
		{"cv --roc c.svg three", "--roc needs a score for each label, which models of csvc do not have with these options", statusUsage},
		{"predict --roc c.svg numbers r", "r: --roc: a regression has no ROC curves", statusUsage},
		{"cv --method epsilon-svr --roc c.svg numbers", "--roc: a regression has no ROC curves", statusUsage},
		{"predict --roc c.svg one m2", "--roc: no label has an ROC curve", statusFailed},
		{"predict --roc c.jpg two m2", "--roc, c.jpg: pictures are SVG and PNG, not jpg", statusUsage},
		{"predict --roc - two m2", "--roc needs a file", statusUsage},
		{"predict --roc same --out same two m2", "are the same file", statusUsage},
		{"cv --roc two two", "are the same file", statusUsage},
	} {
		status, _, stderr := spaced(t, c.line)
		if status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, %s", c.line, status, stderr)
		}
		if _, err := os.Stat("c.svg"); err == nil {
			t.Errorf("%s: a picture in spite of the error", c.line)
		}
	}
}
