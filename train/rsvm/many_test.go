package rsvm

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// poolsDrop says that pools do not keep what they are given.
var poolsDrop = false

// TestManyMachines: the Newton systems of the machines of many classes, 100 MB, are not in memory
// together, and the model is that of a Job, for which they are.
func TestManyMachines(t *testing.T) {
	d := new(format.Dataset)
	for i := range 80 * 16 { // a pair has more rows than half of the vectors
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i%80) * 0.05, float64(i/80) * 0.1}}
		d.Append(format.Instance{X: x, Y: float64(i % 80), Weight: 1})
	}
	var labels []int
	for c := range 80 {
		labels = append(labels, c)
	}
	o := DefaultOptions()
	o.Kernel, o.Set, o.Threads, o.Steps = kernel.RBF{Gamma: 1}, Random{Vectors: 60, Even: true}, 1, 2
	c := Classifier{Options: o}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := c.Train(t.Context(), d, nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 50 && !poolsDrop {
		t.Errorf("%d MB were taken", taken)
	}
	var rows []int
	for _, serial := range m.Origin {
		rows = append(rows, serial-1)
	}
	reduced := format.Dataset{X: d.X.Select(rows)}
	for _, i := range rows {
		reduced.Y = append(reduced.Y, d.Y[i])
	}
	job, err := c.Begin(labels, &reduced)
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		sums, err := job.Sum(t.Context(), rowsOf(d, 0, d.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if done, err = job.Step(t.Context(), sums); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(job.Model().Machines, m.Machines) {
		t.Error("other machines")
	}
}
