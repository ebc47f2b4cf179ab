package train

import (
	"context"
	"errors"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

// noiseFolds is the number of folds of the cross-validation that gives residuals.
const noiseFolds = 5

// noiseOutlier is the number of standard deviations beyond which a residual is left out.
const noiseOutlier = 5

// EstimateNoise returns the scale sigma of a Laplace distribution of target minus prediction for
// the models of a regression trainer. It is the mean absolute residual of a five-fold
// cross-validation, weighted by row weights, without residuals beyond five standard deviations (a
// standard deviation is sqrt 2 times the mean). One row is too few. Lin and Weng, "Simple
// probabilistic predictions for support vector regression" (2004).
func EstimateNoise(ctx context.Context, t Trainer, d *format.Dataset, rng *Rand, report Report) (float64, error) {
	if t == nil {
		return 0, errNoTrainer
	}
	if err := d.Check(); err != nil {
		return 0, err
	}
	switch d.Len() {
	case 0:
		return 0, ErrNoData
	case 1:
		return 0, errors.New("1 row is too few to estimate probabilities")
	}
	folds, err := CrossValidationFolds(models.EpsilonSVR, d.Y, noiseFolds, rng, report)
	if err != nil {
		return 0, err
	}
	c := &crossValidation{d: d, folds: folds, predictions: make([]float64, d.Len()), inner: true}
	residuals, err := c.run(ctx, t, rng, report)
	if err != nil {
		return 0, err
	}
	weights := inUnits(d.Weight)
	size := func(i int) float64 {
		if weights == nil {
			return math.Abs(residuals[i])
		}
		return float64(weights[i] * math.Abs(residuals[i]))
	}
	mean := 0.0
	for i, p := range residuals {
		residuals[i] = d.Y[i] - p
		mean += size(i)
	}
	mean /= float64(d.Len()) // the sum of the weights is also the number of rows
	deviation := math.Sqrt(float64(float64(2*mean) * mean))
	if deviation == 0 { // the square of a tiny mean may be 0
		deviation = math.Sqrt2 * mean
	}
	sigma, n := 0.0, 0.0
	for i, r := range residuals {
		if math.Abs(r) > noiseOutlier*deviation {
			continue
		}
		sigma += size(i)
		if weights == nil {
			n++
		} else {
			n += weights[i]
		}
	}
	sigma /= n
	report.Send(NoiseEstimated{sigma})
	return sigma, nil
}
