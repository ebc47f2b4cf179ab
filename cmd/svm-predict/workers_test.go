package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Short files and few vectors are one worker's; files of unknown length, long ones and many vectors
// are for all.
func TestWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	of := func(task models.Task, vectors, features, values int) *models.Model {
		m := &models.Model{Task: task}
		for range vectors {
			var v vec.Vector
			for k := range features {
				v.Index, v.Value = append(v.Index, int32(k+1)), append(v.Value, float64(1+k%values))
			}
			m.Vectors.Append(v)
		}
		return m
	}
	model := func(task models.Task, vectors, features int) *models.Model { return of(task, vectors, features, 2) }
	ones := func(task models.Task, vectors, features int) *models.Model { return of(task, vectors, features, 1) }
	file := func(size int64) *os.File {
		name := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, size); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	for _, c := range []struct {
		m           *models.Model
		size        int64
		probability bool
		want        int
	}{
		{model(models.CSVC, 1000, 45), 400_000, false, 1},
		{model(models.CSVC, 1000, 45), 400_000, true, 4},
		{model(models.EpsilonSVR, 1000, 45), 400_000, false, 4},
		{model(models.CSVC, 1000, 45), 600_000, false, 4},
		{ones(models.CSVC, 1000, 45), 600_000, false, 1},
		{ones(models.CSVC, 1000, 45), 30_000_000, false, 4},
		{model(models.CSVC, 10, 45), 700_000, true, 1},
		{model(models.CSVC, 10, 45), 1_000_000, false, 4}, // which takes its time to read
		{model(models.CSVC, 0, 0), 1000, false, 1},
		{model(models.CSVC, 2, 0), 1 << 30, false, 4},
		{model(models.CSVC, 1000, 45), 0, false, 1},
	} {
		if got := workers(jobOf(c.m, c.probability), file(c.size)); got != c.want {
			t.Errorf("%v of %d vectors with %d features, %d bytes, probabilities %v: %d workers, want %d", c.m.Task, c.m.Vectors.Len(), c.m.Vectors.NNZ(), c.size, c.probability, got, c.want)
		}
		if exact := jobOf(c.m, c.probability).exact; exact != (c.probability || c.m.Task == models.EpsilonSVR) {
			t.Errorf("%v, probabilities %v: exact %v", c.m.Task, c.probability, exact)
		}
	}
	if got := workers(jobOf(model(models.CSVC, 1, 1), false), strings.NewReader("1 1:1\n")); got != 4 {
		t.Errorf("of a file of unknown length: %d workers", got)
	}
}
