package smo

import "github.com/slimsvm/slimsvm/train/internal/scan"

// Problem: linear kernels, large costs and unscaled data need very many iterations on few active
// variables. A pass over so few variables takes less time than the work around it: finding rows in
// the cache, ordering a regression's rows by position, comparing pairs with their boxes.
//
// Method: if the active set is small and there have been many iterations, the columns of the active
// variables are kept side by side for each row in use, until an exchange or a returning variable
// changes their order. Iterations then need nothing else, and scan.Walk makes many of them at once.
// After some dozens of iterations, walk does the work that was left undone for steps that reach or
// leave a bound.
//
// Training many classes has hundreds of small programmes. These may be treated so from the start,
// with all their rows.

// mostActive is the largest number of active variables whose rows are kept this way. They take at
// most 8 MB, mostly a tenth of that, because few of the rows are used before the order changes.
// What an iteration reads fits into the first-level cache along with few of the rows.
var mostActive = usualMostActive // another one in tests

const usualMostActive = 1024

// activeWorth is how many kept values there may be for each iteration so far: most problems end
// before so much memory would pay.
var activeWorth = usualWorth // another one in tests

const usualWorth = 16

// smallMost is the largest number of variables of a programme whose rows may all be computed at the
// start, several at once, and kept this way instead of in the cache. That happens if earlier
// programmes of the same training needed most of their rows or took many iterations
// (memoryPool.dense).
var smallMost = usualSmall // another one in tests

const usualSmall = 128

// activeRows are rows of the active variables, or of all variables.
type activeRows struct {
	n     int  // number of columns of each row; 0: nothing is kept
	whole bool // all rows of a small programme are kept, and no others
	walk  scan.Walk
}

// begin makes room for rows of n variables.
func (r *activeRows) begin(n int) {
	r.n = n
	r.walk.Begin(n)
}

// end forgets the rows of the active variables.
func (r *activeRows) end() {
	if !r.whole {
		r.n = 0
	}
}

// swap exchanges variables. If only rows of the active variables are kept, it forgets them.
func (r *activeRows) swap(pairs []Pair) {
	if !r.whole {
		r.n = 0
		return
	}
	r.walk.Swap(pairs)
}

// activeBytes is how many bytes are kept for an element of a row.
const activeBytes = 8

// keepActiveRows begins to keep rows, if few variables are active, there have been many iterations,
// and the cache is allowed that much memory.
func (s *state) keepActiveRows() {
	if n := s.active; s.activeRows.n == 0 && n <= mostActive && n*n <= activeWorth*s.iterations && float64(activeBytes*n*n) <= s.opt.CacheMB*(1<<20) {
		s.activeRows.begin(n)
	}
}

// activeRow returns row i for the active variables.
func (s *state) activeRow(i int) []float32 {
	if s.activeRows.n == 0 {
		return s.src.Row(i, s.active)
	}
	return s.keptRow(i)[:s.active]
}

// activeRowForPass is activeRow, but the values may be computed only in the next pass, as with
// rowForPass.
func (s *state) activeRowForPass(i int) []float32 {
	if s.activeRows.n == 0 {
		return s.rowForPass(i, s.active)
	}
	return s.keptRow(i)[:s.active]
}

// keptRow returns row i. If it was not kept before, it is from now on.
func (s *state) keptRow(i int) []float32 {
	w := &s.activeRows.walk
	if row := w.Row(i); row != nil {
		return row
	}
	copy(w.Place(i), s.src.Row(i, s.active))
	w.Put(i, s.diag[:s.active])
	return w.Row(i)
}

// walk makes up to most iterations. It stops earlier if the active variables are optimal, or if
// scan.Walk cannot handle one of them. It returns how many iterations it has made.
func (s *state) walk(most int) (done int) {
	if s.activeRows.n == 0 {
		return 0
	}
	n, groups, w := s.active, s.groups(), &s.activeRows.walk
	w.F, w.Diag, w.B, w.Lower, w.Upper = s.f[:n], s.diag[:n], s.b[:n], s.lower[:n], s.upper[:n]
	w.Up, w.Low, w.Tolerance = s.up[:groups], s.low[:groups], s.opt.Tolerance
	stop := w.Iterate(most)
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
			stop = w.Iterate(most - done)
		case stop.Need >= 0:
			s.keptRow(stop.Need)
			stop = w.Iterate(most - done)
		case j >= 0:
			wasI, wasJ := s.where[i], s.where[j]
			di, dj := s.step(i, j, chosen{s.f[i], s.f[j], w.Row(i)[j]})
			s.place(i)
			s.place(j)
			s.movedBoth(i, j, wasI, wasJ)
			stop = w.Resume(di, dj, most-done)
		default:
			s.iterations += done
			s.known = s.known && done == 0
			return done
		}
	}
}

// keepAll keeps all rows of a source.
func (s *state) keepAll(from *rowSource) {
	w := &s.activeRows.walk
	s.activeRows.whole = true
	s.activeRows.begin(s.n)
	if from.gram.CopyRows(w.Place) {
		for i := range s.n {
			w.Put(i, s.diag)
		}
		return
	}
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
