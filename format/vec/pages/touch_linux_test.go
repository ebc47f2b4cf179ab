package pages_test

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// TestTouch: if memory was touched, reading it first and then writing to it causes one page fault a
// page, not two.
func TestTouch(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const count = 1000
	faults := func(touch bool) int64 {
		b, err := unix.Mmap(-1, 0, count*os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Munmap(b)
		if err := unix.Madvise(b, unix.MADV_NOHUGEPAGE); err != nil {
			t.Skip("the system has no such pages:", err)
		}
		var before, after unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_THREAD, &before); err != nil {
			t.Fatal(err)
		}
		if touch {
			pages.Touch(b)
		}
		for k := 7; k < len(b); k += os.Getpagesize() {
			if b[k] == 0 {
				b[k] = 1
			}
		}
		if err := unix.Getrusage(unix.RUSAGE_THREAD, &after); err != nil {
			t.Fatal(err)
		}
		return int64(after.Minflt) - int64(before.Minflt)
	}
	untouched, touched := faults(false), faults(true)
	t.Logf("%d faults in %d pages, %d if touched", untouched, count, touched)
	if untouched < 3*count/2 {
		t.Skip("the system gives a page at once that is read")
	}
	if touched > 5*count/4 {
		t.Errorf("%d faults in %d pages", touched, count)
	}
}

// TestTouchNothing: empty slices need no touch.
func TestTouchNothing(t *testing.T) {
	pages.Touch[uint64](nil)
	s := []float32{0}
	pages.Touch(s)
	if s[0] != 0 {
		t.Error("not a zero")
	}
}
