package models

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
)

// TestWriteLines: every line is there once, in order, for any number of lines and of
// processors.
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
