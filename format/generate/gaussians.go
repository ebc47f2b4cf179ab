package generate

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
)

// Gaussians returns a set of equally frequent classes with unit covariance. Any two of their means
// have the given distance: class c, from 1, has its mean at distance/sqrt(2) on axis c. Between two
// classes the smallest possible error is Phi(-distance/2). It panics unless 2 <= classes <= inputs.
func Gaussians(classes, inputs int, distance float64) Set {
	if classes < 2 || classes > inputs {
		panic(fmt.Sprintf("generate: %d classes with %d inputs", classes, inputs))
	}
	name := "gauss"
	if classes > 2 {
		name += fmt.Sprint(classes)
	}
	return Set{
		Name: name,
		Doc: fmt.Sprintf(`%d equally frequent classes, normally distributed with unit covariance.
Class c, from 1, has its mean at %g/sqrt(2) on axis c, so that any two means
are %g apart and the best error between two classes is Phi(-%g).`, classes, distance, distance, distance/2),
		Rows: 500, Inputs: inputs, Classes: classes, Seeded: true,
		start: func(r *random, _ int) func(*format.Instance) {
			counts := make([]int, classes)
			for c := range counts {
				counts[c] = 1
			}
			d := newBalancedSampler(r, counts...)
			return func(in *format.Instance) {
				class := d.next()
				in.Y = float64(class + 1)
				if classes == 2 {
					in.Y = sign(class)
				}
				for j := range inputs {
					x := r.normal()
					if j == class {
						x += distance / math.Sqrt2
					}
					dense(in, x)
				}
			}
		},
	}
}

var twonorm = Set{
	Name: "twonorm",
	Doc: `Two equally frequent classes in 20 dimensions, normal with unit covariance and
means (a,...,a) for +1 and (-a,...,-a) for -1, a = 2/sqrt(20). The best
separation is the plane sum x = 0, with error Phi(-2) = 2.3 %.
Source: L. Breiman, Bias, variance, and arcing classifiers, 1996.`,
	Rows: 7400, Inputs: 20, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		a := 2 / math.Sqrt(20)
		d := newBalancedSampler(r, 1, 1)
		return func(in *format.Instance) {
			in.Y = sign(d.next())
			for range 20 {
				dense(in, r.normal()+float64(in.Y*a))
			}
		}
	},
}

var ringnorm = Set{
	Name: "ringnorm",
	Doc: `Two equally frequent classes in 20 dimensions: +1 is normal with mean 0 and
covariance 4 I and surrounds -1, normal with mean (a,...,a), a = 1/sqrt(20),
and unit covariance. The best error is 1.3 %.
Source: L. Breiman, Bias, variance, and arcing classifiers, 1996.`,
	Rows: 7400, Inputs: 20, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		a := 1 / math.Sqrt(20)
		d := newBalancedSampler(r, 1, 1)
		return func(in *format.Instance) {
			in.Y = sign(d.next())
			for range 20 {
				if in.Y > 0 {
					dense(in, 2*r.normal())
				} else {
					dense(in, r.normal()+a)
				}
			}
		}
	},
}

var waveform = Set{
	Name: "waveform",
	Doc: `Three equally frequent classes of noisy waves of 21 points. With
h1(i) = max(6 - |i - 11|, 0), h2(i) = h1(i - 4), h3(i) = h1(i + 4), i = 1..21,
a row is u h + (1 - u) h' plus standard normal noise, u uniform on [0,1]:
class 1 mixes h1 and h2, class 2 h1 and h3, class 3 h2 and h3. The best error
is about 14 %.
Source: L. Breiman et al., Classification and Regression Trees, 1984, 2.6.2.`,
	Rows: 5000, Inputs: 21, Classes: 3, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		wave := func(h, i int) float64 {
			peak := [...]int{11, 15, 7}[h]
			return float64(max(6-max(i-peak, peak-i), 0))
		}
		pairs := [...][2]int{{0, 1}, {0, 2}, {1, 2}}
		d := newBalancedSampler(r, 1, 1, 1)
		return func(in *format.Instance) {
			class := d.next()
			in.Y = float64(class + 1)
			u := r.uniform()
			for i := 1; i <= 21; i++ {
				h, k := wave(pairs[class][0], i), wave(pairs[class][1], i)
				dense(in, float64(u*h)+float64((1-u)*k)+r.normal())
			}
		}
	},
}
