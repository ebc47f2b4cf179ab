package predict

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestROC: a curve goes from (0, 0) to (1, 1) with a point for each score, the shares of rows are
// those counted one by one, and the area under it is Area.
func TestROC(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(rt, "rows")
		var r Ranking
		scores, truths, weights := make([]float64, n), make([]int, n), make([]float64, n)
		for i := range n {
			scores[i] = float64(rapid.IntRange(-4, 4).Draw(rt, "score")) / 3
			truths[i] = rapid.IntRange(0, 2).Draw(rt, "truth")
			weights[i] = float64(rapid.SampledFrom([]int{1, 1, 2, 0}).Draw(rt, "weight"))
			r.Add(truths[i], weights[i], []float64{scores[i], 0})
		}
		points, area := r.ROC(0), r.Area(0)
		if math.IsNaN(area) {
			if points != nil {
				rt.Fatalf("a curve %v without an area", points)
			}
			return
		}
		under := 0.0
		for k, p := range points {
			var in, out, inside, outside float64
			for i := range n {
				if truths[i] == 0 {
					inside += weights[i]
				} else {
					outside += weights[i]
				}
				switch {
				case scores[i] < p.Score:
				case truths[i] == 0:
					in += weights[i]
				default:
					out += weights[i]
				}
			}
			if math.Abs(p.TruePositiveRate-in/inside) > 1e-12 || math.Abs(p.FalsePositiveRate-out/outside) > 1e-12 {
				rt.Fatalf("%+v, want %v and %v", p, out/outside, in/inside)
			}
			if k > 0 {
				q := points[k-1]
				if !(p.Score < q.Score) {
					rt.Fatalf("score %v after %v", p.Score, q.Score)
				}
				under += (p.FalsePositiveRate - q.FalsePositiveRate) * (p.TruePositiveRate + q.TruePositiveRate) / 2
			}
		}
		if first, last := points[0], points[len(points)-1]; first != (ROCPoint{Score: math.Inf(1)}) || last.TruePositiveRate != 1 || last.FalsePositiveRate != 1 {
			rt.Fatalf("from %+v to %+v", first, last)
		}
		if math.Abs(under-area) > 1e-12 {
			rt.Fatalf("an area of %v, want %v", under, area)
		}
	})
}
