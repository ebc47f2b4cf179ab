package smo

import (
	"unsafe"

	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// Problem: find the second variable of a pair, with one thread or in the parts of a pass.
//
// Method: only variables that promise at least a known or expected gain are examined. If no
// variable has the expected gain, the search is repeated without expecting one.

// A partner is the second variable of a pair with the values that its step needs. The threads that
// found it have these in their caches.
type partner struct {
	scan.Partner
	f float64 // f of the partner
	k float32 // the partner's element of the row by which it was found
}

// A second has the arguments of scan.Second for one group.
type second struct {
	row        []float32
	diag       []float64
	di, lowest float64
	least      float64 // a gain that some variable is expected to have; 0: none
}

// in is scan.Second, for the whole of f.
func (o *second) in(f []float64, low scan.Set) (best partner) {
	if best.Partner = scan.SecondAbove(f, o.row, o.diag, o.di, o.lowest, o.least, low); !o.holds(best) {
		best.Partner = scan.Second(f, o.row, o.diag, o.di, o.lowest, low)
	}
	if best.J >= 0 {
		best.f, best.k = f[best.J], o.row[best.J]
	}
	return best
}

// holds reports whether the partner found has the expected gain.
func (o *second) holds(found partner) bool { return o.least == 0 || found.Gain >= o.least }

// second is scan.Second.
func (p *passes) second(f []float64, of *second, low scan.Set) partner {
	if !p.begin(len(f), secondPass) {
		return of.in(f, low)
	}
	p.setSecond(f, of, 0, low)
	p.do()
	return p.confirm(p.partner(0), f, of, low)
}

// confirm returns the partner found, if it has the expected gain, else it searches again without
// expecting one.
func (p *passes) confirm(found partner, f []float64, of *second, low scan.Set) partner {
	if of.holds(found) {
		return found
	}
	all := *of
	all.least = 0
	return p.second(f, &all, low)
}

// secondBoth is scan.Second in each of two groups.
func (p *passes) secondBoth(f []float64, of *[2]second, low [2]scan.Set) [2]partner {
	if !p.begin(2*len(f), secondPass) {
		return [2]partner{of[0].in(f, low[0]), of[1].in(f, low[1])}
	}
	p.setSecond(f, &of[0], 0, low[0])
	p.setSecond(f, &of[1], 1, low[1])
	p.helpers.Command().Kind |= int32(withBoth)
	p.do()
	found := [2]partner{p.partner(0), p.partner(1)}
	for g := range found {
		found[g] = p.confirm(found[g], f, &of[g], low[g])
	}
	return found
}

// setSecond sets the arguments of scan.Second for a group in the command of the next pass.
func (p *passes) setSecond(f []float64, of *second, g int, low scan.Set) {
	note(&p.args.f, f)
	note(&p.args.low[g], low)
	if len(p.args.diag) != len(of.diag) {
		p.args.diag = of.diag
	}
	command := p.helpers.Command()
	command.Rows[g], command.Values[2*g], command.Values[2*g+1] = unsafe.SliceData(of.row), of.di, of.lowest
	// there is room for least only if there is one group, or if diag is nil, where di is not needed
	if of.diag == nil {
		command.Values[2*g] = of.least
	} else if g == 0 {
		command.Values[2] = of.least
	}
}
