package predict

import (
	"slices"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: the decision values of all machines for many rows,
//
//	f_m(x_r) = sum_i c_mi K(z_i, x_r) - rho_m,
//
// each sum in the order of the model's vectors, as for one row.
//
// Kernel values are computed once for all machines, a block of vectors after the
// other, so that they are in the processor's cache when they are used. A lane is a
// row: the values of one vector for all rows stand side by side, and each machine
// adds its coefficient times them to its sums.

// bank is a model made ready for batches.
type bank struct {
	model *models.Model
	basis *kernel.Basis
	runs  []run
}

// run is a run of vectors in which the same machines have coefficients.
type run struct {
	models.Span
	machines []member
}

// member is a machine in a run.
type member struct {
	machine int
	coef    []float64
	listed  []int32 // the vectors that coef is for, counted from the run's first; nil: all
}

func newBank(m *models.Model, start []int) *bank {
	b := &bank{model: m, basis: kernel.NewBasis(m.Kernel, &m.Vectors)}
	b.runs = make([]run, len(start)-1)
	for g := range b.runs {
		b.runs[g].Span = models.Span{From: start[g], To: start[g+1]}
	}
	for i := range m.Machines {
		c := &m.Machines[i]
		taken := 0 // of the coefficients
		spans := c.Spans(start)
		for g := range b.runs {
			r := &b.runs[g]
			if r.Span != spans[0] && r.Span != spans[1] || r.From == r.To {
				continue
			}
			first := taken
			e := member{machine: i}
			if c.Index == nil {
				taken += r.To - r.From
			} else {
				e.listed = []int32{}
				for ; taken < len(c.Index) && int(c.Index[taken]) < r.To; taken++ {
					e.listed = append(e.listed, c.Index[taken]-int32(r.From))
				}
			}
			e.coef = c.Coef[first:taken]
			r.machines = append(r.machines, e)
		}
	}
	return b
}

// blockVectors is the number of vectors whose values are kept at a time: for
// BatchRows rows 256 KB, which fits the second cache level of current processors.
const blockVectors = 256

// decide sets sums[m*lanes+r] to the value of machine m for row r of the batch.
// values is memory to work in.
func (b *bank) decide(sums []float64, batch *kernel.Batch, values []float64) {
	lanes := batch.Lanes()
	clear(sums)
	for _, run := range b.runs {
		for from := run.From; from < run.To; from += blockVectors {
			to := min(from+blockVectors, run.To)
			block := values[:(to-from)*lanes]
			batch.EvaluateTo(block, from, to)
			for k := range run.machines {
				e := &run.machines[k]
				into := sums[e.machine*lanes : (e.machine+1)*lanes]
				if e.listed == nil {
					addScaled(into, e.coef[from-run.From:to-run.From], block)
				} else {
					e.addListed(into, block, int32(from-run.From), int32(to-run.From))
				}
			}
		}
	}
	for m := range b.model.Machines {
		rho := b.model.Machines[m].Rho
		lane := sums[m*lanes : (m+1)*lanes]
		for r := range lane {
			lane[r] -= rho
		}
	}
}

// addListed adds the coefficients for vectors from <= i < to of the run times
// their values.
func (e *member) addListed(sums, values []float64, from, to int32) {
	k, _ := slices.BinarySearch(e.listed, from)
	for ; k < len(e.listed) && e.listed[k] < to; k++ {
		at := int(e.listed[k]-from) * len(sums)
		addScaled(sums, e.coef[k:k+1], values[at:at+len(sums)])
	}
}

// addScaled adds coef[i] * values[i*len(sums)+r] to sums[r], for all i in order.
func addScaled(sums, coef, values []float64) {
	lanes := len(sums)
	for at := 0; at < lanes; at += 8 {
		s := (*[8]float64)(sums[at:])
		s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
		for i, c := range coef {
			v := (*[8]float64)(values[i*lanes+at:])
			s0 += float64(c * v[0])
			s1 += float64(c * v[1])
			s2 += float64(c * v[2])
			s3 += float64(c * v[3])
			s4 += float64(c * v[4])
			s5 += float64(c * v[5])
			s6 += float64(c * v[6])
			s7 += float64(c * v[7])
		}
		*s = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	}
}
