package rsvm

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/newton"
)

// Model returns the machines in their present state as a model. Its vectors are in the order of
// classes. A model of two classes is in LIBSVM's format, and so is one whose machines use only
// vectors of their own classes.
func (j *Job) Model() *models.Model { return j.model(j.vectors, j.of, j.origin, j.best()) }

// model returns the model of solutions over a basis.
func (j *Job) model(vectors vec.Matrix, of []int32, origin []int, w [][]float64) *models.Model {
	order := make([]int, len(of))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(of[a], of[b]) })

	m := &models.Model{Task: models.EpsilonSVR, Kernel: j.o.Kernel}
	if _, all := j.o.Set.(Full); all {
		m.Vectors = vectors.Select(order)
	} else { // vectors that share memory with the data would keep all of it
		m.Vectors = vectors.Copy(order)
	}
	if j.o.Kernel == (kernel.Precomputed{}) {
		m.Vectors = serials(m.Vectors)
	}
	for _, i := range order {
		if origin != nil {
			m.Origin = append(m.Origin, origin[i]+1)
		}
	}
	own := slices.ContainsFunc(j.machines, func(m *machine) bool { return m.columns != nil })
	if j.classes != nil {
		m.Task, m.Labels = models.CSVC, j.classes
		switch {
		case len(j.classes) <= 2 || own:
			m.Group = make([]int, len(j.classes))
			for _, c := range of {
				m.Group[c]++
			}
		default:
			if j.rest {
				m.Vote = models.OneVsRest
			}
			m.Provenance = j.provenance()
		}
	}
	at := make([]int, len(of)) // the place of each vector among a machine's unknowns, from 1; 0: none
	for k, machine := range j.machines {
		n := len(w[k]) - 1
		for i := range n {
			at[machine.column(i)] = i + 1
		}
		c := models.Machine{Pos: int(machine.pos), Neg: int(machine.neg), Rho: w[k][n]}
		if n > 0 {
			c.Coef = make([]float64, 0, n)
		}
		for _, i := range order {
			if at[i] > 0 {
				c.Coef = append(c.Coef, w[k][at[i]-1])
			}
			at[i] = 0
		}
		m.Machines = append(m.Machines, c)
	}
	return m
}

// serials returns the vectors of a precomputed kernel with only their serial numbers.
func serials(x vec.Matrix) (s vec.Matrix) {
	for i := range x.Len() {
		v := x.Row(i)
		s.Append(vec.Vector{Index: v.Index[:1], Value: v.Value[:1]})
	}
	return s
}

// provenance says how a model was made. Only models that need the extended dialect anyway have it.
func (j *Job) provenance() *models.Provenance {
	p := &models.Provenance{Method: Name(j.o.Set), Seed: j.o.Seed}
	p.Parameters = append(p.Parameters,
		models.Parameter{Name: "cost", Value: strconv.FormatFloat(j.o.Cost, 'g', -1, 64)},
		models.Parameter{Name: "smoothing", Value: strconv.FormatFloat(j.o.Alpha, 'g', -1, 64)})
	return p
}

// Name returns the name of the method that finds the reduced set by s.
func Name(s Set) string {
	switch s.(type) {
	case Full:
		return "ssvm"
	case Systematic:
		return "ssrsvm"
	}
	return "rsvm"
}

// solved reports the final state of every machine. It also reports if the steps ended before the
// gradient was as small as asked for: at their limit, or because rounding errors allow nothing
// better.
func (j *Job) solved() {
	for _, m := range j.machines {
		s := m.search
		if s.Status() != newton.Converged && s.Gradient() > j.o.Tolerance {
			j.o.Report.Send(train.IterationLimit{Iterations: s.Steps()})
		}
		j.o.Report.Send(train.Solved{
			Iterations: s.Steps(), Objective: s.Value(), Rho: s.Best()[m.unknowns()-1],
			Name: "gradient", Value: s.Gradient(), Vectors: m.unknowns() - 1,
		})
	}
}
