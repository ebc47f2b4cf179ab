package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

func BenchmarkRowTo(b *testing.B) {
	const rows, columns = 1000, 50
	r := rand.New(rand.NewPCG(1, 2))
	var zs vec.Matrix
	v := vec.Vector{Index: make([]int32, columns), Value: make([]float64, columns)}
	for range rows {
		for k := range v.Index {
			v.Index[k], v.Value[k] = int32(k), r.Float64()
		}
		zs.Append(v)
	}
	dst := make([]float64, rows)
	for _, k := range []kernel.Kernel{
		kernel.Linear{},
		kernel.Poly{Degree: 3, Gamma: 0.02},
		kernel.RBF{Gamma: 0.02},
		kernel.Sigmoid{Gamma: 0.02},
	} {
		b.Run(fmt.Sprintf("%T", k), func(b *testing.B) {
			b.SetBytes(rows * columns * 8)
			for b.Loop() {
				k.RowTo(dst, zs.Row(0), &zs)
			}
		})
	}
}

func BenchmarkExp(b *testing.B) {
	x := -0.001
	for b.Loop() {
		x -= kernel.Exp(x) * 1e-3
	}
}
