package scale

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestAnother: printers of the same write the same, and each takes no memory for every feature but
// the text of zeros.
func TestAnother(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, c := range []struct {
		features int32
		lower    float64
	}{{5, -1}, {5, 0}, {300, -1}, {200_000, 0}, {200_000, -1}} {
		m := new(Measure)
		for i := range 4 {
			var x vec.Vector
			for k := range c.features {
				if rng.IntN(4) > 0 {
					x.Index, x.Value = append(x.Index, k+1), append(x.Value, float64(i)*rng.Float64())
				}
			}
			m.Add(float64(i), x)
		}
		allocated := func(f func() *Printer) (p *Printer, n uint64) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p = f()
			runtime.ReadMemStats(&after)
			return p, after.TotalAlloc - before.TotalAlloc
		}
		s := NewScaler(m.Ranges(Limits{c.lower, 1}, nil))
		first, _ := allocated(func() *Printer { return NewPrinter(s) })
		second, n := allocated(first.Clone)
		if most := uint64(1<<18 + 2*first.Zeros()); n > most {
			t.Errorf("%+v: another printer takes %d bytes, of %d of zeros", c, n, first.Zeros())
		}
		row := vec.Vector{Index: []int32{2, 3, c.features}, Value: []float64{0.5, 0.25, 1}}
		for y := range 3 {
			want, _, err := first.AppendRow(nil, float64(y), row)
			got, _, err2 := second.AppendRow(nil, float64(y), row)
			if err != nil || err2 != nil || !bytes.Equal(got, want) {
				t.Fatalf("%+v: %.80q %v, want %.80q %v", c, got, err2, want, err)
			}
		}
	}
}
