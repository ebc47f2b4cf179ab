package scan

import "math"

// Problem: if a step of two variables leads out of their boxes, it must end at the border.
//
// Method: LIBSVM's sequence of tests, each of which sets one variable to its end and the other one
// so that their sum stays.

// A Box is the range of a variable: from Lower to Upper. One of these is 0.
type Box struct{ Lower, Upper float64 }

// The places of a variable in its box.
const (
	Inside = iota
	AtLower
	AtUpper
)

// positive reports whether the box is [0, C].
func (x Box) positive() bool { return x.Upper > 0 }

// holds reports whether b is inside.
func (x Box) holds(b float64) bool { return x.Lower < b && b < x.Upper }

// Place returns where b is. If b is at both ends, because the box has no room, the end that should
// not be 0 counts: Upper in [0, C], Lower in [-C, 0].
func (x Box) Place(b float64) uint8 {
	low, up := b <= x.Lower, b >= x.Upper
	switch {
	case up && (!low || x.positive()):
		return AtUpper
	case low:
		return AtLower
	}
	return Inside
}

// A Pair is two variables. The first goes up by as much as the second goes down.
type Pair struct {
	B     [2]float64
	Boxes [2]Box
}

// Clip moves the variables back into their boxes along B[0] + B[1] = sum. The order of the cases,
// and which variable yields in a tie, are LIBSVM's. They matter if rounding makes both tests true.
func (p *Pair) Clip(sum float64) {
	if p.Boxes[1].positive() {
		p.clipForward(sum)
		p.clipBackward(sum)
	} else {
		p.clipBackward(sum)
		p.clipForward(sum)
	}
}

// clipForward handles a first variable above its box, or a second one below.
func (p *Pair) clipForward(sum float64) {
	upper, lower := p.Boxes[0].Upper, p.Boxes[1].Lower
	edge := upper + lower // the sum at which both reach their ends together
	if sum > edge || sum == edge && !p.Boxes[0].positive() {
		if p.B[0] > upper {
			p.B[0], p.B[1] = upper, sum-upper
			if sum == 0 && !p.Boxes[0].positive() && p.Boxes[1].positive() {
				p.B[1] = math.Copysign(0, -1) // as LIBSVM prints it
			}
		}
	} else if p.B[1] < lower {
		p.B[1], p.B[0] = lower, sum-lower
	}
}

// clipBackward handles a first variable below its box, or a second one above.
func (p *Pair) clipBackward(sum float64) {
	lower, upper := p.Boxes[0].Lower, p.Boxes[1].Upper
	edge := lower + upper
	if sum < edge || sum == edge && p.Boxes[0].positive() {
		if p.B[0] < lower {
			p.B[0], p.B[1] = lower, sum-lower
		}
	} else if p.B[1] > upper {
		p.B[1], p.B[0] = upper, sum-upper
	}
}
