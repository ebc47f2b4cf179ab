package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestRoundNear: dot products that are off by nearly as much as the bound of two kinds of columns allows give LIBSVM's
// values all the same, with kernels for which that is little and much. Of a million, dozens would be rounded otherwise.
func TestRoundNear(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		if simd.Current() == simd.Portable {
			t.Skip("plain Go has no integers of several columns at once")
		}
		r := rand.New(rand.NewPCG(3, 12))
		n := pick(700, 250)
		var x vec.Matrix
		for range n {
			v := vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{20 + r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}}
			for k := range 40 {
				if r.IntN(3) == 0 {
					v.Index, v.Value = append(v.Index, int32(k+4)), append(v.Value, 1)
				}
			}
			x.Append(v)
		}
		for _, gamma := range []float64{0.01, 1, 2.5} {
			s := NewStore(&x)
			g := s.Gram(RBF{gamma}, nil)
			if g.form != asMixed {
				t.Fatalf("form %d", g.form)
			}
			const known = 2*105*0x1p-53 + 0x1p-53 // what no dot product adds
			most := 0.9 * (g.near - known) / (2 * gamma)
			dots, dst := make([]float64, n), make([]float32, n)
			off := 0 // values that are rounded otherwise as they are
			for i := range n {
				x.DotTo(dots, x.Row(i))
				for j := range dots {
					if r.IntN(2) == 0 {
						dots[j] += most
					} else {
						dots[j] -= most
					}
				}
				g.roundNear(dst, dots, i, 0)
				for j, got := range dst {
					d := g.norms[i] + g.norms[j]
					want := float32(Exp(-gamma * (d - 2*vec.Dot(x.Row(i), x.Row(j)))))
					if got != want {
						t.Fatalf("gamma %g, row %d, column %d: %x, want %x", gamma, i, j, got, want)
					}
					if float32(Exp(-gamma*(d-2*dots[j]))) != want {
						off++
					}
				}
			}
			if gamma >= 1 && off < n/200 {
				t.Errorf("gamma %g: %d of %d values would be rounded otherwise: the test tells nothing", gamma, off, n*n)
			}
		}
	})
}
