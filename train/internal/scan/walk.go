package scan

import (
	"fmt"
	"math"
	"slices"
)

// A Walk is iterations on few variables as long as nothing has to be done beside them: rows
// are there, and variables stay within their boxes.
//
// What iterations need of the rows is kept: their values, and for assembly the inverses of the second
// derivatives, with which it estimates the gain of a pair. An estimate is within some roundings of
// the gain, so only where several are next to the largest one their gains are divided for.
type Walk struct {
	// F has room for Room elements of the variables, and what is behind them may be anything.
	F                     []float64
	Diag, B, Lower, Upper []float64

	// Variables are of one group or of two, and of the sets of theirs only.
	Up, Low []Set

	Tolerance float64

	n, stride int // variables, and their number rounded up to eights
	have      Set
	values    []float32 // of row i from i*stride on
	inverses  []float64
	out       []uint64 // room for five lists of words
	bits      []uint64 // room for four sets
	gains     []float64
	walking   walking
	first     [2]lowest // walkPlain's, if found: it stopped for a row
	found     bool
}

// walking is what assembly sees of a walk.
type walking struct {
	f, diag, b, lower, upper *float64
	values                   *float32
	inverses                 *float64
	have                     *uint64
	up, low, outUp, outLow   [2]*uint64
	second                   *uint64
	gains                    *float64
	n, stride                int // multiples of 8
	most                     int
	tolerance                float64
	i, j, need               int
	moves                    [2]float64
	first, row               [2]int // i of each group, where its row begins
}

// eights is what numbers of elements are rounded up to.
const eights = 8

// Room returns how many elements of F a walk of n variables may touch.
func Room(n int) int { return (n + eights - 1) / eights * eights }

// Begin makes a walk one of n variables without rows.
func (w *Walk) Begin(n int) {
	w.n, w.stride = n, Room(n)
	w.have = room(w.have, Words(n))
	clear(w.have)
	w.walking.j, w.found = -1, false
	w.values, w.inverses = room(w.values, n*w.stride), room(w.inverses, n*w.stride)
	w.out, w.gains, w.bits = room(w.out, 5*w.stride), room(w.gains, w.stride), room(w.bits, 4*Words(n))
}

// room returns n elements that hold anything, in the memory of s if that is enough.
func room[S ~[]T, T any](s S, n int) S {
	return slices.Grow(s[:0], n)[:n]
}

// Len returns the number of variables that there is room for.
func (w *Walk) Len() int { return w.n }

// Row returns row i, nil if it is not there.
func (w *Walk) Row(i int) []float32 {
	if !w.have.Has(i) {
		return nil
	}
	return w.values[i*w.stride:][:w.n]
}

// Place returns where row i is to be put, before Put is called: room for all variables, which
// holds anything.
func (w *Walk) Place(i int) []float32 { return w.values[i*w.stride:][:w.n] }

// Put keeps row i, of which the first elements have been put in their place, as many as there are
// of the matrix's diagonal.
func (w *Walk) Put(i int, diag []float64) {
	to, inverses := w.values[i*w.stride:][:w.stride], w.inverses[i*w.stride:][:w.stride]
	n := len(diag)
	clear(to[n:])
	clear(inverses[n:])
	if invert := in().inverses; invert != nil {
		invert(inverses[:n], to[:n], diag, diag[i])
	}
	w.have.Put(i, true)
}

// Swap exchanges two variables.
func (w *Walk) Swap(i, j int) {
	for r := range w.n {
		if w.have.Has(r) {
			swap(w.values[r*w.stride:], i, j)
			swap(w.inverses[r*w.stride:], i, j)
		}
	}
	hasI, hasJ := w.have.Has(i), w.have.Has(j)
	if hasI || hasJ {
		for t := range w.stride {
			swap(w.values, i*w.stride+t, j*w.stride+t)
			swap(w.inverses, i*w.stride+t, j*w.stride+t)
		}
	}
	w.have.Swap(i, j)
}

func swap[T any](s []T, i, j int) { s[i], s[j] = s[j], s[i] }

// invert sets to to the inverses of the second derivatives of row i, of which d is the diagonal's
// element.
func invert(to []float64, row []float32, diag []float64, d float64) {
	row, diag = row[:len(to)], diag[:len(to)]
	for t := range to {
		to[t] = inverse(curve(d, diag[t], row[t]))
	}
}

// curve returns the second derivative along which a pair is moved.
func curve(di, dj float64, x float32) float64 {
	a := di + dj - float64(2*float64(x))
	if a <= 0 {
		return Tau
	}
	return a
}

// flat is the second derivative whose inverse is taken for infinite.
const flat = 0x1p-1000

// inverse returns 1/a, +Inf if that would be rounded more coarsely than other numbers are.
func inverse(a float64) float64 {
	if a < flat {
		return math.Inf(1)
	}
	return 1 / a
}

// Move has the next call of Free begin with an iteration that is half made: a pair has been moved
// by di and dj, and F is to follow. Their rows are there.
func (w *Walk) Move(i, j int, di, dj float64) {
	w.walking.i, w.walking.j, w.walking.moves = i, j, [2]float64{di, dj}
}

// A Stop is where a walk ends.
type Stop struct {
	Done int // iterations made
	I, J int // the pair whose step needs more than Free does; J is -1 if it is not known
	Need int // the row that is missing, -1 for none; when it is there Free is to go on
}

// Free makes up to most iterations with the first variables, as many as B has. An iteration takes
// of each group the variable where F is lowest with its partner (Second), of these pairs the one
// with the larger gain, in ties that with the later partner, j, and moves
//
//	b_i += step, b_j -= step,  step = (f_j - f_i) / (K_ii + K_jj - 2 K_ij),
//
// where a denominator that is not positive counts as Tau. It is not begun if a row is missing, if no
// group's interval is Tolerance or more, or unless both variables are in both sets and, after it,
// between Lower and Upper; nor if a group has nobody who can go up, or the largest gain is 0 or
// infinite, nearly so or no number.
func (w *Walk) Free(most int) Stop {
	n := len(w.B)
	for _, x := range [][]float64{w.Diag, w.Lower, w.Upper} {
		checkLength(n, len(x))
	}
	if n > w.n || cap(w.F) < Room(n) {
		panic(fmt.Sprintf("scan: %d variables of %d, room for %d", n, w.n, cap(w.F)))
	}
	if len(w.Up) != len(w.Low) || len(w.Up) == 0 || len(w.Up) > 2 {
		panic(fmt.Sprintf("scan: %d and %d sets of groups", len(w.Up), len(w.Low)))
	}
	for g := range w.Up {
		checkSets(n, w.Up[g], w.Low[g])
	}
	s := Stop{J: -1, Need: -1}
	if n > 0 && most > 0 {
		s = in().walk(w, n, most)
	}
	w.walking.j = -1
	return s
}

// walkPlain is Free.
func walkPlain(w *Walk, n, most int) Stop {
	f := w.F[:n]
	var first [2]lowest // of each group
	s := Stop{Need: -1}
	i, j := w.walking.i, w.walking.j
	switch {
	case j >= 0:
		first = w.step(i, j, w.walking.moves[0], w.walking.moves[1])
		s.Done++
	case w.found:
		first = w.first
	default:
		for g := range w.Up {
			e := lookFrom(none, 0, f, w.Up[g], w.Low[g])
			first[g] = lowest{e.I, e.Lowest}
		}
	}
	w.found = false
	for ; s.Done < most; s.Done++ {
		s.J = -1
		for g := range w.Up {
			i := first[g].i
			if i < 0 {
				return s
			}
			if !w.have.Has(i) {
				s.Need, w.first, w.found = i, first, true
				return s
			}
		}
		best, group := nobody, 0
		for g := range w.Up {
			of := first[g].i
			row := w.values[of*w.stride:][:n]
			p := secondFrom(nobody, 0, f, row, w.Diag, w.Diag[of], first[g].value, w.Low[g])
			if p.J >= 0 && (p.Gain > best.Gain || p.Gain == best.Gain && p.J > best.J) {
				best, group = p, g
			}
		}
		j := best.J
		// nearly always the pair itself tells that the interval is large enough
		if j < 0 || !(best.Gain >= faint && best.Gain < 1/faint) ||
			!(f[j]-first[group].value >= w.Tolerance) && !w.violated(first) {
			return s
		}
		if !w.have.Has(j) {
			s.Need, w.first, w.found = j, first, true
			return s
		}
		i := first[group].i
		s.I, s.J = i, j
		if !w.Low[group].Has(i) || !w.Up[group].Has(j) {
			return s
		}
		step := (f[j] - f[i]) / curve(w.Diag[i], w.Diag[j], w.values[i*w.stride+j])
		bi, bj := w.B[i]+step, w.B[j]-step
		if !(w.Lower[i] < bi && bi < w.Upper[i] && w.Lower[j] < bj && bj < w.Upper[j]) {
			return s
		}
		di, dj := bi-w.B[i], bj-w.B[j]
		w.B[i], w.B[j] = bi, bj
		first = w.step(i, j, di, dj)
	}
	s.J = -1
	return s
}

// lowest is the last variable where F is lowest, -1 if there is none.
type lowest struct {
	i     int
	value float64
}

// violated reports whether the interval of some group is as large as Tolerance.
func (w *Walk) violated(first [2]lowest) bool {
	for g := range w.Up {
		if e := lookFrom(none, 0, w.F[:len(w.B)], w.Up[g], w.Low[g]); e.Highest-first[g].value >= w.Tolerance {
			return true
		}
	}
	return false
}

// step has F follow the move of a pair.
func (w *Walk) step(i, j int, di, dj float64) [2]lowest {
	f := w.F[:len(w.B)]
	x, y := w.values[i*w.stride:][:len(f)], w.values[j*w.stride:][:len(f)]
	a, b := lowest{-1, math.Inf(1)}, lowest{-1, math.Inf(1)}
	for begin := 0; begin < len(f); begin += 64 {
		end := min(begin+64, len(f))
		f, x, y := f[begin:end], x[begin:end], y[begin:end]
		x, y = x[:len(f)], y[:len(f)]
		u, two := w.Up[0][begin/64], uint64(0)
		if len(w.Up) > 1 {
			two = w.Up[1][begin/64]
		}
		for t := range f {
			v := f[t] + (float64(float64(x[t])*di) + float64(float64(y[t])*dj))
			f[t] = v
			if u&1 != 0 {
				if v <= a.value {
					a = lowest{begin + t, v}
				}
			} else if two&1 != 0 && v <= b.value {
				b = lowest{begin + t, v}
			}
			u >>= 1
			two >>= 1
		}
	}
	a.value += 0 // no negative zeros
	b.value += 0
	return [2]lowest{a, b}
}
