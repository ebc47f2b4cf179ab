package pages_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// asked reports whether large pages were requested for the beginning of s.
func asked(t *testing.T, s []byte) bool {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	at, here := uintptr(unsafe.Pointer(&s[0])), false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			here = from <= at && at < to
		} else if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && here {
			return strings.Contains(flags+" ", " hg ")
		}
	}
	t.Skip("the system does not tell what memory was asked for")
	return false
}

// need skips the test where the system has no large pages.
func need(t *testing.T) {
	t.Helper()
	pages.SetClock(nil)
	if s := pages.Make[byte](2 * pages.Size); !asked(t, s) {
		t.Skip("the system has no large pages")
	}
}

// TestSetClock: a thread that gets large pages late gets small ones for a number of pages, twice as
// many the next time; one that gets them soon gets large pages only.
func TestSetClock(t *testing.T) {
	const late, soon = 5 * time.Millisecond, time.Millisecond / 4
	var now, page time.Duration
	clock := func() time.Duration {
		defer func() { now += page }() // each call takes as long as a page, or no time
		return now
	}
	need(t)
	pages.SetClock(clock)
	defer pages.SetClock(nil)
	for step, c := range []struct {
		page        time.Duration // time of the first page
		pages       int
		first, rest bool // requested
	}{
		{soon, 3, true, true},
		{late, 3, true, false},
		{late, 10, false, false}, // 10 of 16
		{soon, 5, false, false},
		{soon, 2, false, false},
		{late, 4, true, false}, // the next 32 are small
		{soon, 31, false, false},
		{soon, 2, false, false},
		{soon, 2, true, true},
		{late, 2, true, false}, // 16 again
		{soon, 16, false, false},
		{soon, 2, true, true},
	} {
		page = c.page
		r := pages.Arena{LargeFirst: true}
		defer r.Release() // released memory may come again with its pages requested
		s := pages.Alloc[byte](&r, c.pages*pages.Size)
		if first, rest := asked(t, s), asked(t, s[len(s)-pages.Size:]); first != c.first || rest != c.rest {
			t.Errorf("step %d: large pages were asked for %v, and for the last of %d %v; want %v, %v", step, first, c.pages, rest, c.first, c.rest)
		}
	}
}

// TestArenaAsks: an arena requests a large page when the first slice reaches into it.
func TestArenaAsks(t *testing.T) {
	now, looks := time.Duration(0), 0
	pages.SetClock(func() time.Duration { looks++; now += time.Hour; return now }) // all pages are late
	defer pages.SetClock(nil)
	var r pages.Arena
	defer r.Release()
	for _, c := range []struct{ size, looks int }{
		{pages.Size / 4, 0}, // small pages
		{pages.Size / 4, 0},
		{pages.Size / 4, 2}, // in the first large page, which is late
		{pages.Size / 2, 2},
		{6 * pages.Size, 2},        // small, with the rest
		{9 * pages.Size, 2},        // memory of its own, pages 15 or 16 of 16
		{3 * pages.Size, 2},        // page 16
		{pages.Size, 4},            // late again
		{31 * pages.Size, 4},       // small
		{4 * pages.Size, 4},        // page 32
		{12 * pages.Size / 10, 6},  // late
		{100 * pages.Size / 10, 6}, // small
	} {
		if pages.Alloc[byte](&r, c.size)[c.size-1] != 0 {
			t.Fatal("not zeros")
		}
		if looks != c.looks {
			t.Fatalf("after %d bytes the clock was looked at %d times, want %d", c.size, looks, c.looks)
		}
	}
}

// TestTurn: while a thread waits for a large page, another one that wants one gets small pages, and
// one that wants many waits to learn how long it takes.
func TestTurn(t *testing.T) {
	need(t)
	for _, late := range []bool{false, true} {
		var now time.Duration
		begun, end := make(chan bool), make(chan bool)
		looks := 0
		pages.SetClock(func() time.Duration {
			switch looks++; looks { // those of the first page
			case 1:
				begun <- true
				<-end
			case 2:
				if late {
					now += time.Hour
				}
			}
			return now
		})
		defer pages.SetClock(nil)
		take := func(n int) []byte {
			r := pages.Arena{LargeFirst: true}
			t.Cleanup(r.Release) // released memory may come again with its pages requested
			return pages.Alloc[byte](&r, n*pages.Size)
		}
		first, many := make(chan []byte), make(chan []byte)
		go func() { first <- take(1) }()
		<-begun
		if asked(t, take(1)) {
			t.Error("a second page was asked for while the first was waited for")
		}
		go func() { many <- take(3) }()
		select {
		case <-many:
			t.Error("many pages were made while the first was waited for")
		case <-time.After(10 * time.Millisecond):
		}
		end <- true
		if !asked(t, <-first) {
			t.Error("the first page was not asked for")
		}
		if got := asked(t, <-many); got != !late {
			t.Errorf("the first page late %v: many were asked for %v", late, got)
		}
	}
}
