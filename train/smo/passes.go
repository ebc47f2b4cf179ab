package smo

import (
	"github.com/slimsvm/slimsvm/train/internal/scan"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: the passes of one iteration over a big problem by several threads.
//
// The variables are cut into as many parts as somebody is there for. Each part's
// extremes are found by themselves and joined in order of position, so that ties are
// resolved as in one pass. A thread mostly has the same part in all passes: that part
// of the gradient and of rows stays in its cache.

// splitColumns is what variables and columns are cut at multiples of.
const splitColumns = 64

// edge returns where part k of parts begins of positions from to to-1.
func edge(from, to, k, parts int) int {
	if k == parts {
		return to
	}
	return from + (to-from)*k/parts/splitColumns*splitColumns
}

// scanPart is the number of variables for which a part of a pass pays: a
// microsecond's work.
var scanPart = usualPart // another one in tests

const usualPart = 2048

// passes makes the passes of package scan with a crew. It holds the arguments of
// the pass under way, because its parts are run by a function that is made once.
type passes struct {
	crew *team.Crew
	part func(k int, found *team.Found) // runs one part
	args *arguments

	missing *fills    // rows that the next pass needs
	gather  gathering // a row that the next pass needs in order of position
}

// gathering is a row in original order, and where it goes in the order of position.
type gathering struct {
	to, row []float32
	of      []int32 // the place in row of each position; nil: row comes twice
}

// positions makes the row's elements at positions begin to end-1.
func (g *gathering) positions(begin, end int) {
	if g.of != nil {
		scan.Gather(g.to[begin:end], g.row, g.of[begin:end])
	} else {
		repeat(g.to[begin:end], g.row, begin)
	}
}

// arguments are what parts read. They lie apart from what changes meanwhile, those
// that change from pass to pass together.
type arguments struct {
	_ [128]byte

	f, diag []float64
	up, low []uint64

	_ [128]byte

	x, y    []float32
	dx, dy  float64 // seconding: K_ii and the lowest f
	sum     summing
	kind    pass
	parts   int
	missing *fills
	gather  gathering
	_       [128]byte
}

// summing is rows times coefficients, and the vectors that these are added to.
type summing struct {
	to    [][]float64
	rows  [][]float32
	coefs []float64
}

// positions adds to elements begin to end-1.
func (s *summing) positions(begin, end int) {
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
	stepping pass = iota
	looking
	seconding
	summed
	moving
)

// begin notes the number of parts for a pass that goes through so many elements and
// reports whether there are several. What the pass needs beside is done with each part, or
// at once.
func (p *passes) begin(elements int, kind pass) bool {
	if p.crew == nil && p.missing == nil && p.gather.to == nil {
		return false
	}
	return p.share(elements, kind)
}

// share is begin where there is more to do, or somebody who may help.
func (p *passes) share(elements int, kind pass) bool {
	missing, gather := p.missing, p.gather
	p.missing, p.gather = nil, gathering{}
	parts := 0
	if kind != moving {
		elements += len(gather.to)
	}
	if missing != nil {
		parts = missing.cut(elements)
	} else {
		parts = p.crew.Parts(elements, scanPart)
	}
	if parts == 1 {
		if missing != nil {
			missing.columns(missing.from, missing.to)
		}
		if gather.to != nil {
			gather.positions(0, len(gather.to))
		}
		return false
	}
	if p.part == nil {
		p.args = new(arguments)
		p.part = p.args.run
	}
	p.args.kind, p.args.parts, p.args.missing, p.args.gather = kind, parts, missing, gather
	return true
}

// note sets to to what is not empty, unless it is that already: others have it in
// their caches.
func note[T any](to *[]T, what []T) {
	if len(*to) != len(what) || &(*to)[0] != &what[0] {
		*to = what
	}
}

// on notes the variables of the pass.
func (a *arguments) on(f []float64, up, low []uint64) {
	note(&a.f, f)
	note(&a.up, up)
	note(&a.low, low)
}

// run makes part k of the pass.
func (a *arguments) run(k int, found *team.Found) {
	n := len(a.f)
	switch a.kind {
	case moving:
		n = len(a.gather.to)
	case summed:
		n = len(a.sum.rows[0])
	}
	begin, end := edge(0, n, k, a.parts), edge(0, n, k+1, a.parts)
	within := func(s []uint64) scan.Set { return s[begin/64 : (end+63)/64] }
	if a.missing != nil {
		a.missing.columns(a.missing.from+begin, a.missing.from+end)
	}
	if a.gather.to != nil {
		a.gather.positions(begin, end)
	}
	switch a.kind {
	case stepping:
		e := scan.Step(a.f[begin:end], a.x[begin:end], a.y[begin:end], a.dx, a.dy, within(a.up), within(a.low))
		found.At, found.Value = e.I, [2]float64{e.Lowest, e.Highest}
	case looking:
		e := scan.Look(a.f[begin:end], within(a.up), within(a.low))
		found.At, found.Value = e.I, [2]float64{e.Lowest, e.Highest}
	case seconding:
		diag := a.diag
		if diag != nil {
			diag = diag[begin:end]
		}
		best := scan.Second(a.f[begin:end], a.x[begin:end], diag, a.dx, a.dy, within(a.low))
		found.At, found.Value[0] = best.J, best.Gain
	case summed:
		a.sum.positions(begin, end)
	}
}

// do runs the parts.
func (p *passes) do() { p.crew.Do(p.args.parts, p.part) }

// extremes joins the extremes of the parts.
func (p *passes) extremes() scan.Extremes {
	of := func(k int) scan.Extremes {
		found := p.crew.Found(k)
		return scan.Extremes{I: found.At, Lowest: found.Value[0], Highest: found.Value[1]}
	}
	e := of(0)
	for k := 1; k < p.args.parts; k++ {
		e = e.Join(of(k), edge(0, len(p.args.f), k, p.args.parts))
	}
	return e
}

// step is scan.Step.
func (p *passes) step(f []float64, x, y []float32, dx, dy float64, up, low scan.Set) scan.Extremes {
	if !p.begin(len(f), stepping) {
		return scan.Step(f, x, y, dx, dy, up, low)
	}
	a := p.args
	a.on(f, up, low)
	a.x, a.y, a.dx, a.dy = x, y, dx, dy
	p.do()
	return p.extremes()
}

// look is scan.Look.
func (p *passes) look(f []float64, up, low scan.Set) scan.Extremes {
	if !p.begin(len(f), looking) {
		return scan.Look(f, up, low)
	}
	p.args.on(f, up, low)
	p.do()
	return p.extremes()
}

// second is scan.Second.
func (p *passes) second(f []float64, row []float32, diag []float64, di, lowest float64, low scan.Set) scan.Partner {
	if !p.begin(len(f), seconding) {
		return scan.Second(f, row, diag, di, lowest, low)
	}
	a := p.args
	note(&a.f, f)
	note(&a.low, low)
	if len(a.diag) != len(diag) {
		a.diag = diag
	}
	a.x, a.dx, a.dy = row, di, lowest
	p.do()
	of := func(k int) scan.Partner {
		found := p.crew.Found(k)
		return scan.Partner{J: found.At, Gain: found.Value[0]}
	}
	best := of(0)
	for k := 1; k < a.parts; k++ {
		best = best.Join(of(k), edge(0, len(f), k, a.parts))
	}
	return best
}

// sum adds to each of some vectors rows times coefficients, one after the other.
func (p *passes) sum(s summing) {
	if len(s.to) == 0 || len(s.rows) == 0 {
		return
	}
	n := len(s.rows[0])
	if !p.begin(n*len(s.rows)*len(s.to), summed) {
		s.positions(0, n)
		return
	}
	p.args.sum = s
	p.do()
	p.args.sum = summing{}
}

// move makes a row in the order of position.
func (p *passes) move(g gathering) {
	p.gather = g
	if p.begin(len(g.to), moving) {
		p.do()
	}
}

// repeat sets dst to the elements of row, followed by row, from position from on.
func repeat(dst, row []float32, from int) {
	if from < len(row) {
		n := copy(dst, row[from:])
		copy(dst[n:], row)
		return
	}
	copy(dst, row[from-len(row):])
}
