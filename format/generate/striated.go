package generate

import "github.com/slimsvm/slimsvm/format"

var striated = Set{
	Name: "striated",
	Doc: `Four parallel stripes, of class +1 and of class -1 in turn, equally frequent.
Stripe k = 0..3 is normal with standard deviation 1.2 along (0.6, 0.8) and 0.2
across; its mean is (5, 5) and 1.6 (k - 3/2) times (0.8, -0.6). The best error
is about 0.005 %.
Source: a thesis on prototype support vector machines describes it so, without
numbers, and calls it clean; a re-creation, with as many stripes as linear
machines, right for 48.5 %, and quadratic ones, 73 %, say.`,
	Rows: 800, Inputs: 2, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		d := newBalancedSampler(r, 1, 1, 1, 1)
		return func(in *format.Instance) {
			k := d.next()
			in.Y = sign(k % 2)
			along := 1.2 * r.normal()
			across := float64(1.6*(float64(k)-1.5)) + float64(0.2*r.normal())
			dense(in, 5+float64(0.6*along)+float64(0.8*across))
			dense(in, 5+float64(0.8*along)-float64(0.6*across))
		}
	},
}
