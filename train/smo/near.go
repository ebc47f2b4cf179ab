package smo

import "github.com/slimsvm/slimsvm/train/internal/scan"

// Problem: very many iterations on few active variables, as linear kernels, large costs and
// data that are not scaled ask for. The passes over such few take less time than all that is
// done around them: rows are looked up in the cache, those of a regression brought into the
// order of position, pairs compared with their boxes.
//
// After a look at the active set, if it is small and iterations were many, what the active variables have of each row
// that is used is kept side by side, until an exchange or a variable that comes back changes
// their order. As long as pairs are of free variables that remain free, iterations need
// nothing else, and are made in one go (scan.Walk).

// nearMost is the largest number of active variables whose rows are kept so: they fit into the
// second-level cache.
var nearMost = usualNear // another one in tests

const usualNear = 256

// nearWorth is how many values that are kept an iteration must stand for: most problems end before
// they have use for so much memory.
var nearWorth = usualWorth // another one in tests

const usualWorth = 16

// nearRows are rows of the active variables.
type nearRows struct {
	n    int // columns of each; 0: nothing is kept
	walk scan.Walk
}

// begin makes room for the rows of n variables.
func (r *nearRows) begin(n int) {
	r.n = n
	r.walk.Begin(n)
}

// end forgets the rows.
func (r *nearRows) end() { r.n = 0 }

// approach keeps rows from now on, if the active variables are few and iterations many.
func (s *state) approach() {
	if s.near.n == 0 && s.active <= nearMost && s.active*s.active <= nearWorth*s.iterations {
		s.near.begin(s.active)
	}
}

// activeRow returns row i for the active variables.
func (s *state) activeRow(i int) []float32 {
	if s.near.n == 0 {
		return s.src.Row(i, s.active)
	}
	return s.nearRow(i)
}

// activeRowForPass is activeRow, but the values may be there only after the next pass, as with
// rowForPass.
func (s *state) activeRowForPass(i int) []float32 {
	if s.near.n == 0 {
		return s.rowForPass(i, s.active)
	}
	return s.nearRow(i)
}

// nearRow returns a row that is kept, from now on if it was not before.
func (s *state) nearRow(i int) []float32 {
	w := &s.near.walk
	if row := w.Row(i); row != nil {
		return row[:s.active]
	}
	w.Put(i, s.src.Row(i, s.active), s.diag)
	return w.Row(i)[:s.active]
}

// walk makes iterations, up to most of them, until one needs more than rows, and returns how many
// it has made. If j is not negative, i and j are the pair of the next one.
func (s *state) walk(most int) (done, i, j int) {
	if s.near.n == 0 {
		return 0, -1, -1
	}
	n, groups, w := s.active, s.groups(), &s.near.walk
	w.F, w.Diag, w.B, w.Lower, w.Upper = s.f[:n], s.diag[:n], s.b[:n], s.lower[:n], s.upper[:n]
	w.Up, w.Low, w.Tolerance = s.up[:groups], s.low[:groups], s.opt.Tolerance
	for {
		stop := w.Free(most - done)
		s.known = s.known && stop.Done == 0
		s.iterations += stop.Done
		done += stop.Done
		if stop.Need < 0 {
			return done, stop.I, stop.J
		}
		s.nearRow(stop.Need)
	}
}
