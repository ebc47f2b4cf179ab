package launch

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

func init() {
	// slack says by how much more the process's threads sleep than they ask for.
	commands["slack"] = func(_ context.Context, _ []string, _ io.Reader, stdout, stderr io.Writer) int {
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			fmt.Fprintln(stderr, err)
			return 1
		}
		for _, t := range threads {
			text, _ := os.ReadFile("/proc/" + t.Name() + "/timerslack_ns")
			fmt.Fprintf(stdout, "%s ", strings.TrimSpace(string(text)))
		}
		return 0
	}
}

// A thread of the process, and not the first one, sleeps longer, if that may be set.
func TestCalm(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asCommand+"=slack")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	slacks := strings.Fields(string(out))
	if len(slacks) < 2 || !strings.Contains(string(out), fmt.Sprint(calmest)) {
		if mayCalm(t) {
			t.Errorf("the threads sleep longer by %v ns", slacks)
		}
		t.Skipf("not tried: it may not be set here: %v", slacks)
	}
	if slacks[0] == fmt.Sprint(calmest) {
		t.Errorf("the first thread sleeps longer: %v ns", slacks)
	}
}

// mayCalm reports whether this process may set the priorities of others.
func mayCalm(t *testing.T) bool {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skipf("not tried: %v", err)
	}
	_, rest, _ := strings.Cut(string(text), "CapEff:")
	word, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	may, err := strconv.ParseUint(word, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	const niceness = 23 // CAP_SYS_NICE
	return may>>niceness&1 == 1
}
