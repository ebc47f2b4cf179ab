package psvm

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// Problem: a hyperplane for each pair of classes, in each of many machines, has too many weights
// for the memory where there are many features: 10,000 digits of 10 classes and 776 features could
// have 350 million.
//
// Method: count the weights that there may be, the same on every machine, and with too many have
// one hyperplane each. Counted as if each row were the exemplar of a machine with all pairs, they
// are two to ten times as many as there are.

// MostWeights is the largest number of weights with which machines have a hyperplane for each pair
// of classes unless Trainer.Pairs is set: the number of rows that are trained on at once, times
// that of pairs of classes, times that of features, or times the mean number of values in
// Trainer.Negatives + 1 rows if that is less. Exemplar machines that are not shifted have pairs of
// Trainer.Negatives + 1 classes at most. With 12 bytes each, so many weights would take 1.6 GB.
const MostWeights = 1 << 27

// limit sets Single if there may be too many weights.
func (t *Trainer) limit(x *vec.Matrix, classes int) {
	if t.Single || t.Pairs || classes <= 2 {
		return
	}
	if t.Iterations == 0 {
		classes = min(classes, t.Negatives+1)
	}
	planes := float64(t.mostAtOnce(x.Len())) * float64(models.Pairs(classes))
	values := float64(t.Negatives+1) * float64(x.NNZ()) / float64(x.Len())
	if planes*values > MostWeights && planes*float64(vec.IndexSetOf(x).Len()) > MostWeights {
		t.Single = true
		t.Report.Send(train.OneHyperplane{})
	}
}

// mostAtOnce returns the largest number of rows that are trained on at once, of n.
func (t *Trainer) mostAtOnce(n int) int {
	n = min(n, t.drawn(n))
	if t.Sampling > 0 {
		share := t.FirstShare + float64(float64(t.Sampling-1)*t.NextShare)
		n = int(min(float64(n), math.Ceil(share*float64(n))))
	}
	return n
}
