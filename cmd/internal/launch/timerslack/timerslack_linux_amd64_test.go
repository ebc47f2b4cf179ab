//go:build !purego

package timerslack

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMonitor looks at the second thread of this process, which the runtime began.
func TestMonitor(t *testing.T) {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Skip("SKIPPED: the system does not list threads:", err)
	}
	var threads []int
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		threads = append(threads, n)
	}
	slices.Sort(threads)
	first := os.Getpid()
	at := slices.Index(threads, first) + 1 // a number is less where numbers have begun anew
	if at == len(threads) || threads[at] > first+nearby {
		t.Skipf("SKIPPED: of the threads %v none has a number close to that of the process, %d", threads, first)
	}
	const want = "5000000"
	var slack string
	for range 1000 {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/timerslack_ns", threads[at]))
		if err != nil {
			t.Skip("SKIPPED: the slack of threads is not told, which takes the rights of an administrator:", err)
		}
		if slack = strings.TrimSpace(string(b)); slack == want {
			return
		}
		time.Sleep(10 * time.Millisecond) // it has to be awake first
	}
	t.Errorf("thread %d of %v has a timer slack of %s ns, want %s", threads[at], threads, slack, want)
}
