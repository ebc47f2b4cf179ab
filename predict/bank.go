package predict

import (
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/internal/combine"
	"github.com/slimsvm/slimsvm/predict/internal/pairs"
)

// Problem: compute the decision values of all machines for many rows,
//
//	f_m(x_r) = sum_i c_mi K(z_i, x_r) - rho_m,
//
// each sum in the order of the model's vectors, as for one row.
//
// Method: kernel values are computed once for all machines, one block of vectors after the other,
// so that they are in the processor's cache when they are used. A lane is a row: the values of one
// vector for all rows are side by side in memory, and each machine adds its coefficient times them
// to its sums. If many of its coefficients are 0, a machine uses a list of the others.

// bank is a model prepared for batches.
type bank struct {
	layout
	basis   kernel.Basis
	nonzero *layout // the machines with only their nonzero coefficients, if these are few; else nil
}

// work is scratch memory.
type work struct {
	values     []float64   // kernel values of some vectors
	members    []member    // members of a run
	into, coef [][]float64 // sums and coefficients of the machines of a run
	index      []int32     // vectors for which a machine has coefficients
	machines   []int32     // machines of a block, by slot
	runs       []int       // runs of a block
	blocks     []block
	sums       []float64 // sums of a block's machines
}

// works holds unused work, for all banks: training makes many small ones.
var works = sync.Pool{New: func() any { return new(work) }}

// use sets up b for a model.
func (b *bank) use(m *models.Model, start []int) {
	b.layout = layout{m, start}
	b.basis.Use(m.Kernel, &m.Vectors)
	b.nonzero = b.withoutZeros()
}

// severalMachines is the number of machines from which keeping the kernel values for all of them
// pays.
const severalMachines = 3

// layoutFor returns the machines for a batch. If all values are finite, it may leave out
// coefficients of 0: their products change no sum.
func (b *bank) layoutFor(batch *kernel.Batch) *layout {
	if b.nonzero != nil && batch.Finite() {
		return b.nonzero
	}
	return &b.layout
}

// blockVectors is the number of vectors whose values are kept at a time. For BatchRows rows they
// take 256 KB, which fits into the second-level cache of current processors.
const blockVectors = 256

// decide sets sums[m*lanes+r] to the value of machine m for row r of the batch.
func (b *bank) decide(sums []float64, batch *kernel.Batch) {
	lanes := batch.Lanes()
	if b.model.Vote == models.Ensemble {
		// each vector is the vector of one machine
		batch.EvaluateTo(sums, 0, b.basis.Len())
		b.offset(sums, lanes)
		return
	}
	w := works.Get().(*work)
	defer works.Put(w)
	clear(sums)
	if runs := len(b.start) - 1; len(b.model.Machines) < severalMachines {
		for g := range runs {
			b.add(sums, batch, w, b.all(), batch.Lanes(), g)
		}
	} else {
		b.addAll(sums, batch, w)
	}
	b.offset(sums, lanes)
}

// addAll adds the products of all machines with all vectors. It takes as many vectors at a time as
// the second-level cache holds the values of, whatever runs they belong to.
func (b *bank) addAll(sums []float64, batch *kernel.Batch, w *work) {
	lanes, all, machines := batch.Lanes(), b.all(), b.layoutFor(batch)
	w.values = room(w.values, min(blockVectors, b.basis.Len())*lanes)
	g, members := 0, -1 // the run to which w.members belongs, if any
	for from := 0; from < b.basis.Len(); from += blockVectors {
		to := min(from+blockVectors, b.basis.Len())
		values := w.values[:(to-from)*lanes]
		batch.EvaluateTo(values, from, to)
		for at := from; at < to; {
			for b.start[g+1] <= at {
				g++
			}
			if members != g {
				w.members, members = machines.members(w.members[:0], all, g), g
			}
			end := min(b.start[g+1], to)
			w.add(sums, values[(at-from)*lanes:(end-from)*lanes], lanes, lanes, b.start[g], at, end)
			at = end
		}
	}
}

// blockRows is the number of rows whose values are computed at a time, block by block.
const blockRows = combine.Lanes

// eachBlock calls f for each block with its machines and their sums. The sum of the machine in slot
// s for row r of the batch is at [s*blockRows+r]. The batch has so many rows, at most blockRows.
func (b *bank) eachBlock(batch *kernel.Batch, rows int, f func(machines []int32, sums []float64)) {
	w := works.Get().(*work)
	defer works.Put(w)
	const lanes = blockRows
	kept := b.basis.Len() <= keptVectors
	first, second, machines := firstAgain, secondAgain, b.layoutFor(batch)
	if kept {
		first, second = firstKept, secondKept
		w.values = room(w.values, b.basis.Len()*lanes)
		batch.EvaluateTo(w.values, 0, b.basis.Len())
	}
	w.blocks = b.blocks(w.blocks[:0], first, second)
	for _, of := range w.blocks {
		w.machines = b.machines(w.machines[:0], of)
		w.sums = room(w.sums, len(w.machines)*lanes)
		clear(w.sums)
		w.runs = b.runs(w.runs[:0], of)
		for _, g := range w.runs {
			if kept {
				run := b.run(g)
				w.members = machines.members(w.members[:0], of, g)
				w.add(w.sums, w.values[run.From*lanes:run.To*lanes], lanes, rows, run.From, run.From, run.To)
			} else {
				b.add(w.sums, batch, w, of, rows, g)
			}
		}
		f(w.machines, w.sums)
	}
}

// vote counts the votes of all machines for the rows of the batch, so many and at most blockRows, in
// votes.
func (b *bank) vote(votes *voteCounts, batch *kernel.Batch, rows int) {
	votes.begin(len(b.model.Labels))
	b.eachBlock(batch, rows, func(machines []int32, sums []float64) {
		for slot, i := range machines {
			var above [1]uint64
			c := &b.model.Machines[i]
			pairs.Signs(above[:], sums[slot*blockRows:(slot+1)*blockRows], c.Rho)
			votes.count(c.Pos, above[0])
			votes.count(c.Neg, ^above[0])
		}
	})
	votes.findBest()
}

// values sets dst[r*n+i] to the value of machine i, of n machines, for row r of the batch. There
// are at most blockRows rows.
func (b *bank) values(dst []float64, batch *kernel.Batch) {
	n := len(b.model.Machines)
	if b.model.Vote == models.Ensemble {
		b.memberValues(dst, batch)
		return
	}
	b.eachBlock(batch, len(dst)/n, func(machines []int32, sums []float64) {
		for slot, i := range machines {
			rho, at := b.model.Machines[i].Rho, int(i)
			for _, v := range sums[slot*blockRows:][:len(dst)/n] {
				dst[at] = v - rho
				at += n
			}
		}
	})
}

// memberValues is values for an ensemble.
func (b *bank) memberValues(dst []float64, batch *kernel.Batch) {
	w := works.Get().(*work)
	defer works.Put(w)
	n, lanes := len(b.model.Machines), batch.Lanes()
	w.values = room(w.values, min(planesAtOnce, n)*lanes)
	for from := 0; from < n; from += planesAtOnce {
		to := min(from+planesAtOnce, n)
		batch.EvaluateTo(w.values[:(to-from)*lanes], from, to)
		for i := from; i < to; i++ {
			rho, at := b.model.Machines[i].Rho, i
			for _, v := range w.values[(i-from)*lanes:][:len(dst)/n] {
				dst[at] = v - rho
				at += n
			}
		}
	}
}

// offset subtracts the machines' rho from their sums.
func (b *bank) offset(sums []float64, lanes int) {
	for m := range b.model.Machines {
		rho := b.model.Machines[m].Rho
		lane := sums[m*lanes : (m+1)*lanes]
		for r := range lane {
			lane[r] -= rho
		}
	}
}

// add adds to sums, by slot, the products of the machines of a block with the vectors of run g, for
// so many rows.
func (b *bank) add(sums []float64, batch *kernel.Batch, w *work, of block, rows, g int) {
	lanes, run := batch.Lanes(), b.run(g)
	if w.members = b.members(w.members[:0], of, g); len(w.members) == 0 {
		return
	}
	if len(w.members) == 1 && w.members[0].listed == nil {
		e := &w.members[0]
		if batch.AddTo(sums[e.slot*lanes:(e.slot+1)*lanes], e.coef, run.From, run.To) {
			return
		}
	}
	w.values = room(w.values, min(blockVectors, b.basis.Len())*lanes)
	for from := run.From; from < run.To; from += blockVectors {
		to := min(from+blockVectors, run.To)
		values := w.values[:(to-from)*lanes]
		batch.EvaluateTo(values, from, to)
		w.add(sums, values, lanes, rows, run.From, from, to)
	}
}

// add adds products for the vectors from <= i < to of a run to the sums of the run's members, for the
// first rows of the lanes. start is the first vector of the run.
func (w *work) add(sums, values []float64, lanes, rows, start, from, to int) {
	w.into, w.coef = w.into[:0], w.coef[:0]
	for k := range w.members {
		e := &w.members[k]
		s := sums[e.slot*lanes : (e.slot+1)*lanes]
		if e.listed == nil {
			w.into, w.coef = append(w.into, s), append(w.coef, e.coef[from-start:to-start])
			continue
		}
		n, _ := slices.BinarySearch(e.listed, int32(from))
		end, _ := slices.BinarySearch(e.listed, int32(to))
		w.index = w.index[:0]
		for _, i := range e.listed[n:end] {
			w.index = append(w.index, i-int32(from))
		}
		combine.AddRowsInOrder(s, values, w.index, e.coef[n:end])
	}
	combine.AddFirstTo(w.into, w.coef, values, rows)
}
