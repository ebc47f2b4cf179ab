package smo

import (
	"testing"
	"unsafe"
)

// TestLines: what threads share begins and ends with cache lines, so that nothing else is in them.
// Memory of these sizes is aligned to them, or to more than a line.
func TestLines(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("sizes are those of 64-bit systems")
	}
	const lines = 128 // two: processors fetch pairs of lines
	for name, size := range map[string]uintptr{
		"task":       unsafe.Sizeof(task{}),
		"changing":   unsafe.Offsetof(task{}.from),
		"pendingRow": unsafe.Sizeof(pendingRow{}),
	} {
		if size%lines != 0 {
			t.Errorf("%s: %d bytes, expected a multiple of %d", name, size, lines)
		}
	}
	if end := unsafe.Offsetof(task{}.dst) + 2*unsafe.Sizeof(uintptr(0)) - unsafe.Offsetof(task{}.from); end > lines/2 {
		t.Errorf("what changes with one or two rows takes %d bytes, more than a line", end)
	}
}
