//go:build unix

package main

import (
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/commandtest"
)

// TestWaiting: an interrupt ends the command at once while it waits for its data, and leaves none of
// its output.
func TestWaiting(t *testing.T) {
	model := map[string]string{"model": "svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1 \n"}
	commandtest.Waiting(t, "", "", model, "patient", "pipe", "model", "output")
	commandtest.Waiting(t, "1 1:1\n-1 1:2\n", "", model, "patient", "pipe", "model", "output")
}
