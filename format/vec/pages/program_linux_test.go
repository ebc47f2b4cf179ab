//go:build amd64 || arm64

package pages

import (
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// variable is in writable memory.
var variable = 1

// TestProgram: program returns instructions and constants, but not variables.
func TestProgram(t *testing.T) {
	parts := program()
	within := func(at uintptr) bool {
		for _, p := range parts {
			if begin := uintptr(unsafe.Pointer(&p[0])); at-begin < uintptr(len(p)) {
				return true
			}
		}
		return false
	}
	constant := "a text of the program"
	if !within(reflect.ValueOf(TestProgram).Pointer()) || !within(uintptr(unsafe.Pointer(unsafe.StringData(constant)))) {
		t.Errorf("instructions or constants are missing in %d parts", len(parts))
	}
	if within(uintptr(unsafe.Pointer(&variable))) {
		t.Error("a variable counts as never written to")
	}
}

// TestDropProgram: pages that were dropped are no longer there, and come back.
func TestDropProgram(t *testing.T) {
	for _, p := range program() {
		sum := 0
		for at := 0; at < len(p); at += 4 << 10 {
			sum += int(p[at]) // now this page is there
		}
		variable = sum
	}
	before := filePages(t)
	DropProgram()
	if after := filePages(t); after >= before {
		t.Errorf("%d pages of files before, %d after", before, after)
	}
}

// filePages returns the number of pages of files that the process has in memory.
func filePages(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	n, err := strconv.Atoi(strings.Fields(string(text))[2])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
