package predict_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// BenchmarkSize compares a model of the size that digits need (2640 vectors of 256 features, ten
// machines, each with a fifth of the vectors) with one reduced to fifty vectors that all machines
// use. It measures kernel values and decisions, without reading.
func BenchmarkSize(b *testing.B) {
	const features, machines = 256, 10
	rng := rand.New(rand.NewPCG(1, 2))
	row := func() vec.Vector {
		var v vec.Vector
		for f := range int32(features) {
			v.Index, v.Value = append(v.Index, f+1), append(v.Value, 2*rng.Float64()-1)
		}
		return v
	}
	var xs []vec.Vector
	for range predict.BatchRows {
		xs = append(xs, row())
	}
	for _, vectors := range []int{2640, 50} {
		m := &models.Model{Kernel: kernel.RBF{Gamma: 1.0 / 128}, Vote: models.OneVsRest}
		for range vectors {
			m.Vectors.Append(row())
		}
		for c := range machines {
			e := models.Machine{Pos: c, Neg: models.Rest}
			if vectors > 50 {
				e.Index = []int32{}
			}
			for i := range vectors {
				switch {
				case e.Index == nil:
					e.Coef = append(e.Coef, rng.NormFloat64())
				case rng.IntN(5) == 0:
					e.Index, e.Coef = append(e.Index, int32(i)), append(e.Coef, rng.NormFloat64())
				}
			}
			m.Labels, m.Machines = append(m.Labels, c), append(m.Machines, e)
		}
		p, err := predict.New(m)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("vectors=%d", vectors), func(b *testing.B) {
			batch := p.NewBatch()
			for b.Loop() {
				batch.Decide(xs)
				for r := range xs {
					batch.Predict(r)
				}
			}
			b.ReportMetric(float64(b.N*len(xs))/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
