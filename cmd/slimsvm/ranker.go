package main

import (
	"context"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// A ranker answers the rows that a part holds back.
type ranker struct {
	p      *predict.Predictor
	likely bool  // answers are by probabilities
	keep   bool  // the part keeps these
	ranks  extra // that labels are ranked by; "": they are not

	// of a row
	chances   []float64
	decisions []float64
	scores    []float64
}

func (v *validation) newRanker(p *predict.Predictor) *ranker {
	m := p.Model()
	r := &ranker{p: p, likely: m.Probability && m.Task.Classifies(), decisions: make([]float64, len(m.Machines))}
	if r.keep = r.likely && v.c.String("out") != ""; r.likely {
		r.chances = make([]float64, p.Outcomes())
	}
	if v.ranked {
		r.ranks = ranksOf(m, r.likely)
	}
	return r
}

// answer returns the answers to the rows of x, and adds the scores of their labels to the part's.
func (r *ranker) answer(ctx context.Context, t *part, x *vec.Matrix) ([]float64, error) {
	rows, answers := upTo(x.Len()), make([]float64, x.Len())
	if !r.likely && r.ranks == "" { // labels alone are sooner found
		err := train.Answer(ctx, r.p, x, rows, func(b *predict.Batch, at, i int) { answers[i] = b.Predict(at) })
		return answers, err
	}
	err := train.Decide(ctx, r.p, x, rows, func(b *predict.Batch, at, i int) { answers[i] = r.rank(b, at, t) })
	return answers, err
}

// rank returns the answer to a row of a batch, and adds what else is wanted of it to the part's, in the order of
// its calls, which is that of the rows where ctx is no training's.
func (r *ranker) rank(b *predict.Batch, at int, t *part) (answer float64) {
	if r.likely {
		if answer, _ = b.Probabilities(r.chances, at); r.keep {
			t.chances = append(t.chances, r.chances...)
		}
	} else {
		answer = b.Predict(at)
	}
	switch r.ranks {
	case probabilities:
		t.scores = append(t.scores, r.chances...)
	case decisions:
		b.Decisions(r.decisions, at)
		r.scores = labelScores(r.scores, r.p.Model(), r.decisions)
		t.scores = append(t.scores, r.scores...)
	}
	return answer
}

// upTo returns 0, 1, ... n-1: the numbers of all rows.
func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
