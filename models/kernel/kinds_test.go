package kernel_test

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestKinds: a column has the kind that takes the fewest bits, if that helps.
func TestKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 6))
	digits := func(of ...int) func(int) int { return func(k int) int { return of[k%len(of)] } }
	everyLevel(t, func(t *testing.T) {
		if simd.Current() == simd.Portable {
			t.Skip("plain Go has no kinds of columns")
		}
		for _, c := range []struct {
			name    string
			columns int
			scale   float64
			digits  func(int) int
			want    string
		}{
			{"six digits", 30, 1, digits(6), "30 decimal"},
			{"nine digits", 30, 1, digits(9), "30 decimal"},
			{"ten digits", 30, 1, digits(10), "30 real"},
			{"ten digits of small numbers", 30, 0.125, digits(10), "30 decimal"},
			{"three digits", 30, 1, digits(3), "30 whole of 3 digits"},
			{"three digits of too many columns", 3000, 1, digits(3), "3000 decimal"}, // 3000 10^6 is more than an int32
			{"four digits", 20, 1, digits(4), "20 whole of 4 digits"},
			{"four digits of too many columns", 40, 1, digits(4), "40 decimal"},
			{"one digit beside six", 40, 1, digits(1, 6), "20 decimal, 20 whole of 1 digits"},
			{"one digit beside six, few", 40, 1, digits(1, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6), "40 decimal"},
			{"one digit beside three", 40, 1, digits(1, 3), "40 whole of 3 digits"},
			{"six beside real ones", 60, 1, digits(17, 6, 6, 6, 6, 6), "10 real, 50 decimal"},
			{"three beside real ones", 60, 1, digits(17, 3, 3), "20 real, 40 whole of 3 digits"},
			{"all", 60, 1, digits(17, 6, 6, 3, 3), "12 real, 24 decimal, 24 whole of 3 digits"},
			{"real ones", 30, 1, digits(17), "30 real"},
			{"few real ones", 5, 1, digits(17), "none"},
			{"few", 4, 1, digits(6), "none"},
		} {
			x := decimals(r, 300, c.columns, 0, func(k int) int { return c.digits(k) })
			if c.scale != 1 {
				for i := range x.Len() {
					for e, v := range x.Row(i).Value {
						x.Row(i).Value[e] = roundTo(v*c.scale, c.digits(e))
					}
				}
			}
			if got := kernel.KindsOf(kernel.NewStore(x)); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
	})
}

// TestKindsByMany: several goroutines that look at rows find the same kinds as one.
func TestKindsByMany(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 7))
	const n, columns = 20000, 60
	x := decimals(r, n, columns, 0, func(k int) int { return []int{17, 6, 5, 3, 1}[k%5] })
	for _, c := range []struct{ row, column, digits int }{{0, 3, 4}, {n - 1, 4, 6}, {n / 3, 2, 7}, {5000, 1, 9}} { // only these have so many
		x.Row(c.row).Value[c.column] = roundTo(0.123456789123456, c.digits)
	}
	x.Row(n / 2).Value[9] = 1e-30 // it has more digits than are looked for
	everyLevel(t, func(t *testing.T) {
		if simd.Current() == simd.Portable {
			t.Skip("plain Go has no kinds of columns")
		}
		want := kernel.KindsOf(kernel.NewStore(x))
		if want != "13 real, 26 decimal, 21 whole of 3 digits" {
			t.Errorf("one finds %s", want)
		}
		for workers := 2; workers <= 5; workers++ {
			parts := 0
			s := kernel.NewStoreBy(workers, func(n int, f func(part int)) {
				parts = max(parts, n)
				for p := range n {
					f(n - 1 - p)
				}
			}, x)
			if got := kernel.KindsOf(s); got != want || parts < min(workers, 4) {
				t.Errorf("%d workers, %d parts: %s, want %s", workers, parts, got, want)
			}
		}
	})
}
