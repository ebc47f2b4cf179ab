package compat_test

import (
	"os"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
)

// readWord is the first argument of this test's own binary as a reader: see runRead.
const readWord = "read-one-file"

func measure(b *testing.B, dir string, args []string) cost.Cost {
	b.Helper()
	c, err := cost.Measure(b.Context(), dir, os.Environ(), "", args...)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// self returns the path of this test's own binary.
func self(b *testing.B) string {
	b.Helper()
	path, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	return path
}
