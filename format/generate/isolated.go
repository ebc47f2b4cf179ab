package generate

import "github.com/slimsvm/slimsvm/format"

var isolated = Set{
	Name: "isolated",
	Doc: `Three round normal clusters of class +1 (standard deviation 0.5, means (4,4),
(6,4) and (5,6), a row of 8 each) and a background of class -1, uniform on
[0,10]^2 outside three standard deviations of each mean.
Source: a thesis on prototype support vector machines describes it so, without
numbers; a re-creation, placed so that linear machines call all rows
background and quadratic ones are right for 82 %, as there.`,
	Rows: 800, Inputs: 2, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		classes, clusters := newBalancedSampler(r, 3, 5), newBalancedSampler(r, 1, 1, 1)
		return func(in *format.Instance) {
			in.Y = sign(classes.next())
			if in.Y > 0 {
				c := isolatedMeans[clusters.next()]
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

// isolatedMeans are the clusters' means.
var isolatedMeans = [...][2]float64{{4, 4}, {6, 4}, {5, 6}}

// nearCluster reports whether a point is within three standard deviations of a mean.
func nearCluster(x, y float64) bool {
	for _, c := range isolatedMeans {
		dx, dy := x-c[0], y-c[1]
		if float64(dx*dx)+float64(dy*dy) <= 9*isolatedSD*isolatedSD {
			return true
		}
	}
	return false
}
