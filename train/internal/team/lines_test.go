package team

import (
	"testing"
	"unsafe"
)

// TestLines: what the owner and its helpers share begins and ends with cache lines, so that nothing
// else is in them.
func TestLines(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("sizes are those of 64-bit systems")
	}
	const lines = 128 // two: processors fetch pairs of lines
	for name, size := range map[string]uintptr{
		"piece": unsafe.Sizeof(piece{}),
		"part":  unsafe.Sizeof(part{}),
	} {
		if size%lines != 0 {
			t.Errorf("%s: %d bytes, expected a multiple of %d", name, size, lines)
		}
	}
	if end := unsafe.Offsetof(piece{}.command) + unsafe.Offsetof(Command{}.Values) + 2*unsafe.Sizeof(0.0); end > lines/2 {
		t.Errorf("the call with two values takes %d bytes, more than a line", end)
	}
}
