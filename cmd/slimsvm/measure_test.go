package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
)

// unbalancedRows are mixedRows of which few are of the second class, with weights.
func unbalancedRows(n int) (rows []string) {
	for i, row := range mixedRows(n) {
		if strings.HasSuffix(row, "no") && i%7 > 2 {
			continue
		}
		if i%5 == 0 {
			row += ",{2.5}"
		}
		rows = append(rows, row)
	}
	return rows
}

// statsOf returns what a command that prints the statistics of predictions tells, by the keys of
// measures.
func statsOf(t *testing.T, line string) map[string]float64 {
	t.Helper()
	var all map[string]any
	text := command(t, line)
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatalf("%s: %v in %s", line, err, text)
	}
	if macro, is := all["macro"].(map[string]any); is {
		all["f1"], all["roc_area"] = macro["f1"], macro["roc_area"]
	}
	stats := map[string]float64{}
	for i := range tally.Measures {
		switch v := all[tally.Measures[i].Key].(type) {
		case float64:
			stats[tally.Measures[i].Key] = v
		case nil:
			stats[tally.Measures[i].Key] = math.NaN()
		}
	}
	return stats
}

// same reports whether two values are the same number, or none.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// TestGridScoreIsStats: the score of each point is what cv --stats tells with its parameters and
// the same seed, and the best is the first of the best in the direction that is given.
func TestGridScoreIsStats(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRows(t, "rare.arff", unbalancedRows(90))
	writeRows(t, "plain.arff", mixedRows(61))
	for name, set := range map[string]string{"two": "gauss", "three": "waveform"} {
		if err := os.WriteFile(name, []byte(command(t, "generate --rows 80 "+set)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const tasks = "balanced-accuracy f1 mcc kappa auc"
	checked, undefined := 0, 0
	for _, c := range []struct{ options, scores string }{
		{"rare.arff --log2c=-4,8,6 --gamma 0.25 --folds 3 --repeat 2", "accuracy log-loss brier " + tasks},
		{"rare.arff --log2c=-4,8,6 --gamma 0.25 --folds 3 --seed 5 --probability", "log-loss " + tasks},
		{"rare.arff --weight balanced --log2c=0,6,6 --gamma 0.25 --folds 3 --seed 2", "mcc brier"},
		{"rare.arff --method rsvm --vectors 5 --log2c=0,6,6 --gamma 0.25 --folds 3", "auc log-loss"},
		{"two --method oneclass --nu 0.5 --log2g=-3,3,3 --folds 3", "accuracy " + tasks},
		{"three --log2g=-5,1,3 --cost 2 --folds 4", "accuracy balanced-accuracy f1 mcc kappa log-loss brier"},
		{"three --log2g=-5,1,3 --cost 2 --folds 4 --multiclass ovr", "auc"},
		{"three --log2g=-5,1,3 --cost 2 --folds 4 --probability", "auc"},
		{"plain.arff --class y --cost 8 --log2g=-4,-2,2 --log2p=3,13,10 --folds 3", "mse rmse mae r2 squared-correlation"},
	} {
		for score := range strings.FieldsSeq(c.scores) {
			var k *tally.Measure
			for i := range tally.Measures {
				if tally.Measures[i].Name == score {
					k = &tally.Measures[i]
				}
			}
			r := searchAll(t, "grid --json --quiet "+c.options+" --score "+score)
			if want := map[bool]string{true: "lower", false: "higher"}[k.Lower]; r.Measure != k.Key || r.Better != want {
				t.Errorf("%s --score %s: measure %q, %s is better", c.options, score, r.Measure, r.Better)
			}
			line := "cv --json --stats"
			for word := range strings.FieldsSeq(c.options) {
				if strings.HasPrefix(word, "--log2") {
					word, _, _ = strings.Cut(word, "=")
				}
				line += " " + word
			}
			if k.Probabilities && !strings.Contains(line, "--probability") {
				line += " --probability"
			}
			best := -1
			for i, p := range r.Points {
				line := line
				for option, v := range map[string]*jsonline.Number{"--log2c": p.Cost, "--log2g": p.Gamma, "--log2p": p.Epsilon} {
					if v != nil {
						at := strings.Index(line, option)
						end := len(line)
						if n := strings.Index(line[at+1:], " --"); n >= 0 {
							end = at + 1 + n
						}
						name := map[string]string{"--log2c": "cost", "--log2g": "gamma", "--log2p": "epsilon"}[option]
						line = line[:at] + fmt.Sprintf("--%s %v", name, float64(*v)) + line[end:]
					}
				}
				want := statsOf(t, line)[k.Key]
				got := math.NaN()
				if p.Score != nil {
					got = float64(*p.Score)
				}
				if !same(got, want) {
					t.Errorf("%s --score %s: %v at %s, slimsvm %s tells %v", c.options, score, got, told(p), line, want)
				}
				checked++
				if math.IsNaN(want) {
					undefined++
				} else if best < 0 || k.Lower && want < float64(*r.Points[best].Score) || !k.Lower && want > float64(*r.Points[best].Score) {
					best = i
				}
			}
			if best < 0 || told(r.Points[best]) != told(r.Best) {
				t.Errorf("%s --score %s: the best is %s, of %s", c.options, score, told(r.Best), told(r.Points))
			}
		}
	}
	if checked < 60 || undefined == 0 {
		t.Errorf("%d scores compared, %d of them undefined", checked, undefined)
	}
}

// TestGridScoreFolds: the deviation is that of the scores of the folds, each of which split,
// train and predict tell as well; those that have none are counted.
func TestGridScoreFolds(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRows(t, "plain.arff", mixedRows(12))
	writeRows(t, "rare.arff", unbalancedRows(60)) // rows of the second class are fewer than folds
	sparse := 0
	for _, c := range []struct{ data, score, train string }{
		{"rare", "mcc", "--weight balanced"}, {"rare", "balanced-accuracy", "--weight balanced"}, {"rare", "auc", ""}, {"rare", "auc", "--method ssvm"},
		{"plain", "mae", "--method epsilon-svr --class x --tolerance 1e-9"}, {"plain", "r2", "--method epsilon-svr --class x --tolerance 1e-9"},
	} {
		k := tally.Measures[0]
		for i := range tally.Measures {
			if tally.Measures[i].Name == c.score {
				k = tally.Measures[i]
			}
		}
		r := searchAll(t, "grid --json --quiet "+c.data+".arff --folds 9 --log2c 4,4,1 --gamma 0.25 --scale normalize --score "+c.score+" "+c.train)
		var values []float64
		for f := range 9 {
			random := map[bool]string{true: " --random --class x"}[k.Targets]
			command(t, fmt.Sprintf("split --quiet --folds 9 --fold %d %s.arff some.arff rest.arff%s", f+1, c.data, random))
			command(t, "train --quiet --cost 16 --gamma 0.25 --scale normalize some.arff model "+c.train)
			if v := statsOf(t, "predict --json --stats rest.arff model")[k.Key]; !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		_, want := spread(values)
		if p := r.Best; p.Undefined != 9-len(values) || !(math.Abs(float64(*p.Deviation)-want) <= 1e-6*want) {
			t.Errorf("--score %s: %s, by hand %d folds have a score, with the deviation %v", c.score, told(p), len(values), want)
		}
		if r.Best.Undefined > 0 {
			sparse++
		}
	}
	if sparse < 2 {
		t.Errorf("%d scores are not defined in all folds", sparse)
	}
}

// TestSides: labels of numbered features that say nothing of inside and outside are warned of, whose score is 0 whatever the
// model; of declared columns they are errors.
func TestSides(t *testing.T) {
	t.Chdir(t.TempDir())
	var none, some, all strings.Builder
	for i := range 20 {
		fmt.Fprintf(&none, "%d 1:%d\n", 2+i%2, i)
		fmt.Fprintf(&some, "%d 1:%d\n", 1+i%4/3, i)
		fmt.Fprintf(&all, "%d 1:%d\n", 1-i%2*2, i)
	}
	for name, text := range map[string]string{"none": none.String(), "some": some.String(), "all": all.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ data, want string }{
		{"none", "warning: none: no label is 1 (inside) or -1 (outside), but 2 for example: the score means nothing\n"},
		{"some", "warning: some: 5 of 20 rows have a label that is neither 1 (inside) nor -1 (outside), such as 2, and count as wrong\n"},
		{"all", ""},
	} {
		for _, line := range []string{"cv --method oneclass ", "grid --method oneclass --log2g -1,1,1 "} {
			status, _, stderr := spaced(t, line+c.data)
			sides := ""
			for l := range strings.Lines(stderr) {
				if strings.Contains(l, "inside") {
					sides += l
				}
			}
			if status != 0 || sides != c.want {
				t.Errorf("%s%s: status %d, %q, want %q", line, c.data, status, sides, c.want)
			}
		}
	}
}

// TestBest: the best point is told by the score that was asked for, else by the usual one, as a percentage where
// these are told so, with the deviation between folds if there is one.
func TestBest(t *testing.T) {
	r := func(deviation float64, undefined, repeat int) *searched {
		return &searched{Folds: 5, Repeat: repeat, Best: gridPoint{
			Rate:  tally.Rate{Accuracy: jsonline.New(0.875), MeanSquaredError: jsonline.New(2.5)},
			Score: jsonline.New(0.75), Deviation: jsonline.New(deviation), Undefined: undefined,
		}}
	}
	measure := func(name string, asked bool) *chosenBy {
		for _, m := range tally.Measures {
			if m.Name == name {
				return &chosenBy{m, asked}
			}
		}
		t.Fatalf("no measure %s", name)
		return nil
	}
	for _, c := range []struct {
		by   *chosenBy
		of   *searched
		want string
	}{
		{measure("accuracy", false), r(0.125, 0, 1), "accuracy 87.5%, standard deviation 12.5 over 5 folds"},
		{measure("accuracy", true), r(0.125, 0, 2), "accuracy 75%, standard deviation 12.5 over 2 x 5 folds"},
		{measure("accuracy", true), r(math.NaN(), 3, 2), "accuracy 75%, standard deviation - over 7 of 2 x 5 folds"},
		{measure("mse", false), r(0.125, 0, 1), "mean squared error 2.5, standard deviation 0.125 over 5 folds"},
	} {
		if got := c.by.best(c.of); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
