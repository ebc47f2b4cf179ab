package pages_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// resident returns how many pages of b, which begins with a page, have been given by the system.
func resident(t *testing.T, b []byte) (n int) {
	t.Helper()
	is := make([]byte, (len(b)+os.Getpagesize()-1)/os.Getpagesize())
	if _, _, err := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), uintptr(unsafe.Pointer(&is[0]))); err != 0 {
		t.Skip("the system does not tell what memory it has given:", err)
	}
	for _, x := range is {
		n += int(x & 1)
	}
	return n
}

// mapped returns memory of small pages, none of which the system has given.
func mapped(t *testing.T, size int) []byte {
	t.Helper()
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(b) })
	_ = unix.Madvise(b, unix.MADV_NOHUGEPAGE)
	if n := resident(t, b); n > 0 {
		t.Skip(n, "pages are there before they are used")
	}
	return b
}

// needPrepare skips a test if the system cannot give pages before they are used.
func needPrepare(t *testing.T) {
	t.Helper()
	b := mapped(t, os.Getpagesize())
	if err := unix.Madvise(b, unix.MADV_POPULATE_WRITE); err != nil {
		t.Skip("the system gives no pages before they are used:", err)
	}
	if resident(t, b) == 0 { // as with emulators, which ignore such advice
		t.Skip("the system gives no pages before they are used, and does not say so")
	}
}

// TestPrepareGives: all pages that a slice touches are given, and no others; for a short slice
// nothing is done.
func TestPrepareGives(t *testing.T) {
	needPrepare(t)
	page := os.Getpagesize()
	for _, c := range []struct{ from, to, want int }{
		{page + 8, 11*page + 8, 11}, {page, 11 * page, 10}, {11*page - 8, 31*page - 8, 21}, {8, page - 8, 0},
	} {
		b := mapped(t, 40*page)
		pages.Prepare(b[c.from:c.to])
		if n := resident(t, b); n != c.want {
			t.Errorf("of bytes %d to %d %d pages are there, want %d", c.from, c.to, n, c.want)
		}
		for i, x := range b {
			if x != 0 {
				t.Fatalf("byte %d is %d", i, x)
			}
		}
	}
}

// TestPrepareMuch: only the first part of large memory is given.
func TestPrepareMuch(t *testing.T) {
	needPrepare(t)
	page, most := os.Getpagesize(), 32<<20
	b := mapped(t, most+8*page)
	pages.Prepare(b)
	if n := resident(t, b); n != most/page {
		t.Errorf("%d pages are there, want %d", n, most/page)
	}
}

// TestArenaAhead: memory that an arena gives to be written to is there, with less than one step behind
// it; other memory of the arena is not.
func TestArenaAhead(t *testing.T) {
	needPrepare(t)
	const settings = "/sys/kernel/mm/transparent_hugepage/"
	sizes, _ := filepath.Glob(settings + "hugepages-*/enabled")
	for _, file := range append(sizes, settings+"enabled") {
		if mode, _ := os.ReadFile(file); bytes.Contains(mode, []byte("[always]")) {
			t.Skip("the system gives large pages to who has not asked for them")
		}
	}
	page := os.Getpagesize()
	r := pages.Arena{SmallOnly: true}
	defer r.Release()
	first := pages.Alloc[byte](&r, 64)
	all := unsafe.Slice(&first[0], 4<<20)
	all = all[-uintptr(unsafe.Pointer(&first[0]))%uintptr(page):] // from the next page on
	at := 64 - (4<<20 - len(all))                                 // place in it where free memory begins
	check := func(what string, least, most int) {
		t.Helper()
		if n := resident(t, all[:2<<20]); n*page < least-page || n*page > most+page {
			t.Errorf("%s: %d bytes are there, want %d to %d", what, n*page, least, most)
		}
	}
	check("64 bytes", pages.PrepareBytes, pages.PrepareBytes)
	for range 1000 {
		pages.Alloc[byte](&r, 1<<10)
		at += 1 << 10
	}
	check("1000 times 1 KB", at, at+pages.PrepareBytes)
	cut, _ := pages.AllocDeferred[byte](&r, 256<<10)
	there := at
	check("256 KB that are cut", there, there+pages.PrepareBytes)
	_ = cut
	pages.AllocScratch[byte](&r, 128<<10)
	check("128 KB of scratch", there+128<<10, there+128<<10+pages.PrepareBytes)
}
