package rsvm

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/kmeans"
)

// Problem: find a reduced set that is as small as one of random rows, but better.
//
// Method: some rows of each class are drawn, centreRows for each vector, and the class's vectors
// are their k-means centres. Time and memory do not depend on the number of all rows, so rows may
// be streamed.

// centreRows is how many rows are drawn for a centre.
const centreRows = 64

// A drawn is what is drawn of the rows of each class for a reduced set.
type drawn struct {
	rows    [][]int // of each class, numbered in their order, increasing
	centres []int   // of each class; nil: the rows are the vectors
}

// draw draws what is wanted of classes with so many rows; all if nothing is said.
func (j *Job) draw(counts []int) (d drawn) {
	total := 0
	for _, c := range counts {
		total += c
	}
	s, ok := j.o.Set.(Random)
	if !ok {
		s = Random{Vectors: total}
	}
	share := stratify
	if s.Even {
		share = kmeans.Evenly
	}
	n := share(counts, s.size(total))
	j.undrawn(n)
	if s.Centres {
		d.centres = slices.Clone(n)
		for c, count := range counts {
			n[c] = min(count, n[c]*centreRows)
		}
	}
	rng := random(j.o.Seed, forSet)
	for c, k := range n {
		d.rows = append(d.rows, choose(counts[c], k, rng))
	}
	return d
}

// undrawn reports classes that have no share in the reduced set. Of two classes either vector
// tells both.
func (j *Job) undrawn(n []int) {
	e := train.ClassesUndrawn{Of: len(n)}
	for _, k := range n {
		e.Vectors += k
		if k == 0 {
			e.Classes++
		}
	}
	if e.Classes > 0 && len(n) > 2 {
		j.o.Report.Send(e)
	}
}

// centresOf returns the centres of the rows of x, which belong to the classes that are
// given, class after class; and the classes of the centres.
func (d *drawn) centresOf(ctx context.Context, x *vec.Matrix, of []int32, seed uint64) (zs vec.Matrix, classes []int32, err error) {
	rng := random(seed, forCentres)
	from := 0
	for c, n := range d.centres {
		var rows []int
		for ; from < len(of) && of[from] == int32(c); from++ {
			rows = append(rows, from)
		}
		if n == 0 {
			continue
		}
		centres, err := kmeans.Centres(ctx, x, rows, n, rng)
		if err != nil {
			return zs, nil, err
		}
		for _, z := range centres {
			zs.Append(asWritten(z))
			classes = append(classes, int32(c))
		}
	}
	if i, err := zs.Fault(); err != nil { // of rows that are finite the sum may not be
		return zs, nil, fmt.Errorf("centre %d: %w: %w", i+1, err, train.ErrOverflow)
	}
	return zs, classes, ctx.Err()
}

// asWritten returns a vector with the digits that LIBSVM's model files have, so that
// coefficients are those of the vectors that a file will hold.
func asWritten(z vec.Vector) vec.Vector {
	for k, v := range z.Value {
		z.Value[k], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	}
	return z
}
