//go:build unix

package launch

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
)

func init() {
	// processors says how many goroutines run at once.
	commands["processors"] = func(_ context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		fmt.Fprint(stdout, runtime.GOMAXPROCS(0))
		return 0
	}
}

// TestProcessors: there are no more threads at work than processors, whatever is asked for.
func TestProcessors(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	n := runtime.NumCPU()
	for asked, want := range map[int]int{1: 1, n: n, n + 1: n, 100 * n: n} {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), asCommand+"=processors", fmt.Sprint("GOMAXPROCS=", asked))
		out, err := cmd.Output()
		if err != nil || string(out) != fmt.Sprint(want) {
			t.Errorf("GOMAXPROCS=%d: %q, %v, want %d", asked, out, err, want)
		}
	}
}
