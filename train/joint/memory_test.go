package joint

import (
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

// TestNoRoom: a training that takes too much memory is an error before any of it is allocated.
func TestNoRoom(t *testing.T) {
	for _, c := range []struct {
		rows, vectors int
		feature       func(i int) int32
		each          int // features of a row, from there on
		fault         string
	}{
		{60000, 1000, func(i int) int32 { return int32(i + 1) }, 1, "1000 vectors for 60000 rows of 60000 features would take more than 16 GB of memory"},
		{60000, 1 << 30, func(int) int32 { return 1 }, 1, "60000 vectors for 60000 rows of 1 features would take more than 16 GB of memory"},
		// few enough rows to work with their coordinates, but the model has features
		{3000, 3000, func(i int) int32 { return int32(400*i + 1) }, 400, "3000 vectors for 3000 rows of 1200000 features would take more than 16 GB of memory"},
	} {
		d := new(format.Dataset)
		for i := range c.rows {
			var x vec.Vector
			for k := range c.each {
				x.Index, x.Value = append(x.Index, c.feature(i)+int32(k)), append(x.Value, float64(i))
			}
			d.X.Append(x)
			d.Y = append(d.Y, float64(i%2))
		}
		s := Default()
		s.Vectors = c.vectors
		if _, err := s.Train(t.Context(), d, train.NewRand(1)); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%d rows, %d vectors: %v, want %s", c.rows, c.vectors, err, c.fault)
		}
	}
}

// TestTogether: trainings on parts of the rows run at once if there is room for them, and with
// thousands of vectors, few strips hold products.
func TestTogether(t *testing.T) {
	of := func(rows, features, vectors int) int {
		s := &search{Trainer: Default(), d: new(format.Dataset), inputs: features, features: make([]int32, features), entries: rows * features}
		s.Vectors = vectors
		for range rows {
			s.d.X.Append(vec.Vector{})
		}
		return s.together()
	}
	if n := of(4000, 100, 100); n < 20 {
		t.Errorf("%d trainings of few features at once, expected all 20", n)
	}
	if n := of(1000, 20000, 50); n != 1 {
		t.Errorf("%d trainings of many features at once", n)
	}
	if n := of(100, 7000, 50); n != 8 { // with as many changes as of few features there would be 5
		t.Errorf("%d trainings of few rows of many features at once, expected 8", n)
	}
	for vectors, want := range map[int]int{1: strips, 4096: strips, 8192: 4, 14000: 1, 100000: 1} {
		if got := metricStrips(vectors); got != want {
			t.Errorf("%d vectors: %d strips, want %d", vectors, got, want)
		}
	}
}

// TestKeepable: too many kernel values to keep are recognised also if an int has 32 bits.
func TestKeepable(t *testing.T) {
	for _, c := range []struct {
		rows, vectors int
		want          bool
	}{{1 << 15, 1 << 10, true}, {1 << 15, 1<<10 + 1, false}, {1 << 20, 1 << 12, false}, {1<<20 + chunkRows, 1 << 12, false}} {
		if got := cacheable(c.rows, c.vectors); got != c.want {
			t.Errorf("%d rows, %d vectors: %v", c.rows, c.vectors, got)
		}
	}
}
