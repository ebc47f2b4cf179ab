package predict

import (
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestWide: answers for rows with many entries, or with indices that are far apart, are those of
// single rows. They take memory neither for all columns in all rows nor again for each batch.
func TestWide(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has pools drop what they are given")
	}
	rng := rand.New(rand.NewPCG(2, 9))
	for _, c := range []struct {
		entries, distance, rows int
		mb                      uint64
	}{
		{60, 1_000_000, 700, 12},
		{1500, 600, 130, 24}, // estimated a few at a time
		{9000, 100, 130, 60},
		{90_000, 1, 24, 48}, // the same entries in all rows, which have a single list
	} {
		draw := func() (x vec.Vector) {
			for k := range c.entries {
				at := k * c.distance
				if c.distance > 1 {
					at += rng.IntN(c.distance)
				}
				x.Index, x.Value = append(x.Index, int32(at+1)), append(x.Value, rng.NormFloat64())
			}
			return x
		}
		for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.2 / float64(c.entries)}, kernel.Linear{}} {
			m := randomModel(rng, models.CSVC, k, 3, 12, false, false)
			n := m.Vectors.Len()
			m.Vectors = vec.Matrix{}
			for range n {
				m.Vectors.Append(draw())
			}
			rows := make([]vec.Vector, c.rows)
			for i := range rows {
				rows[i] = draw()
			}
			p := predictor(t, m)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var answers []float64
			done := 0
			if err := p.StreamAnswers(t.Context(), 2, func() (vec.Vector, float64, error) {
				if done++; done > len(rows) {
					return vec.Vector{}, 0, io.EOF
				}
				return rows[done-1], 0, nil
			}, func(b *Batch, ys []float64) error {
				for r := range ys {
					answers = append(answers, b.Predict(r))
				}
				return nil
			}); err != nil || len(answers) != len(rows) {
				t.Fatalf("%+v: %d answers, error %v", c, len(answers), err)
			}
			runtime.ReadMemStats(&after)
			for i, x := range rows {
				if want := p.Predict(x); answers[i] != want {
					t.Fatalf("%+v, %T: row %d: %g, want %g", c, k, i, answers[i], want)
				}
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > c.mb {
				t.Errorf("%+v, %T: %d MB", c, k, mb)
			}
		}
	}
}

// TestLateWide: if the first rows of a batch have few entries and the later ones so many that too
// few of them fit into the memory of estimates, each row has its answer.
func TestLateWide(t *testing.T) {
	anyFilter = true
	defer func() { anyFilter = false }()
	rng := rand.New(rand.NewPCG(2, 10))
	draw := func(entries int) (x vec.Vector) {
		for k := range entries {
			x.Index, x.Value = append(x.Index, int32(k*(50_000/entries)+1)), append(x.Value, rng.NormFloat64())
		}
		return x
	}
	m := randomModel(rng, models.CSVC, kernel.RBF{Gamma: 1e-3}, 3, 12, false, false)
	n := m.Vectors.Len()
	m.Vectors = vec.Matrix{}
	for range n {
		m.Vectors.Append(draw(60))
	}
	p := predictor(t, m)
	var rows []vec.Vector
	for i := range BatchRows {
		rows = append(rows, draw(20+9000*(i/70)))
	}
	if many := estimable(m, rows); many < fewEstimable || estimable(m, rows[many:]) != 0 {
		t.Fatalf("estimates of %d rows fit, and of %d behind them", many, estimable(m, rows[many:]))
	}
	b := p.NewBatch()
	b.Answer(rows)
	for r, x := range rows {
		if got, want := b.Predict(r), p.Predict(x); got != want {
			t.Errorf("row %d: %v, want %v", r, got, want)
		}
	}
}
