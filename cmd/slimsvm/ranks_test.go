package main

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/models"
)

// TestLabelScores: which values rank labels, where answers are by votes and where they are by
// probabilities.
func TestLabelScores(t *testing.T) {
	for _, c := range []struct {
		model     models.Model
		ranks     [2]extra
		decisions []float64
		want      []float64
	}{
		{models.Model{Labels: []int{4, 7}}, [2]extra{decisions, ""}, []float64{0.5}, []float64{0.5, -0.5}},
		{models.Model{Labels: []int{4, 7}, Probability: true}, [2]extra{decisions, probabilities}, []float64{0.5}, []float64{0.5, -0.5}},
		{models.Model{Task: models.OneClass}, [2]extra{decisions, ""}, []float64{-2}, []float64{-2, 2}},
		{models.Model{Labels: []int{4}}, [2]extra{decisions, ""}, nil, []float64{math.Inf(1)}},
		{models.Model{Labels: []int{4, 7, 1}}, [2]extra{"", ""}, nil, nil},
		{models.Model{Labels: []int{4, 7, 1}, Probability: true}, [2]extra{probabilities, probabilities}, nil, nil},
		{models.Model{Labels: []int{4, 7, 1}, Vote: models.OneVsRest}, [2]extra{decisions, ""}, []float64{1, 2, 3}, []float64{1, 2, 3}},
		{models.Model{Labels: []int{4, 7}, Vote: models.OneVsRest}, [2]extra{decisions, ""}, []float64{1, 2}, []float64{1, 2}},
		{models.Model{Labels: []int{4, 7}, Vote: models.Ensemble}, [2]extra{"", ""}, nil, nil},
		{models.Model{Labels: []int{4, 7}, Vote: models.Ensemble, Probability: true}, [2]extra{probabilities, probabilities}, nil, nil},
		{models.Model{Task: models.NuSVR, Probability: true}, [2]extra{"", ""}, nil, nil},
	} {
		for i, want := range c.ranks {
			if got := ranksOf(&c.model, i > 0); got != want {
				t.Errorf("%v: %q, want %q", c.model, got, want)
			}
		}
		if c.ranks[0] != decisions {
			continue
		}
		if got := labelScores([]float64{9}, &c.model, c.decisions); !slices.Equal(got, c.want) {
			t.Errorf("%v of %v: %v, want %v", c.decisions, c.model.Labels, got, c.want)
		}
	}
}

// TestFoldsRank: the scores of a fold's labels stand at their places among all labels,
// and a label that the fold's model does not know is its last choice.
func TestFoldsRank(t *testing.T) {
	s := newSums(models.CSVC, []string{"a", "b", "c"}, tally.Usual(models.CSVC), true)
	s.add(&part{
		labels: []string{"c", "a"}, answers: []float64{3, 1}, truth: []float64{3, 2}, weights: []float64{1, 1},
		answerTexts: []string{"c", "a"}, truthTexts: []string{"c", "b"}, scores: []float64{5, 1, -2, 4},
	})
	s.add(&part{
		labels: []string{"a", "b", "c"}, answers: []float64{1}, truth: []float64{1}, weights: []float64{2},
		answerTexts: []string{"a"}, truthTexts: []string{"a"}, scores: []float64{2, 1, 0},
	})
	if s.values[0] != 0.5 || s.values[1] != 1 {
		t.Errorf("values %v", s.values)
	}
	// a: 1, 4 and 2 (inside); b: -Inf, -Inf (inside) and 1; c: 5 (inside), -2 and 0
	for i, want := range []float64{0.5, (0 + 0.5) / 3, 1} {
		if got := *s.Score().PerLabel[i].Area; !(math.Abs(float64(got)-want) <= 1e-15) {
			t.Errorf("area of %s: %v, want %v", *s.Score().PerLabel[i].Label, got, want)
		}
	}
	s.add(&part{
		labels: []string{"a"}, answers: []float64{1}, truth: []float64{1}, weights: []float64{1},
		answerTexts: []string{"a"}, truthTexts: []string{"a"},
	})
	if one := s.Score().PerLabel[0]; one.Area != nil {
		t.Errorf("area %v where a fold gives no scores", *one.Area)
	}
}

// TestNegativeZero: the label -0 is class 0 in all that is told of a score. It counted as right, and was told of as one
// that the model does not know.
func TestNegativeZero(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data", []byte("-0 1:1\n1 1:2\n-0 1:1.1\n1 1:2.1\n-0 1:0.9\n1 1:1.9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const table = "  true \\ predicted  0  1\n                 0  3  0\n                 1  0  3\nkappa 1.0000, "
	if _, said, status := slimsvmSays(t, "train", "--quiet", "data", "model"); status != 0 {
		t.Fatal(said)
	}
	if _, said, _ := slimsvmSays(t, "predict", "--stats", "data", "model"); !strings.HasPrefix(said, "accuracy 100% (6/6)\n"+table) {
		t.Errorf("predict: %s", said)
	}
	if text, said, _ := slimsvmSays(t, "cv", "--quiet", "--folds", "3", "--stats", "data"); !strings.Contains(text, "\n"+table) {
		t.Errorf("cv: %s%s", text, said)
	}
}

// TestNumberOfLabel: data that declare no columns have the places of labels for labels. A number that is no place is an
// unknown label, though it be the text of a label: it counted as wrong, and was told of as right in all but the accuracy.
func TestNumberOfLabel(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"data.arff": "@relation r\n@attribute a numeric\n@attribute k {5,7}\n@data\n1,5\n2,7\n1.1,5\n2.1,7\n",
		"numbers":   "5 1:1\n7 1:2\n5 1:1.2\n7 1:2.2\n",
		"places":    "0 1:1\n1 1:2\n0 1:1.2\n1 1:2.2\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, said, status := slimsvmSays(t, "train", "--quiet", "data.arff", "model"); status != 0 {
		t.Fatal(said)
	}
	const wrong = `warning: numbers: the model knows none of the labels, such as "number 5": the score means nothing; is this the right model for the data?
accuracy 0% (0/4)
  true \ predicted  5  7
                 5  0  0
                 7  0  0
        "number 5"  2  0
        "number 7"  0  2
`
	const right = "accuracy 100% (4/4)\n  true \\ predicted  5  7\n                 5  2  0\n                 7  0  2\n"
	for name, want := range map[string]string{"numbers": wrong, "places": right, "data.arff": right} {
		if out, said, status := slimsvmSays(t, "predict", name, "model"); status != 0 || said != want || name != "data.arff" && out != "5\n7\n5\n7\n" {
			t.Errorf("%s: status %d, %s%s", name, status, out, said)
		}
	}
	_, said, status := slimsvmSays(t, "train", "--method", "joint", "--extra", "numbers", "data.arff", "model")
	if want := `slimsvm: numbers:1: column "k": label "number 5" is not among those of the data` + "\n"; status != statusFailed || said != want {
		t.Errorf("--extra: status %d, %s", status, said)
	}
}
