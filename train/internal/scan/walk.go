package scan

import (
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// A Walk is a number of iterations on few variables that need no other work in between: their rows
// are there, and the work for variables that leave or reach a bound can wait.
//
// It keeps what iterations need of the rows: their values and, for the assembly, the inverses of
// the second derivatives in float32, from which it estimates the gain of a pair. An estimate is
// within a rounding to float32 of the gain, so division is needed only if several estimates are
// next to the largest one.
type Walk struct {
	// F has capacity for PaddedLen elements. What is behind the variables may be anything.
	F                     []float64
	Diag, B, Lower, Upper []float64

	// Up and Low have the sets of one group or of two; no variable is in sets of both. An iteration
	// reads them, and notes in Moved how they have to be changed.
	Up, Low []Set

	Moved []Moved // of the last call

	Tolerance float64

	n, stride int        // number of variables, and the same rounded up to a multiple of eights
	rows      []*float32 // first value of each variable's row; inverses may follow at stride; nil if there is no row
	slabs     [][]float32
	slab      int      // the slab from which rows are cut
	cut       int      // number of values cut from it
	out       []uint64 // room for five lists
	up, low   [2]Set   // Up and Low restricted to the variables, kept up to date by the iterations
	second    Set      // the variables of the second group
	gains     []float64
	ends      []float64 // for each block of 64 variables: the lowest f of each group, and the largest gain
	guesses   []uint32
	walking   walking
}

// walking is the part of a walk that the assembly reads and writes.
type walking struct {
	f, diag, b, lower, upper *float64
	rows                     **float32
	up, low                  [2]*uint64
	second                   *uint64
	outUp, outLow            [2]*uint64
	seconds                  *uint64
	gains                    *float64
	n, stride                int // multiple of 8; bytes from a row's values to its inverses
	most                     int
	tolerance                float64
	i, j, need               int
	moves                    [2]float64
	first                    [2]int // the variable i of each group
	row                      [2]int // the address of its row
	moved                    *Moved
	count                    int // number of entries in moved
	guesses, guess           *uint32
	before, history          uint64
	guessed                  [3]int
	lows                     [2]*float64
	highs                    *float64
}

// guesses is the size of the table of predictions of the next pair, which the pairs before it
// index.
const guesses = 1 << 11

// A Moved is a pair that was moved while one of its variables was at a bound or reached one. AtI
// and AtJ are the new places.
type Moved struct {
	I, J     int32
	AtI, AtJ int32
}

// movedMost is the largest number of pairs in Moved.
const movedMost = 64

// eights is the unit of sizes: numbers of elements are rounded up to a multiple of it.
const eights = 8

// PaddedLen returns how many elements of F a walk of n variables may read or write.
func PaddedLen(n int) int { return (n + eights - 1) / eights * eights }

// walkMost is the largest number of variables of a walk: the assembly has one bit for each block of
// 64.
const walkMost = 64 * 64

// Begin prepares a walk of n variables, at most walkMost, without rows.
func (w *Walk) Begin(n int) {
	if n > walkMost {
		panic(fmt.Sprintf("scan: a walk of %d variables, %d at most", n, walkMost))
	}
	w.n, w.stride = n, PaddedLen(n)
	w.rows = room(w.rows, n)
	clear(w.rows)
	w.slab, w.cut = 0, 0
	w.walking.j = -1
	if in().inverses != nil {
		w.guesses = room(w.guesses, guesses)
	}
	for g := range w.up {
		w.up[g], w.low[g] = room(w.up[g], Words(n)), room(w.low[g], Words(n))
	}
	w.second, w.Moved = room(w.second, Words(n)), room(w.Moved, movedMost)[:0]
	w.out, w.gains, w.ends = room(w.out, 5*w.stride), room(w.gains, w.stride), room(w.ends, 3*eights*Words(n))
}

// room returns n elements with undefined contents. It reuses the memory of s if that is enough.
func room[S ~[]T, T any](s S, n int) S {
	return slices.Grow(s[:0], n)[:n]
}

// Len returns the number of variables given to Begin.
func (w *Walk) Len() int { return w.n }

// Row returns row i, or nil if it was not put.
func (w *Walk) Row(i int) []float32 {
	if w.rows[i] == nil {
		return nil
	}
	return w.row(i)
}

// row is Row for a row that was put.
func (w *Walk) row(i int) []float32 { return unsafe.Slice(w.rows[i], w.n) }

// Place returns the memory where the caller has to write row i. It has room for all variables and
// undefined contents. After writing, the caller must call Put before it uses the row.
func (w *Walk) Place(i int) []float32 {
	if w.rows[i] == nil {
		w.rows[i] = w.take()
	}
	return w.row(i)
}

// Rows are cut from slabs. Each slab is as large as all earlier ones together, within limits,
// because only few rows may be needed.
const (
	slabLeast = 1 << 12 // values
	slabMost  = 1 << 16
)

// take returns room for a row.
func (w *Walk) take() *float32 {
	size := w.stride
	if in().inverses != nil {
		size *= 2
	}
	if size%1024 == 0 {
		size += 16 // rows that are read together must not share places in the first-level cache
	}
	for w.slab < len(w.slabs) && len(w.slabs[w.slab])-w.cut < size {
		w.slab, w.cut = w.slab+1, 0
	}
	if w.slab == len(w.slabs) {
		total := 0
		for _, s := range w.slabs {
			total += len(s)
		}
		w.slabs = append(w.slabs, make([]float32, max(size, min(max(total, slabLeast), slabMost))))
	}
	w.cut += size
	return &w.slabs[w.slab][w.cut-size]
}

// Put completes row i after its first elements have been written to Place: as many as diag, the
// diagonal of the matrix, has.
func (w *Walk) Put(i int, diag []float64) {
	n := len(diag)
	to := unsafe.Slice(w.rows[i], w.stride)
	clear(to[n:])
	if invert := in().inverses; invert != nil {
		inverses := w.inverses(i)
		clear(inverses[n:])
		invert(inverses[:n], to[:n], diag, diag[i])
	}
}

// inverses returns the inverses of row i, followed by zeros.
func (w *Walk) inverses(i int) []float32 {
	return unsafe.Slice(w.rows[i], 2*w.stride)[w.stride:]
}

// Swap exchanges variables I and J of each of the pairs in turn.
func (w *Walk) Swap(pairs []struct{ I, J int }) {
	inverted := in().inverses != nil
	for r, first := range w.rows {
		if first == nil {
			continue
		}
		row := w.row(r)
		for _, s := range pairs {
			row[s.I], row[s.J] = row[s.J], row[s.I]
		}
		if inverted {
			row = w.inverses(r)
			for _, s := range pairs {
				row[s.I], row[s.J] = row[s.J], row[s.I]
			}
		}
	}
	for _, s := range pairs {
		w.rows[s.I], w.rows[s.J] = w.rows[s.J], w.rows[s.I]
	}
}

// invert sets to to the inverses of the second derivatives of row i, whose diagonal element is d.
func invert(to, row []float32, diag []float64, d float64) {
	row, diag = row[:len(to)], diag[:len(to)]
	for t := range to {
		to[t] = inverse(curve(d, diag[t], row[t]))
	}
}

// curve returns the second derivative in the direction in which a pair is moved.
func curve(di, dj float64, x float32) float64 {
	a := di + dj - float64(2*float64(x))
	if a <= 0 {
		return Tau
	}
	return a
}

// steep is the second derivative beyond which inverses count as infinite.
const steep = 0x1p126

// inverse returns 1/a, or +Inf if 1/a would be subnormal and less exactly rounded.
func inverse(a float64) float32 {
	if a > steep {
		return float32(math.Inf(1))
	}
	return float32(1 / a)
}

// A Stop says where and why a walk has ended.
type Stop struct {
	Done int  // iterations made
	I, J int  // a pair whose step Iterate cannot make; J is -1 if there is none
	Need int  // a row that is missing, -1 for none; put it and call Iterate again
	Full bool // Moved is full; call Iterate again
}

// Iterate makes up to most iterations with the first variables, as many as B has. An iteration
// takes the variable of each group where F is lowest, and its partner (Second). Of these pairs it
// takes the one with the larger gain, in a tie the one with the later partner j, and moves
//
//	b_i += step, b_j -= step,  step = (f_j - f_i) / (K_ii + K_jj - 2 K_ij).
//
// A denominator that is not positive counts as Tau. The move is clipped (Pair.Clip). An iteration
// is not begun if
//
//   - a row is missing
//   - no group's interval is Tolerance or more
//   - a group has no variable that can go up
//   - the largest gain, or an estimate of one, is NaN, or is 0 or infinite or nearly so
//   - it would end with a negative zero, a NaN, or in a box whose ends are equal
func (w *Walk) Iterate(most int) Stop {
	n := len(w.B)
	for _, x := range [][]float64{w.Diag, w.Lower, w.Upper} {
		checkLength(n, len(x))
	}
	if n > w.n || cap(w.F) < PaddedLen(n) {
		panic(fmt.Sprintf("scan: %d variables of %d, room for %d", n, w.n, cap(w.F)))
	}
	if len(w.Up) != len(w.Low) || len(w.Up) == 0 || len(w.Up) > 2 {
		panic(fmt.Sprintf("scan: %d and %d sets of groups", len(w.Up), len(w.Low)))
	}
	for g := range w.Up {
		checkSets(n, w.Up[g], w.Low[g])
	}
	w.walking.j = -1
	return w.iterate(most)
}

// Resume is Iterate, beginning with half an iteration: the caller has moved the pair at which the
// last call stopped by di and dj, and F must follow. Since that call, only B and the sets of these
// two variables may have changed.
func (w *Walk) Resume(di, dj float64, most int) Stop {
	if w.walking.j < 0 || most <= 0 {
		panic("scan: no pair to follow, or no iteration")
	}
	w.walking.moves = [2]float64{di, dj}
	return w.iterate(most)
}

// iterate is Iterate, or Resume if walking.j is set.
func (w *Walk) iterate(most int) Stop {
	s := Stop{J: -1, Need: -1}
	w.Moved = w.Moved[:0]
	if n := len(w.B); n > 0 && most > 0 {
		s = in().walk(w, n, most)
	}
	w.walking.i, w.walking.j = s.I, s.J
	return s
}

// enter copies the sets of the first n variables. To follow a pair, it only updates the sets of
// that pair.
func (w *Walk) enter(n int) {
	if w.walking.j >= 0 {
		w.look(w.walking.i)
		w.look(w.walking.j)
		return
	}
	words := Words(n)
	for g := range w.Up {
		copy(w.up[g][:words], w.Up[g])
		copy(w.low[g][:words], w.Low[g])
		if n%64 != 0 {
			w.up[g][words-1] &= 1<<(n%64) - 1
			w.low[g][words-1] &= 1<<(n%64) - 1
		}
	}
	for k := range words {
		w.second[k] = w.up[1][k] | w.low[1][k]
	}
}

// look notes the sets to which a variable now belongs. Its group stays the same.
func (w *Walk) look(t int) {
	for g := range w.Up {
		w.up[g].Put(t, w.Up[g].Has(t))
		w.low[g].Put(t, w.Low[g].Has(t))
	}
}

// walkPlain is the portable form of walk.
func walkPlain(w *Walk, n, most int) Stop {
	f := w.F[:n]
	w.enter(n)
	var first [2]lowest // for each group
	s := Stop{Need: -1}
	if i, j := w.walking.i, w.walking.j; j >= 0 {
		first = w.step(i, j, w.walking.moves[0], w.walking.moves[1])
		s.Done++
	} else {
		for g := range w.Up {
			e := lookFrom(none, 0, f, w.up[g], w.low[g])
			first[g] = lowest{e.I, e.Lowest}
		}
	}
	for ; s.Done < most; s.Done++ {
		s.J = -1
		if s.Full = len(w.Moved) == movedMost; s.Full {
			return s
		}
		for g := range w.Up {
			i := first[g].i
			if i < 0 {
				return s
			}
			if w.rows[i] == nil {
				s.Need = i
				return s
			}
		}
		best, group := missingPartner, 0
		for g := range w.Up {
			of := first[g].i
			row := w.row(of)[:n]
			p := secondFrom(missingPartner, 0, f, row, w.Diag, w.Diag[of], first[g].value, 0, w.low[g])
			if p.J >= 0 && (p.Gain > best.Gain || p.Gain == best.Gain && p.J > best.J) {
				best, group = p, g
			}
		}
		j := best.J
		// nearly always, the pair itself shows that the interval is large enough
		if j < 0 || !(best.Gain >= faint && best.Gain < bright) ||
			!(f[j]-first[group].value >= w.Tolerance) && !w.violated(first) {
			return s
		}
		if w.rows[j] == nil {
			s.Need = j
			return s
		}
		i := first[group].i
		s.I, s.J = i, j
		di, dj, ok := w.move(i, j, group)
		if !ok {
			return s
		}
		first = w.step(i, j, di, dj)
	}
	s.J = -1
	return s
}

// move moves a pair of a group and returns the changes. ok is false if the walk has to stop before
// this move.
func (w *Walk) move(i, j, group int) (di, dj float64, ok bool) {
	step := (w.F[j] - w.F[i]) / curve(w.Diag[i], w.Diag[j], w.row(i)[j])
	was := [2]float64{w.B[i], w.B[j]}
	p := Pair{
		B:     [2]float64{was[0] + step, was[1] - step},
		Boxes: [2]Box{{w.Lower[i], w.Upper[i]}, {w.Lower[j], w.Upper[j]}},
	}
	inside := w.low[group].Has(i) && w.up[group].Has(j) && p.Boxes[0].holds(p.B[0]) && p.Boxes[1].holds(p.B[1])
	if !inside {
		if p.B[0] != p.B[0] || p.B[1] != p.B[1] {
			return 0, 0, false
		}
		p.Clip(was[0] + was[1])
		for k, x := range p.Boxes {
			if p.B[k] <= x.Lower && p.B[k] >= x.Upper || p.B[k] == 0 && math.Signbit(p.B[k]) {
				return 0, 0, false
			}
		}
		m := Moved{int32(i), int32(j), int32(p.Boxes[0].Place(p.B[0])), int32(p.Boxes[1].Place(p.B[1]))}
		w.Moved = append(w.Moved, m)
		w.put(i, group, m.AtI)
		w.put(j, group, m.AtJ)
	}
	w.B[i], w.B[j] = p.B[0], p.B[1]
	return p.B[0] - was[0], p.B[1] - was[1], true
}

// put updates the sets for a variable of a group that is now at at.
func (w *Walk) put(t, group int, at int32) {
	w.up[group].Put(t, at != AtUpper)
	w.low[group].Put(t, at != AtLower)
}

// lowest is the last variable where F is lowest, -1 if there is none, and the value there.
type lowest struct {
	i     int
	value float64
}

// violated reports whether the interval of any group is at least Tolerance.
func (w *Walk) violated(first [2]lowest) bool {
	for g := range w.Up {
		if e := lookFrom(none, 0, w.F[:len(w.B)], w.up[g], w.low[g]); e.Highest-first[g].value >= w.Tolerance {
			return true
		}
	}
	return false
}

// step updates F after the move of a pair and returns the lowest value of each group.
func (w *Walk) step(i, j int, di, dj float64) [2]lowest {
	f := w.F[:len(w.B)]
	x, y := w.row(i)[:len(f)], w.row(j)[:len(f)]
	a, b := lowest{-1, math.Inf(1)}, lowest{-1, math.Inf(1)}
	for begin := 0; begin < len(f); begin += 64 {
		end := min(begin+64, len(f))
		f, x, y := f[begin:end], x[begin:end], y[begin:end]
		x, y = x[:len(f)], y[:len(f)]
		u, two := w.up[0][begin/64], uint64(0)
		if len(w.Up) > 1 {
			two = w.up[1][begin/64]
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
	a.value += 0 // remove negative zeros
	b.value += 0
	return [2]lowest{a, b}
}
