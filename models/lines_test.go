package models

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
)

// full is a writer with room for one write.
type full struct{ writes int }

func (w *full) Write(b []byte) (int, error) {
	if w.writes++; w.writes > 1 {
		return 0, errors.New("full")
	}
	return len(b), nil
}

// TestWriteLinesFails: lines that cannot be written are not made, except for the blocks under way.
func TestWriteLinesFails(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(processors)
		var made atomic.Int64
		w := new(full)
		writeLines(w, 100_000, blockNumbers, func() func(b []byte, i int) []byte {
			return func(b []byte, i int) []byte { made.Add(1); return append(b, '\n') }
		})
		if n := made.Load(); w.writes != 2 || n > int64(2+4*processors) {
			t.Errorf("%d processors: %d lines made, %d writes", processors, n, w.writes)
		}
	}
}

// TestWriteLines: every line is written once, in order, for any number of lines and of processors.
func TestWriteLines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(processors)
		for _, n := range []int{0, 1, 2, 3, 7, 8, 63, 64, 65, 5000} {
			for _, numbers := range []int{0, 1, 50, 3000} {
				var want, got bytes.Buffer
				for i := range n {
					fmt.Fprintf(&want, "%d\n", i)
				}
				writeLines(&got, n, numbers, func() func(b []byte, i int) []byte {
					return func(b []byte, i int) []byte { return fmt.Appendf(b, "%d\n", i) }
				})
				if !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Fatalf("%d processors, %d lines of %d numbers: they differ", processors, n, numbers)
				}
			}
		}
	}
}
