//go:build unix

package main

import (
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/commandtest"
)

// TestWaiting: an interrupt ends the command at once while it waits for its data, and it says so.
func TestWaiting(t *testing.T) {
	const rows, said = "1 1:1\n-1 1:2\n", "slimsvm: interrupted\n"
	model := map[string]string{"model": "svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1 \n"}
	for _, args := range [][]string{
		{"check", "pipe"}, {"inspect", "pipe"}, {"train", "pipe", "new.model"}, {"convert", "pipe", "new.csv"},
		{"scale", "pipe", "new.data"}, {"split", "pipe", "a.data", "b.data"}, {"predict", "pipe", "model"},
	} {
		commandtest.Waiting(t, "", said, model, "patient", args...)
		commandtest.Waiting(t, rows, said, model, "patient", args...)
	}
}
