// Package scan has the passes over all variables that a step of sequential minimal optimisation
// makes: the update of the gradient, and the selections of the next pair of variables. If there are
// few variables, it makes many steps in one call.
//
// Each pass has a portable form and, on amd64, forms for AVX2 and AVX-512. All give the same bits:
// every element is computed independently, each product and sum is rounded, and ties are resolved
// by position, not by lane.
//
//	f           gradient, f[t] = (Kb)_t + p_t
//	I_up        the variables that can go up: a bit set
//	I_low       those that can go down
//	lowest, i   min of f over I_up, and the last position that has it
//	highest     max of f over I_low
package scan

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// A Set is a set of positions: bit t%64 of word t/64.
type Set []uint64

// NewSet returns an empty set of positions below n.
func NewSet(n int) Set { return make(Set, Words(n)) }

// Words returns the number of words of a set of positions below n.
func Words(n int) int { return (n + 63) / 64 }

// Has reports whether t is in the set.
func (s Set) Has(t int) bool { return s[t/64]>>(t%64)&1 != 0 }

// Put puts t into the set or takes it out.
func (s Set) Put(t int, in bool) {
	bit := uint64(1) << (t % 64)
	if in {
		s[t/64] |= bit
	} else {
		s[t/64] &^= bit
	}
}

// Swap exchanges positions i and j.
func (s Set) Swap(i, j int) {
	a, b := s.Has(i), s.Has(j)
	s.Put(i, b)
	s.Put(j, a)
}

// Extremes are the ends of the interval that a gradient leaves for the dual variable of the
// equality constraint.
type Extremes struct {
	I       int     // the last position in I_up where f is lowest, -1 if there is none
	Lowest  float64 // +Inf if there is none
	Highest float64 // -Inf if there is none
}

// none are the extremes of an empty set.
var none = Extremes{I: -1, Lowest: math.Inf(1), Highest: math.Inf(-1)}

// Join joins the extremes of two ranges: e, and next of a range that begins at position from.
// next.I counts from there.
func (e Extremes) Join(next Extremes, from int) Extremes {
	if next.I >= 0 && (next.Lowest < e.Lowest || next.Lowest == e.Lowest && from+next.I > e.I) {
		e.Lowest, e.I = next.Lowest, from+next.I
	}
	if next.Highest > e.Highest {
		e.Highest = next.Highest
	}
	return e
}

// Tau replaces a second derivative that is not positive.
const Tau = 1e-12

// margin is below 1 by more than three roundings can change.
const margin = 1 - 0x1p-48

// faint is the gain below which quotients may be rounded more coarsely than margin allows.
const faint = 0x1p-900

// bright is the gain up to which no bound overflows.
const bright = 1 / faint

// bar returns a number c such that a gain num/a can be at least best only if num >= c*a.
func bar(best float64) float64 {
	if best < faint {
		return -1
	}
	return float64(min(best, math.MaxFloat64) * margin)
}

// Step adds the move of two variables to the gradient,
//
//	f[t] += x[t] dx + y[t] dy,
//
// with their kernel rows x and y, and returns the extremes of what results. All slices have the
// length of f, and the sets room for it.
func Step(f []float64, x, y []float32, dx, dy float64, up, low Set) Extremes {
	checkLength(len(f), len(x))
	checkLength(len(f), len(y))
	checkSets(len(f), up, low)
	if len(f) == 0 {
		return none
	}
	return in().step(f, x, y, dx, dy, up, low)
}

// FindExtremes returns the extremes of f without changing it.
func FindExtremes(f []float64, up, low Set) Extremes {
	checkSets(len(f), up, low)
	if len(f) == 0 {
		return none
	}
	return in().look(f, up, low)
}

// Find returns the last position of a set at which f equals value, -1 if there is none.
func Find(f []float64, set Set, value float64) int {
	checkSets(len(f), set, set)
	if len(f) == 0 {
		return -1
	}
	return in().find(f, set, value)
}

// A Partner is the second variable of a pair.
type Partner struct {
	J    int // -1 if there is none
	Gain float64
}

// Second returns the variable t of I_low with f[t] > lowest that promises the largest gain together
// with i,
//
//	(f[t] - lowest)^2 / a,  a = di + diag[t] - 2 row[t],
//
// where di is K_ii, diag the diagonal of the kernel matrix and row its row i. If a is not positive,
// it counts as Tau. In ties the last position wins. All slices have the length of f, and the set
// has room for it. If diag is nil, every element of the diagonal is 1, and so is di.
func Second(f []float64, row []float32, diag []float64, di, lowest float64, low Set) Partner {
	if di = checkSecond(f, row, diag, di, low); len(f) == 0 {
		return missingPartner
	}
	return in().second(f, row, diag, di, lowest, low)
}

// checkSecond checks the lengths of the arguments. It returns the part of the second derivative
// that is the same for all variables: di, or 2 if diag is nil.
func checkSecond(f []float64, row []float32, diag []float64, di float64, low Set) float64 {
	checkLength(len(f), len(row))
	checkSets(len(f), low, low)
	if diag == nil {
		return 2
	}
	checkLength(len(f), len(diag))
	return di
}

// SecondAbove is Second if the largest gain is known or expected to be least or more. Few variables
// have such a gain, and the others are skipped faster. If the gain of the returned partner is below
// least, the expectation was wrong, and Second must be called.
func SecondAbove(f []float64, row []float32, diag []float64, di, lowest, least float64, low Set) Partner {
	if !(faint <= least && least <= bright) {
		return Second(f, row, diag, di, lowest, low)
	}
	if di = checkSecond(f, row, diag, di, low); len(f) == 0 {
		return missingPartner
	}
	return in().above(f, row, diag, di, lowest, least, low)
}

// Join returns the better one of p and a partner in another range, whose position counts from from.
func (p Partner) Join(next Partner, from int) Partner {
	if next.J >= 0 && (next.Gain > p.Gain || next.Gain == p.Gain && from+next.J > p.J) {
		return Partner{from + next.J, next.Gain}
	}
	return p
}

// missingPartner means that there is no partner.
var missingPartner = Partner{J: -1, Gain: math.Inf(-1)}

// Add adds c times a kernel row to f, which has its length.
func Add(f []float64, row []float32, c float64) {
	checkLength(len(f), len(row))
	if len(f) > 0 {
		in().add(f, row, c)
	}
}

// AddBoth adds cx times a kernel row to f and then cy times another, as two calls of Add do. It
// fetches f once.
func AddBoth(f []float64, x, y []float32, cx, cy float64) {
	checkLength(len(f), len(x))
	checkLength(len(f), len(y))
	if len(f) > 0 {
		in().addBoth(f, x, y, cx, cy)
	}
}

// Gather sets dst[k] = row[of[k]]. dst and of have the same length. Every element of of is a
// position in row.
func Gather(dst, row []float32, of []int32) {
	checkLength(len(dst), len(of))
	if len(dst) > 0 {
		in().gather(dst, row, of)
	}
}

// An implementation has one form of each pass. Its functions are called with at least one element.
type implementation struct {
	step   func(f []float64, x, y []float32, dx, dy float64, up, low Set) Extremes
	look   func(f []float64, up, low Set) Extremes
	find   func(f []float64, set Set, value float64) int
	second func(f []float64, row []float32, diag []float64, d, lowest float64, low Set) Partner
	above  func(f []float64, row []float32, diag []float64, d, lowest, least float64, low Set) Partner
	add    func(f []float64, row []float32, c float64)
	// addBoth adds one row and then the other
	addBoth func(f []float64, x, y []float32, cx, cy float64)
	gather  func(dst, row []float32, of []int32)
	walk    func(w *Walk, n, most int) Stop
	// inverses is invert; nil: walk does not use inverses
	inverses func(to, row []float32, diag []float64, d float64)
}

// in returns the implementation in use.
func in() *implementation { return &implementations[simd.Current()] }

func checkLength(n, m int) {
	if n != m {
		panic(fmt.Sprintf("scan: %d elements, expected %d", m, n))
	}
}

func checkSets(n int, a, b Set) {
	if len(a)*64 < n || len(b)*64 < n {
		panic(fmt.Sprintf("scan: sets with room for %d and %d of %d positions", len(a)*64, len(b)*64, n))
	}
}
