package smo

import "github.com/slimsvm/slimsvm/train/internal/scan"

// Problem: linear kernels, large costs and unscaled data need very many iterations on few active
// variables. The passes over so few take less time than the work around them: looking up rows in
// the cache, ordering those of a regression by position, comparing pairs with their boxes.
//
// Method: if the active set is small and there have been many iterations, the values that the
// active variables have of each row in use are kept side by side, until an exchange or a returning
// variable changes their order. Iterations then need nothing else and are made many at once
// (scan.Walk). After some dozens of them, the remaining work for steps from or to a bound is made
// up for here.
//
// Small programmes, of which training many classes has hundreds, may be treated so from the start,
// with all rows.

// nearMost is the largest number of active variables whose rows are kept so: what they take is at most
// 8 MB then, mostly a tenth of that, as few of the rows are used before the order changes, and what an
// iteration reads fits into the first-level cache with few of them.
var nearMost = usualNear // another one in tests

const usualNear = 1024

// nearWorth is how many values that are kept an iteration must stand for: most problems end before
// they have use for so much memory.
var nearWorth = usualWorth // another one in tests

const usualWorth = 16

// smallMost is the largest number of variables of a programme all of whose rows are computed at
// the start, several at once, and kept so instead of in the cache, where programmes of the same
// training before it had use for most of theirs, or took many iterations.
var smallMost = usualSmall // another one in tests

const usualSmall = 128

// nearRows are rows of the active variables, or of all.
type nearRows struct {
	n     int  // columns of each; 0: nothing is kept
	whole bool // all rows of a small programme are kept, and no others
	walk  scan.Walk
}

// begin makes room for the rows of n variables.
func (r *nearRows) begin(n int) {
	r.n = n
	r.walk.Begin(n)
}

// end forgets the rows of the active variables.
func (r *nearRows) end() {
	if !r.whole {
		r.n = 0
	}
}

// swap exchanges variables, or forgets the rows if some of the variables are not theirs.
func (r *nearRows) swap(pairs []Pair) {
	if !r.whole {
		r.n = 0
		return
	}
	for _, p := range pairs {
		r.walk.Swap(p.I, p.J)
	}
}

// nearBytes is how many bytes are kept of an element of a row.
const nearBytes = 8

// approach keeps rows from now on, if the active variables are few, iterations many, and the
// cache is allowed as much memory.
func (s *state) approach() {
	if n := s.active; s.near.n == 0 && n <= nearMost && n*n <= nearWorth*s.iterations && float64(nearBytes*n*n) <= s.opt.CacheMB*(1<<20) {
		s.near.begin(n)
	}
}

// activeRow returns row i for the active variables.
func (s *state) activeRow(i int) []float32 {
	if s.near.n == 0 {
		return s.src.Row(i, s.active)
	}
	return s.nearRow(i)[:s.active]
}

// activeRowForPass is activeRow, but the values may be there only after the next pass, as with
// rowForPass.
func (s *state) activeRowForPass(i int) []float32 {
	if s.near.n == 0 {
		return s.rowForPass(i, s.active)
	}
	return s.nearRow(i)[:s.active]
}

// nearRow returns a row that is kept, from now on if it was not before.
func (s *state) nearRow(i int) []float32 {
	w := &s.near.walk
	if row := w.Row(i); row != nil {
		return row
	}
	copy(w.Place(i), s.src.Row(i, s.active))
	w.Put(i, s.diag[:s.active])
	return w.Row(i)
}

// walk makes iterations, up to most of them, until the active variables are optimal or one is not
// for scan.Walk, and returns how many it has made.
func (s *state) walk(most int) (done int) {
	if s.near.n == 0 {
		return 0
	}
	n, groups, w := s.active, s.groups(), &s.near.walk
	w.F, w.Diag, w.B, w.Lower, w.Upper = s.f[:n], s.diag[:n], s.b[:n], s.lower[:n], s.upper[:n]
	w.Up, w.Low, w.Tolerance = s.up[:groups], s.low[:groups], s.opt.Tolerance
	stop := w.Free(most)
	for {
		done += stop.Done
		for _, m := range w.Moved {
			i, j := int(m.I), int(m.J)
			wasI, wasJ := s.where[i], s.where[j]
			s.put(i, uint8(m.AtI))
			s.put(j, uint8(m.AtJ))
			s.movedBoth(i, j, wasI, wasJ)
		}
		switch i, j := stop.I, stop.J; {
		case stop.Full:
			stop = w.Free(most - done)
		case stop.Need >= 0:
			s.nearRow(stop.Need)
			stop = w.Free(most - done)
		case j >= 0:
			wasI, wasJ := s.where[i], s.where[j]
			di, dj := s.step(i, j, chosen{s.f[i], s.f[j], w.Row(i)[j]})
			s.place(i)
			s.place(j)
			s.movedBoth(i, j, wasI, wasJ)
			stop = w.Follow(di, dj, most-done)
		default:
			s.iterations += done
			s.known = s.known && done == 0
			return done
		}
	}
}

// keepAll keeps all rows of a source.
func (s *state) keepAll(from *rowSource) {
	w := &s.near.walk
	s.near.whole = true
	s.near.begin(s.n)
	for i := 0; i < s.n; {
		from.rows, from.dst = from.rows[:0], from.dst[:0]
		for ; i < s.n && len(from.rows) < PartRows; i++ {
			from.rows, from.dst = append(from.rows, i), append(from.dst, w.Place(i))
		}
		from.fill(from.dst, from.rows, 0, s.n)
		for _, k := range from.rows {
			w.Put(k, s.diag)
		}
	}
}
