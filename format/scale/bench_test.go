package scale

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// BenchmarkPrinter writes rows of 50 features all of which they list, and of 10000
// of which they list 50.
func BenchmarkPrinter(b *testing.B) {
	for name, gap := range map[string]int32{"dense": 1, "sparse": 200} {
		b.Run(name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			m := new(Measure)
			var all vec.Vector
			for i := range 50 * gap {
				all.Index = append(all.Index, i+1)
				all.Value = append(all.Value, r.NormFloat64())
			}
			m.Add(1, all)
			rows := make([]vec.Vector, 100)
			for k := range rows {
				for i := range int32(50) {
					rows[k].Index = append(rows[k].Index, i*gap+1+r.Int32N(gap))
					rows[k].Value = append(rows[k].Value, r.NormFloat64())
				}
				m.Add(-1, rows[k])
			}
			p := NewPrinter(NewScaler(m.Ranges(Limits{-1, 1}, nil)))
			var text []byte
			pairs := 0
			for b.Loop() {
				text, pairs = text[:0], 0
				for _, x := range rows {
					var n int
					var err error
					if text, n, err = p.AppendRow(text, 1, x); err != nil {
						b.Fatal(err)
					}
					pairs += n
				}
			}
			b.SetBytes(int64(len(text)))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pairs), "ns/pair")
		})
	}
}
