package predict

import (
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/internal/combine"
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

// work is memory to work in.
type work struct {
	values     []float64   // of a block
	into, coef [][]float64 // of the machines of a run
}

// works is such memory that is free, of all banks: training makes many small ones.
var works = sync.Pool{New: func() any { return new(work) }}

// run is a run of vectors in which the same machines have coefficients.
type run struct {
	models.Span
	machines []member
}

// member is a machine in a run.
type member struct {
	machine int
	coef    []float64
	listed  []int32 // the vectors that coef is for; nil: all
}

// banks are those that are free.
var banks = sync.Pool{New: func() any { return new(bank) }}

func newBank(m *models.Model, start []int) *bank {
	b := banks.Get().(*bank)
	b.model, b.basis = m, kernel.NewBasis(m.Kernel, &m.Vectors)
	if m.Vote != models.Ensemble { // whose vectors are the machines
		b.setRuns(start)
	}
	return b
}

// release gives the bank's memory to later ones.
func (b *bank) release() {
	if b.basis != nil {
		b.basis.Release()
	}
	for g := range b.runs {
		clear(b.runs[g].machines)
	}
	*b = bank{runs: b.runs[:0]}
	banks.Put(b)
}

func (b *bank) setRuns(start []int) {
	m := b.model
	b.runs = slices.Grow(b.runs[:0], len(start)-1)[:len(start)-1]
	for g := range b.runs {
		r := &b.runs[g]
		r.Span, r.machines = models.Span{From: start[g], To: start[g+1]}, r.machines[:0]
	}
	if m.Group != nil && m.Vote == models.OneVsOne {
		for g := range b.runs {
			b.runs[g].machines = slices.Grow(b.runs[g].machines, len(b.runs)-1)
		}
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
				for taken < len(c.Index) && int(c.Index[taken]) < r.To {
					taken++
				}
				e.listed = c.Index[first:taken]
			}
			e.coef = c.Coef[first:taken]
			r.machines = append(r.machines, e)
		}
	}
}

// blockVectors is the number of vectors whose values are kept at a time: for
// BatchRows rows 256 KB, which fits the second cache level of current processors.
const blockVectors = 256

// decide sets sums[m*lanes+r] to the value of machine m for row r of the batch.
func (b *bank) decide(sums []float64, batch *kernel.Batch) {
	lanes := batch.Lanes()
	if b.model.Vote == models.Ensemble {
		// the vectors are the machines
		batch.EvaluateTo(sums, 0, b.basis.Len())
		b.offset(sums, lanes)
		return
	}
	w := works.Get().(*work)
	defer works.Put(w)
	clear(sums)
	for _, run := range b.runs {
		if len(run.machines) == 1 && run.machines[0].listed == nil {
			e := &run.machines[0]
			if batch.AddTo(sums[e.machine*lanes:(e.machine+1)*lanes], e.coef, run.From, run.To) {
				continue
			}
		}
		w.values = room(w.values, min(blockVectors, b.basis.Len())*lanes)
		for from := run.From; from < run.To; from += blockVectors {
			to := min(from+blockVectors, run.To)
			block := w.values[:(to-from)*lanes]
			batch.EvaluateTo(block, from, to)
			w.add(sums, block, lanes, &run, from, to)
		}
	}
	b.offset(sums, lanes)
}

// offset takes the machines' rho off their sums.
func (b *bank) offset(sums []float64, lanes int) {
	for m := range b.model.Machines {
		rho := b.model.Machines[m].Rho
		lane := sums[m*lanes : (m+1)*lanes]
		for r := range lane {
			lane[r] -= rho
		}
	}
}

// add adds the coefficients for vectors from <= i < to of the run times their
// values to the sums of its machines.
func (w *work) add(sums, values []float64, lanes int, r *run, from, to int) {
	w.into, w.coef = w.into[:0], w.coef[:0]
	for k := range r.machines {
		e := &r.machines[k]
		s := sums[e.machine*lanes : (e.machine+1)*lanes]
		if e.listed == nil {
			w.into, w.coef = append(w.into, s), append(w.coef, e.coef[from-r.From:to-r.From])
			continue
		}
		n, _ := slices.BinarySearch(e.listed, int32(from))
		for ; n < len(e.listed) && e.listed[n] < int32(to); n++ {
			at := (int(e.listed[n]) - from) * lanes
			combine.AddTo([][]float64{s}, [][]float64{e.coef[n : n+1]}, values[at:at+lanes])
		}
	}
	combine.AddTo(w.into, w.coef, values)
}
