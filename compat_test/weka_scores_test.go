package compat_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/predict"
)

// ranked are rows of three labels that overlap, with some of the given weights.
func ranked(n int, seed uint64, among []float64) (text []byte, labels []string, weights []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	b.WriteString("@relation ranked\n@attribute x numeric\n@attribute y numeric\n@attribute c {a,b,d}\n@data\n")
	for range n {
		c := rng.IntN(3)
		w := among[rng.IntN(len(among))]
		fmt.Fprintf(&b, "%.3f,%.3f,%s,{%g}\n", 2*float64(c)+2*rng.NormFloat64(), rng.NormFloat64(), "abd"[c:c+1], w)
		labels, weights = append(labels, "abd"[c:c+1]), append(weights, w)
	}
	return b.Bytes(), labels, weights
}

// TestWekaClassScores: kappa, precision, recall, F1 and ROC area of Weka's own predictions
// are those that Weka prints.
func TestWekaClassScores(t *testing.T) {
	w := installedWeka(t)
	dir := t.TempDir()
	text, _, _ := ranked(60, 1, []float64{1}) // so that three digits tell probabilities apart
	test, labels, weights := ranked(70, 2, []float64{1, 2, 0.5, 5})
	files := map[string][]byte{"train.arff": text, "test.arff": test}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"-K", "7", "-t", filepath.Join(dir, "train.arff"), "-T", filepath.Join(dir, "test.arff")}
	told := wekaSays(t, w, append(args, "-p", "0", "-distribution")...)
	var confusion predict.Confusion
	var ranking predict.Ranking
	row := 0
	for _, line := range told {
		f := strings.Fields(strings.ReplaceAll(line, "*", ""))
		if len(f) < 4 || f[0] != strconv.Itoa(row+1) {
			continue
		}
		var scores []float64
		for _, v := range strings.Split(f[len(f)-1], ",") {
			p, err := strconv.ParseFloat(v, 64)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			scores = append(scores, p)
		}
		truth := strings.Index("abd", labels[row])
		confusion.Add(truth, int(f[2][0]-'1'), weights[row])
		ranking.Add(truth, weights[row], scores)
		row++
	}
	if row != len(labels) {
		t.Fatalf("%d predictions in %q", row, told)
	}
	said := wekaSays(t, w, append(args, "-i")...)
	said = said[lineOf(t, said, "Error on test data"):]
	near(t, "kappa", confusion.Kappa(), after(t, said, "Kappa statistic"), 5e-5)
	for i, label := range []string{"a", "b", "d", "Weighted Avg."} {
		one, area, numbers := confusion.Weighted(), math.NaN(), []float64(nil)
		if label != "Weighted Avg." {
			one, area = confusion.Class(i), ranking.Area(i)
		}
		for _, line := range said {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "Weighted Avg."); ok && i == 3 {
				numbers = numbersIn(rest)
			} else if f := strings.Fields(line); len(f) == 7 && f[6] == label && f[3] != "|" {
				numbers = numbersIn(line)
			}
		}
		if len(numbers) != 6 {
			t.Fatalf("%s: %v", label, numbers)
		}
		near(t, label+" precision", one.Precision, numbers[2], 1e-3)
		near(t, label+" recall", one.Recall, numbers[3], 1e-3)
		near(t, label+" F1", one.F1, numbers[4], 1e-3)
		if i < 3 {
			near(t, label+" area", area, numbers[5], 1e-3)
		}
	}
}

// TestWekaTargetScores: the errors of Weka's own predictions are those that Weka prints, on
// a test set relative to the mean of the training set, in cross-validation to that of the
// other folds.
func TestWekaTargetScores(t *testing.T) {
	w := installedWeka(t)
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(3, 1))
	var means []float64
	var truths, weights [][]float64
	for _, name := range []string{"train.arff", "test.arff"} {
		var b bytes.Buffer
		b.WriteString("@relation r\n@attribute x numeric\n@attribute y numeric\n@data\n")
		var all predict.Scores
		var truth, weight []float64
		for i := range 40 {
			x, v := rng.NormFloat64(), []float64{1, 2, 0.5}[rng.IntN(3)]
			y := math.Round(1000+100*x+30*rng.NormFloat64()) + float64(i)/100 // no two the same
			fmt.Fprintf(&b, "%.3f,%g,{%g}\n", x, y, v)
			all.AddWeighted(y, y, v)
			truth, weight = append(truth, y), append(weight, v)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		means, truths, weights = append(means, all.MeanTruth()), append(truths, truth), append(weights, weight)
	}
	train, test := filepath.Join(dir, "train.arff"), filepath.Join(dir, "test.arff")
	args := []string{"-K", "1", "-t", train, "-T", test}
	answers := targetsTold(t, wekaSays(t, w, append(args, "-p", "0")...), len(truths[1]))
	var s predict.Scores
	var base predict.Baseline
	for i, p := range answers {
		s.AddWeighted(p[1], truths[1][i], weights[1][i])
		base.Add(means[0], truths[1][i], weights[1][i])
	}
	said := wekaSays(t, w, args...)
	compareErrors(t, &s, &base, said[lineOf(t, said, "Error on test data"):])

	args = []string{"-K", "1", "-t", train, "-x", "2", "-s", "7"}
	answers = targetsTold(t, wekaSays(t, w, append(args, "-p", "0")...), len(truths[0]))
	weightOf := map[float64]float64{} // targets are told apart by their numbers
	for i, y := range truths[0] {
		weightOf[y] = weights[0][i]
	}
	s, base = predict.Scores{}, predict.Baseline{}
	half := len(answers) / 2
	for i, p := range answers {
		var rest predict.Scores
		for k, q := range answers {
			if (k < half) != (i < half) {
				rest.AddWeighted(q[0], q[0], weightOf[q[0]])
			}
		}
		s.AddWeighted(p[1], p[0], weightOf[p[0]])
		base.Add(rest.MeanTruth(), p[0], weightOf[p[0]])
	}
	said = wekaSays(t, w, args...)
	compareErrors(t, &s, &base, said[lineOf(t, said, "Cross-validation"):])
}

// compareErrors compares with the lines of a summary of Weka's.
func compareErrors(t *testing.T, s *predict.Scores, base *predict.Baseline, said []string) {
	t.Helper()
	near(t, "absolute error", s.MeanAbsoluteError(), after(t, said, "Mean absolute error"), 1e-3)
	near(t, "root squared error", s.RootMeanSquaredError(), after(t, said, "Root mean squared error"), 1e-3)
	near(t, "relative absolute error", 100*s.RelativeAbsoluteError(base), after(t, said, "Relative absolute error"), 1e-3)
	near(t, "relative squared error", 100*s.RootRelativeSquaredError(base), after(t, said, "Root relative squared error"), 1e-3)
	near(t, "correlation", math.Sqrt(s.SquaredCorrelation()), after(t, said, "Correlation coefficient"), 1e-4)
}

// wekaSays returns the lines that Weka's nearest neighbours print.
func wekaSays(t *testing.T, w wekaTool, args ...string) (lines []string) {
	t.Helper()
	out, err := w.run(context.Background(), "weka.classifiers.lazy.IBk", args...)
	if err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// targetsTold returns the targets and predictions of n rows that Weka tells.
func targetsTold(t *testing.T, lines []string, n int) (pairs [][2]float64) {
	t.Helper()
	for _, line := range lines {
		if f := numbersIn(line); len(f) == 4 {
			pairs = append(pairs, [2]float64{f[1], f[2]})
		}
	}
	if len(pairs) != n {
		t.Fatalf("%d predictions in %q", len(pairs), lines)
	}
	return pairs
}

// numbersIn returns the numbers that a line begins with.
func numbersIn(line string) (numbers []float64) {
	for _, f := range strings.Fields(line) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			break
		}
		numbers = append(numbers, v)
	}
	return numbers
}

// lineOf returns the number of the line that has a text.
func lineOf(t *testing.T, lines []string, text string) int {
	t.Helper()
	for i, line := range lines {
		if strings.Contains(line, text) {
			return i
		}
	}
	t.Fatalf("no %q in %q", text, lines)
	return 0
}

// after returns the number that stands behind a text.
func after(t *testing.T, lines []string, text string) float64 {
	t.Helper()
	rest := strings.TrimPrefix(lines[lineOf(t, lines, text)], text)
	numbers := numbersIn(rest)
	if len(numbers) == 0 {
		t.Fatalf("no number in %q", rest)
	}
	return numbers[0]
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, Weka has %v", what, got, want)
	}
}
