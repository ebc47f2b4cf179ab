package rsvm

import (
	"context"
	"errors"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/newton"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Job fits machines over a given reduced set, one Newton step after the other. The sums over rows
// that a step needs may be made in parts, anywhere:
//
//	for done := false; !done; {
//		sums := the sum of job.Sum(ctx, rows) over all parts of the rows
//		done, err = job.Step(ctx, sums)
//	}
//	model := job.Model()
//
// Equal jobs that are given equal sums take equal steps, so each computer can have its own job. Train
// solves machines of few rows in another way, and may find other last bits for them.
// Only one goroutine may use a Job at a time.
type Job struct {
	o       Options
	label   labeller
	problem digestSum // of everything that does not change
	classes []int     // the labels; nil: a regression
	rest    bool      // machines against the rest
	atOnce  bool      // the sums of all machines are in memory together

	vectors  vec.Matrix // the basis
	over     digest     // of the problem and the basis
	of       []int32    // the class of each vector
	origin   []int      // the row that each vector is, from 0; nil: not known
	pass     *pass
	machines []*machine
	steps    int // Newton steps of all machines
}

type digestSum = [32]byte

// newJob returns a job without machines.
func newJob(o Options, l loss, label labeller, classes []int, rest bool) *Job {
	label.cost = o.Cost
	j := &Job{o: o, label: label, classes: classes, rest: rest}
	d := newDigest()
	d.text("%T %+v, cost %v, alpha %v, %+v, classes %v, rest %v", o.Kernel, o.Kernel, o.Cost, o.Alpha, l, classes, rest)
	d.reals(label.factor)
	d.Sum(j.problem[:0])
	j.pass = newPass(o.Kernel, nil, l)
	return j
}

// setBasis gives the job a reduced set, with the class of each vector in of, and machines that
// start at start, or at 0 if start is nil. If own, the machine of a pair of several classes has
// only the vectors of these two.
func (j *Job) setBasis(vectors vec.Matrix, of []int32, own bool, start [][]float64) error {
	j.vectors, j.of = vectors, of
	j.over = newDigest()
	j.over.Write(j.problem[:])
	j.over.matrix(&j.vectors)
	j.pass.basis = kernel.NewBasis(j.o.Kernel, &j.vectors)
	j.machines = nil
	switch k := int32(len(j.classes)); {
	case j.classes == nil:
		j.machines = []*machine{{}}
	case j.rest && k > 2:
		for c := range k {
			j.machines = append(j.machines, &machine{pos: c, neg: models.Rest})
		}
	default:
		for a := range k {
			for b := a + 1; b < k; b++ {
				m := &machine{pos: a, neg: b}
				if own && k > 2 {
					m.columns = []int32{}
					for i, c := range of {
						if c == a || c == b {
							m.columns = append(m.columns, int32(i))
						}
					}
				}
				j.machines = append(j.machines, m)
			}
		}
	}
	var s size
	for _, m := range j.machines {
		s.add(j.vectorsOf(m))
		j.over.columns(m.columns)
	}
	if err := s.fit(j); err != nil {
		return err
	}
	for i, m := range j.machines {
		n := j.vectorsOf(m) + 1
		w := make([]float64, n)
		if start != nil { // new vectors have coefficient 0
			old := start[i]
			copy(w, old[:len(old)-1])
			w[n-1] = old[len(old)-1]
		}
		m.search = newton.New(w, j.o.newton())
	}
	return nil
}

// at returns a digest of the problem, the basis, and the current points of the machines.
func (j *Job) at() digestSum {
	d := j.over.clone()
	for _, m := range j.machines {
		d.ints(int(m.pos), int(m.neg), int(m.search.Status()))
		if m.running() {
			d.reals(m.search.Point())
		}
	}
	var sum digestSum
	d.Sum(sum[:0])
	return sum
}

// begin returns sums over no rows. If ctx is cancelled, some are missing.
func (j *Job) begin(ctx context.Context) *Partial {
	p := &Partial{Problem: j.at(), Sums: make([]*Sum, len(j.machines))}
	for k, m := range j.machines {
		if ctx.Err() != nil {
			break
		}
		if m.running() {
			p.Sums[k] = newSum(ctx, m.unknowns())
		}
	}
	return p
}

// Sum returns the sums over some rows that the next step needs.
func (j *Job) Sum(ctx context.Context, rows Rows) (*Partial, error) {
	switch {
	case j.pass == nil:
		return nil, errNoJob
	case rows == nil:
		return nil, errNoRows
	}
	ctx, stop := team.With(ctx, j.o.Threads)
	defer stop()
	p := j.begin(ctx)
	var err error
	if p.Rows, err = j.add(ctx, &stream{rows, &j.label, j.o.Kernel}, false, j.machines, p.Sums); err != nil {
		return nil, err
	}
	for _, s := range p.Sums {
		if s != nil {
			s.finish(ctx)
		}
	}
	return p, ended.Err(ctx)
}

// add adds the sums over the rows of a source to sums, and returns the number of rows.
func (j *Job) add(ctx context.Context, from source, keep bool, machines []*machine, sums []*Sum) (rows int64, err error) {
	err = from.chunks(ctx, chunkOf(j.vectors.Len()), func(chunk []*batch) error {
		values := j.pass.fill(ctx, chunk, keep)
		if err := ended.Err(ctx); err != nil {
			return err
		}
		j.pass.add(ctx, chunk, values, machines, sums)
		for _, b := range chunk {
			rows += int64(len(b.xs))
		}
		return ended.Err(ctx)
	})
	return rows, err
}

// errNoJob reports a Job that was not made by Begin.
var errNoJob = errors.New("a job that nobody has begun")

// errNoRows reports Rows that are nil.
var errNoRows = errors.New("no rows")

// Step makes a Newton step for each machine with the sums over all rows, which it may change. It
// reports whether all machines are done. Sums that Sum did not make for this step are
// [ErrMismatch]; sums that are not finite are train.ErrOverflow. After an error of ctx the job
// cannot be used further.
func (j *Job) Step(ctx context.Context, p *Partial) (done bool, err error) {
	if j.pass == nil {
		return false, errNoJob
	}
	if p == nil || p.Problem != j.at() || len(p.Sums) != len(j.machines) {
		return false, ErrMismatch
	}
	if p.Rows == 0 {
		return false, train.ErrNoData
	}
	for k, m := range j.machines {
		if s := p.Sums[k]; m.running() != (s != nil) || s != nil && (len(s.Gradient) != m.unknowns() || !s.whole()) {
			return false, ErrMismatch
		}
	}
	ctx, stop := team.With(ctx, j.o.Threads)
	defer stop()
	return j.step(ctx, j.machines, p.Sums)
}

// step makes a Newton step of each machine with its sums.
func (j *Job) step(ctx context.Context, machines []*machine, sums []*Sum) (done bool, err error) {
	steps := make([]int, len(machines))
	err = team.Try(ctx, len(machines), func(ctx context.Context, k int) error {
		m := machines[k]
		if !m.running() {
			return nil
		}
		if sums[k].Hessian == nil {
			sums[k].narrow(ctx)
		}
		if err := ended.Err(ctx); err != nil {
			return err
		}
		j.regularise(sums[k], m.search.Point())
		before := m.search.Steps()
		err := m.search.Advance(ctx, sums[k].Loss, sums[k].Gradient, sums[k].Hessian)
		if errors.Is(err, newton.ErrNotFinite) {
			return j.named(m, j.pass.overflow(sums[k]))
		}
		steps[k] = m.search.Steps() - before
		return err
	})
	if err != nil {
		return false, err
	}
	done = true
	for k, m := range machines {
		j.steps += steps[k]
		done = done && !m.running()
	}
	j.o.Report.Send(train.Progress{Iterations: j.steps})
	return done, nil
}

// ErrCosts reports that sums of costs, or of their squares, overflow.
var ErrCosts = errors.New("the costs overflow: lower the cost, the weights of classes and rows, or the size of the targets")

// mostLoss is a bound of the objective without large costs or targets. Kernel values are below
// 2^127; the gradient has their products with costs, and its norm adds up the squares of these.
const mostLoss = 1e100

// overflow returns the error for a machine whose derivatives overflow at the start: it says whether
// kernel values or costs are too large.
func (p *pass) overflow(s *Sum) error {
	if p.faulty.Load() {
		return kernelFault{}
	}
	if !(s.Loss > mostLoss) { // also if the loss is NaN, from kernel values that are not numbers
		return train.ErrOverflow
	}
	return ErrCosts
}

// A kernelFault says that a value of a kernel of the caller's own is not finite. It names no rows:
// those of streams may be gone, and centres are none.
type kernelFault struct{}

// Error implements error.
func (kernelFault) Error() string { return "a value of the kernel is not a finite number" }

// Unwrap returns train.ErrOverflow.
func (kernelFault) Unwrap() error { return train.ErrOverflow }

// regularise turns the sums over rows at w into value and derivatives of the objective: nu times
// the sums, plus those of 1/2 w'w.
func (j *Job) regularise(s *Sum, w []float64) {
	nu, n, half := j.o.Cost, len(w), 0.0
	for i, x := range w {
		half += float64(float64(x*x) / 2)
		s.Gradient[i] = float64(nu*s.Gradient[i]) + x
		line := s.Hessian[i*n : (i+1)*n]
		for k := i; k < n; k++ {
			line[k] *= nu
		}
		line[i]++
	}
	s.Loss = float64(nu*s.Loss) + half
}

// named puts the classes of a machine into an error, if there are several machines.
func (j *Job) named(m *machine, err error) error {
	switch {
	case len(j.machines) == 1:
		return err
	case m.neg == models.Rest:
		return &train.PairError{Labels: [2]int{j.classes[m.pos]}, Rest: true, Err: err}
	}
	return &train.PairError{Labels: [2]int{j.classes[m.pos], j.classes[m.neg]}, Err: err}
}

// run fits all machines to the rows of a source; counts has the number of rows of each class. It
// takes Newton steps with the sums over all rows until all machines are done, except those of few
// rows. Machines that do not fit into memory together are fitted in groups, one after the other.
func (j *Job) run(ctx context.Context, from source, keep bool, counts []int) error {
	if err := j.runFew(ctx, from, keep, counts); err != nil {
		return err
	}
	var memory []*Sum
	defer func() {
		for _, s := range memory {
			s.release()
		}
	}()
	left := slices.DeleteFunc(slices.Clone(j.machines), func(m *machine) bool { return !m.running() })
	for len(left) > 0 {
		some := left[:together(left, keep)]
		left = left[len(some):]
		for len(memory) < len(some) {
			memory = append(memory, arenaSum())
		}
		for done := false; !done; {
			sums := make([]*Sum, len(some))
			for k, m := range some {
				if err := ended.Err(ctx); err != nil {
					return err
				}
				if m.running() {
					sums[k] = memory[k]
					sums[k].reset(ctx, m.unknowns())
				}
			}
			rows, err := j.add(ctx, from, keep, some, sums)
			switch {
			case err != nil:
				return err
			case rows == 0:
				return train.ErrNoData
			}
			if done, err = j.step(ctx, some, sums); err != nil {
				return err
			}
		}
	}
	return nil
}

// best returns the solutions so far.
func (j *Job) best() [][]float64 {
	w := make([][]float64, len(j.machines))
	for k, m := range j.machines {
		w[k] = m.search.Best()
	}
	return w
}

// reducedSet returns the class of each row of d, or an error for a row whose label is of no class.
func (l *labeller) reducedSet(d *format.Dataset) (of []int32, err error) {
	for i, y := range d.Y {
		c := int32(0)
		if l.place != nil {
			var ok bool
			if c, ok = l.class(y); !ok {
				return nil, errUnknown(i, y)
			}
		}
		of = append(of, c)
	}
	return of, nil
}
