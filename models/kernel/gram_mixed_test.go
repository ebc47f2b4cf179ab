package kernel_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// tabular returns rows with real columns of the given mean and nominal attributes with this number
// of values. Each value is a column that is on or off in every row, or only listed where it is on.
// A real column follows every column of a value whose number is a multiple of turn, as long as
// there are any.
func tabular(r *rand.Rand, n, reals int, mean float64, attributes, values int, on, off float64, turn int) *vec.Matrix {
	var m vec.Matrix
	for range n {
		var v vec.Vector
		add := func(index int, x float64) {
			v.Index, v.Value = append(v.Index, int32(index)), append(v.Value, x)
		}
		for a := range attributes {
			which := r.IntN(values)
			for k := range values {
				index := 3*(a*values+k) + 1
				if k == which {
					add(index, on)
				} else if off != 0 {
					add(index, off)
				}
				if real := a*values + k; real%turn == 0 && real/turn < reals { // a real column follows
					add(index+1, mean+r.NormFloat64())
				}
			}
		}
		m.Append(v)
	}
	return &m
}

// decimals returns rows of numbers from -1 to 1 with a number of digits for each column; with zeros
// > 0, one number in zeros is 0.
func decimals(r *rand.Rand, n, columns, zeros int, digits func(column int) int) *vec.Matrix {
	var m vec.Matrix
	for range n {
		var v vec.Vector
		for k := range columns {
			if zeros > 0 && r.IntN(zeros) == 0 {
				continue
			}
			v.Index, v.Value = append(v.Index, int32(2*k+1)), append(v.Value, roundTo(2*r.Float64()-1, digits(k)))
		}
		m.Append(v)
	}
	return &m
}

// roundTo returns x rounded to this number of decimal digits.
func roundTo(x float64, digits int) float64 {
	x, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	if err != nil {
		panic(err)
	}
	return x
}

// TestMixed: rows of real, decimal and whole columns have LIBSVM's values. They are held by kinds
// of columns for Gaussian kernels for which the difference of the products is small enough, and in
// other forms for others.
func TestMixed(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 5))
	everyLevel(t, func(t *testing.T) {
		powers := 0 // polynomial kernels with kinds of columns
		for _, c := range []struct {
			name             string
			x                *vec.Matrix
			gamma            float64
			gaussian, linear bool // whether these kernels have kinds of columns
		}{
			{"one-hot codes", tabular(r, 129, 6, 0, 12, 8, 1, 0, 5), 0.25, true, true},
			{"few", tabular(r, 129, 3, 0, 2, 16, 1, 0, 7), 1, true, true},
			{"sparse", tabular(r, 129, 6, 0, 10, 14, 1, 0, 23), 0.1, true, false},
			{"signs", tabular(r, 129, 6, 0.5, 9, 6, 1, -1, 4), 1. / 3, true, true},
			{"counts", tabular(r, 129, 6, 2, 9, 6, 7, -3, 4), 0.01, true, true},
			{"large counts", tabular(r, 129, 6, 2, 9, 6, 300, 0, 4), 1e-5, true, true},
			{"too large for 16 bits", tabular(r, 129, 6, 2, 9, 6, 40000, 0, 4), 1e-9, true, true},
			{"too large for 32 bits", tabular(r, 129, 6, 2, 9, 6, 4e9, 0, 4), 1e-19, true, true},
			{"far from 0", tabular(r, 129, 6, 3e4, 9, 6, 1, 0, 4), 0.25, false, true},
			{"halves", tabular(r, 129, 6, 0, 12, 8, 0.5, 0, 5), 0.25, true, true},
			{"thirds", tabular(r, 129, 6, 0, 12, 8, 1./3, 0, 5), 0.25, true, true},
			{"six digits", decimals(r, 129, 36, 0, func(int) int { return 6 }), 0.25, true, true},
			{"six digits, some 0", decimals(r, 129, 36, 4, func(int) int { return 6 }), 0.25, true, true},
			{"three digits", decimals(r, 129, 37, 0, func(int) int { return 3 }), 0.25, true, true},
			{"three digits, some 0", decimals(r, 129, 37, 5, func(int) int { return 3 }), 0.25, true, true},
			{"one to eight digits", decimals(r, 129, 40, 0, func(k int) int { return k%8 + 1 }), 0.125, true, true},
			{"real, of six digits and whole", decimals(r, 129, 60, 6, func(k int) int { return []int{17, 6, 6, 0}[k%4] }), 0.125, true, true},
			{"real ones", decimals(r, 129, 36, 0, func(int) int { return 17 }), 0.25, true, true},
			{"few real ones", decimals(r, 129, 5, 0, func(int) int { return 17 }), 0.25, false, false},
		} {
			s := kernel.NewStore(c.x)
			for _, k := range append(slices.Clone(gramKernels[:2]), gramKernels[3], kernel.RBF{Gamma: c.gamma}, kernel.RBF{Gamma: -1e-3}, kernel.RBF{}) {
				g := s.Gram(k, nil)
				want := k == kernel.Kernel(kernel.RBF{Gamma: c.gamma}) && c.gaussian || k == kernel.Kernel(kernel.Linear{}) && c.linear
				form := kernel.GramFormOf(g)
				if _, power := k.(kernel.Poly); power { // where that helps, which depends on the instructions
					want = form == "mixed" && c.linear
					if want {
						powers++
					}
				}
				if (form == "mixed") != (want && simd.Current() > simd.Portable) {
					t.Errorf("%s, %T%+v: %s, want mixed: %v", c.name, k, k, form, want)
				}
				order := identity(c.x.Len())
				wantGram(t, g, k, c.x, order)
				for range 100 {
					i, j := r.IntN(len(order)), r.IntN(len(order))
					g.Swap(i, j)
					order[i], order[j] = order[j], order[i]
				}
				wantGram(t, g, k, c.x, order)
				g.Release()
				part := r.Perm(c.x.Len())[:70]
				g = s.Gram(k, part)
				wantGram(t, g, k, c.x, part)
				g.Release()
			}
			if t.Failed() {
				t.Fatalf("with %s", c.name)
			}
		}
		if powers < 3 && simd.Current() > simd.Portable {
			t.Errorf("%d polynomial kernels had kinds of columns", powers)
		}
	})
}
