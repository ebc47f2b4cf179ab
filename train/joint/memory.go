package joint

import (
	"fmt"

	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
)

// Memory: rows are held twice, by row and by feature, in chunks, densely or sparsely. A descent
// keeps changes of the vectors and of their gradients, and each strip has a sum of gradients. Each
// strip of a metric, and its factor, has products of vectors with vectors. Kernel values of fixed
// vectors are kept (cached.go). If coordinates replace the features (span.go), all this has as many
// dimensions as there are rows and initial vectors, but the model's vectors have all features.

const (
	mostDense = 1 << 31 // largest number of values of a training, 16 GB
	// mostTogether is the number of values, 1 GB, up to which trainings on parts of the rows run at
	// once.
	mostTogether = 1 << 27
	// mostMoments is the largest number of products of vectors in all strips of a metric.
	mostMoments = 1 << 28
)

// manyDimensions is the number of dimensions from which L-BFGS keeps fewChanges, and descents on
// parts of the rows end when they have settled (choose.go). Tests change it.
var manyDimensions = 512

// fewChanges is the number of pairs of changes that L-BFGS keeps in many dimensions. They do not
// fit into caches: with twenty of them, L-BFGS takes as long as the objective, and descents end no
// sooner.
const fewChanges = 8

// changes returns how many pairs of changes a descent keeps.
func (s *search) changes() int {
	if s.inputs >= manyDimensions {
		return fewChanges
	}
	return lbfgs.Default().Memory
}

// values returns about how many numbers a training with the given number of vectors has in memory.
// It may overflow an int.
func (s *search) values(vectors int) float64 {
	rows, inputs, m := float64(s.d.X.Len()), float64(s.inputs), float64(vectors)
	changes := float64(2 * s.changes())
	const (
		others  = 10 // vectors of the length of a point
		squares = 7  // of the factor, and of kernel values of vectors
	)
	held := 2 * rows * inputs
	if sparsePays(s.entries, s.d.X.Len(), s.inputs, vectors) {
		held = 3 * float64(s.entries) // with an index beside each number
	}
	kept := 2 * min(mostCached, rows*m)
	features := 0.0
	if s.inputs < s.columns() { // the model's vectors have these, with an index for each
		features = 2 * m * float64(s.columns())
	}
	return features + kept + held + float64(float64((changes+strips+others)*m)*inputs) + float64((float64(metricStrips(vectors))+squares)*m*m)
}

// fits returns an error if a training with the given number of vectors takes too much memory.
func (s *search) fits(vectors int) error {
	if s.values(vectors) > mostDense {
		return fmt.Errorf("%d vectors for %d rows of %d features would take more than %d GB of memory", vectors, s.d.X.Len(), s.columns(), mostDense*8>>30)
	}
	return nil
}

// together returns how many trainings may run at once.
func (s *search) together() int {
	return max(1, int(mostTogether/max(1, s.values(min(s.Vectors, s.d.X.Len())))))
}

// metricStrips returns the largest number of strips of a metric: few with thousands of vectors.
func metricStrips(vectors int) int {
	return max(1, min(strips, mostMoments/max(1, vectors)/max(1, vectors)))
}
