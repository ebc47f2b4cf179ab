package predict

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models"
)

// Problem: process the k(k-1)/2 machines of k classes without tables that have an element for each
// machine and row.
//
// Method: machines are processed in blocks. A block has the pairs of a few classes with a few
// others, or if all machines share their vectors, some consecutive machines. It needs coefficients
// only for the vectors of its classes. Of its results for a row, only votes are kept, or values for
// few rows at a time.

// A layout says which machines have coefficients for which vectors. The vectors of a run are
// consecutive, and the same machines have coefficients for all of them.
type layout struct {
	model *models.Model
	start []int // where each run begins, followed by the number of vectors
}

// paired reports whether the machines are those of pairs of classes. Each class is then a run.
func (l *layout) paired() bool { return l.model.Group != nil }

// run returns the vectors of run g.
func (l *layout) run(g int) models.Span { return models.Span{From: l.start[g], To: l.start[g+1]} }

// pair returns the machine of the classes i < j.
func (l *layout) pair(i, j int) int { return models.PairIndex(i, j, len(l.model.Labels)) }

// A block is a set of machines. If they are paired, these are the pairs of a class in first with a
// later class in second; otherwise they are the machines in first.
type block struct{ first, second models.Span }

// manyClasses reports whether the machines are processed in blocks. Those that share their vectors
// are if the values of these can be kept for all blocks.
func (l *layout) manyClasses() bool {
	if l.paired() {
		return len(l.model.Labels) > oneBlock
	}
	return l.model.Vote == models.OneVsOne && len(l.model.Machines) > oneBlock*(oneBlock-1)/2 && l.model.Vectors.Len() <= keptVectors
}

// all returns the block of all machines. The slot of a machine is then its number.
func (l *layout) all() block {
	if !l.paired() {
		return block{first: models.Span{From: 0, To: len(l.model.Machines)}}
	}
	k := len(l.model.Labels)
	return block{models.Span{From: 0, To: k}, models.Span{From: 1, To: k}}
}

// blocks appends all machines in blocks of first classes with second classes, or of as many machines.
func (l *layout) blocks(list []block, first, second int) []block {
	if !l.paired() {
		for from := 0; from < len(l.model.Machines); from += first * second {
			list = append(list, block{first: models.Span{From: from, To: min(from+first*second, len(l.model.Machines))}})
		}
		return list
	}
	k := len(l.model.Labels)
	for i := 0; i < k-1; i += first {
		for j := i + 1; j < k; j += second {
			list = append(list, block{models.Span{From: i, To: min(i+first, k)}, models.Span{From: j, To: min(j+second, k)}})
		}
	}
	return list
}

// machines appends the machines of a block in the order of their slots.
func (l *layout) machines(dst []int32, of block) []int32 {
	if !l.paired() {
		for i := of.first.From; i < of.first.To; i++ {
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

// runs appends, in order, the runs for which machines of a block have coefficients.
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

// member is a machine with its coefficients for a run.
type member struct {
	slot, machine int
	coef          []float64
	listed        []int32 // the vectors to which coef belongs; nil: all of the run
}

// members appends the machines of a block that have coefficients for run g.
func (l *layout) members(dst []member, of block, g int) []member {
	if l.start[g] == l.start[g+1] {
		return dst
	}
	if !l.paired() {
		for i := of.first.From; i < of.first.To; i++ {
			dst = append(dst, l.member(i-of.first.From, i, g))
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
			from = len(c.Coef) - (run.To - run.From) // after the coefficients of the other class
		}
		return member{slot, machine, c.Coef[from : from+run.To-run.From], nil}
	}
	from, _ := slices.BinarySearch(c.Index, int32(run.From))
	to, _ := slices.BinarySearch(c.Index, int32(run.To))
	return member{slot, machine, c.Coef[from:to], c.Index[from:to:to]}
}

// withoutZeros returns a layout in which machines list only their nonzero coefficients. It returns
// nil if these are not few, if there are only few machines, or if machines have few coefficients.
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
	if some > all/8*5 || all < listedCoefs*len(m.Machines) {
		return nil // computing products with 0 is faster than going through lists
	}
	listed := *m
	listed.Machines = slices.Clone(m.Machines)
	index, coef := make([]int32, some+1), make([]float64, some+1) // with room for a last 0
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

// listedCoefs is the average number of coefficients of a machine from which lists pay: finding the
// part of a list, and using it, takes as long as some products.
const listedCoefs = 64

// nonzero returns 0 for 0 and -0, else 1. It has no branch, which would often be predicted wrongly.
func nonzero(v float64) int {
	size := math.Float64bits(v) << 1
	return int((size | -size) >> 63)
}
