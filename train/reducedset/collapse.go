package reducedset

import (
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// collapse returns the same function with one vector a machine: under the linear
// kernel w_l = sum_i eta_i x_i is itself a vector. A machine without vectors has
// none. What is known of the values' probabilities holds as before.
func (r *Reducer) collapse(m *models.Model) *models.Model {
	s := &state{Reducer: r, parent: m, machines: make([]machine, len(m.Machines))}
	start := m.GroupStart()
	for l := range s.machines {
		c := &s.machines[l]
		c.rho = m.Machines[l].Rho
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
		w := fromMap(sum, 1)
		if len(w.Index) > 0 {
			c.own, c.beta = []int{s.zs.Len()}, []float64{1}
			s.zs.Append(w)
		}
	}
	small := s.model()
	small.Probability, small.Noise, small.DensityMarks = m.Probability, m.Noise, m.DensityMarks
	for l := range small.Machines {
		small.Machines[l].Sigmoid = m.Machines[l].Sigmoid
	}
	return small
}

// fromMap returns the vector of some features times a factor.
func fromMap(features map[int32]float64, factor float64) vec.Vector {
	var v vec.Vector
	for f, x := range features {
		if x != 0 {
			v.Index = append(v.Index, f)
		}
	}
	slices.Sort(v.Index)
	for _, f := range v.Index {
		v.Value = append(v.Value, features[f]*factor)
	}
	return v
}
