package joint

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestHeldOut: with few rows, parts with the given share of them are held out, as many as fit, and
// no row twice. By default there are five parts, which together are all rows.
func TestHeldOut(t *testing.T) {
	var rows [][]float64
	for i := range 100 {
		rows = append(rows, []float64{float64(i), 1})
	}
	for _, c := range []struct {
		share       float64
		parts, held int // of 100 rows
	}{{0, 5, 20}, {1e-300, 5, 0}, {0.05, 5, 5}, {0.2, 5, 20}, {0.25, 4, 25}, {0.5, 2, 50}, {0.75, 1, 75}} {
		s := &search{Trainer: small(nil), d: images(rows...), seed: 1}
		s.HeldOut, s.FewHeldOut = 0.1, c.share
		if err := s.targets(); err != nil {
			t.Fatal(err)
		}
		parts := s.fewParts()
		seen := map[int]bool{}
		for part := range parts {
			learn, held := s.split(part, parts)
			n := 0
			for _, rows := range learn {
				n += len(rows)
			}
			if d := len(held) - c.held; d < -2 || d > 2 || n+len(held) != len(rows) {
				t.Errorf("share %v: %d rows are held out, %d are not", c.share, len(held), n)
			}
			for _, i := range held {
				if seen[i] {
					t.Errorf("share %v: row %d is held out twice", c.share, i)
				}
				seen[i] = true
			}
		}
		if parts != c.parts {
			t.Errorf("share %v: %d parts, want %d", c.share, parts, c.parts)
		}
	}
}

// TestShortDescents: the end of a descent is judged, however few evaluations it has, and if the
// share to hold out is less than one row, the descent has all rows.
func TestShortDescents(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var rows [][]float64
	for i := range 300 { // centres of the classes differ in the first feature, and are far from 0 in the second
		rows = append(rows, []float64{float64(2*(i%2)-1) + 0.3*r.NormFloat64(), 3 + r.NormFloat64()})
	}
	d := images(rows...)
	d.Weight = nil
	for _, c := range []struct {
		kernel      kernel.Kernel
		held        float64
		few         float64
		evaluations int
	}{
		{kernel.Linear{}, 0, 0, 300}, {kernel.Linear{}, 0.1, 0, 10}, {kernel.Linear{}, 0.1, 0, 5}, {kernel.Linear{}, 0.1, 0, 300},
		{kernel.Linear{}, 0.1, 0.001, 300}, {kernel.RBF{Gamma: 0.5}, 0.1, 0.001, 300}, {kernel.RBF{Gamma: 0.5}, 0.1, 0, 300},
	} {
		s := Default()
		s.Vectors, s.Kernel, s.HeldOut, s.FewHeldOut, s.Evaluations = 1, c.kernel, c.held, c.few, c.evaluations
		m, err := s.Train(t.Context(), d, train.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		if a := accuracy(t, m, d); a < 0.97 {
			t.Errorf("%+v: accuracy %v, %v", c, a, m.Provenance.Parameters)
		}
	}
}

// TestGammaStays: a width that does not change is the given one.
func TestGammaStays(t *testing.T) {
	d := images([]float64{1, 2}, []float64{2, 1}, []float64{3, 2}, []float64{4, 5}, []float64{0, 2}, []float64{2, 7})
	for _, gamma := range []float64{0.1, 0.3, 0.7, 1.0 / 3, 1e-3} {
		s := Default()
		s.Kernel, s.Vectors, s.Evaluations = kernel.RBF{Gamma: gamma}, 2, 0
		m, err := s.Train(t.Context(), d, train.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		if m.Kernel != kernel.Kernel(kernel.RBF{Gamma: gamma}) {
			t.Errorf("gamma %v becomes %v", gamma, m.Kernel)
		}
	}
}
