package generate

import (
	"math"

	"github.com/slimsvm/slimsvm/format"
)

// The sets of this file have two classes and lie in the plane.

var checkerboard = Set{
	Name: "checkerboard",
	Doc: `Points uniform on [0,200]^2, labelled by the squares of a board of 4 x 4:
+1 where floor(x/50) + floor(y/50) is even, -1 elsewhere. Three decimals.
Source: T. K. Ho and E. M. Kleinberg, Checkerboard dataset, 1996, as drawn in
the papers that use it; a re-creation.`,
	Rows: 1000, Inputs: 2, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		return func(in *format.Instance) {
			a, b := r.below(200_000), r.below(200_000)
			dense(in, float64(a)/1000)
			dense(in, float64(b)/1000)
			in.Y = sign((a/50_000 + b/50_000) % 2)
		}
	},
}

var moons = Set{
	Name: "moons",
	Doc: `Two interleaved half circles with normal noise of standard deviation 0.15:
(cos t, sin t) for +1 and (1 - cos t, 1/2 - sin t) for -1, t uniform on [0,pi].`,
	Rows: 500, Inputs: 2, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		d := newBalancedSampler(r, 1, 1)
		return func(in *format.Instance) {
			in.Y = sign(d.next())
			cos, sin := r.halfCircle()
			if in.Y < 0 {
				cos, sin = 1-cos, 0.5-sin
			}
			dense(in, cos+float64(0.15*r.normal()))
			dense(in, sin+float64(0.15*r.normal()))
		}
	},
}

// halfCircle returns a uniform point of the upper unit half circle: a point of
// the half disc, moved outwards.
func (r *random) halfCircle() (x, y float64) {
	for {
		x, y := r.between(-1, 1), r.uniform()
		if q := float64(x*x) + float64(y*y); q <= 1 && q > 0 {
			q = math.Sqrt(q)
			return x / q, y / q
		}
	}
}
