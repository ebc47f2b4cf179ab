package joint

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
)

// Memory: rows are held twice, by row and by feature, in chunks, densely or sparsely; a descent keeps
// changes of the vectors and of their slopes, and each strip has a sum of slopes; products of
// vectors with vectors are there for each strip of a metric, and in its factor. Kernel values
// of vectors that stay are kept (cached.go). Where coordinates take the place of features (span.go) all
// this is as long as there are rows, and the model's vectors are not.

const (
	mostDense = 1 << 31 // most values, in 16 GB
	// mostTogether are those up to which trainings on parts of the rows go on at once, in
	// 1 GB.
	mostTogether = 1 << 27
	// mostMoments is the number of products of vectors, of all strips of a metric.
	mostMoments = 1 << 28
)

// manyDimensions is the number of dimensions from which on L-BFGS keeps fewChanges, and descents
// on parts of the rows end when they have settled (choose.go). A variable for tests.
var manyDimensions = 512

// fewChanges is the number of pairs of changes that L-BFGS keeps of many dimensions. These are too
// long for caches: with twenty of them it takes as long as the objective does, and descents
// end no sooner.
const fewChanges = 8

// changes returns how many pairs of changes a descent keeps.
func (s *search) changes() int {
	if s.inputs >= manyDimensions {
		return fewChanges
	}
	return lbfgs.Default().Memory
}

// values returns how many numbers a training with so many vectors has in memory, about. A
// float64 has room for any.
func (s *search) values(vectors int) float64 {
	rows, inputs, m := float64(s.d.X.Len()), float64(s.inputs), float64(vectors)
	changes := float64(2 * s.changes())
	const (
		others  = 10
		squares = 7 // of the factor, and of kernel values of vectors
	)
	held := 2 * rows * inputs
	if vec.Few(s.entries, s.d.X.Len(), s.inputs) {
		held = 3 * float64(s.entries) // with an index beside each number
	}
	kept := 2 * min(mostCached, rows*m)
	features := 0.0
	if s.inputs < s.columns() { // which vectors are given at the end, with an index each
		features = 2 * m * float64(s.columns())
	}
	return features + kept + held + float64(float64((changes+strips+others)*m)*inputs) + float64((float64(metricStrips(vectors))+squares)*m*m)
}

// fits returns an error if there is too much for any computer's memory.
func (s *search) fits(vectors int) error {
	if s.values(vectors) > mostDense {
		return fmt.Errorf("%d vectors for %d rows of %d features would take more than %d GB of memory", vectors, s.d.X.Len(), s.columns(), mostDense*8>>30)
	}
	return nil
}

// together returns how many trainings may go on at once.
func (s *search) together() int {
	return max(1, int(mostTogether/max(1, s.values(min(s.Vectors, s.d.X.Len())))))
}

// metricStrips returns the number of strips of a metric: of thousands of vectors a few.
func metricStrips(vectors int) int {
	return max(1, min(strips, mostMoments/max(1, vectors)/max(1, vectors)))
}
