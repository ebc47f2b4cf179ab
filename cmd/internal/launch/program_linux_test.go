package launch

import (
	"bufio"
	"os"
	"slices"
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

// TestUnchanged: only what is as in the program's file is given back. In programs built
// with -buildmode=pie much that cannot be written is not.
func TestUnchanged(t *testing.T) {
	const smaps = `50000000-50100000 r-xp 00001000 fe:00 123                        /bin/svm-train
Size:               1024 kB
Private_Clean:       512 kB
Private_Dirty:         0 kB
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd ex mr mw me sd 
50200000-50300000 r--p 00101000 fe:00 123                        /bin/svm-train
Private_Dirty:       400 kB
Anonymous:           400 kB
50300000-50400000 r--p 00201000 fe:00 123                        /bin/svm-train
Private_Dirty:         0 kB
Anonymous:             0 kB
Swap:                 12 kB
50400000-50500000 rw-p 00301000 fe:00 123                        /bin/svm-train
Private_Dirty:         0 kB
50500000-50600000 rw-p 00000000 00:00 0 
Private_Dirty:         8 kB
70000000-70100000 r--p 00000000 fe:00 124                        /lib/libc.so
Private_Dirty:         0 kB
50700000-50800000 r--p 00401000 fe:00 123                        /bin/svm-train
Private_Dirty:         0 kB
Anonymous:             0 kB
`
	want := []part{{0x50000000, 0x50100000}, {0x50700000, 0x50800000}}
	if got := unchanged([]byte(smaps)); !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}
