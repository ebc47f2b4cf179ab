package generate

import "github.com/slimsvm/slimsvm/format"

var striated = Set{
	Name: "striated",
	Doc: `Three parallel stripes, the middle one of class -1, those beside it of class +1;
the classes are equally frequent. Stripe k = 0..2 is normal with standard
deviation 3 along (0.6, 0.8) and 0.25 across; its mean is (5, 5) and 1.5 (k - 1)
times (0.8, -0.6). The best error is about 0.2 %.
Source: a thesis on prototype support vector machines describes it so, without
numbers; a re-creation. Its linear machines, at 48.5 %, say that the stripes
are symmetrical.`,
	Rows: 800, Inputs: 2, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		d := newDeck(r, 1, 2, 1)
		return func(in *format.Instance) {
			k := d.deal()
			in.Y = sign(k % 2)
			along := 3 * r.normal()
			across := 1.5*float64(k-1) + float64(0.25*r.normal())
			dense(in, 5+float64(0.6*along)+float64(0.8*across))
			dense(in, 5+float64(0.8*along)-float64(0.6*across))
		}
	},
}
