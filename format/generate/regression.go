package generate

import (
	"math"

	"github.com/slimsvm/slimsvm/format"
)

var friedman = Set{
	Name: "friedman",
	Doc: `A regression with ten inputs, uniform on [0,1], of which five matter:
y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + standard normal noise.
Source: J. H. Friedman, Multivariate adaptive regression splines, 1991, 4.3.`,
	Rows: 500, Inputs: 10, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		return func(in *format.Instance) {
			for range 10 {
				dense(in, r.uniform())
			}
			x := in.X.Value
			_, sin := angle(16 * float64(x[0]*x[1]))
			c := x[2] - 0.5
			y := float64(10*sin) + float64(20*c*c) + float64(10*x[3]) + float64(5*x[4])
			in.Y = round(y+r.normal(), 1e6)
		}
	},
}

var sinc = Set{
	Name: "sinc",
	Doc: `A regression with one input: y = sin(pi x)/(pi x) plus normal noise of standard
deviation 0.1, x uniform on [-4,4].
Source: V. Vapnik, S. Golowich and A. Smola, Support vector method for function
approximation, regression estimation, and signal processing, 1997.`,
	Rows: 200, Inputs: 1, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		return func(in *format.Instance) {
			x := math.Abs(dense(in, r.between(-4, 4)))
			y := 1.0
			if x != 0 {
				_, sin := angle(16 * x)
				y = sin / (math.Pi * x)
			}
			in.Y = round(y+float64(0.1*r.normal()), 1e6)
		}
	},
}
