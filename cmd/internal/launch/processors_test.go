//go:build unix

package launch

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"
)

func init() {
	// processors says how many goroutines run at once.
	commands["processors"] = func(_ context.Context, args []string, _ io.Reader, stdout, _ io.Writer) int {
		for _, a := range args {
			n, _ := strconv.Atoi(a)
			AllowProcessors(n)
		}
		fmt.Fprint(stdout, runtime.GOMAXPROCS(0))
		return 0
	}
}

// TestProcessors: there are no more threads at work than processors, whatever is asked for, and
// OMP_NUM_THREADS is obeyed unless GOMAXPROCS is a number, or the command line asks for more.
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
		allowed       []string
	}{
		{"", "1", 1, nil},
		{"", fmt.Sprint(n), n, nil},
		{"", fmt.Sprint(n + 1), n, nil},
		{"", fmt.Sprint(100 * n), n, nil},
		{"", "", n, nil},
		{"1", "", 1, nil},
		{"2", "", two, nil},
		{" 1 , 4", "", 1, nil},
		{"2,1", "", two, nil},
		{fmt.Sprint(100 * n), "", n, nil},
		{"1", fmt.Sprint(n), n, nil},
		{"1", "0", 1, nil}, // this GOMAXPROCS says nothing
		{"1", "all", 1, nil},
		{fmt.Sprint(n), "1", 1, nil},
		{"0", "", n, nil},
		{"-1", "", n, nil},
		{"1.5", "", n, nil},
		{"many", "", n, nil},
		{",1", "", n, nil},
		{"1", "", two, []string{"2"}},
		{"1", "", n, []string{fmt.Sprint(100 * n)}},
		{"2", "", two, []string{"1"}},
		{"", "1", 1, []string{"2"}},
		{"1", "1", 1, []string{"2"}},
		{"", "", n, []string{"1", fmt.Sprint(100 * n)}},
	} {
		cmd := exec.Command(self, c.allowed...)
		cmd.Env = append(os.Environ(), asCommand+"=processors", "GOMAXPROCS="+c.asked, "OMP_NUM_THREADS="+c.openMP)
		out, err := cmd.Output()
		if err != nil || string(out) != fmt.Sprint(c.want) {
			t.Errorf("GOMAXPROCS=%q, OMP_NUM_THREADS=%q, allowed %q: %q, %v, want %d", c.asked, c.openMP, c.allowed, out, err, c.want)
		}
	}
}
