package predict

import (
	"context"
	"io"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestMistakes: a program that uses a predictor or batch without a model, or a class that cannot be,
// panics with the reason.
func TestMistakes(t *testing.T) {
	const noModel = "predict: a Predictor without a model: New returns one of a model"
	xs := []vec.Vector{one}
	end := func() (vec.Vector, float64, error) { return vec.Vector{}, 0, io.EOF }
	take := func(*Batch, []float64) error { return nil }
	for name, c := range map[string]struct {
		f    func(p *Predictor)
		want string
	}{
		"Predict":             {func(p *Predictor) { p.Predict(one) }, noModel},
		"Decisions":           {func(p *Predictor) { p.Decisions(nil, one) }, noModel},
		"Probabilities":       {func(p *Predictor) { p.Probabilities(nil, one) }, noModel},
		"Outcomes":            {func(p *Predictor) { p.Outcomes() }, noModel},
		"Stream":              {func(p *Predictor) { p.Stream(context.Background(), 1, end, take) }, noModel},
		"StreamAnswers":       {func(p *Predictor) { p.StreamAnswers(context.Background(), 3, end, take) }, noModel},
		"StreamProbabilities": {func(p *Predictor) { p.StreamProbabilities(context.Background(), 2, end, take) }, noModel},
		"Decide":              {func(p *Predictor) { p.NewBatch().Decide(xs) }, noModel},
		"Answer":              {func(p *Predictor) { p.NewBatch().Answer(xs) }, noModel},
		"AnswerProbabilities": {func(p *Predictor) { p.NewBatch().AnswerProbabilities(xs) }, noModel},
		"DecideMembers":       {func(p *Predictor) { p.NewBatch().DecideMembers(xs, false) }, noModel},
		"DecideVotes":         {func(p *Predictor) { p.NewBatch().DecideVotes(xs) }, noModel},
		"a zero Batch":        {func(*Predictor) { new(Batch).Decide(xs) }, "predict: a batch without a predictor: NewBatch or Use gives it one"},
		"Class":               {func(*Predictor) { new(Confusion).Class(-1) }, "predict: class -1 of a confusion matrix"},
	} {
		if got := testenv.PanicOf(func() { c.f(new(Predictor)) }); got != c.want {
			t.Errorf("%s: panics with %q, want %q", name, got, c.want)
		}
	}
}
