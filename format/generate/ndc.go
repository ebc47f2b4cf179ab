package generate

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
)

var ndc = Set{
	Name: "ndc",
	Doc: `Normally distributed clusters: 100 normal clouds in 32 dimensions. The centres
are standard normal, a random plane through the origin gives each its class,
and a random share of the rows falls to each. A cloud is the centre plus
e A z, z standard normal, A a random matrix with entries of variance 1/32, and
e = 0.4 the expansion factor: clouds reach across the plane, so that a plane
is right for about 88 % of the rows.
Source: after D. R. Musicant, NDC: normally distributed clustered datasets,
1998; a re-creation.`,
	Rows: 2000, Inputs: 32, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		fixed := newRandom(0, "ndc centres")
		plane := make([]float64, 32)
		for j := range plane {
			plane[j] = fixed.normal()
		}
		centres := make([]cloud, 100)
		for k := range centres {
			c := &centres[k]
			c.centre = make([]float64, 32)
			side := 0.0
			for j := range c.centre {
				c.centre[j] = fixed.normal()
				side += float64(c.centre[j] * plane[j])
			}
			c.label = 1
			if side < 0 {
				c.label = -1
			}
		}
		return clouds(r, fixed, centres, 0.4)
	},
}

// Clouds returns a set of normal clouds around the rows of centres, as NDC makes them. Each centre
// gets a random share of the rows, which have its label and are the centre plus expansion A z,
// where z is standard normal and A is a random matrix of the centre with entries of variance
// 1/inputs.
//
// The matrices take 8 inputs^2 bytes for each centre, which is limited. Errors: centres without
// rows or features, with feature 0, or with rows that are not valid vectors; an expansion that is
// negative or not a number.
func Clouds(name string, centres *format.Dataset, expansion float64) (Set, error) {
	if err := centres.Check(); err != nil {
		return Set{}, fmt.Errorf("centres of clouds: %w", err)
	}
	if err := centres.Header.CheckFeatures(); err != nil {
		return Set{}, fmt.Errorf("centres of clouds: %w", err)
	}
	if i, err := centres.X.Fault(); err != nil {
		return Set{}, fmt.Errorf("centre %d of clouds: %w", i+1, err)
	}
	inputs := centres.X.MaxIndex()
	switch {
	case centres.Len() == 0:
		return Set{}, errors.New("no centres for clouds")
	case inputs < 1:
		return Set{}, errors.New("centres of clouds have no features")
	case !(expansion >= 0 && expansion <= math.MaxFloat64):
		return Set{}, fmt.Errorf("expansion factor %v is not a number from 0 on", expansion)
	case float64(centres.Len())*float64(inputs)*float64(inputs) > mostSpread:
		return Set{}, fmt.Errorf("matrices of %d clouds of %d features take more than %d GB", centres.Len(), inputs, mostSpread*8>>30)
	}
	labels := map[float64]bool{}
	cs := make([]cloud, centres.Len())
	for i := range cs {
		labels[centres.Y[i]] = true
		cs[i] = cloud{label: centres.Y[i], centre: make([]float64, inputs)}
		row := centres.X.Row(i)
		for k, j := range row.Index {
			if j == 0 {
				return Set{}, fmt.Errorf("centre %d of clouds has a feature with index 0", i+1)
			}
			cs[i].centre[j-1] = row.Value[k]
		}
	}
	return Set{
		Name: name,
		Doc:  fmt.Sprintf("Normal clouds round %d given centres, expansion factor %g.", len(cs), expansion),
		Rows: 2000, Inputs: inputs, Classes: len(labels), Seeded: true,
		start: func(r *random, _ int) func(*format.Instance) {
			own := make([]cloud, len(cs))
			copy(own, cs)
			return clouds(r, newRandom(0, name+" centres"), own, expansion)
		},
	}, nil
}

// mostSpread bounds the numbers in the matrices of clouds.
const mostSpread = 1 << 28

// A cloud is one normal distribution of NDC.
type cloud struct {
	label  float64
	centre []float64
	spread []float64 // e A, row by row
	upTo   float64   // sum of the shares of this cloud and those before it
}

// clouds draws what is left to draw of the centres from fixed, and returns the
// function that draws rows from r.
func clouds(r, fixed *random, centres []cloud, expansion float64) func(*format.Instance) {
	inputs := len(centres[0].centre)
	scale := expansion / math.Sqrt(float64(inputs))
	sum := 0.0
	for k := range centres {
		c := &centres[k]
		sum += fixed.uniform()
		c.upTo = sum
		c.spread = make([]float64, inputs*inputs)
		for i := range c.spread {
			c.spread[i] = scale * fixed.normal()
		}
	}
	z := make([]float64, inputs)
	return func(in *format.Instance) {
		c := pick(centres, r.uniform()*sum)
		in.Y = c.label
		for j := range z {
			z[j] = r.normal()
		}
		for i, x := range c.centre {
			for j, a := range c.spread[i*inputs : (i+1)*inputs] {
				x += float64(a * z[j])
			}
			dense(in, x)
		}
	}
}

// pick returns the cloud whose share holds u.
func pick(centres []cloud, u float64) *cloud {
	for k := range centres {
		if u < centres[k].upTo {
			return &centres[k]
		}
	}
	return &centres[len(centres)-1] // u*sum was rounded up to the sum
}
