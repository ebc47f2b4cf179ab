package generate

import "github.com/slimsvm/slimsvm/format"

var spirals = Set{
	Name: "spirals",
	Doc: `Two interlocked spirals of three turns, 97 points each, without noise: +1 at
(r cos a, r sin a) and -1 at the opposite point, with a = i pi/16 and
r = 6.5 (104 - i)/104, i = 0..96, alternating. Five decimals. Another number of
rows spreads i evenly from 0 to 96. The seed is not used.
Source: the two-spirals benchmark of the CMU neural networks collection
(A. Wieland; density 1, radius 6.5).`,
	Rows: 194, Inputs: 2, Classes: 2,
	start: func(_ *random, rows int) func(*format.Instance) {
		last := max((rows+1)/2-1, 1)
		row := 0
		return func(in *format.Instance) {
			t := spiralTurn(row, last)
			cos, sin := angle(t)
			in.Y = sign(row % 2)
			radius := in.Y * 6.5 * (104 - t) / 104
			dense(in, round(radius*cos, 1e5))
			dense(in, round(radius*sin, 1e5))
			row++
		}
	},
}

// spiralTurn returns i of a row, where row/2 goes from 0 to last.
func spiralTurn(row, last int) float64 { return float64(row/2) * 96 / float64(last) }
