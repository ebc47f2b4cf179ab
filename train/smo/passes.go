package smo

import (
	"math"
	"unsafe"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/scan"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: make the passes of one iteration over a large problem with several threads.
//
// Method: the variables are cut into as many parts as there are threads. The extremes of each part
// are found separately and joined by position, so that ties are resolved as in a single pass. A
// thread mostly has the same part in all passes, so its part of the gradient and of the rows stays
// in its cache.

// scanPart is the number of variables for which a part of a pass pays: a microsecond's work.
var scanPart = usualPart // another one in tests

const usualPart = 2048

// passes makes the passes of package scan with helpers. It holds the arguments of the current pass,
// because its parts are run by a function that is created only once.
type passes struct {
	helpers *team.Helpers
	part    func(k int, result *team.Result) // runs one part
	args    *arguments

	missing     *rowFiller   // rows that the next pass needs
	partialRows []partialRow // columns of rows that the next sum needs
	gather      gathering    // a row that the next pass needs in order of position
	half        int          // see spans; 0: variables are there once
}

// gathering is a row in original order, and the memory for the same row in order of position.
type gathering struct {
	to, row []float32
	of      []int32 // index in row of each position; nil: the row is repeated twice
}

// positions sets the elements at positions begin to end-1.
func (g gathering) positions(begin, end int) {
	if g.of != nil {
		scan.Gather(g.to[begin:end], g.row, g.of[begin:end])
	} else {
		repeat(g.to[begin:end], g.row, begin)
	}
}

// arguments are what parts read in addition to their command. Fields that stay the same for most
// passes are in other cache lines than those that change.
type arguments struct {
	_ [128]byte

	helpers *team.Helpers
	f, diag []float64
	to      []float64   // the vector to which adding adds
	active  int         // see summing
	half    int         // of the passes
	up, low [2][]uint64 // of each group
	missing *task
	gram    *kernel.Gram // for rows whose missing columns are computed in the pass

	_ [128]byte

	of []int32 // of the gathering of the command
	_  [128 - 24]byte

	from [2]int32 // the first missing column of each row of the command
	_    [128 - 8]byte

	sum summing
	_   [128]byte
}

// gathering returns the gathering of a command.
func (a *arguments) gathering(o *team.Command) gathering {
	return gathering{unsafe.Slice(o.To, o.Length), unsafe.Slice(o.From, o.Width), a.of}
}

// summing is rows with their coefficients, and the vectors to which the products are added.
type summing struct {
	to    [][]float64
	rows  [][]float32
	coefs []float64
	// active is how many of the elements, from the first on, belong to the active variables, if the
	// elements are in order of position. Other passes go through these alone and cut them into parts.
	active int
}

// sumPiece is how many elements are finished before the next ones are begun: they stay in the
// first-level cache.
const sumPiece = 2048

// positions adds the products to elements begin to end-1.
func (s *summing) positions(begin, end int) {
	for ; end-begin > sumPiece; begin += sumPiece {
		s.piece(begin, begin+sumPiece)
	}
	s.piece(begin, end)
}

func (s *summing) piece(begin, end int) {
	for _, to := range s.to {
		r, n := 0, len(s.rows)
		for ; r+1 < n; r += 2 {
			scan.AddBoth(to[begin:end], s.rows[r][begin:end], s.rows[r+1][begin:end], s.coefs[r], s.coefs[r+1])
		}
		if r < n {
			scan.Add(to[begin:end], s.rows[r][begin:end], s.coefs[r])
		}
	}
}

type pass int

const (
	stepPass pass = iota
	lookPass
	secondPass
	addPass // adds one or two rows to a vector
	sumPass // adds any number of rows to any vectors
	movePass

	// flags: what else the pass has to do
	withMissing     pass = 1 << 8
	withGather      pass = 1 << 9
	withPartialRows pass = 1 << 16
	withBoth        pass = 1 << 17 // two groups

	// for each of two variables, three bits from these on
	placeBits      = 3
	placed    pass = 1 << 10
	canGoUp   pass = 1 << 11
	canGoDown pass = 1 << 12
)

// begin sets the number of parts for a pass through this many elements and reports whether there
// are several. Missing rows that the pass needs are computed in the parts or, if there is only one
// part, at once.
func (p *passes) begin(elements int, kind pass) bool {
	if p.helpers == nil && p.missing == nil && p.gather.to == nil {
		return false
	}
	return p.share(elements, kind)
}

// share is begin if rows are missing, or if other threads may help.
func (p *passes) share(elements int, kind pass) bool {
	missing, gather := p.missing, p.gather
	p.missing, p.gather = nil, gathering{}
	parts := 0
	if kind != movePass {
		elements += len(gather.to)
	}
	if missing != nil {
		parts = missing.cut(elements)
	} else if kind == addPass && len(p.partialRows) > 0 {
		values := 0
		for _, l := range p.partialRows {
			values += len(l.row) - l.from
		}
		parts = p.partialRows[0].filler.cutBeside(values, elements)
	} else {
		parts = p.helpers.Parts(elements, scanPart)
	}
	if parts == 1 {
		if missing != nil {
			missing.task.columns(missing.from, missing.to)
		}
		if gather.to != nil {
			gather.positions(0, len(gather.to))
		}
		return false
	}
	a := p.args
	if a == nil {
		a = &arguments{helpers: p.helpers, half: p.half}
		p.args, p.part = a, a.run
	}
	if missing != nil {
		if a.missing != missing.task { // a write would make the other threads fetch the line again
			a.missing = missing.task
		}
		kind |= withMissing
	}
	command := p.helpers.Command()
	*command = team.Command{Count: int32(parts)}
	if gather.to != nil {
		if len(gather.of) > 0 {
			note(&a.of, gather.of)
		} else if a.of != nil {
			a.of = nil
		}
		command.To, command.Length = unsafe.SliceData(gather.to), int32(len(gather.to))
		command.From, command.Width = unsafe.SliceData(gather.row), int32(len(gather.row))
		kind |= withGather
	}
	command.Kind = int32(kind)
	return true
}

// note sets to to what. It does not write if what is empty or to is the same already, because a
// write would make the other threads fetch the line again.
func note[T any](to *[]T, what []T) {
	if len(*to) != len(what) || &(*to)[0] != &what[0] {
		*to = what
	}
}

// on sets the variables of the pass, and the sets of a group.
func (a *arguments) on(f []float64, g int, up, low []uint64) {
	note(&a.f, f)
	note(&a.up[g], up)
	note(&a.low[g], low)
}

// run runs part k of the pass.
func (a *arguments) run(k int, to *team.Result) {
	command := a.helpers.Command()
	var own team.Result // the owner looks at to meanwhile
	found := partResults{&own}
	kind, parts := pass(command.Kind), int(command.Count)
	n, half := len(a.f), a.half
	switch kind % withMissing {
	case movePass:
		n = int(command.Length)
	case sumPass:
		n, half = len(a.sum.rows[0]), 0
	case addPass:
		n = len(a.to)
	}
	if kind&withMissing != 0 {
		half = 0
	}
	both, finds := kind&withBoth != 0, kind%withMissing <= secondPass
	if finds {
		found.start(kind % withMissing)
	}
	for _, s := range spans(n, half, k, parts) {
		begin, end := s.begin, s.end
		if begin >= end {
			continue
		}
		if kind&withMissing != 0 {
			a.missing.piece(begin, end)
		}
		if kind&withGather != 0 {
			a.gathering(command).positions(begin, end)
		}
		within := func(s []uint64) scan.Set { return s[begin/64 : (end+63)/64] }
		row := func(k int) []float32 { return unsafe.Slice(command.Rows[k], n)[begin:end] }
		switch kind % withMissing {
		case stepPass:
			places{command.Places, kind}.put(a.up[0], a.low[0], begin, end)
			found.extremes(0, begin, scan.Step(a.f[begin:end], row(0), row(1), command.Values[0], command.Values[1], within(a.up[0]), within(a.low[0])))
			if both {
				found.extremes(1, begin, scan.FindExtremes(a.f[begin:end], within(a.up[1]), within(a.low[1])))
			}
		case lookPass:
			found.extremes(0, begin, scan.FindExtremes(a.f[begin:end], within(a.up[0]), within(a.low[0])))
		case secondPass:
			diag := a.diag
			if diag != nil {
				diag = diag[begin:end]
			}
			for g := range 2 {
				if g == 0 || both {
					di, least := command.Values[2*g], 0.0
					switch {
					case diag == nil:
						least = di
					case !both:
						least = command.Values[2]
					}
					found.partner(g, begin, a.f, row(g), scan.SecondAbove(a.f[begin:end], row(g), diag, di, command.Values[2*g+1], least, within(a.low[g])))
				}
			}
		case addPass:
			if kind&(withMissing|withGather) != 0 { // the rows were computed just before, in these parts
				a.add(command, begin, end)
			}
		case sumPass:
			a.sum.positions(begin, end)
		}
	}
	if kind%withMissing == addPass && kind&(withMissing|withGather) == 0 {
		// other passes went through the active elements of these rows before: the same parts of them
		// are in this thread's cache
		active := min(a.active, n)
		for _, s := range spans(active, half, k, parts) {
			a.add(command, s.begin, s.end)
		}
		a.add(command, edge(active, n, k, parts), edge(active, n, k+1, parts))
	}
	if finds {
		to.At[0], to.Value[0] = own.At[0], own.Value[0]
		if both {
			*to = own
		}
	}
}

// add adds the rows of a command to elements begin to end-1 of a.to.
func (a *arguments) add(command *team.Command, begin, end int) {
	if begin == end {
		return
	}
	n := len(a.to)
	if pass(command.Kind)&withPartialRows != 0 {
		a.extendRows(command, n, begin, end)
	}
	x := unsafe.Slice(command.Rows[0], n)[begin:end]
	if command.Rows[1] == nil {
		scan.Add(a.to[begin:end], x, command.Values[0])
	} else {
		scan.AddBoth(a.to[begin:end], x, unsafe.Slice(command.Rows[1], n)[begin:end], command.Values[0], command.Values[1])
	}
}

// do runs the parts.
func (p *passes) do() { p.helpers.Do(int(p.helpers.Command().Count), p.part) }

// partResults is the place for the results of a part.
type partResults struct{ *team.Result }

// noneFound is what partResults begin with, by the pass.
var noneFound = [...][4]float64{
	stepPass:   {math.Inf(1), math.Inf(-1)},
	lookPass:   {math.Inf(1), math.Inf(-1)},
	secondPass: {math.Inf(-1)},
}

func (f partResults) start(kind pass) {
	f.At, f.Value = [2]int{-1, -1}, [2][4]float64{noneFound[kind], noneFound[kind]}
}

func (f partResults) extremes(g, begin int, e scan.Extremes) {
	e = f.extremesOf(g).Join(e, begin)
	f.At[g], f.Value[g] = e.I, [4]float64{e.Lowest, e.Highest}
}

func (f partResults) extremesOf(g int) scan.Extremes {
	return scan.Extremes{I: f.At[g], Lowest: f.Value[g][0], Highest: f.Value[g][1]}
}

func (f partResults) partner(g, begin int, gradient []float64, row []float32, p scan.Partner) {
	before := scan.Partner{J: f.At[g], Gain: f.Value[g][0]}
	if joined := before.Join(p, begin); joined.J != before.J {
		f.At[g], f.Value[g] = joined.J, [4]float64{p.Gain, gradient[joined.J], float64(row[p.J])}
	}
}

func (f partResults) partnerOf(g int) partner {
	return partner{scan.Partner{J: f.At[g], Gain: f.Value[g][0]}, f.Value[g][1], float32(f.Value[g][2])}
}

// extremes joins what the parts have found for a group.
func (p *passes) extremes(g int) scan.Extremes {
	e, parts := partResults{p.helpers.Result(0)}.extremesOf(g), int(p.helpers.Command().Count)
	for k := 1; k < parts; k++ {
		e = e.Join(partResults{p.helpers.Result(k)}.extremesOf(g), 0)
	}
	return e
}

// partner joins the partners that the parts have found for a group.
func (p *passes) partner(g int) partner {
	best, parts := partResults{p.helpers.Result(0)}.partnerOf(g), int(p.helpers.Command().Count)
	for k := 1; k < parts; k++ {
		next := partResults{p.helpers.Result(k)}.partnerOf(g)
		if joined := best.Join(next.Partner, 0); joined.J != best.J {
			best = partner{joined, next.f, next.k}
		}
	}
	return best
}

// step is scan.Step after the sets are brought up to date.
func (p *passes) step(f []float64, x, y []float32, dx, dy float64, up, low scan.Set, where places) scan.Extremes {
	if !p.begin(len(f), stepPass) {
		where.put(up, low, 0, len(f))
		return scan.Step(f, x, y, dx, dy, up, low)
	}
	p.doStep(f, x, y, dx, dy, up, low, where)
	return p.extremes(0)
}

// stepBoth is scan.Step in the first of two groups and scan.FindExtremes in the second one.
func (p *passes) stepBoth(f []float64, x, y []float32, dx, dy float64, up, low [2]scan.Set) [2]scan.Extremes {
	if !p.begin(2*len(f), stepPass) {
		return [2]scan.Extremes{scan.Step(f, x, y, dx, dy, up[0], low[0]), scan.FindExtremes(f, up[1], low[1])}
	}
	p.args.on(f, 1, up[1], low[1])
	p.helpers.Command().Kind |= int32(withBoth)
	p.doStep(f, x, y, dx, dy, up[0], low[0], places{})
	return [2]scan.Extremes{p.extremes(0), p.extremes(1)}
}

func (p *passes) doStep(f []float64, x, y []float32, dx, dy float64, up, low scan.Set, where places) {
	p.args.on(f, 0, up, low)
	command := p.helpers.Command()
	command.Rows, command.Values = [2]*float32{unsafe.SliceData(x), unsafe.SliceData(y)}, [4]float64{dx, dy}
	command.Kind, command.Places = command.Kind|int32(where.bits), where.of
	p.do()
}

// look is scan.FindExtremes.
func (p *passes) look(f []float64, up, low scan.Set) scan.Extremes {
	if !p.begin(len(f), lookPass) {
		return scan.FindExtremes(f, up, low)
	}
	p.args.on(f, 0, up, low)
	p.do()
	return p.extremes(0)
}

// sum adds rows times coefficients to each of some vectors, row by row.
func (p *passes) sum(s summing) {
	if len(s.to) == 0 || len(s.rows) == 0 {
		return
	}
	n, kind := len(s.rows[0]), sumPass
	if len(s.to) == 1 && len(s.rows) <= 2 {
		kind = addPass
	}
	lacking := p.partialRows
	several := p.begin(n*len(s.rows)*len(s.to), kind)
	p.partialRows = lacking[:0]
	if !several || kind == sumPass {
		for _, l := range lacking {
			l.filler.gram.RowsTo([][]float32{l.row[l.from:]}, []int{l.i}, l.from, n)
		}
	}
	if !several {
		s.positions(0, n)
		return
	}
	if kind == addPass {
		note(&p.args.to, s.to[0][:n])
		if p.args.active != s.active {
			p.args.active = s.active
		}
		command := p.helpers.Command()
		for k, row := range s.rows {
			command.Rows[k], command.Values[k] = unsafe.SliceData(row), s.coefs[k]
		}
		if len(lacking) > 0 {
			p.extendRows(lacking, n)
		}
		p.do()
		return
	}
	p.args.sum = s
	p.do()
	p.args.sum = summing{}
}

// move sets a row in order of position.
func (p *passes) move(g gathering) {
	p.gather = g
	if p.begin(len(g.to), movePass) {
		p.do()
	}
}

// repeat sets dst to elements of row followed by row again, from position from on.
func repeat(dst, row []float32, from int) {
	if from < len(row) {
		n := copy(dst, row[from:])
		copy(dst[n:], row)
		return
	}
	copy(dst, row[from-len(row):])
}
