// Package probe asks models about the rows that they were trained on: what tells whether they are of any use.
package probe

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// Constant reports whether a model has no coefficient, so that it answers all rows alike.
func Constant(m *models.Model) bool {
	for i := range m.Machines {
		for _, v := range m.Machines[i].Coef {
			if v != 0 {
				return false
			}
		}
	}
	return true
}

// OfEveryClass returns up to so many rows: the first of each class, then the second and so on.
func OfEveryClass(d *format.Dataset, most int) []int {
	type place struct{ row, nth int } // nth among the rows of its class
	count := map[float64]int{}
	var places []place
	for i, y := range d.Y {
		if n := count[y]; n < most {
			places = append(places, place{i, n})
			count[y]++
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return a.nth - b.nth })
	rows := make([]int, 0, most)
	for _, p := range places[:min(most, len(places))] {
		rows = append(rows, p.row)
	}
	return rows
}

// SameAnswer reports whether a model has one answer for all these rows, and which.
func SameAnswer(ctx context.Context, p *predict.Predictor, d *format.Dataset, rows []int) (label int, is bool, err error) {
	first := true
	err = EachAnswer(ctx, p, d, rows, func(answer float64) bool {
		if first {
			label, first = int(answer), false
		}
		is = int(answer) == label
		return is
	})
	return label, is, err
}

// EachAnswer calls f for a model's answers for these rows, until it returns false.
func EachAnswer(ctx context.Context, p *predict.Predictor, d *format.Dataset, rows []int, f func(answer float64) bool) error {
	var b predict.Batch
	b.Use(p)
	xs := make([]vec.Vector, 0, predict.BatchRows)
	for from := 0; from < len(rows); from += predict.BatchRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		xs = xs[:0]
		for _, i := range rows[from:min(from+predict.BatchRows, len(rows))] {
			xs = append(xs, d.X.Row(i))
		}
		b.Answer(xs)
		for k := range xs {
			if !f(b.Predict(k)) {
				return nil
			}
		}
	}
	return nil
}

// EvenSample returns up to so many of n rows, in their order: of as many parts of equal size one
// each, by chance, the same ones whenever it is asked. Rows at equal distances would all be of one
// class where the classes take turns.
func EvenSample(n, most int) []int {
	count := min(n, most)
	rows := make([]int, count)
	chance := rand.New(rand.NewPCG(uint64(n), uint64(most)))
	for k := range rows {
		from, to := int64(k)*int64(n)/int64(count), int64(k+1)*int64(n)/int64(count)
		rows[k] = int(from + chance.Int64N(to-from))
	}
	return rows
}

// InterquartileRange returns the interquartile range of some values, of which there is one at
// least.
func InterquartileRange(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := (len(sorted) - 1) / 4
	return sorted[len(sorted)-1-at] - sorted[at]
}
