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

// TestProcessors: there are no more threads at work than processors, whatever is asked for, and
// OMP_NUM_THREADS is obeyed unless GOMAXPROCS is a number.
func TestProcessors(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	n := runtime.NumCPU()
	two := min(n, 2)
	for _, c := range []struct {
		openMP, asked string
		want          int
	}{
		{"", "1", 1},
		{"", fmt.Sprint(n), n},
		{"", fmt.Sprint(n + 1), n},
		{"", fmt.Sprint(100 * n), n},
		{"", "", n},
		{"1", "", 1},
		{"2", "", two},
		{" 1 , 4", "", 1},
		{"2,1", "", two},
		{fmt.Sprint(100 * n), "", n},
		{"1", fmt.Sprint(n), n},
		{"1", "0", 1}, // this GOMAXPROCS says nothing
		{"1", "all", 1},
		{fmt.Sprint(n), "1", 1},
		{"0", "", n},
		{"-1", "", n},
		{"1.5", "", n},
		{"many", "", n},
		{",1", "", n},
	} {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), asCommand+"=processors", "GOMAXPROCS="+c.asked, "OMP_NUM_THREADS="+c.openMP)
		out, err := cmd.Output()
		if err != nil || string(out) != fmt.Sprint(c.want) {
			t.Errorf("GOMAXPROCS=%q, OMP_NUM_THREADS=%q: %q, %v, want %d", c.asked, c.openMP, out, err, c.want)
		}
	}
}
