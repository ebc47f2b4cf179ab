package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// command runs a command line in the current folder and returns its standard
// output. It must succeed.
func command(t *testing.T, line string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(context.Background(), strings.Fields(line), strings.NewReader(""), &stdout, &stderr); status != 0 {
		t.Fatalf("slimsvm %s: status %d, %s", line, status, stderr.String())
	}
	return stdout.String()
}

func validate(t *testing.T, line string) (v validated) {
	t.Helper()
	text := command(t, line)
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v in %s", line, err, text)
	}
	return v
}

// mixedRows are rows of two classes with numbers of different ranges, labels and
// missing values, some of them without a class.
func mixedRows(n int) []string {
	rng := train.NewRand(7)
	var rows []string
	for i := range n {
		class := i % 2
		x := float64(rng.Int()%1000)/100 + 4*float64(class)
		y := 500*float64(class) - float64(rng.Int()%700)
		row := fmt.Sprintf("%g,%g,%s,%s", x, y, []string{"red", "green", "blue"}[rng.Int()%3], []string{"yes", "no"}[class])
		switch i % 11 {
		case 3:
			row = "?" + row[strings.IndexByte(row, ','):]
		case 7:
			row = row[:strings.LastIndexByte(row, ',')] + ",?"
		}
		rows = append(rows, row)
	}
	return rows
}

const mixedHeader = "@relation mixed\n@attribute x numeric\n@attribute y numeric\n@attribute colour {red,green,blue}\n@attribute class {yes,no}\n@data\n"

func writeRows(t *testing.T, name string, rows []string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(mixedHeader+strings.Join(rows, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestFoldsAreApart: the score of each fold is that of a model trained on the other
// rows alone, means and ranges of columns included. Trained in another way, this
// data set has other scores.
func TestFoldsAreApart(t *testing.T) {
	t.Chdir(t.TempDir())
	all := mixedRows(61)
	writeRows(t, "all.arff", all)
	var rows []string // with a class
	var y []float64
	for _, row := range all {
		if !strings.HasSuffix(row, "?") {
			rows, y = append(rows, row), append(y, map[bool]float64{true: 0, false: 1}[strings.HasSuffix(row, "yes")])
		}
	}
	const options = "--scale normalize --cost 30 --gamma 2 --quiet"
	v := validate(t, "cv --json --folds 4 --seed 3 "+options+" all.arff")
	folds, err := train.CrossValidationFolds(models.CSVC, y, 4, train.NewRand(3), nil)
	if err != nil {
		t.Fatal(err)
	}
	correct := 0
	for f := range 4 {
		held := map[int]bool{}
		var test, rest []string
		for _, i := range folds.Perm[folds.Start[f]:folds.Start[f+1]] {
			held[i], test = true, append(test, rows[i])
		}
		for i, row := range rows {
			if !held[i] {
				rest = append(rest, row)
			}
		}
		writeRows(t, "rest.arff", rest)
		writeRows(t, "test.arff", test)
		command(t, "train "+options+" rest.arff model")
		var s scored
		if err := json.Unmarshal([]byte(command(t, "predict --quiet --json test.arff model")), &s); err != nil {
			t.Fatal(err)
		}
		correct += *s.Correct
		if *s.Accuracy != v.Values[f] {
			t.Errorf("fold %d: accuracy %v, by train and predict %v", f, v.Values[f], *s.Accuracy)
		}
	}
	if *v.Correct != correct || v.Scored != len(rows) || v.Rows != len(rows) {
		t.Errorf("%d of %d right, by train and predict %d of %d", *v.Correct, v.Scored, correct, len(rows))
	}
	mean, deviation := 0.0, 0.0
	for _, x := range v.Values {
		mean += float64(x) / 4
	}
	for _, x := range v.Values {
		deviation += (float64(x) - mean) * (float64(x) - mean) / 3
	}
	if !(math.Abs(float64(v.Mean)-mean) <= 1e-12) || !(math.Abs(float64(v.Deviation)-math.Sqrt(deviation)) <= 1e-12) {
		t.Errorf("mean %v and deviation %v of %v", v.Mean, v.Deviation, v.Values)
	}
}

// TestThreads: what cv and predict print does not depend on the number of threads,
// warnings and errors included.
func TestThreads(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRows(t, "all.arff", mixedRows(97))
	command(t, "train --quiet --probability all.arff model")
	for _, line := range []string{
		"cv --json --folds 7 --repeat 3 --probability all.arff",
		"cv --json --stats --folds 7 --repeat 2 all.arff",
		"cv --stats --method epsilon-svr --class y --folds 3 all.arff",
		"predict --stats --out answers all.arff model",
		"cv --method epsilon-svr --class y --folds 3 all.arff",
		"cv --method nusvc --nu 0.97 --folds 5 all.arff", // cannot be met in some folds
		"cv --folds 2 --seed 5 all.arff",
		"cv --json --folds 60 --repeat 2 --method rsvm all.arff", // some folds have no rows
		"grid --json --log2c=-3,3,3 --log2g=-4,2,3 --folds 3 --repeat 2 all.arff gridded",
		"grid --json --score auc --log2c=-3,3,3 --gamma 1 --folds 3 --repeat 2 all.arff",
		"grid --score auc --log2c=-3,3,3 --method psvm --folds 3 all.arff", // labels have no scores
		"grid --kernel poly --log2g=0,120,40 --cost 1 --folds 3 all.arff",  // values overflow at some points
		"train --json --probability all.arff other",
		"predict --probability all.arff model",
		"predict --format csv --decisions all.arff model",
	} {
		first := ""
		for _, threads := range []string{"1", "2", "9"} {
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), append(strings.Fields(line), "--threads", threads), nil, &stdout, &stderr)
			text := regexp.MustCompile(`"seconds":[^,]*,`).ReplaceAllString(stdout.String(), "")
			got := fmt.Sprintf("%d\n%s\n%s", status, text, stderr.String())
			if threads == "1" {
				first = got
			} else if got != first {
				t.Errorf("slimsvm %s: with %s threads\n%s\nwith one\n%s", line, threads, got, first)
			}
		}
	}
}

// TestCVBesideLIBSVM: on numbered features the folds, and so the accuracy, are those
// of svm-train -v.
func TestCVBesideLIBSVM(t *testing.T) {
	theirs, err := exec.LookPath("svm-train")
	if err != nil {
		testenv.SkipMissing(t, "needs LIBSVM's svm-train", err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("rows", []byte(command(t, "generate waveform --rows 150")), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, options := range [][2]string{
		{"-q -v 6 -c 3 -w2 2", "--folds 6 --cost 3 --weight 2=2"},
		{"-q -v 3 -b 1", "--folds 3 --probability"},
	} {
		out, err := exec.Command(theirs, append(strings.Fields(options[0]), "rows")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		want := regexp.MustCompile(`Accuracy = ([0-9.]+)%`).FindSubmatch(out)
		if want == nil {
			t.Fatalf("%q", out)
		}
		v := validate(t, "cv --json --from libsvm "+options[1]+" rows")
		if got := strconv.FormatFloat(100*float64(*v.Accuracy), 'g', 6, 64); got != string(want[1]) {
			t.Errorf("%s: accuracy %s%%, LIBSVM has %s%%", options[1], got, want[1])
		}
	}
}

// TestTooFewRows: folds that leave too few rows to train on are reported before anything is
// trained, and no warning is said of what does not come about.
func TestTooFewRows(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"apart":  "1 1:1\n2 1:2\n3 1:3\n",
		"two":    "1 1:1\n2 1:2\n",
		"one":    "1 1:1\n",
		"c.arff": mixedHeader + "1,2,red,?\n1,2,red,yes\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"cv --folds 2 apart":                                  "apart: fold 2 of 2 holds 3 of the 3 rows: too few are left to train on",
		"cv --folds 2 --repeat 3 --method joint apart":        "apart: fold 2 of 2 holds 3 of the 3 rows: too few are left to train on",
		"cv --folds 2 --method epsilon-svr --probability two": "two: fold 1 of 2 holds 1 of the 2 rows: too few are left to train on",
		"cv --folds 2 one":                                    "one: 1 row is too few for cross-validation",
		"cv --folds 2 --method nu-svr one":                    "one: 1 row is too few for cross-validation",
		"cv --folds 2 c.arff":                                 "c.arff: 1 row with a label is too few for cross-validation",
		"train --method epsilon-svr --probability one model":  "one: 1 row is too few to estimate probabilities",
	} {
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), strings.Fields(line), nil, &stdout, &stderr)
		said := strings.TrimPrefix(stderr.String(), "warning: c.arff: rows without a label are left out: 1\n")
		if status != 1 || stdout.Len() > 0 || said != "slimsvm: "+want+"\n" {
			t.Errorf("slimsvm %s: status %d, %q, %q, want %q", line, status, &stdout, &stderr, want)
		}
	}
	command(t, "cv --folds 2 --method epsilon-svr apart") // folds of numbers are plain
}

// TestRareLabels: labels of one row, which no model that answers them knows, and of fewer rows
// than there are folds are warned of, once.
func TestRareLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	numbered := func(counts ...int) string {
		var text strings.Builder
		for label, n := range counts {
			for i := range n {
				fmt.Fprintf(&text, "%d 1:%d 2:%d\n", label+1, i, label)
			}
		}
		return text.String()
	}
	for name, text := range map[string]string{
		"lone": numbered(6, 1, 6), "lones": numbered(6, 1, 1, 6), "rare": numbered(6, 3, 6), "rares": numbered(3, 6, 2, 1), "enough": numbered(6, 5),
		"c.arff": mixedHeader + strings.Repeat("1,2,red,yes\n", 5) + "1,2,red,no\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const one = "warning: label 2 has only 1 row: the model that predicts it does not know the label, and it counts as wrong\n"
	for line, want := range map[string]string{
		"cv lone":                          one,
		"cv --repeat 2 lone":               one,
		"cv --folds 2 lone":                one,
		"cv --quiet lone":                  "",
		"cv --method epsilon-svr lone":     "",
		"grid --cost 1 --log2g 0,0,1 lone": one,
		"cv lones":                         "warning: 2 of 4 labels have only 1 row, such as 2: the models that predict these rows do not know the labels, and they count as wrong\n",
		"cv rare":                          "warning: label 2 has 3 rows: some of 5 folds have none of them\n",
		"cv --folds 3 rare":                "",
		"cv --folds 15 rare":               "", // each row is a fold
		"cv --folds 14 rare":               "warning: 8 of 14 folds are empty, since no class has as many rows as there are folds, and are left out\n",
		"cv rares": "warning: label 4 has only 1 row: the model that predicts it does not know the label, and it counts as wrong\n" +
			"warning: 2 of 4 labels have fewer rows than the 5 folds, such as 1: some folds have none of them\n",
		"cv enough":           "",
		"cv --folds 3 c.arff": "warning: label no has only 1 row: the model that predicts it does not know the label, and it counts as wrong\nwarning: all rows are of one class\n",
	} {
		var stdout, stderr bytes.Buffer
		if status := run(context.Background(), strings.Fields(line), nil, &stdout, &stderr); status != 0 || stderr.String() != want {
			t.Errorf("slimsvm %s: status %d, %q, want %q", line, status, &stderr, want)
		}
	}
}

// TestNumbersLikeClasses: a regression that nobody asked for is warned of where few numbers come at least twice each, as
// classes do, and not where there is one number.
func TestNumbersLikeClasses(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		labels, options, want string
	}{
		{"1 2 1 2", "", "2"},
		{"1 2 1", "", ""},
		{"1 2 1 2.5", "", ""},
		{"1 1 1 1", "", ""},
		{"3 2 1 2 1 3", "", "3"},
		{"1 2 1 2", " --method epsilon-svr", ""},
	} {
		text, want := "x,y\n", ""
		for i, label := range strings.Fields(c.labels) {
			text += fmt.Sprintf("%d,%s\n", i, label)
		}
		if c.want != "" {
			want = "warning: data.csv: column \"y\" has " + c.want + " different numbers, which method epsilon-svr takes for targets; if they are classes, say --method csvc\n"
		}
		write(t, "data.csv", text)
		status, _, stderr := spaced(t, "train data.csv m"+c.options)
		if status != 0 || strings.Contains(stderr, "takes for targets") != (want != "") || !strings.Contains(stderr, want) {
			t.Errorf("labels %s%s: status %d, %s, want %s", c.labels, c.options, status, stderr, want)
		}
	}
}

// TestSpreadScores: labels that a fold's model does not know are its last choice.
func TestSpreadScores(t *testing.T) {
	for _, c := range []struct {
		places []int
		scores []float64
		want   string
	}{
		{[]int{0, 1, 2}, []float64{0.5, -3, 7}, "[0.5 -3 7]"},
		{[]int{2, 0}, []float64{-7, 0.25}, "[0.25 -Inf -7]"},
		{nil, nil, "[-Inf -Inf -Inf]"},
	} {
		all := []float64{9, 9, 9} // of the fold before
		if got := fmt.Sprint(spreadScores(all, c.places, c.scores)); got != c.want {
			t.Errorf("scores %v of labels %v: %s, want %s", c.scores, c.places, got, c.want)
		}
	}
}

// TestShares: no thread is idle, and none is used twice.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		threads, parts int
		want           string
	}{
		{1, 5, "[1]"}, {4, 5, "[1 1 1 1]"}, {5, 5, "[1 1 1 1 1]"}, {8, 5, "[2 2 2 1 1]"}, {2, 1, "[2]"}, {12, 3, "[4 4 4]"},
	} {
		if got := fmt.Sprint(shares(c.threads, c.parts)); got != c.want {
			t.Errorf("%d threads for %d parts: %s, want %s", c.threads, c.parts, got, c.want)
		}
	}
}
