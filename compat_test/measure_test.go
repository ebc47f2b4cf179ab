package compat_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// A cost is what one process used.
type cost struct {
	CPU, Wall time.Duration
	Memory    int64 // largest resident set in bytes
}

// measureVariable tells this test's own binary to run a command and print its
// cost. A process inherits the peak of the one that started it, and a binary that
// does nothing else has a small one.
const (
	measureVariable = "SLIMSVM_MEASURE"
	measuring       = "1"
	reading         = "read" // of what it runs then: see runRead
)

func measure(b *testing.B, dir string, args []string) (c cost) {
	b.Helper()
	cmd := exec.Command(self(b), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), measureVariable+"="+measuring)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &c)
	}
	if err != nil {
		b.Fatalf("%s: %v", strings.Join(args, " "), err)
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

// runMeasured is the other side of measure. It returns the exit status.
func runMeasured(args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), measureVariable+"="+reading)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	p := cmd.ProcessState
	if err := json.NewEncoder(os.Stdout).Encode(cost{
		CPU: p.UserTime() + p.SystemTime(), Wall: time.Since(start), Memory: maxResident(p),
	}); err != nil {
		return 1
	}
	return 0
}
