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
// derivatives in float32, with which it estimates the gain of a pair. An estimate is within a rounding to
// float32 of the gain, so only where several are next to the largest one their gains are divided for.
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
	inverses  []float32
	out       []uint64 // room for five lists of words
	bits      []uint64 // room for five sets
	gains     []float64
	ends      []float64 // of each block of 64: its lowest f by group, its largest gain
	guesses   []uint32
	walking   walking
}

// walking is what assembly sees of a walk.
type walking struct {
	f, diag, b, lower, upper *float64
	values, inverses         *float32
	have                     *uint64
	up, low                  [2]*uint64
	second                   *uint64
	outUp, outLow            [2]*uint64
	seconds                  *uint64
	gains                    *float64
	n, stride                int // multiples of 8
	most                     int
	tolerance                float64
	i, j, need               int
	moves                    [2]float64
	first, row               [2]int // i of each group, where its row begins
	guesses, guess           *uint32
	before, history          uint64
	guessed                  [3]int
	lows                     [2]*float64
	highs                    *float64
}

// guesses is how many choices are guessed by those before them.
const guesses = 1 << 11

// eights is what numbers of elements are rounded up to.
const eights = 8

// Room returns how many elements of F a walk of n variables may touch.
func Room(n int) int { return (n + eights - 1) / eights * eights }

// Begin makes a walk one of n variables without rows.
func (w *Walk) Begin(n int) {
	w.n, w.stride = n, Room(n)
	w.have = room(w.have, Words(n))
	clear(w.have)
	w.walking.j = -1
	w.values, w.inverses = room(w.values, n*w.stride), w.inverses[:0]
	if in().inverses != nil {
		w.inverses, w.guesses = room(w.inverses, n*w.stride), room(w.guesses, guesses)
	}
	w.out, w.gains, w.bits = room(w.out, 5*w.stride), room(w.gains, w.stride), room(w.bits, 5*Words(n))
	w.ends = room(w.ends, 3*eights*Words(n))
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
	to, n := w.values[i*w.stride:][:w.stride], len(diag)
	clear(to[n:])
	if invert := in().inverses; invert != nil {
		inverses := w.inverses[i*w.stride:][:w.stride]
		clear(inverses[n:])
		invert(inverses[:n], to[:n], diag, diag[i])
	}
	w.have.Put(i, true)
}

// Swap exchanges two variables.
func (w *Walk) Swap(i, j int) {
	rows := w.have.Has(i) || w.have.Has(j)
	for _, of := range [][]float32{w.values, w.inverses} {
		if len(of) == 0 {
			continue
		}
		for r := range w.n {
			if w.have.Has(r) {
				row := of[r*w.stride:][:w.stride]
				row[i], row[j] = row[j], row[i]
			}
		}
		if rows {
			a, b := of[i*w.stride:][:w.stride], of[j*w.stride:][:w.stride]
			for t, x := range a {
				a[t], b[t] = b[t], x
			}
		}
	}
	w.have.Swap(i, j)
}

// invert sets to to the inverses of the second derivatives of row i, of which d is the diagonal's
// element.
func invert(to, row []float32, diag []float64, d float64) {
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

// steep is the second derivative behind which inverses are taken for infinite.
const steep = 0x1p126

// inverse returns 1/a, +Inf if that would be rounded more coarsely than other numbers are.
func inverse(a float64) float32 {
	if a > steep {
		return float32(math.Inf(1))
	}
	return float32(1 / a)
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
// between Lower and Upper; nor if a group has nobody who can go up, or the largest gain, or an estimate of
// one, is 0 or infinite, nearly so or no number.
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
	w.walking.j = -1
	return w.free(most)
}

// Follow is Free, beginning with an iteration that is half made: where the last call of Free or
// Follow stopped, its pair was moved by di and dj, and F is to follow. Since then nothing was
// changed but B, and in which sets these two are.
func (w *Walk) Follow(di, dj float64, most int) Stop {
	if w.walking.j < 0 || most <= 0 {
		panic("scan: no pair to follow, or no iteration")
	}
	w.walking.moves = [2]float64{di, dj}
	return w.free(most)
}

// free is Free, or Follow if there is a pair.
func (w *Walk) free(most int) Stop {
	s := Stop{J: -1, Need: -1}
	if n := len(w.B); n > 0 && most > 0 {
		s = in().walk(w, n, most)
	}
	w.walking.i, w.walking.j = s.I, s.J
	return s
}

// walkPlain is Free.
func walkPlain(w *Walk, n, most int) Stop {
	f := w.F[:n]
	var first [2]lowest // of each group
	s := Stop{Need: -1}
	if i, j := w.walking.i, w.walking.j; j >= 0 {
		first = w.step(i, j, w.walking.moves[0], w.walking.moves[1])
		s.Done++
	} else {
		for g := range w.Up {
			e := lookFrom(none, 0, f, w.Up[g], w.Low[g])
			first[g] = lowest{e.I, e.Lowest}
		}
	}
	for ; s.Done < most; s.Done++ {
		s.J = -1
		for g := range w.Up {
			i := first[g].i
			if i < 0 {
				return s
			}
			if !w.have.Has(i) {
				s.Need = i
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
			s.Need = j
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
