package scale

import "github.com/slimsvm/slimsvm/format/vec"

// Rows are rows of a data set in common slices. Rows that list the same features may share their
// list of indices.
type Rows struct {
	Labels []float64
	Lists  []int32   // position in Index where each row's indices begin
	Starts []int32   // position in Value where each row begins, and the end of the last
	Index  []int32   // lists of indices, shared by rows
	Value  []float64 // values, row after row
	Ones   bool      // all of Value are 1; setting it is optional
}

// Row returns row i.
func (r *Rows) Row(i int) (y float64, x vec.Vector) {
	lo, hi, list := r.Starts[i], r.Starts[i+1], r.Lists[i]
	return r.Labels[i], vec.Vector{Index: r.Index[list : list+hi-lo], Value: r.Value[lo:hi]}
}

// row is Row with the vector as two slices, which are not copied in parts that wait for each other.
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

// lists returns how many lists rows from one on to before another have, if each new one lies behind
// those before it. It panics if one of the rows is not where Index and Value are.
func (r *Rows) lists(from, to int) (n int) {
	starts, lists, newest := r.Starts[from:to+1], r.Lists[from:to], int32(-1)
	for i, list := range lists {
		if m := starts[i+1] - starts[i]; m < 0 || list < 0 || int(list)+int(m) > len(r.Index) {
			panic("scale: Rows: a row is not in Index and Value")
		}
		if list > newest {
			newest = list
			n++
		}
	}
	if starts[0] < 0 || int(starts[to-from]) > len(r.Value) {
		panic("scale: Rows: a row is not in Index and Value")
	}
	return n
}

// place returns the place of a list among manyLists.
func (l listed) place() uint32 {
	const golden = 0x9e3779b1 // spreads what is in the lower bits
	return uint32(l.from) * golden / (1 << 32 / manyLists)
}
