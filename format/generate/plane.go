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

var isolated = Set{
	Name: "isolated",
	Doc: `Three round normal clusters of class +1 (standard deviation 0.5, means
(2.5,2.5), (7.5,3.5), (4.5,7.5), 3 rows of 8 together) and a background of
class -1, uniform on [0,10]^2 outside three standard deviations of each mean.
Source: a thesis on prototype support vector machines describes it so, without
numbers; a re-creation.`,
	Rows: 800, Inputs: 2, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		classes, clusters := newDeck(r, 3, 5), newDeck(r, 1, 1, 1)
		return func(in *format.Instance) {
			in.Y = sign(classes.deal())
			if in.Y > 0 {
				c := isolatedMeans[clusters.deal()]
				dense(in, c[0]+float64(isolatedSD*r.normal()))
				dense(in, c[1]+float64(isolatedSD*r.normal()))
				return
			}
			for {
				x, y := round(r.between(0, 10), 1e6), round(r.between(0, 10), 1e6)
				if !nearCluster(x, y) {
					dense(in, x)
					dense(in, y)
					return
				}
			}
		}
	},
}

const isolatedSD = 0.5

var isolatedMeans = [...][2]float64{{2.5, 2.5}, {7.5, 3.5}, {4.5, 7.5}}

// nearCluster reports whether a point is within three standard deviations of a
// mean.
func nearCluster(x, y float64) bool {
	for _, c := range isolatedMeans {
		dx, dy := x-c[0], y-c[1]
		if float64(dx*dx)+float64(dy*dy) <= 9*isolatedSD*isolatedSD {
			return true
		}
	}
	return false
}

var moons = Set{
	Name: "moons",
	Doc: `Two interleaved half circles with normal noise of standard deviation 0.15:
(cos t, sin t) for +1 and (1 - cos t, 1/2 - sin t) for -1, t uniform on [0,pi].`,
	Rows: 500, Inputs: 2, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		d := newDeck(r, 1, 1)
		return func(in *format.Instance) {
			in.Y = sign(d.deal())
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
			t := float64(row/2*96) / float64(last)
			cos, sin := angle(t)
			in.Y = sign(row % 2)
			radius := in.Y * 6.5 * (104 - t) / 104
			dense(in, round(radius*cos, 1e5))
			dense(in, round(radius*sin, 1e5))
			row++
		}
	},
}

var striated = Set{
	Name: "striated",
	Doc: `Six parallel stripes of alternating class, equally frequent. Stripe k = 0..5 is
normal with standard deviation 3 along (0.6, 0.8) and 0.3 across, and has its
mean at 1.5 k - 3.75 on the axis (0.8, -0.6); even stripes are +1. The best
error is about 1 %.
Source: a thesis on prototype support vector machines describes it so, without
numbers; a re-creation.`,
	Rows: 800, Inputs: 2, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		d := newDeck(r, 1, 1, 1, 1, 1, 1)
		return func(in *format.Instance) {
			k := d.deal()
			in.Y = sign(k % 2)
			along := 3 * r.normal()
			across := 1.5*float64(k) - 3.75 + float64(0.3*r.normal())
			dense(in, float64(0.6*along)+float64(0.8*across))
			dense(in, float64(0.8*along)-float64(0.6*across))
		}
	},
}
