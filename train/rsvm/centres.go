package rsvm

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/kmeans"
)

// Problem: find a reduced set that is as small as one of random rows, but better.
//
// Method: some rows of each class are drawn, centreRows for each vector, and the class's vectors
// are their k-means centres. Time and memory do not depend on the number of all rows, so rows may
// be streamed.

// centreRows is the number of rows that are drawn for each centre.
const centreRows = 64

// A drawn says which rows of each class are drawn for a reduced set.
type drawn struct {
	rows    [][]int // of each class, as places among its rows, ascending
	centres []int   // number of centres of each class; nil: the rows are the vectors
}

// draw draws the rows that the Set asks for, given the number of rows of each class: all rows,
// unless it is Random.
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

// undrawn reports classes without rows in the reduced set. With two classes, vectors of one are
// enough to tell them apart.
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

// centresOf returns the centres of the rows of x, and the class of each centre. of has the class of
// each row; the rows are in the order of the classes.
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
	if i, err := zs.Fault(); err != nil { // the sum of finite rows may not be finite
		return zs, nil, fmt.Errorf("centre %d: %w: %w", i+1, err, train.ErrOverflow)
	}
	return zs, classes, ended.Err(ctx)
}

// asWritten returns a vector with values rounded as in LIBSVM's model files, so that coefficients
// are fitted to the vectors that a file will have.
func asWritten(z vec.Vector) vec.Vector {
	for k, v := range z.Value {
		z.Value[k], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	}
	return z
}
