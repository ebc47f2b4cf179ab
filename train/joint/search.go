package joint

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
	"github.com/slimsvm/slimsvm/train/internal/outbox"
	"github.com/slimsvm/slimsvm/train/internal/span"
)

// search is the state of a training.
type search struct {
	Trainer
	d        *format.Dataset // with the extra rows at the end
	own      int             // number of rows that are not extra
	features []int32         // the index in the data of each feature that occurs
	from     []int           // the row that each extra one is made from; -1: not known
	seed     uint64
	labels   []int
	x        *vec.Matrix // rows as the objective has them: those of d, or their coordinates
	inputs   int         // columns of x: features that occur, or coordinates
	entries  int         // values of x that are not 0
	span     *span.Span  // nil: x has features
	outputs  int
	y        []target
	weight   []float64
	rows     [][]int // of each class, without extra ones; a regression has one class
	shift    int     // the objective is divided by 2^shift while it is minimised

	// led has where short descents have led, by start and part; nil: descents begin at the start.
	led    [][]*candidate
	others []float64 // gammas other than Kernel's to choose from for vectors that stay
	// tenfold says of each start whether short descents were better with ten times C; nil: none were
	// made.
	tenfold []bool

	out        outbox.Outbox[train.Event]
	mu         sync.Mutex // guards what follows, and the order of out
	iterations int        // of all descents
}

// progress reports one more iteration of any descent.
func (s *search) progress() {
	defer s.out.Deliver(s.Report.Send)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.iterations++
	s.out.Put(train.Progress{Iterations: s.iterations})
}

// join appends the rows that are for training only to the others.
func (s *search) join() error {
	d := s.d
	s.own = d.Len()
	if s.Extra != nil && s.Extra.Len() > 0 {
		for range s.Extra.Len() {
			s.from = append(s.from, -1)
		}
		if err := s.append(s.Extra); err != nil {
			return fmt.Errorf("extra rows: %v", err) // rows of another file
		}
	}
	if s.Virtual == nil {
		return nil
	}
	rows, from, err := s.Virtual.Rows(d)
	if err != nil {
		return err
	}
	if err := rows.Check(); err != nil {
		return fmt.Errorf("rows made of others: %w", err)
	}
	if len(from) != rows.Len() {
		return fmt.Errorf("rows made of others: %d rows, but what %d are made from", rows.Len(), len(from))
	}
	for i, of := range from {
		if of < 0 || of >= s.own {
			return fmt.Errorf("rows made of others: row %d is made from row %d, expected 0 to %d", i+1, of, s.own-1)
		}
	}
	s.from = append(s.from, from...)
	err = s.append(rows)
	if row := (*train.RowError)(nil); errors.As(err, &row) {
		return &train.RowError{Row: from[row.Row], Err: fmt.Errorf("a row made of it: %w", row.Err)}
	}
	return err
}

// append appends rows to the data.
func (s *search) append(extra *format.Dataset) error {
	if err := extra.Check(); err != nil {
		return err
	}
	if err := extra.Header.CheckFeatures(); err != nil {
		return err
	}
	if err := train.CheckRows(s.Kernel, &extra.X); err != nil {
		return err
	}
	if err := train.CheckWeights(extra, true); err != nil {
		return err
	}
	all := &format.Dataset{Header: s.d.Header, X: s.d.X.Clone()}
	all.Y = slices.Concat(s.d.Y, extra.Y)
	for i := range extra.Len() {
		all.X.Append(extra.X.Row(i))
	}
	if s.d.Weight != nil || extra.Weight != nil {
		for _, d := range []*format.Dataset{s.d, extra} {
			for i := range d.Len() {
				w := 1.0
				if d.Weight != nil {
					w = d.Weight[i]
				}
				all.Weight = append(all.Weight, w)
			}
		}
	}
	s.d = all
	return nil
}

// compact numbers the features that occur from 1, so that what is held densely does not grow with
// their indices. If there are many more features than rows, coordinates replace them.
func (s *search) compact(ctx context.Context) error {
	d := *s.d
	d.X, s.features = s.d.X.Compact()
	s.d, s.x = &d, &d.X
	s.inputs, s.entries = s.columns(), d.X.NNZ()
	spanning := s.spanning()
	if spanning != nil {
		s.inputs, s.entries = spanning.Len(), d.X.Len()*spanning.Len() // at most
	}
	if err := s.fits(min(s.Vectors, d.X.Len())); err != nil || spanning == nil {
		return err
	}
	return s.useSpan(ctx, spanning)
}

// columns returns the number of features that occur, at least 1.
func (s *search) columns() int { return max(1, len(s.features)) }

// targets sets what the outputs should be, and reports what may be wrong with labels and weights.
func (s *search) targets() error {
	d := s.d
	if s.own == 0 {
		s.own = d.Len()
	}
	s.y, s.weight = make([]target, d.Len()), make([]float64, d.Len())
	for i := range s.weight {
		if s.weight[i] = 1; d.Weight != nil {
			s.weight[i] = d.Weight[i]
		}
	}
	s.outputs = 1
	if s.Task.Classifies() {
		classes, err := train.GroupClasses(d.Y[:s.own], s.Report)
		if err != nil {
			return err
		}
		s.labels = classes.Labels
		if len(s.labels) > 2 {
			s.outputs = len(s.labels)
		}
		place := map[int]int{}
		for c, label := range s.labels {
			place[label] = c
		}
		s.Report.SendMany(len(s.labels), s.own)
		for _, w := range s.Weights {
			if _, known := place[w.Label]; !known {
				s.Report.Send(train.WeightUnused{Label: w.Label})
			}
		}
		for i, y := range d.Y {
			label, ok := train.TruncateLabel(y)
			c, known := place[label]
			if !ok || !known {
				return fmt.Errorf("extra rows: label %v is not among those of the data", y)
			}
			s.y[i].class = c
			cost := s.Cost
			for _, w := range s.Weights {
				if w.Label == s.labels[c] {
					s.weight[i] *= w.Weight
					cost *= w.Weight
				}
			}
			if err := train.CheckCost(cost, train.OfClass); err != nil {
				return err
			}
		}
		s.rows = classes.Rows
	} else {
		all := make([]int, s.own)
		for i := range all {
			all[i] = i
		}
		for i, y := range d.Y {
			s.y[i].value = y
		}
		s.rows = [][]int{all}
	}
	return s.measure()
}

// A candidate is a classifier on the way.
type candidate struct {
	point
	form        form
	widths      bool
	vectors     int
	loss        Loss
	cost        float64 // C
	start       string
	proposed    vec.Matrix // the vectors that it begins with
	begun       []float64  // z at the beginning
	evaluations int
	gamma       float64 // that its descent began with, if the width is free
	value       float64 // of the objective, when weights were last fitted
}

// clone returns a copy of c that shares no variables with it.
func (c *candidate) clone() *candidate {
	d := *c
	d.point = c.point.clone()
	return &d
}

func (c *candidate) kernel() kernel.Kernel {
	if c.widths {
		return c.form.with(kernel.Exp(c.point.width))
	}
	return c.form.with(c.form.gamma())
}

// run returns the classifier or regression that held-out rows choose, trained on all rows. Its
// objective is no larger than at the initial vectors.
func (s *search) run(ctx context.Context) (*candidate, error) {
	c, err := s.choose(ctx)
	if err != nil {
		return nil, err
	}
	rows := newChunks(s.x, s.withExtra(s.rows...), s.inputs, s.Vectors, s.y, s.weight)
	best, err := s.begin(ctx, c, s.rows, rows)
	if err != nil {
		return nil, err
	}
	if c.iterations == 0 {
		if c.gamma > 0 {
			best, err = s.widened(ctx, best, c.gamma, rows)
		}
		return best, err
	}
	start := best.clone()
	if best, err = s.leadAll(ctx, best, c.start, rows); err != nil {
		return nil, err
	}
	if err := s.descend(ctx, best, rows, c.iterations, nil); err != nil {
		return nil, err
	}
	if err := s.fitWeights(ctx, best, rows); err != nil {
		return nil, err
	}
	if !(best.value <= start.value) {
		return start, nil
	}
	return best, nil
}

// withExtra returns the given rows and the extra ones, except those made from rows that are not
// given.
func (s *search) withExtra(rows ...[]int) []int {
	all := slices.Concat(rows...)
	in := make([]bool, s.own)
	for _, i := range all {
		in[i] = true
	}
	for k, from := range s.from {
		if from < 0 || in[from] {
			all = append(all, s.own+k)
		}
	}
	return all
}

func (s *search) objective(c *candidate, chunks []chunk) *objective {
	l, err := lossOf(c.loss, s.Epsilon)
	if err != nil {
		panic("joint: " + err.Error())
	}
	return &objective{
		form: c.form, vectors: c.vectors, inputs: s.inputs, outputs: s.outputs, loss: l,
		cost: math.Ldexp(c.cost, -s.shift), norm: math.Ldexp(1, -s.shift),
		chunks: chunks, widths: c.widths, scratch: make(chan *scratch, strips),
	}
}

// begin returns a candidate with the initial vectors of a choice, and weights fitted to rows.
func (s *search) begin(ctx context.Context, of choice, classes [][]int, rows []chunk) (*candidate, error) {
	basis := s.Starts[of.start]
	zs, err := basis.Vectors(ctx, &s.d.X, classes, s.Vectors, newRand(s.seed, uint64(2+of.start)))
	if err != nil {
		return nil, err
	}
	f, err := formOf(s.Kernel)
	if err != nil {
		return nil, err
	}
	c := &candidate{form: f, vectors: zs.Len(), loss: of.loss, cost: s.Cost * of.cost, start: basis.Name(), proposed: zs}
	if rbf, ok := s.Kernel.(kernel.RBF); ok && !s.FixedWidth && rbf.Gamma > 0 {
		c.widths, c.width, c.gamma = true, kernel.Log(rbf.Gamma), rbf.Gamma
	}
	if c.z, err = s.dense(basis, &c.proposed); err != nil {
		return nil, err
	}
	c.begun = slices.Clone(c.z)
	return c, s.refit(ctx, c, rows)
}

// refit fits weights and offsets to rows, whatever they were.
func (s *search) refit(ctx context.Context, c *candidate, rows []chunk) error {
	c.b, c.rho = make([]float64, c.vectors*s.outputs), make([]float64, s.outputs)
	if s.Task.Regresses() && c.loss == Insensitive {
		c.rho[0] = -s.within()
	}
	return s.fitWeights(ctx, c, rows)
}

// within returns the middle of the targets if all of them are within epsilon of it, so that it has
// no loss, else 0.
func (s *search) within() float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, y := range s.y {
		low, high = min(low, y.value), max(high, y.value)
	}
	if middle := float64(low/2) + float64(high/2); high-middle <= s.Epsilon && middle-low <= s.Epsilon {
		return middle
	}
	return 0
}

// dense returns the vectors that a basis proposes as z of a point, and numbers the features of zs
// as those of d.
func (s *search) dense(basis Basis, zs *vec.Matrix) ([]float64, error) {
	if zs.Len() > s.Vectors {
		return nil, fmt.Errorf("start %s: %d vectors, expected at most %d", basis.Name(), zs.Len(), s.Vectors)
	}
	if err := s.fits(zs.Len()); err != nil {
		return nil, err
	}
	if j, err := zs.Fault(); err != nil {
		return nil, fmt.Errorf("start %s: vector %d: %w", basis.Name(), j+1, err)
	}
	if _, numbered := basis.(interface{ asInData() }); numbered {
		var some vec.Matrix
		for j := range zs.Len() {
			some.Append(vec.Renumbered(zs.Row(j), s.features))
		}
		*zs = some
	}
	all := make([]float64, zs.Len()*s.inputs)
	for j := range zs.Len() {
		z, to := zs.Row(j), all[j*s.inputs:(j+1)*s.inputs]
		for _, f := range z.Index {
			if f < 1 || int(f) > s.columns() {
				return nil, fmt.Errorf("start %s: feature %d of vector %d, expected one from 1 to %d", basis.Name(), f, j+1, s.columns())
			}
		}
		if s.span != nil {
			copy(to, s.span.Coordinates(z))
			continue
		}
		for k, f := range z.Index {
			to[f-1] = z.Value[k]
		}
	}
	return all, nil
}

// fitWeights optimises weights and offsets for fixed vectors and width. If it finds nothing better,
// they stay.
func (s *search) fitWeights(ctx context.Context, c *candidate, chunks []chunk) error {
	o := s.objective(c, chunks)
	o.widths = false
	o.form, _ = formOf(c.kernel())
	o.cacheValues(ctx, &c.point)
	m := o.metric(ctx, &c.point)
	if err := ended.Err(ctx); err != nil {
		return err
	}
	settings := lbfgs.Default()
	settings.Evaluations = s.WeightEvaluations
	x := make([]float64, len(c.b)+len(c.rho))
	m.coordinates(x, c.b, c.rho)
	g := point{b: make([]float64, len(c.b)), rho: make([]float64, len(c.rho))}
	before, b, rho := o.value(ctx, &c.point, &g), slices.Clone(c.b), slices.Clone(c.rho)
	f := func(x, gradient []float64) float64 {
		m.weights(c.b, c.rho, x)
		j := o.value(ctx, &c.point, &g)
		m.slopes(gradient, g.b, g.rho)
		return j
	}
	end, err := lbfgs.Minimize(ctx, f, x, settings, nil)
	m.weights(c.b, c.rho, x)
	if errors.Is(err, lbfgs.ErrStart) || !(end.Value <= before) {
		copy(c.b, b)
		copy(c.rho, rho)
		end.Value = before
	}
	c.value = math.Ldexp(end.Value, s.shift)
	if err == nil || errors.Is(err, lbfgs.ErrStart) {
		err = ended.Err(ctx)
	}
	if err == nil && math.IsInf(before, 0) {
		err = train.ErrOverflow
	}
	return err
}

// lookEvery is the number of iterations between two looks at held-out rows.
const lookEvery = 10

// newRand returns a random stream of the seed.
func newRand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
