//go:build unix

package main

import (
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/commandtest"
)

// TestWaiting: an interrupt ends the command at once while it waits for its data.
func TestWaiting(t *testing.T) {
	commandtest.Waiting(t, "", "", nil, "patient", "pipe")
	commandtest.Waiting(t, "1 1:1\n-1 1:2\n", "", nil, "patient", "-s", "range", "pipe")
	ranges := map[string]string{"range": "x\n-1 1\n1 0 4\n"}
	commandtest.Waiting(t, "1 1:1\n-1 1:2\n", "", ranges, "patient", "-r", "range", "pipe")
}
