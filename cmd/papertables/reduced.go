package main

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/reducedset"
	"github.com/slimsvm/slimsvm/train/smo"
)

// tangMazzoni is the paper of the tables reduced/...
const tangMazzoni = "B. Tang and D. Mazzoni, Multiclass reduced-set support vector machines, ICML 2006"

var reducedTables = []table{
	uspsTable(),
	uciTable(models.OneVsRest),
	uciTable(models.OneVsOne),
	searchTable(),
	exportTable(),
}

// unreduced is the row of the models to be reduced.
const unreduced = "unreduced"

// trainer returns a C-SVC trainer with a Gaussian kernel.
func (b *bench) trainer(vote models.Vote, c, gamma float64) train.Trainer {
	solver := smo.DefaultCSVC()
	solver.C, solver.Threads = c, b.threads
	if vote == models.OneVsRest {
		return train.OneVsRest{Solver: solver, Kernel: kernel.RBF{Gamma: gamma}, Task: models.CSVC, Threads: b.threads}
	}
	return train.OneVsOne{Solver: solver, Kernel: kernel.RBF{Gamma: gamma}, Task: models.CSVC, Threads: b.threads}
}

// reducer returns a reducer by a method, with the paper's search; a short one where
// figures have no meaning.
func (b *bench) reducer(m reducedset.Method, vectors, seed int) *reducedset.Reducer {
	r := reducedset.Default()
	r.Method, r.Vectors, r.Seed, r.Threads = m, vectors, uint64(seed), b.threads
	if b.quick {
		r.Search.Population, r.Search.DE.Generations, r.Search.Steps = 8, 2, 3
	}
	return &r
}

// A path is the models of one reduction that were on the way to the last.
type path []*models.Model

// at returns the largest model of at most n vectors, or nil.
func (p path) at(n int) *models.Model {
	var best *models.Model
	for _, m := range p {
		if m.Vectors.Len() <= n && (best == nil || m.Vectors.Len() >= best.Vectors.Len()) {
			best = m
		}
	}
	return best
}

// way returns the models on the way of a reduction.
func way(ctx context.Context, r *reducedset.Reducer, of *base) (p path, err error) {
	r.Each = func(small *models.Model) error {
		p = append(p, small)
		return nil
	}
	small, err := r.Reduce(ctx, of.model, of.train)
	return append(p, small), err
}

// nested are the methods whose reduction to few vectors is the beginning of one to more.
var nested = []reducedset.Method{reducedset.Shared, reducedset.Retrain, reducedset.Greedy, reducedset.Orig}

// reduce returns a model for each size. Nested methods make them in one reduction, of
// which found is called for every vector unless it is nil; the others need one a size.
func (b *bench) reduce(ctx context.Context, of *base, method reducedset.Method, sizes []int, seed int, found func(machine, evaluations int)) ([]*models.Model, error) {
	if slices.Contains(nested, method) {
		r := b.reducer(method, slices.Max(sizes), seed)
		r.Found = found
		p, err := way(ctx, r, of)
		if err != nil {
			return nil, err
		}
		reduced := make([]*models.Model, len(sizes))
		for k, n := range sizes {
			reduced[k] = p.at(n)
		}
		return reduced, nil
	}
	reduced := make([]*models.Model, len(sizes))
	for k, n := range sizes {
		var err error
		if reduced[k], err = b.reducer(method, n, seed).Reduce(ctx, of.model, of.train); err != nil {
			return nil, err
		}
	}
	return reduced, nil
}

// errorRate returns the percentage of rows that a classifier gets wrong.
func (b *bench) errorRate(ctx context.Context, m *models.Model, d *format.Dataset) (float64, error) {
	s, err := b.scores(ctx, m, d)
	if err != nil {
		return 0, err
	}
	return 100 - float64(100*s.Accuracy()), nil
}

// scores predicts all rows.
func (b *bench) scores(ctx context.Context, m *models.Model, d *format.Dataset) (*predict.Scores, error) {
	p, err := predict.New(m)
	if err != nil {
		return nil, err
	}
	s := new(predict.Scores)
	batch := p.NewBatch()
	var rows []vec.Vector
	for from := 0; from < d.Len(); from += predict.BatchRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+predict.BatchRows, d.Len())
		rows = rows[:0]
		for i := from; i < to; i++ {
			rows = append(rows, d.X.Row(i))
		}
		batch.Decide(rows)
		for r := range rows {
			s.Add(batch.Predict(r), d.Y[from+r])
		}
	}
	return s, nil
}
