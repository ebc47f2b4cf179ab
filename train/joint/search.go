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
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// search is a training under way.
type search struct {
	Trainer
	d       *format.Dataset // with the extra rows behind
	own     int             // number of rows that are not extra
	seed    uint64
	labels  []int
	inputs  int
	outputs int
	y       []target
	weight  []float64
	rows    [][]int // of each class, without extra ones; a regression has one class
	scale   float64 // mean deviation of the features

	mu         sync.Mutex // guards what follows
	iterations int        // of all descents
}

// progress reports one more iteration of any descent.
func (s *search) progress() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.iterations++
	s.Report.Send(train.Progress{Iterations: s.iterations})
}

// join puts extra rows behind the others.
func (s *search) join(extra *format.Dataset) error {
	if err := train.CheckRows(s.Kernel, &extra.X); err != nil {
		return fmt.Errorf("extra rows: %w", err)
	}
	all := &format.Dataset{Header: s.d.Header, X: s.d.X.Clone()}
	all.Y = append(append(all.Y, s.d.Y...), extra.Y...)
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
	s.own, s.d = s.d.Len(), all
	return nil
}

// targets finds out what the outputs should be.
func (s *search) targets() error {
	d := s.d
	if s.own == 0 {
		s.own = d.Len()
	}
	s.inputs = max(1, int(d.X.MaxIndex()))
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
		for i, y := range d.Y {
			c, ok := place[int(y)]
			if !ok {
				return fmt.Errorf("extra rows: label %v is not among those of the data", y)
			}
			s.y[i].class = c
			for _, w := range s.Weights {
				if w.Label == s.labels[c] {
					s.weight[i] *= w.Weight
				}
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
	s.scale = deviation(&d.X, s.inputs)
	return nil
}

// deviation returns the mean standard deviation of the features, 1 if there is none.
func deviation(x *vec.Matrix, inputs int) float64 {
	sum, squares := make([]float64, inputs+1), make([]float64, inputs+1)
	n := float64(x.Len())
	for i := range x.Len() {
		row := x.Row(i)
		for k, f := range row.Index {
			v := row.Value[k]
			sum[f] += v
			squares[f] += float64(v * v)
		}
	}
	total := 0.0
	for f := range sum {
		mean := sum[f] / n
		total += math.Sqrt(max(0, squares[f]/n-float64(mean*mean)))
	}
	if total /= float64(inputs); total > 0 && !math.IsInf(total, 0) {
		return total
	}
	return 1
}

// A candidate is a classifier on the way.
type candidate struct {
	point
	form        form
	widths      bool
	vectors     int
	loss        Loss
	start       string
	evaluations int
}

func (c *candidate) kernel() kernel.Kernel {
	if c.widths {
		return c.form.with(math.Exp(c.point.width))
	}
	return c.form.with(c.form.gamma())
}

// A choice is what held-out rows decide about.
type choice struct {
	loss       Loss
	start      int // index of Starts
	iterations int // of the descent; 0: the vectors stay where they start
}

// run returns the classifier: what held-out rows choose, trained on all rows.
func (s *search) run(ctx context.Context) (*candidate, error) {
	c, err := s.choose(ctx)
	if err != nil {
		return nil, err
	}
	rows := newChunks(&s.d.X, s.withExtra(s.rows...), s.inputs, s.y, s.weight)
	best, err := s.begin(ctx, c, s.rows, rows)
	if err != nil || c.iterations == 0 {
		return best, err
	}
	if err := s.descend(ctx, best, rows, c.iterations, nil); err != nil {
		return nil, err
	}
	return best, s.fitWeights(ctx, best, rows)
}

// losses returns those to choose from.
func (s *search) losses() []Loss {
	switch {
	case s.Loss != "":
		return []Loss{s.Loss}
	case !s.Task.Classifies():
		return []Loss{Insensitive}
	case s.outputs == 1 || s.own > fewRows || s.HeldOut == 0:
		return []Loss{SquaredHinge}
	}
	return []Loss{SquaredHinge, Multiclass}
}

// fewRows is the number of rows up to which several parts are held out in turn.
const fewRows = 4000

// choose returns the choice that is best for held-out rows. Of few rows several parts
// are held out, one after the other, and their judgements added up.
func (s *search) choose(ctx context.Context) (choice, error) {
	losses := s.losses()
	if s.HeldOut == 0 {
		return choice{losses[0], 0, math.MaxInt}, nil
	}
	var all []choice
	for _, l := range losses {
		for start := range s.Starts {
			all = append(all, choice{loss: l, start: start})
		}
	}
	parts := 1
	if s.own <= fewRows {
		parts = int(min(1/s.HeldOut, mostParts))
	}
	if parts == 1 && len(all) == 1 && s.Evaluations == 0 {
		return all[0], nil
	}
	curves := make([][]judgement, len(all)*parts) // by look
	errs := make([]error, len(curves))
	team.Do(ctx, len(curves), func(ctx context.Context, k int) {
		classes, held := s.split(k%parts, parts)
		rows := newChunks(&s.d.X, s.withExtra(classes...), s.inputs, s.y, s.weight)
		judges := newChunks(&s.d.X, held, s.inputs, s.y, s.weight)
		c, err := s.begin(ctx, all[k/parts], classes, rows)
		if err == nil {
			curves[k] = []judgement{s.judge(ctx, s.objective(c, judges), c)}
			if s.Evaluations > 0 {
				err = s.descend(ctx, c, rows, math.MaxInt, func(now *candidate) bool {
					curves[k] = append(curves[k], s.judge(ctx, s.objective(now, judges), now))
					return parts > 1 || sinceBest(curves[k]) < s.Patience
				})
			}
		}
		errs[k] = err
	})
	for _, err := range errs {
		if err != nil {
			return choice{}, err
		}
	}
	start, moved := -1, -1
	var least [2]judgement // of starts, of vectors that have moved
	for k := range all {
		pooled := pool(curves[k*parts : (k+1)*parts])
		if start < 0 || pooled[0].better(least[0]) {
			start, least[0] = k, pooled[0]
		}
		for look, j := range pooled[1:] {
			if moved < 0 || j.better(least[1]) {
				moved, least[1] = k, j
				all[k].iterations = (look + 1) * lookEvery
			}
		}
	}
	if moved >= 0 && s.gains(least[0], least[1]) {
		return all[moved], ctx.Err()
	}
	all[start].iterations = 0
	return all[start], ctx.Err()
}

// gains reports whether b is better than a by more than chance: for a classifier by
// more than the deviation of the number of wrong answers.
func (s *search) gains(a, b judgement) bool {
	if !s.Task.Classifies() {
		return b.loss < a.loss
	}
	total := 0.0
	for _, w := range s.weight[:s.own] {
		total += w
	}
	mean := total / float64(s.own)
	return a.wrong-b.wrong > mean*math.Sqrt(b.wrong/mean)
}

// mostParts is the largest number of parts that are held out.
const mostParts = 5

// sinceBest returns how many judgements there are after the best.
func sinceBest(curve []judgement) int {
	best := 0
	for k, j := range curve {
		if j.better(curve[best]) {
			best = k
		}
	}
	return len(curve) - 1 - best
}

// pool adds judgements at the same look. A descent that has ended counts as its end.
func pool(curves [][]judgement) []judgement {
	var sum []judgement
	for look := range slices.MaxFunc(curves, func(a, b []judgement) int { return len(a) - len(b) }) {
		var j judgement
		for _, c := range curves {
			at := c[min(look, len(c)-1)]
			j.wrong += at.wrong
			j.loss += at.loss
		}
		sum = append(sum, j)
	}
	return sum
}

// split holds a part of the rows out, as many of each class as its share says, and
// returns the others by class. Parts do not overlap.
func (s *search) split(part, parts int) (learn [][]int, held []int) {
	rng := newRand(s.seed, 1)
	share := s.HeldOut
	learn = make([][]int, len(s.rows))
	for c, rows := range s.rows {
		n := len(rows)
		from, to := int(float64(share*float64(part*n))), int(float64(share*float64((part+1)*n)))
		for k, i := range rng.Perm(n) {
			if k >= from && k < min(to, n-1) {
				held = append(held, rows[i])
			} else {
				learn[c] = append(learn[c], rows[i])
			}
		}
	}
	return learn, held
}

// withExtra returns rows and the extra ones. Nothing says which rows these were made
// from, so none is left out.
func (s *search) withExtra(rows ...[]int) []int {
	all := slices.Concat(rows...)
	for i := s.own; i < s.d.Len(); i++ {
		all = append(all, i)
	}
	return all
}

func (s *search) objective(c *candidate, chunks []chunk) *objective {
	l, err := lossOf(c.loss, s.Epsilon)
	if err != nil {
		panic("joint: " + err.Error())
	}
	return &objective{
		form: c.form, vectors: c.vectors, inputs: s.inputs, outputs: s.outputs, loss: l, cost: s.Cost,
		chunks: chunks, widths: c.widths, scratch: make(chan *scratch, strips),
	}
}

// begin returns a start with weights fitted to rows.
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
	c := &candidate{form: f, vectors: zs.Len(), loss: of.loss, start: basis.Name()}
	if rbf, ok := s.Kernel.(kernel.RBF); ok && !s.FixedWidth && rbf.Gamma > 0 {
		c.widths, c.width = true, math.Log(rbf.Gamma)
	}
	c.z = make([]float64, c.vectors*s.inputs)
	for j := range c.vectors {
		z := zs.Row(j)
		for k, f := range z.Index {
			if f > 0 && int(f) <= s.inputs {
				c.z[j*s.inputs+int(f)-1] = z.Value[k]
			}
		}
	}
	c.b, c.rho = make([]float64, c.vectors*s.outputs), make([]float64, s.outputs)
	return c, s.fitWeights(ctx, c, rows)
}

// fitWeights optimises weights and offsets, for vectors and width as they are.
func (s *search) fitWeights(ctx context.Context, c *candidate, chunks []chunk) error {
	o := s.objective(c, chunks)
	o.widths = false
	o.form, _ = formOf(c.kernel())
	settings := lbfgs.Default()
	settings.Evaluations = s.WeightEvaluations
	n := len(c.b)
	x := append(append([]float64(nil), c.b...), c.rho...)
	g := point{z: make([]float64, len(c.z))}
	f := func(x, gradient []float64) float64 {
		g.b, g.rho = gradient[:n], gradient[n:]
		return o.value(ctx, &point{c.z, x[:n], x[n:], 0}, &g)
	}
	_, err := lbfgs.Minimize(ctx, f, x, settings, nil)
	if errors.Is(err, lbfgs.ErrStart) {
		return train.ErrOverflow
	}
	copy(c.b, x[:n])
	copy(c.rho, x[n:])
	return err
}

// lookEvery is the number of iterations between two looks at held-out rows.
const lookEvery = 10

// descend optimises everything from c on, for so many iterations at most. Every
// lookEvery of them look, unless it is nil, is given the candidate and may end the
// descent.
func (s *search) descend(ctx context.Context, c *candidate, rows []chunk, iterations int, look func(*candidate) bool) error {
	o := s.objective(c, rows)
	o.moveVectors = true
	o.pull, o.home = s.Pull, slices.Clone(c.z)
	settings := lbfgs.Default()
	settings.Evaluations = s.Evaluations
	nz, nb, nr := len(c.z), len(c.b), len(c.rho)
	x := make([]float64, 0, nz+nb+nr+1)
	for _, v := range c.z {
		x = append(x, v/s.scale)
	}
	x = append(append(append(x, c.b...), c.rho...), c.width)
	if !o.widths {
		x = x[:nz+nb+nr]
	}
	take := func(x []float64) {
		for i := range c.z {
			c.z[i] = x[i] * s.scale
		}
		copy(c.b, x[nz:nz+nb])
		copy(c.rho, x[nz+nb:nz+nb+nr])
		if o.widths {
			c.width = x[nz+nb+nr]
		}
	}
	f := func(x, gradient []float64) float64 {
		take(x)
		g := point{z: gradient[:nz], b: gradient[nz : nz+nb], rho: gradient[nz+nb : nz+nb+nr]}
		j := o.value(ctx, &c.point, &g)
		for i := range g.z {
			g.z[i] *= s.scale
		}
		if o.widths {
			gradient[nz+nb+nr] = g.width
		}
		return j
	}
	last := 0
	end, err := lbfgs.Minimize(ctx, f, x, settings, func(st lbfgs.State) bool {
		if st.Iterations > 0 {
			s.progress()
		}
		if st.Iterations >= iterations {
			return false
		}
		if look == nil || st.Iterations%lookEvery != 0 || st.Iterations == last {
			return true
		}
		last = st.Iterations
		take(st.X)
		return look(c)
	})
	take(end.X)
	c.evaluations += end.Evaluations
	if errors.Is(err, lbfgs.ErrStart) {
		err = train.ErrOverflow
	}
	return err
}

// newRand returns a random stream of the seed.
func newRand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
