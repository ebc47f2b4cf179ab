//go:build !race

package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// TestMemoryOfLongRow: what a row of very many features takes is of the order of its text and its ranges. The text, what
// is read of it and what was measured are each given back when they are done with.
func TestMemoryOfLongRow(t *testing.T) {
	t.Chdir(t.TempDir())
	const features = 800_000
	var data strings.Builder
	for i := range 2 {
		fmt.Fprint(&data, i)
		for k := range features {
			fmt.Fprintf(&data, " %d:%d", k+1, (k+i)%10)
		}
		data.WriteByte('\n')
	}
	writeFile(t, "data", data.String())
	for _, processors := range []string{"1", "2"} {
		cmd := command(t, "-l", "0", "data")
		cmd.Env = append(cmd.Environ(), "GOMAXPROCS="+processors)
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
		if each := most / features; each > 200 {
			t.Errorf("%s processors: %d bytes a feature", processors, each)
		}
	}
}
