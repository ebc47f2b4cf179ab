package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/predict"
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

// TestROCPicture: a curve is where its points are, in both kinds of pictures.
func TestROCPicture(t *testing.T) {
	points := func(rates ...[2]float64) (list []predict.ROCPoint) {
		for _, r := range rates {
			list = append(list, predict.ROCPoint{FalsePositiveRate: r[0], TruePositiveRate: r[1]})
		}
		return list
	}
	curves := []tally.Curve{
		{Label: "<a>", Place: 0, Area: 0.75, Points: points([2]float64{}, [2]float64{0, 0.5}, [2]float64{0.5, 1}, [2]float64{1, 1})},
		{Label: "a label with a long name", Place: 3, Area: 0.5, Points: points([2]float64{}, [2]float64{1, 1})},
	}
	svg := string(rocPicture(picture.SVG, curves))
	image, err := png.Decode(bytes.NewReader(rocPicture(picture.PNG, curves)))
	if err != nil {
		t.Fatal(err)
	}
	x := func(v float64) float64 { return 66 + 420*v }
	y := func(v float64) float64 { return 436 - 420*v }
	drawn := map[string][][2]float64{}
	for _, s := range shapesOf(t, svg) {
		if s.width == 2 && drawn[s.stroke] == nil {
			drawn[s.stroke] = s.paths[0]
		}
	}
	for _, c := range []struct {
		place int
		at    [][2]float64
	}{{0, [][2]float64{{0, 0.25}, {0.25, 0.75}, {0.4, 0.9}}}, {3, [][2]float64{{0.25, 0.25}, {0.6, 0.6}}}} {
		for _, at := range c.at {
			if off := near(drawn[dotColours[c.place].String()], x(at[0]), y(at[1])); !(off < 0.2) {
				t.Errorf("curve %d is %v from %v", c.place, off, at)
			}
			if got := pixelAt(image, x(at[0]), y(at[1])); at[0] > 0 && got != dotColours[c.place].String() {
				t.Errorf("curve %d is not at %v in PNG: %s", c.place, at, got)
			}
		}
	}
	for _, text := range []string{"label, ROC area", "&lt;a&gt; 0.7500", "a label wi... 0.5000", "false positive rate", "true positive rate"} {
		if strings.Count(svg, ">"+text+"</text>") != 1 {
			t.Errorf("%q is not there once", text)
		}
	}
	many := make([]tally.Curve, 50)
	for k := range many {
		many[k] = tally.Curve{Label: strconv.Itoa(k), Place: k, Area: 0.5, Points: curves[1].Points}
	}
	if svg := string(rocPicture(picture.SVG, many)); !strings.Contains(svg, ">and 30 more</text>") {
		t.Error("not all labels are listed, and nothing says so")
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
