package predict

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestRowsAllocate: rows that go through the same batches allocate nothing for each row, for all
// kinds of vectors and answers.
func TestRowsAllocate(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has pools drop what they are given")
	}
	defer simd.Use(simd.Best())
	rng := rand.New(rand.NewPCG(31, 7))
	draw := func(columns, listed int, value func() float64) (v vec.Vector) {
		for k := range columns {
			if rng.IntN(columns) < listed {
				v.Index, v.Value = append(v.Index, int32(k+1)), append(v.Value, value())
			}
		}
		return v
	}
	one := func() float64 { return 1 }
	for name, c := range map[string]struct {
		columns, listed int
		value           func() float64
		k               kernel.Kernel
	}{
		"panels":             {8, 8, rng.NormFloat64, kernel.RBF{Gamma: 0.1}},
		"panels, linear":     {8, 8, rng.NormFloat64, kernel.Linear{}},
		"panels, polynomial": {8, 8, rng.NormFloat64, kernel.Poly{Gamma: 0.1, Coef0: 1, Degree: 3}},
		"panels, sigmoid":    {8, 8, rng.NormFloat64, kernel.Sigmoid{Gamma: 0.1}},
		"sets":               {70, 20, one, kernel.RBF{Gamma: 0.02}},
		"lists":              {2000, 20, rng.NormFloat64, kernel.RBF{Gamma: 0.02}},
	} {
		for _, task := range []models.Task{models.CSVC, models.EpsilonSVR, models.OneClass} {
			classes := 2 + rng.IntN(5)
			m := randomModel(rng, task, c.k, classes, 60, false, false)
			n := m.Vectors.Len()
			m.Vectors = vec.Matrix{}
			for range n {
				m.Vectors.Append(draw(c.columns, c.listed, c.value))
			}
			for l := simd.Portable; l <= simd.Best(); l++ {
				simd.Use(l)
				p := predictor(t, m)
				xs := make([]vec.Vector, 100)
				for k := range xs {
					xs[k] = draw(c.columns, c.listed, c.value)
				}
				into := make([]float64, max(classes, 2))
				for form, stream := range map[string]func(context.Context, int, func() (vec.Vector, float64, error), func(*Batch, []float64) error) error{
					"answers": p.StreamAnswers, "decisions": p.Stream, "probabilities": p.StreamProbabilities,
				} {
					if form == "probabilities" && task != models.CSVC {
						continue
					}
					mallocs := func(rows int) uint64 {
						least := uint64(math.MaxUint64)
						for range 3 {
							var before, after runtime.MemStats
							runtime.ReadMemStats(&before)
							done := 0
							err := stream(context.Background(), 1, func() (vec.Vector, float64, error) {
								if done++; done > rows {
									return vec.Vector{}, 0, io.EOF
								}
								return xs[done%len(xs)], 0, nil
							}, func(b *Batch, ys []float64) error {
								for k := range ys {
									if form == "probabilities" {
										b.Probabilities(into, k)
									} else {
										b.Predict(k)
									}
								}
								return nil
							})
							if err != nil {
								t.Fatal(err)
							}
							runtime.ReadMemStats(&after)
							least = min(least, after.Mallocs-before.Mallocs)
						}
						return least
					}
					few, many := mallocs(500), mallocs(2500)
					if many > few+200 {
						t.Errorf("%s, %v, %v, %s: 500 rows take %d allocations, 2500 %d", name, task, l, form, few, many)
					}
				}
			}
		}
	}
}
