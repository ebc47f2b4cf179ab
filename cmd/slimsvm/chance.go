package main

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/probe"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// leastHeld is the number of rows held out from which on they tell something.
const leastHeld = 20

// warnChance warns of a classifier that does no better than the answer which most rows have: on rows that its method
// held out, or on those that it was trained on. With costs of classes it may have done what it was asked to.
func (w *watcher) warnChance(c *cli.Context, p *problem, r *prepared, m *models.Model) {
	if _, given := r.kernel.(kernel.Precomputed); given || w.quiet || !p.method.Task.Classifies() || len(m.Labels) < 2 || isSet(c, "weight") {
		return
	}
	sums, all := map[int]float64{}, 0.0 // of weights, by class
	for i, y := range r.data.Y {
		sums[int(y)] += weightOf(r.data, i)
		all += weightOf(r.data, i)
	}
	share, _ := strconv.ParseFloat(parameterOf(m, "validation"), 64)
	if accuracy, err := strconv.ParseFloat(parameterOf(m, "validation_accuracy"), 64); err == nil && share*float64(r.data.Len()) >= leastHeld {
		if class, most := commonestLabel(m, sums); 0 < all && accuracy <= most/all {
			w.warn("the model predicts %.4g%% of held-out rows correctly, which is no better than label %s for all rows, as %.4g%% of the rows have it",
				100*accuracy, w.class(class), 100*most/all)
			return
		}
	}
	rows := probe.EvenSample(r.data.Len(), mostAlike)
	clear(sums)
	all = 0
	for _, i := range rows {
		sums[int(r.data.Y[i])] += weightOf(r.data, i)
		all += weightOf(r.data, i)
	}
	class, most := commonestLabel(m, sums)
	asked, err := w.predictor(m)
	if err != nil {
		return
	}
	right, at := 0.0, 0
	if err := probe.EachAnswer(c.Context, asked, r.data, rows, func(answer float64) bool {
		if i := rows[at]; int(answer) == int(r.data.Y[i]) {
			right += weightOf(r.data, i)
		}
		at++
		return right <= most // else that is enough to know
	}); err != nil {
		return
	}
	if 0 < all && right <= most {
		of, they := "training rows", "the rows"
		if len(rows) < r.data.Len() {
			of, they = fmt.Sprintf("%d of the training rows", len(rows)), "these rows"
		}
		w.warn("the model predicts %.4g%% of %s correctly, which is no better than label %s for all rows, as %.4g%% of %s have it",
			100*right/all, of, w.class(class), 100*most/all, they)
	}
}

// commonestLabel returns the label of a model with the greatest sum of weights, and the sum.
func commonestLabel(m *models.Model, sums map[int]float64) (class int, most float64) {
	for _, label := range m.Labels {
		if sums[label] > most {
			class, most = label, sums[label]
		}
	}
	return class, most
}
