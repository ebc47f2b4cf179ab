package rsvm

import (
	"context"
	"errors"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/newton"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: with many classes, the machine of a pair has few rows, t, and many vectors, mbar: 20
// rows and 200 vectors. A Newton system of mbar+1 unknowns takes hundreds of times as long as one of
// t+1, and there are thousands of machines.
//
// Method: the solution v is a sum of multiples of the rows' kernel values, because any other part
// of v changes no value and makes v'v larger. Let K be the t x mbar matrix of these values, and K =
// L Q' with a lower triangular L, t x t, and Q with orthonormal columns. With v = Q u it is
// K v = L u and v'v = u'u: the same problem, with L for K, and u for v. Gamma stays as it is.
//
// Q is a product of reflections I - s z z' (Householder): reflection k makes the end of line k of K,
// from element k, a multiple of the first unit vector.

// isFew reports whether a machine's problem is solved over its rows. counts has the number of rows
// of each class.
func (j *Job) isFew(m *machine, counts []int) bool {
	return m.columns == nil && m.pos != m.neg && m.neg != models.Rest &&
		2*(counts[m.pos]+counts[m.neg]) <= j.vectors.Len()
}

// A classRows is the rows of a class, with their kernel values and their factors on the cost.
type classRows struct {
	values [][]float64
	cost   []float64
}

// runFew fits the machines of few rows. The classes come in bundles, whose rows' kernel values fit
// in the memory for this; two bundles are in memory at a time.
func (j *Job) runFew(ctx context.Context, from source, keep bool, counts []int) error {
	bundleOf := make([]int, len(counts))
	bundle, left := 0, float64(bundleBytes)
	for c, rows := range counts {
		need := float64(float64(8*rows) * float64(j.vectors.Len()))
		if left -= need; left < 0 {
			bundle, left = bundle+1, float64(bundleBytes)-need
		}
		bundleOf[c] = bundle
	}
	var order [][2]int // pairs of bundles
	machines := map[[2]int][]*machine{}
	for _, m := range j.machines {
		if j.isFew(m, counts) {
			at := [2]int{bundleOf[m.pos], bundleOf[m.neg]}
			if machines[at] == nil {
				order = append(order, at)
			}
			machines[at] = append(machines[at], m)
		}
	}
	for _, at := range order {
		rows, err := j.gather(ctx, from, keep, machines[at])
		if err != nil {
			return err
		}
		if err := j.fitFew(ctx, machines[at], rows); err != nil {
			return err
		}
	}
	return nil
}

// bundleBytes is the memory for the kernel values of a bundle. Tests change it.
var bundleBytes = 64 << 20

// gather returns the rows of the machines' classes, in the order of the source, by class.
func (j *Job) gather(ctx context.Context, from source, keep bool, machines []*machine) (map[int32]*classRows, error) {
	of := map[int32]*classRows{}
	for _, m := range machines {
		of[m.pos], of[m.neg] = new(classRows), new(classRows)
	}
	n := j.vectors.Len()
	return of, from.chunks(ctx, chunkOf(n), func(chunk []*batch) error {
		values := j.pass.fill(ctx, chunk, keep)
		if err := ended.Err(ctx); err != nil {
			return err
		}
		for i, b := range chunk {
			for r := range b.xs {
				c := of[b.class[r]]
				if c == nil {
					continue
				}
				line := make([]float64, n)
				for k := range line {
					line[k] = values[i][k*b.lanes+r]
				}
				c.values, c.cost = append(c.values, line), append(c.cost, b.cost(r))
			}
		}
		return nil
	})
}

// fewAtOnce is the number of machines that are fitted between two reports.
const fewAtOnce = 256

// fitFew fits machines of few rows.
func (j *Job) fitFew(ctx context.Context, machines []*machine, rows map[int32]*classRows) error {
	for len(machines) > 0 {
		some := machines[:min(fewAtOnce, len(machines))]
		machines = machines[len(some):]
		err := team.Try(ctx, len(some), func(ctx context.Context, i int) error {
			return j.fitOne(ctx, some[i], rows[some[i].pos], rows[some[i].neg])
		})
		if err != nil {
			return err
		}
		for _, m := range some {
			j.steps += m.search.Steps()
		}
		j.o.Report.Send(train.Progress{Iterations: j.steps})
	}
	return nil
}

// fitOne fits the machine of two classes with these rows.
func (j *Job) fitOne(ctx context.Context, m *machine, pos, neg *classRows) error {
	t, n := len(pos.values)+len(neg.values), j.vectors.Len()
	lines := make([]float64, 0, t*n)
	b := &batch{xs: make([]vec.Vector, t), lanes: t}
	for _, c := range []struct {
		class int32
		*classRows
	}{{m.pos, pos}, {m.neg, neg}} {
		for i, line := range c.values {
			lines = append(lines, line...)
			b.class, b.weight = append(b.class, c.class), append(b.weight, c.cost[i])
		}
	}
	q := factorize(lines, t, n)
	b.values = q.lower
	start := m.search.Point()
	u := append(q.coordinates(start[:n]), start[n])
	turned := &machine{pos: m.pos, neg: m.neg, search: newton.New(u, j.o.newton())}
	for sum := new(Sum); turned.running(); {
		sum.reset(ctx, t+1)
		j.pass.addOne(ctx, []*batch{b}, [][]float64{b.values}, turned, sum)
		sum.narrow(ctx)
		if err := ended.Err(ctx); err != nil {
			return err
		}
		j.regularise(sum, turned.search.Point())
		err := turned.search.Advance(ctx, sum.Loss, sum.Gradient, sum.Hessian)
		if errors.Is(err, newton.ErrNotFinite) {
			return j.named(m, j.pass.overflow(sum))
		}
		if err != nil {
			return err
		}
	}
	u = turned.search.Best()
	m.search = turned.search.At(append(q.vector(u[:t]), u[t]))
	return nil
}

// A factors is a t x n matrix K as L Q', t <= n.
type factors struct {
	t, n  int
	lower []float64 // L, column by column
	z     []float64 // line k has the vector of reflection k, from element k on
	scale []float64 // s of each reflection; 0: it changes nothing
}

// tiny is a squared length below which what is left of a line counts as 0: its length would not be
// exact.
const tiny = 0x1p-900

// factorize returns K as L Q'. It uses the memory of K's lines.
func factorize(lines []float64, t, n int) *factors {
	q := &factors{t: t, n: n, z: lines, lower: make([]float64, t*t), scale: make([]float64, t)}
	for k := range t {
		z := lines[k*n+k : (k+1)*n]
		length := columns.Dot(z, z)
		q.lower[k*t+k] = z[0]
		if !(length < tiny) {
			end := -math.Copysign(math.Sqrt(length), z[0])
			q.lower[k*t+k] = end
			z[0] -= end
			q.scale[k] = 2 / columns.Dot(z, z)
		}
		for i := k + 1; i < t; i++ {
			line := lines[i*n+k : (i+1)*n]
			q.apply(k, line)
			q.lower[k*t+i] = line[0]
		}
	}
	return q
}

// apply applies reflection k to the end of a vector, from element k on.
func (q *factors) apply(k int, x []float64) {
	if q.scale[k] == 0 {
		return
	}
	z := q.z[k*q.n+k : (k+1)*q.n]
	by := float64(q.scale[k] * columns.Dot(z, x))
	for i, v := range z {
		x[i] -= float64(by * v)
	}
}

// coordinates returns Q'v.
func (q *factors) coordinates(v []float64) []float64 {
	x := append(make([]float64, 0, q.n+1), v...)
	for k := range q.t {
		q.apply(k, x[k:])
	}
	return x[:q.t:q.t]
}

// vector returns Q u.
func (q *factors) vector(u []float64) []float64 {
	x := make([]float64, q.n, q.n+1)
	copy(x, u)
	for k := q.t - 1; k >= 0; k-- {
		q.apply(k, x[k:])
	}
	return x
}
