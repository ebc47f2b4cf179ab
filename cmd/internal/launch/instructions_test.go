//go:build unix

package launch

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

func init() {
	// level says which instructions are in use.
	commands["level"] = func(_ context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		fmt.Fprint(stdout, simd.Current())
		return 0
	}
}

func TestInstructions(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for l := simd.Portable; l <= simd.AVX512; l++ {
		check(t, self, l.String(), l <= simd.Best(), l.String())
	}
	check(t, self, "", true, simd.Best().String())
	check(t, self, "sse", false, "")
}

// check launches level with a value of the variable.
func check(t *testing.T, self, value string, possible bool, want string) {
	t.Helper()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asCommand+"=level", instructions+"="+value)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case possible && (err != nil || string(out) != want):
		t.Errorf("%s=%s: %q, %v, want %s", instructions, value, out, err, want)
	case !possible && (cmd.ProcessState.ExitCode() != misused || !strings.HasPrefix(stderr.String(), instructions+"="+value+": ")):
		t.Errorf("%s=%s: status %d, %q", instructions, value, cmd.ProcessState.ExitCode(), &stderr)
	}
}
