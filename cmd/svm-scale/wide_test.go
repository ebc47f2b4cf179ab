package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// TestWide: of rows that become a long text each, one is in memory at a time, and what is kept of each
// feature there is once, whatever the number of goroutines.
func TestWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var data bytes.Buffer
	const rows, pairs, features = 24, 8000, 1_000_000
	for i := range rows {
		fmt.Fprint(&data, i%2)
		indices := rng.Perm(features)[:pairs]
		slices.Sort(indices)
		for _, k := range indices {
			fmt.Fprintf(&data, " %d:%.3f", k+1, 0.1+rng.Float64())
		}
		fmt.Fprintln(&data)
	}
	path := filepath.Join(t.TempDir(), "wide")
	if err := os.WriteFile(path, data.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for lower, most := range map[string]uint64{"-1": 100, "0": 66} {
		var want []byte
		for _, goroutines := range []int{1, 4} {
			restore := useGoroutines(goroutines)
			var stdout, stderr bytes.Buffer
			stdout.Grow(80 << 20)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if status := run(context.Background(), []string{"-l", lower, path}, nil, &stdout, &stderr); status != 0 {
				t.Fatalf("status %d: %s", status, stderr.Bytes())
			}
			runtime.ReadMemStats(&after)
			restore()
			if want == nil {
				want = slices.Clone(stdout.Bytes())
			}
			if !bytes.Equal(stdout.Bytes(), want) {
				t.Errorf("-l %s: %d goroutines write something else", lower, goroutines)
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > most {
				t.Errorf("-l %s, %d goroutines: %d MB", lower, goroutines, mb)
			}
		}
	}
}
