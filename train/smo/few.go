package smo

import (
	"context"
	"math"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// Problem: one-vs-one training of many classes with few rows each solves millions of programmes of
// some dozens of variables, in about as many iterations. To make ready what large programmes are
// solved with (a cache, sets, inverses for vector instructions) takes several times as long.
//
// Method: a C-SVC of few variables whose kernel values are there (kernel.Classes) is solved in
// arrays of a fixed size, one variable after the other, in the steps of all others (select.go,
// update.go, shrink.go), with the same roundings. What is rare is left to the general solver, which
// begins anew: many iterations, and numbers that are not finite.

// fewMost is the largest number of variables of such a programme, and fewPlain without vector
// instructions. With more, iterations of scan.Walk gain more than preparing them takes.
const fewMost, fewPlain = 24, 16

// Arrays have room for 2^fewBits variables.
const fewBits, fewRoom = 5, 1 << fewBits

// fewIterations is the number of iterations after which the general solver begins anew, in which
// they are faster.
const fewIterations = 128

// few is a C-SVC of few variables. The box of a variable is between 0 and its end, which is negative
// in the second class. Arrays are by position; shrinking exchanges rows and columns too.
type few struct {
	tolerance  float64
	n, active  int
	iterations int
	unshrunk   bool // the one early return of all variables has happened

	ends    scan.Extremes // of f over the active variables
	known   bool          // ends belong to the current f
	unit    bool          // every element of diag is 1
	up, low [1]uint64     // the variables that can go up and down
	masked  [2]uint64     // those of them that are active

	k                    [fewRoom * fewRoom]float32
	diag, f, far, b, end [fewRoom]float64
	where                [fewRoom]uint8
	order                [fewRoom]int
	cost                 [fewRoom]float64 // of the rows, by original index

	heard  bool          // somebody receives the events
	told   []train.Event // those to be sent when all has gone well
	result Result
}

var fews = sync.Pool{New: func() any { return new(few) }}

// fewOf returns a C-SVC with its values, if it is one of few variables and the values are there,
// else nil.
func fewOf(ctx context.Context, p *train.Problem) *few {
	n := len(p.Y)
	if n > fewMost || n > fewPlain && simd.Current() == simd.Portable || n != len(p.Rows) || p.Store == nil || ctx.Err() != nil {
		return nil
	}
	w := fews.Get().(*few)
	if !p.Store.PartTo(w.k[:], fewRoom, w.diag[:n], p.Kernel, p.Rows) {
		fews.Put(w)
		return nil
	}
	return w
}

// release makes the memory free.
func (w *few) release() {
	clear(w.told)
	fews.Put(w)
}

// tell keeps an event for later.
func (w *few) tell(e train.Event) { w.told = append(w.told, e) }

// solve solves a problem whose rows have the costs w.cost. It returns false if it leaves it to the
// general solver.
func (w *few) solve(p *train.Problem, o Options) bool {
	n := len(p.Y)
	w.n, w.active, w.iterations, w.unshrunk, w.tolerance = n, n, 0, false, o.Tolerance
	w.known, w.unit = false, true
	w.heard, w.told = o.Report != nil, w.told[:0]
	for i, y := range p.Y {
		if !(math.Abs(w.diag[i]) <= train.MaxKernel) {
			return false
		}
		w.unit = w.unit && w.diag[i] == 1
		w.end[i], w.f[i] = w.cost[i], -1
		if y > 0 {
			w.put(i, atLower)
		} else {
			w.end[i], w.f[i] = -w.cost[i], 1
			w.put(i, atUpper)
		}
		w.b[i], w.far[i], w.order[i] = 0, 0, i
	}
	if !w.run(o.Shrinking) {
		return false
	}
	// numbers that are not finite do not become finite again
	for _, f := range w.f[:n] {
		if f-f != 0 {
			return false
		}
	}
	if !w.finish(p.Coef) {
		return false
	}
	for _, e := range w.told {
		o.Report.Send(e)
	}
	return true
}

// run iterates as state.run does. It returns false if it leaves the programme to the general solver.
func (w *few) run(shrinking bool) bool {
	left := w.n + 1
	for w.iterations < fewIterations {
		if left--; left == 0 {
			left = w.n
			if shrinking {
				w.shrink()
			}
			if w.heard {
				w.tell(train.Progress{Iterations: w.iterations})
			}
		}
		j := w.partner()
		if j < 0 {
			w.restore()
			if j = w.partner(); j < 0 {
				return w.violation() < w.tolerance // else the gains are not numbers
			}
			left = 1
		}
		w.iterations++
		w.step(w.ends.I, j)
	}
	return false
}

// look brings ends up to date.
func (w *few) look() {
	if !w.known {
		up, low := w.sets()
		w.ends, w.known = scan.FindExtremes(w.f[:w.width()], up, low), true
	}
}

// width returns the number of active variables rounded up to a multiple of 8, since vector
// instructions leave what is behind the last one to plain code. Passes may do anything with the
// others: f of a variable that is left out is computed anew when it comes back.
func (w *few) width() int { return scan.PaddedLen(w.active) }

// sets returns the active variables that can go up and down.
func (w *few) sets() (up, low scan.Set) {
	active := uint64(1)<<w.active - 1
	w.masked = [2]uint64{w.up[0] & active, w.low[0] & active}
	return w.masked[:1], w.masked[1:]
}

// row returns row i for the first n variables.
func (w *few) row(i, n int) []float32 { return w.k[i<<fewBits:][:n] }

// violation returns by how much the active variables violate the optimality conditions.
func (w *few) violation() float64 { return w.ends.Highest - w.ends.Lowest }

// partner returns the partner of the variable that can go up and has the lowest f. It returns -1 if
// the active variables are optimal.
func (w *few) partner() int {
	w.look()
	i := w.ends.I
	gap := w.violation()
	if gap < w.tolerance || i < 0 {
		return -1
	}
	n := w.width()
	of := second{row: w.row(i, n), di: w.diag[i], lowest: w.ends.Lowest}
	switch {
	case !w.unit:
		of.diag = w.diag[:n]
	case simd.Current() < simd.AVX512: // quotients are left out
		of.least = float64(gap*gap) / 2
	}
	_, low := w.sets()
	return of.in(w.f[:n], low).J
}

// box returns the box of variable i.
func (w *few) box(i int) scan.Box {
	if end := w.end[i]; end > 0 {
		return scan.Box{Upper: end}
	} else {
		return scan.Box{Lower: end}
	}
}

// holds reports whether b is inside the box of variable i.
func (w *few) holds(i int, b float64) bool {
	if end := w.end[i]; end > 0 {
		return 0 < b && b < end
	} else {
		return end < b && b < 0
	}
}

// step makes the best step of b_i up and b_j down within their boxes and brings f and far up to
// date.
func (w *few) step(i, j int) {
	n := w.n
	ki, kj := w.row(i, n), w.row(j, n)
	bi, bj := w.b[i], w.b[j]
	a := w.diag[i] + w.diag[j] - float64(2*float64(ki[j]))
	if a <= 0 {
		a = tau
	}
	step := (w.f[j] - w.f[i]) / a
	toI, toJ := bi+step, bj-step
	atI, atJ := uint8(free), uint8(free)
	if !w.holds(i, toI) || !w.holds(j, toJ) {
		p := scan.Pair{B: [2]float64{toI, toJ}, Boxes: [2]scan.Box{w.box(i), w.box(j)}}
		p.Clip(bi + bj)
		toI, toJ = p.B[0], p.B[1]
		atI, atJ = p.Boxes[0].Place(toI), p.Boxes[1].Place(toJ)
	}
	w.b[i], w.b[j] = toI, toJ
	di, dj := toI-bi, toJ-bj
	w.move(i, atI, ki)
	w.move(j, atJ, kj)
	m := w.width()
	up, low := w.sets()
	w.ends = scan.Step(w.f[:m], w.row(i, m), w.row(j, m), di, dj, up, low)
}

// move puts variable i, whose row is k, to where, and brings far up to date.
func (w *few) move(i int, where uint8, k []float32) {
	if where == w.where[i] {
		return
	}
	was := w.isFar(i)
	w.put(i, where)
	if w.isFar(i) == was {
		return
	}
	c := w.end[i]
	if was {
		c = -c
	}
	for t := range k {
		w.far[t] += float64(c * float64(k[t]))
	}
}

// put sets where[i], up and low.
func (w *few) put(i int, where uint8) {
	w.where[i] = where
	scan.Set(w.up[:]).Put(i, where != atUpper)
	scan.Set(w.low[:]).Put(i, where != atLower)
}

// isFar reports whether variable i is at the end of its box that is not 0.
func (w *few) isFar(i int) bool {
	if w.end[i] > 0 {
		return w.where[i] == atUpper
	}
	return w.where[i] == atLower
}

// shrink leaves out variables as state.shrink does.
func (w *few) shrink() {
	w.look()
	ends := w.ends // over the variables that were active
	if !w.unshrunk && w.violation() <= unshrinkAt*w.tolerance {
		w.unshrunk = true
		w.restore()
	}
	w.known = false
	idle := func(t int) bool {
		switch w.where[t] {
		case atUpper:
			return w.f[t] < ends.Lowest
		case atLower:
			return w.f[t] > ends.Highest
		}
		return false
	}
	for t := 0; t < w.active; t++ {
		if !idle(t) {
			continue
		}
		for w.active--; w.active > t; w.active-- {
			if !idle(w.active) {
				w.exchange(t, w.active)
				break
			}
		}
	}
}

// exchange exchanges two positions.
func (w *few) exchange(i, j int) {
	for _, x := range []*[fewRoom]float64{&w.diag, &w.f, &w.far, &w.b, &w.end} {
		x[i], x[j] = x[j], x[i]
	}
	at := w.where[i]
	w.put(i, w.where[j])
	w.put(j, at)
	w.order[i], w.order[j] = w.order[j], w.order[i]
	ki, kj := w.row(i, w.n), w.row(j, w.n)
	for t := range ki {
		ki[t], kj[t] = kj[t], ki[t]
	}
	for t := range w.n {
		k := w.row(t, w.n)
		k[i], k[j] = k[j], k[i]
	}
}

// restore makes all variables active.
func (w *few) restore() {
	w.rebuild()
	w.active, w.known = w.n, false
	if w.heard {
		w.tell(train.GradientRebuilt{})
	}
}

// rebuild computes f of the variables that are shrunk, as state.rebuild does.
func (w *few) rebuild() {
	if w.active == w.n {
		return
	}
	for t := w.active; t < w.n; t++ {
		w.f[t] = w.far[t] + w.linear(t)
	}
	inside := 0
	for i, where := range w.where[:w.active] {
		if where != free {
			continue
		}
		inside++
		k := w.row(i, w.n)
		for t := w.active; t < w.n; t++ {
			w.f[t] += float64(w.b[i] * float64(k[t]))
		}
	}
	if w.heard && 2*inside < w.active {
		w.tell(train.SlowShrinking{})
	}
}

// linear returns the linear term of variable t.
func (w *few) linear(t int) float64 {
	if w.end[t] > 0 {
		return -1
	}
	return 1
}

// finish computes what state.result does.
func (w *few) finish(coef []float64) bool {
	if coef == nil {
		coef = make([]float64, w.n)
	}
	r := &w.result
	*r = Result{B: coef, Iterations: w.iterations, Rho: w.threshold()}
	for i, b := range w.b[:w.n] {
		r.Objective += float64(b * (w.f[i] + w.linear(i)))
		coef[w.order[i]] = b
	}
	r.Objective = float64(r.Objective / 2)
	return r.Objective-r.Objective == 0 && r.Rho == r.Rho
}

// threshold returns what state.threshold does.
func (w *few) threshold() float64 {
	t := newThreshold()
	for i, f := range w.f[:w.n] {
		if f == 0 {
			f = zeroOf(w.end[i] > 0)
		}
		t.add(f, w.where[i])
	}
	return t.value()
}
