package train

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// calibrate finds the machine of a pair and fits its sigmoid. The rows, first class first, are
// shuffled and cut into five folds. The decision values of each fold come from a machine trained on
// the other four. If those have rows of only one class, the values are that class's sign; if they
// have no rows, the values are 0.
func (p *pair) calibrate(ctx context.Context, machine *models.Machine, rng *Rand) error {
	l := p.list()
	defer pairScratches.Put(l)
	rows, labels := l.rows, l.y
	l.perm, l.values = slices.Grow(l.perm[:0], p.most)[:len(rows)], slices.Grow(l.values[:0], p.most)[:len(rows)]
	perm, values := l.perm, l.values // the folds set all values
	for i := range perm {
		perm[i] = i
	}
	rng.Shuffle(perm)

	if len(rows) <= fewPairRows {
		return p.calibrateFew(ctx, machine, l)
	}
	// finding the machine itself is one more task; its events come after those of the sigmoid
	var events record
	err := inOrder(ctx, calibrationFolds+1, func(i int) int { return i / calibrationFolds }, p.Report, func(ctx context.Context, fold int, report Report) error {
		q := pairs.Get().(*pair)
		defer pairs.Put(q)
		*q = *p
		if q.Report = report; fold < calibrationFolds {
			return q.decide(ctx, values, rows, labels, perm, fold)
		}
		if p.Report != nil {
			q.Report = events.add
		}
		return q.solve(ctx, machine)
	})
	if err != nil {
		return err
	}
	machine.Sigmoid = p.fitSigmoid(l)
	events.send(p.Report)
	return nil
}

// fewPairRows is the number of rows up to which the machines of a pair take less time than handing
// them out to other threads.
var fewPairRows = usualFewPairRows // others in tests

const usualFewPairRows = 64

// calibrateFew is calibrate for few rows. l already has the shuffled rows. All its machines take
// kernel values from one table.
func (p *pair) calibrateFew(ctx context.Context, machine *models.Machine, l *pairScratch) error {
	if _, ok := p.Solver.(StoreSolver); ok && p.store != nil && p.within == nil {
		if p.within = p.store.Part(p.Kernel, p.stored(&l.stored, l.rows)); p.within != nil {
			defer p.within.Release()
		}
	}
	for fold := range calibrationFolds {
		if err := p.decide(ctx, l.values, l.rows, l.y, l.perm, fold); err != nil {
			return err
		}
	}
	machine.Sigmoid = p.fitSigmoid(l)
	return p.solve(ctx, machine)
}

// fitSigmoid fits a sigmoid to the decision values of the pair's rows.
func (p *pair) fitSigmoid(l *pairScratch) *models.Sigmoid {
	s := FitWeightedSigmoid(l.values, l.y, (&format.Dataset{Weight: p.weight}).Weights(l.rows), p.Report)
	return &s
}

// fewValues is the number of kernel values up to which computing them one by one is faster than
// preparing a batch. Classes of a few rows each have thousands of such machines.
const fewValues = 32

// decide sets the decision values of the rows in a fold.
func (p *pair) decide(ctx context.Context, values []float64, rows []int, labels []float64, perm []int, fold int) error {
	n := len(rows)
	begin, end := fold*n/calibrationFolds, (fold+1)*n/calibrationFolds
	out := perm[begin:end]
	trials := freeListOf[trial](ctx)
	t := trials.get()
	defer trials.put(t)
	t.pos, t.neg = slices.Grow(t.pos[:0], p.most), slices.Grow(t.neg[:0], p.most)
	t.places, t.second = slices.Grow(t.places[:0], p.most), slices.Grow(t.second[:0], p.most)
	for _, others := range [][]int{perm[:begin], perm[end:]} {
		for _, i := range others {
			if labels[i] > 0 {
				t.pos, t.places = append(t.pos, rows[i]), append(t.places, i)
			} else {
				t.neg, t.second = append(t.neg, rows[i]), append(t.second, i)
			}
		}
	}
	t.places = append(t.places, t.second...)
	if len(t.pos) == 0 || len(t.neg) == 0 {
		constant := 0.0
		switch {
		case len(t.pos) > 0:
			constant = 1
		case len(t.neg) > 0:
			constant = -1
		}
		for _, i := range out {
			values[i] = constant
		}
		return nil
	}
	if err := t.train(ctx, p); err != nil {
		return p.named(&FoldError{Fold: fold, Folds: calibrationFolds, Probabilities: true, Err: err})
	}
	predictor := &t.predictor
	if err := predictor.Use(&t.model); err != nil {
		return err
	}
	defer predictor.Release()
	if len(out)*len(t.rows) <= fewValues {
		for _, i := range out {
			predictor.Decisions(values[i:i+1], p.d.X.Row(rows[i]))
		}
		return nil
	}
	t.decided = slices.Grow(t.decided[:0], p.most)
	for _, i := range out {
		t.decided = append(t.decided, rows[i])
	}
	if len(out) <= fewRows { // there may be thousands of machines like this
		b := newBatch(predictor, fewRows, &p.d.X, t.decided)
		b.Decide(b.xs)
		for r, i := range out {
			b.Decisions(values[i:i+1], r)
		}
		b.free()
		return nil
	}
	return Decide(ctx, predictor, &p.d.X, t.decided, func(b *predict.Batch, r, k int) {
		b.Decisions(values[out[k]:out[k]+1], r)
	})
}

// A trial is a machine trained on some rows of a pair, as a model. Later trials reuse its memory.
type trial struct {
	pos, neg []int // rows of the data set
	places   []int // places of both in the pair
	second   []int // places of neg
	decided  []int // rows to decide
	rows     []int // rows with a coefficient
	arena    arena
	model    models.Model
	machines [1]models.Machine
	labels   [2]int
	group    [2]int

	predictor predict.Predictor // predictor of model
}

// train sets model to the model that OneVsOne would give for the rows, with labels 1 and -1.
func (t *trial) train(ctx context.Context, p *pair) error {
	t.arena.reset()
	q := pairs.Get().(*pair)
	defer pairs.Put(q)
	*q = *p
	q.pos, q.neg, q.places, q.part, q.arena, q.coefs = t.pos, t.neg, t.places, true, &t.arena, &t.arena
	machine := &t.machines[0]
	*machine = models.Machine{Pos: 0, Neg: 1}
	if err := q.solve(ctx, machine); err != nil {
		return err
	}
	t.labels, t.group = [2]int{1, -1}, [2]int{}
	t.rows = slices.Grow(t.rows[:0], p.most)
	whole := whole(machine, len(t.pos)+len(t.neg))
	coefs := machine.Coef[:0]
	for k, c := range machine.Coef {
		if c == 0 {
			continue
		}
		class, rows, at := 0, t.pos, row(machine, whole, k)
		if at >= len(rows) {
			class, rows, at = 1, t.neg, at-len(rows)
		}
		t.group[class]++
		t.rows, coefs = append(t.rows, rows[at]), append(coefs, c)
	}
	machine.Index, machine.Coef = nil, coefs
	t.model = models.Model{
		Task: p.Task, Kernel: p.Kernel,
		Vectors:  p.vectors(p.d, t.rows, &t.arena),
		Labels:   t.labels[:],
		Group:    t.group[:],
		Machines: t.machines[:],
	}
	if !p.Brief {
		p.Report.Send(ModelAssembled{len(t.rows)})
	}
	return nil
}
