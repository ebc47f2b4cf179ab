package reducedset

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: with the linear kernel, w_l = sum_i eta_i x_i is itself a vector, and all machines
// together need no more vectors than the w_l have dimensions.
//
// Method: the vectors are the w_l, one for each machine. If there are more machines than features,
// they are the features, shared by all. If both are too many, but the w_l are in the span of few
// enough vectors, they are an orthonormal basis of that span. In these cases nothing is lost. If
// even fewer are wanted, the vectors are those that approximate all w_l best (planes.go), and
// coefficients are trained again as in Shared. Such vectors are better than those of a search for
// one machine after the other, because they take all machines into account at once.

// collapse returns a model of a linear kernel with at most r.Vectors vectors.
func (r *Reducer) collapse(ctx context.Context, m *models.Model, d *format.Dataset) (*models.Model, error) {
	p := planesOf(m)
	if err := p.check(); err != nil {
		return nil, err
	}
	switch {
	case p.machines <= min(len(p.features), r.Vectors):
		return r.exact(m, p.ws, nil), nil
	case len(p.features) <= r.Vectors:
		return r.exact(m, p.ws, p.features), nil
	}
	f, err := p.frame(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(f.basis) <= r.Vectors:
		return r.framed(m, f, p.features), nil
	}
	return r.nearest(ctx, m, d, f, p.features)
}

// Exact reports whether Reduce can reduce m to the given number of vectors, or fewer, without loss:
// the kernel is linear and the machines need no more.
func Exact(ctx context.Context, m *models.Model, vectors int) (bool, error) {
	if err := m.Validate(); err != nil {
		return false, fmt.Errorf("invalid model: %w", err)
	}
	if _, linear := m.Kernel.(kernel.Linear); !linear || m.Vote == models.Ensemble {
		return false, nil
	}
	p := planesOf(m)
	if err := p.check(); err != nil {
		return false, err
	}
	if min(p.machines, len(p.features)) <= vectors {
		return true, nil
	}
	f, err := p.frame(ctx)
	return err == nil && len(f.basis) <= vectors, err
}

// collapses reports whether a model has a linear kernel and more vectors than an equivalent model
// needs.
func collapses(m *models.Model) bool {
	if _, linear := m.Kernel.(kernel.Linear); !linear {
		return false
	}
	p := planesOf(m)
	return min(p.machines, len(p.features)) < m.Vectors.Len()
}

// planes are the w_l of a model.
type planes struct {
	ws       []vec.Vector
	machines int     // number of machines whose w_l is not 0
	features []int32 // the features that occur
}

func planesOf(m *models.Model) *planes {
	p := &planes{ws: weightsOf(m)}
	p.features = featuresOf(p.ws)
	for _, w := range p.ws {
		if len(w.Index) > 0 {
			p.machines++
		}
	}
	return p
}

// check returns an error if a w_l is not finite, as with enormous coefficients.
func (p *planes) check() error {
	for l, w := range p.ws {
		for k, v := range w.Value {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the weight of feature %d in machine %d is not finite: %w", w.Index[k], l+1, train.ErrOverflow)
			}
		}
	}
	return nil
}

// mostValues is the largest number of values of the w_l for a frame. They take 8 GB, and the work
// as much again.
const mostValues = 1 << 30

// frame returns the frame of the w_l.
func (p *planes) frame(ctx context.Context) (*frame, error) {
	if float64(len(p.ws))*float64(len(p.features)) > mostValues {
		return nil, fmt.Errorf("%d machines of %d features would take more than %d GB of memory to make fewer vectors of", len(p.ws), len(p.features), mostValues*8>>30)
	}
	return newFrame(ctx, dense(p.ws, p.features))
}

// weightsOf returns w_l for each machine.
func weightsOf(m *models.Model) []vec.Vector {
	start := m.GroupStart()
	ws := make([]vec.Vector, len(m.Machines))
	for l := range ws {
		sum := map[int32]float64{}
		for i, e := range spread(&m.Machines[l], start, m.Vectors.Len()) {
			if e == 0 {
				continue
			}
			x := m.Vectors.Row(i)
			for k, f := range x.Index {
				sum[f] += float64(e * x.Value[k])
			}
		}
		ws[l] = fromMap(sum)
	}
	return ws
}

// featuresOf returns the features that occur in some vectors.
func featuresOf(vs []vec.Vector) []int32 {
	seen := map[int32]bool{}
	var list []int32
	for _, v := range vs {
		for _, f := range v.Index {
			if !seen[f] {
				seen[f] = true
				list = append(list, f)
			}
		}
	}
	slices.Sort(list)
	return list
}

// same returns the model of a state whose machines have the values that those of m have. What the
// model has for probabilities remains valid, because the values are the same.
func (s *state) same(m *models.Model) *models.Model {
	for l := range s.machines {
		s.machines[l].rho = m.Machines[l].Rho
	}
	small := s.modelBut(0)
	small.Probability, small.Noise, small.DensityMarks = m.Probability, m.Noise, m.DensityMarks
	for l := range small.Machines {
		small.Machines[l].Sigmoid = m.Machines[l].Sigmoid
	}
	return small
}

// exact returns the same function with one vector for each machine, or one for each of the features
// if these are given.
func (r *Reducer) exact(m *models.Model, ws []vec.Vector, features []int32) *models.Model {
	s := &state{Reducer: r, parent: m, machines: make([]machine, len(m.Machines))}
	for _, f := range features {
		s.zs.Append(vec.Vector{Index: []int32{f}, Value: []float64{1}})
	}
	for l, w := range ws {
		c := &s.machines[l]
		switch {
		case len(w.Index) == 0: // a machine without vectors
		case features == nil:
			c.own, c.beta = []int{s.zs.Len()}, []float64{1}
			s.zs.Append(w)
		default:
			for k, f := range w.Index {
				j, _ := slices.BinarySearch(features, f)
				c.own, c.beta = append(c.own, j), append(c.beta, w.Value[k])
			}
		}
	}
	return s.same(m)
}

// framed returns the same function with the vectors of a frame of the w_l.
func (r *Reducer) framed(m *models.Model, f *frame, features []int32) *models.Model {
	s := &state{Reducer: r, parent: m, machines: make([]machine, len(m.Machines))}
	for _, q := range f.basis {
		s.zs.Append(sparse(q, features))
	}
	for l := range s.machines {
		c := &s.machines[l]
		for j, b := range f.coef[l] {
			c.own, c.beta = append(c.own, j), append(c.beta, math.Ldexp(b, f.unit[l]))
		}
	}
	return s.same(m)
}

// nearest returns a model whose machines share the leading vectors of a frame of the w_l, added one
// after the other.
func (r *Reducer) nearest(ctx context.Context, m *models.Model, d *format.Dataset, f *frame, features []int32) (*models.Model, error) {
	if err := checkData(d); err != nil {
		return nil, err
	}
	shared := *r
	shared.Method = Shared
	ctx, end := team.With(ctx, r.Threads)
	defer end()
	s, err := newState(ctx, &shared, m, d)
	if err != nil {
		return nil, err
	}
	zs, err := f.leading(ctx, r.Vectors)
	for _, z := range zs {
		if err != nil {
			break
		}
		s.add(ctx, sparse(z, features), s.common)
		if err = s.retrain(ctx); err == nil {
			err = s.reportSize()
		}
	}
	return s.result(ctx, err)
}

// fromMap returns the vector with the given features.
func fromMap(features map[int32]float64) vec.Vector {
	var v vec.Vector
	for f, x := range features {
		if x != 0 {
			v.Index = append(v.Index, f)
		}
	}
	slices.Sort(v.Index)
	for _, f := range v.Index {
		v.Value = append(v.Value, features[f])
	}
	return v
}
