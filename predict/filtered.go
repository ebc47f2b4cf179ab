package predict

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/internal/combine"
)

// packed has the machines of a block, prepared for estimates.
type packed struct {
	machines []int32 // machine of each slot
	runs     []packedRun
	parts    []int32 // for each part, the place of its sums
	coefs    []float32
}

// A packer has memory to pack machines.
type packer struct {
	members []member
	runs    []int
}

// A packedRun is a run of vectors for which several machines have coefficients. Each machine is a
// part: it has a coefficient for every vector of the run, and the parts' coefficients follow each
// other.
type packedRun struct {
	from, to  int32 // vectors from to to-1
	part, end int32 // parts part to end-1
	coef      int   // index of the first coefficient
}

// pack makes p hold the machines of a block.
func (w *packer) pack(p *packed, f *filter, of block) {
	sign := 1.0
	if f.estimator.Complement() {
		sign = -1
	}
	p.machines = f.machines(slices.Grow(p.machines[:0], (of.first.To-of.first.From)*max(of.second.To-of.second.From, 1)), of)
	w.runs = f.layout.runs(w.runs[:0], of)
	parts, coefs := 0, 0
	for _, g := range w.runs {
		w.members = f.members(w.members[:0], of, g)
		parts, coefs = parts+len(w.members), coefs+len(w.members)*(f.start[g+1]-f.start[g])
	}
	p.runs, p.parts, p.coefs = slices.Grow(p.runs[:0], len(w.runs)), slices.Grow(p.parts[:0], parts), slices.Grow(p.coefs[:0], coefs)
	for _, g := range w.runs {
		w.members = f.members(w.members[:0], of, g)
		if len(w.members) == 0 {
			continue
		}
		span, part, from := f.run(g), len(p.parts), len(p.coefs)
		n := span.To - span.From
		p.runs = append(p.runs, packedRun{int32(span.From), int32(span.To), int32(part), int32(part + len(w.members)), from})
		p.coefs = p.coefs[:from+len(w.members)*n]
		for k := range w.members {
			e := &w.members[k]
			sums := int32(2 * e.slot)
			if f.paired() && g == f.model.Machines[e.machine].Neg {
				sums++
			}
			p.parts = append(p.parts, sums)
			coefs := p.coefs[from : from+n]
			from += n
			if e.listed == nil {
				for i, c := range e.coef[:n] {
					coefs[i] = float32(sign * c)
				}
				continue
			}
			clear(coefs)
			for i, v := range e.listed {
				coefs[int(v)-span.From] = float32(sign * e.coef[i])
			}
		}
	}
	clear(w.members) // drop references to the model
}

// pack returns the machines of the n-th block. It keeps them for later rows, except at the first
// use of a filter with many blocks, or when another goroutine is just packing them: goroutines often
// come to a block together. The kept coefficients take at most half the memory of those in the
// model, with zeros included.
func (s *filtered) pack(f *filter, n int) *packed {
	if p := f.ready[n].Load(); p != nil {
		return p
	}
	if len(f.blocks) > 1 && f.asked.Load() == 1 || !f.claimed[n].CompareAndSwap(false, true) {
		s.packer.pack(&s.packed, f, f.blocks[n])
		return &s.packed
	}
	p := f.spare[n]
	if p == nil {
		p = new(packed)
	}
	s.packer.pack(p, f, f.blocks[n])
	f.ready[n].Store(p)
	return p
}

// filtered is what a filter finds about some rows. The zero filtered is ready.
type filtered struct {
	rows      int
	errors    [filterRows]float64 // for each row, the share of M by which sums may be wrong, in addition to the machine's share
	lengths   [filterRows]float64 // for each row, the size s, used where M is not known from sums
	others    [filterRows]float64 // the same, but 0 for rows whose errors are relative to the estimates
	inexact   bool                // for some rows, errors are not relative to the estimates
	estimates kernel.Estimates
	kept      []float32 // estimates of all vectors
	tile      []float32
	packer    packer
	packed    packed // a block that is not kept

	machines []int32 // machines of the block, by slot
	listed   []int32 // memory for machines, with weights
	// sums has, for slot s and row r, f + rho at [2*filterRows*s+r] and M at
	// [2*filterRows*s+filterRows+r]. In a plain filter it has the sums of the two classes instead.
	sums []float64
	run  []float64 // sums of one row
	into [][]float64
	coef [][]float32
}

// begin prepares for xs, at most filterRows rows.
func (s *filtered) begin(f *filter, xs []vec.Vector) {
	s.rows = len(xs)
	f.asked.Add(1)
	if f.weights != nil {
		for r, x := range xs {
			s.errors[r], s.lengths[r] = f.weights[0].error(x)
		}
		return
	}
	s.estimates.Pack(f.estimator, xs)
	s.inexact = false
	for r := range xs {
		s.errors[r], s.lengths[r], s.others[r] = s.estimates.Error(r), s.estimates.Size(r), 0
		if !s.estimates.Relative(r) {
			s.others[r], s.inexact = s.lengths[r], true
		}
	}
	if f.kept {
		n := f.model.Vectors.Len()
		s.kept = slices.Grow(s.kept[:0], n*filterRows)[:n*filterRows]
		s.estimates.EvaluateTo(s.kept, 0, n)
	} else if s.tile == nil {
		s.tile = make([]float32, filterBlock*filterRows)
	}
}

// values computes sums and sizes for the machines of the n-th block.
func (s *filtered) values(f *filter, xs []vec.Vector, n int) {
	if f.weights != nil {
		s.machines = f.machines(s.listed[:0], f.blocks[n])
		s.listed = s.machines
		s.sums = room(s.sums, 2*filterRows*len(s.machines))
		f.weights[n].valuesTo(s, xs)
		return
	}
	p := s.pack(f, n)
	s.machines = p.machines
	s.sums = room(s.sums, 2*filterRows*len(s.machines))
	clear(s.sums)
	for k := range p.runs {
		s.addRun(f, p, &p.runs[k])
	}
	if f.plain {
		return
	}
	for slot, machine := range s.machines {
		s.join(f, slot, int(machine))
	}
}

// addRun adds the machines' sums over the vectors of a run.
func (s *filtered) addRun(f *filter, p *packed, run *packedRun) {
	first, last := int(run.from), int(run.to)
	parts, coefs := p.parts[run.part:run.end], p.coefs[run.coef:]
	s.into = s.into[:0]
	for _, sums := range parts {
		s.into = append(s.into, s.sums[int(sums)*filterRows:][:filterRows])
	}
	for from := first; from < last; from += filterBlock {
		to := min(from+filterBlock, last)
		var tile []float32
		if f.kept {
			tile = s.kept[from*filterRows : to*filterRows]
		} else {
			tile = s.tile[:(to-from)*filterRows]
			s.estimates.EvaluateTo(tile, from, to)
		}
		s.coef = s.coef[:0]
		for k := range parts {
			at := k * (last - first)
			s.coef = append(s.coef, coefs[at+from-first:at+to-first])
		}
		combine.AddEstimatesTo(s.into, s.coef, tile)
	}
}

// of returns sums and sizes of the machine in a slot. In a plain filter these are the sums of its
// two classes.
func (s *filtered) of(slot int) (sums, sizes *[filterRows]float64) {
	at := 2 * filterRows * slot
	return (*[filterRows]float64)(s.sums[at:]), (*[filterRows]float64)(s.sums[at+filterRows:])
}

// join makes sum and size of a machine from its sums over the vectors of its two classes.
func (s *filtered) join(f *filter, slot, machine int) {
	sums, sizes := s.of(slot)
	combine.JoinTo(sums, sizes)
	if f.constant != nil {
		for r := range sums {
			sums[r] += f.constant[machine]
		}
	}
	switch {
	case f.signless == nil:
	case f.mixed[machine]:
		for r := range sizes {
			sizes[r] = f.signless[machine] * s.lengths[r]
		}
	case s.inexact:
		for r := range sizes {
			sizes[r] += float64(f.signless[machine] * s.others[r])
		}
	}
}

// sum returns f + rho and M of the machine in a slot for row r.
func (s *filtered) sum(f *filter, slot, r int) (sum, size float64) {
	sums, sizes := s.of(slot)
	if f.plain {
		return sums[r] + sizes[r], math.Abs(sums[r]) + math.Abs(sizes[r])
	}
	return sums[r], sizes[r]
}

// value returns the value of the machine in a slot for row r.
func (s *filtered) value(f *filter, slot, r int) float64 {
	sum, _ := s.sum(f, slot, r)
	return sum - f.model.Machines[s.machines[slot]].Rho
}

// bound returns the bound on the error of the value of the machine in a slot for row r.
func (s *filtered) bound(f *filter, slot, r int) float64 {
	_, size := s.sum(f, slot, r)
	machine := int(s.machines[slot])
	return float64((s.errors[r]+f.relative(machine))*1.05*size) + f.absolute[machine]
}
