package models_test

import (
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestLowerMemory: a lowered model with many classes, whose machines have few vectors each, takes
// memory in proportion to its text, which has a coefficient for each vector and class; it does not
// take memory for each vector and pair of classes.
func TestLowerMemory(t *testing.T) {
	const classes = 80
	m := &models.Model{Kernel: kernel.Linear{}}
	for i := range classes {
		m.Labels = append(m.Labels, i)
		for j := i + 1; j < classes; j++ {
			m.Machines = append(m.Machines, models.Machine{Pos: i, Neg: j, Index: []int32{int32(m.Vectors.Len())}, Coef: []float64{1}})
			m.Vectors.Append(point(float64(m.Vectors.Len())))
		}
	}
	for c, n := range lowered(t, m).Group {
		if n != classes-1-c {
			t.Errorf("class %d has %d vectors, want %d", c, n, classes-1-c)
		}
	}
}

// TestLowerRest: a model lowered from one-vs-rest machines, each with vectors of its own, has each
// vector once, and takes memory in proportion to its text.
func TestLowerRest(t *testing.T) {
	const classes, each = 80, 3
	m := &models.Model{Kernel: kernel.Linear{}, Vote: models.OneVsRest}
	for i := range classes {
		m.Labels = append(m.Labels, i)
		c := models.Machine{Pos: i, Neg: models.Rest}
		for range each {
			c.Index, c.Coef = append(c.Index, int32(m.Vectors.Len())), append(c.Coef, 1)
			m.Vectors.Append(point(float64(m.Vectors.Len())))
		}
		m.Machines = append(m.Machines, c)
	}
	for c, n := range lowered(t, m).Group {
		if n != each {
			t.Errorf("class %d has %d vectors, want %d", c, n, each)
		}
	}
}

// lowered returns a lowered model, and tests that it took memory in proportion to its text.
func lowered(t *testing.T, m *models.Model) *models.Model {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	low, err := models.Lower(m)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	text := mustWrite(t, low)
	if used := after.TotalAlloc - before.TotalAlloc; used > 50*uint64(len(text)) {
		t.Errorf("%d bytes for a text of %d", used, len(text))
	}
	return low
}
