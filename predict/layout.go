package predict

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models"
)

// Problem: go through the k(k-1)/2 machines of k classes without tables as long as their number
// times the number of rows.
//
// Method: machines are worked on in blocks, those of pairs of a few classes with a few others. A
// block has coefficients for the vectors of these classes only, and only votes are kept of what its
// machines say of a row.

// A layout tells which machines have coefficients for which vectors. Those of a run stand in
// one place, and the same machines have coefficients for all of them.
type layout struct {
	model *models.Model
	start []int // where the runs begin, and behind them the number of vectors
}

// paired reports whether machines are those of pairs of classes, each of which is a run.
func (l *layout) paired() bool { return l.model.Group != nil }

// run returns the vectors of run g.
func (l *layout) run(g int) models.Span { return models.Span{From: l.start[g], To: l.start[g+1]} }

// pair returns the machine of the classes i < j.
func (l *layout) pair(i, j int) int { return i*(2*len(l.model.Labels)-i-1)/2 + j - i - 1 }

// A block is some machines: if they are paired, those of a class of first and a later one of second;
// else all there are.
type block struct{ first, second models.Span }

// all returns the block of all machines. A machine's slot there is its number.
func (l *layout) all() block {
	k := len(l.model.Labels)
	return block{models.Span{From: 0, To: k}, models.Span{From: 1, To: k}}
}

// blocks returns all machines in blocks of so many classes with so many.
func (l *layout) blocks(first, second int) (list []block) {
	k := len(l.model.Labels)
	for i := 0; i < k-1; i += first {
		for j := i + 1; j < k; j += second {
			list = append(list, block{models.Span{From: i, To: min(i+first, k)}, models.Span{From: j, To: min(j+second, k)}})
		}
	}
	return list
}

// machines appends the machines of a block, by slot.
func (l *layout) machines(dst []int32, of block) []int32 {
	if !l.paired() {
		for i := range l.model.Machines {
			dst = append(dst, int32(i))
		}
		return dst
	}
	for i := of.first.From; i < of.first.To; i++ {
		for j := max(of.second.From, i+1); j < of.second.To; j++ {
			dst = append(dst, int32(l.pair(i, j)))
		}
	}
	return dst
}

// runs appends the runs for which machines of a block have coefficients, in order.
func (l *layout) runs(dst []int, of block) []int {
	add := func(from, to int) {
		for g := from; g < to; g++ {
			if l.start[g] < l.start[g+1] {
				dst = append(dst, g)
			}
		}
	}
	if !l.paired() {
		add(0, len(l.start)-1)
		return dst
	}
	add(of.first.From, of.first.To)
	add(max(of.first.To, of.second.From), of.second.To)
	return dst
}

// member is a machine in a run.
type member struct {
	slot, machine int
	coef          []float64
	listed        []int32 // the vectors that coef is for; nil: all
}

// members appends the machines of a block that have coefficients for run g.
func (l *layout) members(dst []member, of block, g int) []member {
	if l.start[g] == l.start[g+1] {
		return dst
	}
	if !l.paired() {
		for i := range l.model.Machines {
			dst = append(dst, l.member(i, i, g))
		}
		return dst
	}
	slot := 0
	for i := of.first.From; i < min(of.first.To, g+1); i++ {
		from := max(of.second.From, i+1)
		switch {
		case i == g:
			for j := from; j < of.second.To; j++ {
				dst = append(dst, l.member(slot+j-from, l.pair(i, j), g))
			}
		case from <= g && g < of.second.To:
			dst = append(dst, l.member(slot+g-from, l.pair(i, g), g))
		}
		slot += max(of.second.To-from, 0)
	}
	return dst
}

// member returns a machine as a member of run g.
func (l *layout) member(slot, machine, g int) member {
	c, run := &l.model.Machines[machine], l.run(g)
	if c.Index == nil {
		from := 0
		if l.paired() && g == c.Neg {
			from = len(c.Coef) - (run.To - run.From) // behind those of the other class
		}
		return member{slot, machine, c.Coef[from : from+run.To-run.From], nil}
	}
	from, _ := slices.BinarySearch(c.Index, int32(run.From))
	to, _ := slices.BinarySearch(c.Index, int32(run.To))
	return member{slot, machine, c.Coef[from:to], c.Index[from:to:to]}
}

// withoutZeros returns the layout with lists of the coefficients that are not 0, nil if these are not few or the
// machines not several.
func (l *layout) withoutZeros() *layout {
	m := l.model
	if len(m.Machines) < severalMachines || m.Vote == models.Ensemble {
		return nil
	}
	all, some := 0, 0
	for i := range m.Machines {
		c := &m.Machines[i]
		if c.Index != nil {
			return nil
		}
		all += len(c.Coef)
		for _, v := range c.Coef {
			some += nonzero(v)
		}
	}
	if some > all/8*5 {
		return nil // products with 0 are sooner computed than lists gone through
	}
	listed := *m
	listed.Machines = slices.Clone(m.Machines)
	index, coef := make([]int32, some+1), make([]float64, some+1) // and room for a last 0
	for i := range listed.Machines {
		c, n, k := &listed.Machines[i], 0, 0
		for _, span := range c.Spans(l.start) {
			for v := span.From; v < span.To; v++ {
				index[n], coef[n] = int32(v), c.Coef[k]
				n += nonzero(c.Coef[k])
				k++
			}
		}
		c.Index, c.Coef = index[:n:n], coef[:n:n]
		index, coef = index[n:], coef[n:]
	}
	return &layout{&listed, l.start}
}

// nonzero returns 0 for 0 and -0, else 1, without a branch that is hard to foresee.
func nonzero(v float64) int {
	size := math.Float64bits(v) << 1
	return int((size | -size) >> 63)
}
