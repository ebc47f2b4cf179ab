package launch

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
)

// resident returns how many kilobytes of the program's pages that cannot be written are
// in memory.
func resident(t *testing.T) (kb int) {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skipf("the system does not say what is in memory: %v", err)
	}
	defer f.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if first, _, _ := strings.Cut(line, " "); strings.Contains(first, "-") {
			word := strings.Fields(line)
			inside = strings.HasSuffix(line, self) && word[1][1] == '-'
		} else if rest, ok := strings.CutPrefix(line, "Rss:"); ok && inside {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			kb += n
		}
	}
	return kb
}

// TestSettle: pages of the program go, and come again when they are used.
func TestSettle(t *testing.T) {
	before := resident(t)
	for range 3 { // where it does nothing, little changes
		Settle()
		if after := resident(t); after < before {
			return
		}
	}
	t.Errorf("%d kB of the program are in memory, as before", before)
}
