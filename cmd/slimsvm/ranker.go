package main

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// A ranker answers the rows that a part holds back.
type ranker struct {
	p      *predict.Predictor
	likely bool  // answers are by probabilities
	keep   bool  // the part keeps these
	ranks  extra // that labels are ranked by; "": they are not
}

func (v *validation) newRanker(p *predict.Predictor) *ranker {
	m := p.Model()
	r := &ranker{p: p, likely: m.Probability && m.Task.Classifies()}
	r.keep = r.likely && v.c.String("out") != ""
	if v.ranked {
		r.ranks = ranksOf(m, r.likely)
	}
	return r
}

// answer returns the answers to the rows of x, and gives the part the scores of their labels.
func (r *ranker) answer(ctx context.Context, t *part, x *vec.Matrix) ([]float64, error) {
	n := x.Len()
	rows, answers := upTo(n), make([]float64, n)
	if !r.likely && r.ranks == "" { // labels alone are sooner found
		err := train.Answer(ctx, r.p, x, rows, func(b *predict.Batch, at, i int) { answers[i] = b.Predict(at) })
		return answers, err
	}
	if r.keep {
		t.chances = make([]float64, n*r.p.Outcomes())
	}
	width := r.width()
	if r.ranks != "" {
		t.scores = make([]float64, n*width)
	}
	decide := train.Decide
	if r.likely {
		decide = train.AnswerProbabilities
	}
	err := decide(ctx, r.p, x, rows, func(b *predict.Batch, at, i int) { // of several rows at once
		var chances []float64
		if r.likely {
			chances = make([]float64, r.p.Outcomes())
			answers[i], _ = b.Probabilities(chances, at)
		} else {
			answers[i] = b.Predict(at)
		}
		if r.keep {
			copy(t.chances[i*len(chances):], chances)
		}
		if r.ranks != "" {
			copy(t.scores[i*width:][:width], r.rank(b, at, chances))
		}
	})
	return answers, err
}

// width returns the number of scores of a row.
func (r *ranker) width() int {
	switch m := r.p.Model(); r.ranks {
	case probabilities:
		return r.p.Outcomes()
	case decisions:
		return len(labelScores(nil, m, make([]float64, len(m.Machines))))
	}
	return 0
}

// rank returns the scores of the labels of a batch's row; chances are its probabilities where labels are ranked by these.
func (r *ranker) rank(b *predict.Batch, at int, chances []float64) []float64 {
	if r.ranks == probabilities {
		return chances
	}
	values := make([]float64, len(r.p.Model().Machines))
	b.Decisions(values, at)
	return labelScores(nil, r.p.Model(), values)
}

// upTo returns 0, 1, ... n-1: the numbers of all rows.
func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// ranksOf returns what ranks the labels of a model: machines' values where there is one for
// each label or for two, else probabilities if the model has some, and also where answers are by
// them; "": nothing does, as with machines that tell pairs of three labels or more.
func ranksOf(m *models.Model, likely bool) extra {
	byMachines := m.Task == models.OneClass || len(m.Labels) == 1 || m.Vote == models.OneVsRest ||
		m.Vote == models.OneVsOne && len(m.Labels) == 2
	switch {
	case m.Task.Regresses():
		return ""
	case byMachines && !likely:
		return decisions
	case m.Probability:
		return probabilities
	}
	return ""
}

// labelScores sets dst to a score for each label, of the values of machines that rank them.
func labelScores(dst []float64, m *models.Model, decisions []float64) []float64 {
	switch dst = dst[:0]; {
	case len(m.Labels) == 1: // which is answered whatever the row
		return append(dst, math.Inf(1))
	case m.Task != models.OneClass && m.Vote == models.OneVsRest:
		return append(dst, decisions...) // machine i is that of label i
	}
	return append(dst, decisions[0], -decisions[0])
}
