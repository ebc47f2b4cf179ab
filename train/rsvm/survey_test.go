package rsvm

import (
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestSurvey: a stream may have thousands of classes, as rows in memory may. More labels than
// memory should hold are an error, unless they are of the same classes.
func TestSurvey(t *testing.T) {
	stream := func(labels ...float64) Rows {
		d := new(format.Dataset)
		for _, y := range labels {
			d.Append(format.Instance{X: vec.Vector{}, Y: y, Weight: 1})
		}
		return rowsOf(d, 0, d.Len())
	}
	var many []float64
	for i := range 4000 {
		many = append(many, float64(i))
	}
	if n, err := survey(t.Context(), stream(many...), classLabel); err != nil || len(n.labels) != 4000 {
		t.Errorf("4000 labels: %v", err)
	}
	defer func(most int) { mostLabels = most }(mostLabels)
	mostLabels = 3
	n, err := survey(t.Context(), stream(1, 2, 2.5, 2.75, 1.5, 1), classLabel)
	if err != nil || len(n.labels) != 3 || n.count[1] != 3 || n.count[2] != 3 {
		t.Errorf("labels of two classes: %+v, %v", n, err)
	}
	if _, err := survey(t.Context(), stream(1, 2, 2.5, 3), classLabel); err == nil || !strings.HasPrefix(err.Error(), "more than 3 labels: they look like numbers") {
		t.Errorf("more labels: %v", err)
	}
}

// TestManyPairs: very many classes have more pairs than 32 bits can count, and too many to go
// through one by one before the error that there is no room.
func TestManyPairs(t *testing.T) {
	j := &Job{classes: make([]int, 1<<17)}
	want := "the reduced set is too large: 100 vectors, where 8589869056 machines, one for each pair of 131072 classes, can have 0"
	if err := j.fits(100); err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	j.o.Set = Full{}
	set := drawn{rows: make([][]int, 1<<17)}
	set.rows[5], set.rows[70000] = make([]int, 40), make([]int, 60)
	if err := j.roomFor(set); err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}
