package scale

import "github.com/slimsvm/slimsvm/format/vec"

// Rows are rows of a data set, side by side. Those that list the same features may share
// their list.
type Rows struct {
	Labels []float64
	Lists  []int32 // where in Index each row's indices begin
	Starts []int32 // where in Value each row begins, and the end of the last
	Index  []int32
	Value  []float64
	Ones   bool // all of Value are 1; need not be set
}

// Row returns row i.
func (r *Rows) Row(i int) (y float64, x vec.Vector) {
	lo, hi, list := r.Starts[i], r.Starts[i+1], r.Lists[i]
	return r.Labels[i], vec.Vector{Index: r.Index[list : list+hi-lo], Value: r.Value[lo:hi]}
}

// row is Row, which as slices is not copied in parts that wait for each other.
func (r *Rows) row(i int) (y float64, index []int32, value []float64) {
	lo, hi, list := r.Starts[i], r.Starts[i+1], r.Lists[i]
	return r.Labels[i], r.Index[list : list+hi-lo], r.Value[lo:hi]
}

// A listed tells the lists of one Rows apart: where one begins, and its end.
type listed struct{ from, to int32 }

// noList is none.
var noList = listed{-1, -1}

func (r *Rows) listed(i int) listed {
	list := r.Lists[i]
	return listed{list, list + r.Starts[i+1] - r.Starts[i]}
}

// alike reports whether nearly all of some rows from one on have the list of the one before.
func (r *Rows) alike(from int) bool {
	end, other := min(from+alikeRows, len(r.Labels)), 0
	for i := from + 1; i < end; i++ {
		if r.listed(i) != r.listed(i-1) {
			other++
		}
	}
	return other <= (end-from)/8
}

// alikeRows is how many rows alike looks at, at most.
const alikeRows = 1 << 9

// manyListed is how many lists are looked at side by side, as a power of two.
const manyListed = 1 << 6

// place returns the place of a list among manyListed.
func (l listed) place() uint32 {
	const golden = 0x9e3779b1 // spreads what is in the lower bits
	return uint32(l.from) * golden / (1 << 32 / manyListed)
}
