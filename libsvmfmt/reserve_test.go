package libsvmfmt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReserve: rows before a line that is longer than a block do not tell how many there are.
func TestReserve(t *testing.T) {
	const block = 1 << 12
	for _, c := range []struct {
		name, text string
		low, high  int // room for so many rows
	}{
		{"a long line behind a short one", "1\n-1 1:1" + strings.Repeat(" ", 100*block) + "\n", 2, 16},
		{"rows alike", strings.Repeat("1 1:1\n", 10*block), 10 * block, 13 * block},
	} {
		path := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		for workers := 1; workers <= 3; workers++ {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			d, err := parse(t.Context(), f, workers, block)
			f.Close()
			if err != nil {
				t.Fatal(err)
			}
			if n := cap(d.Y); n < c.low || n > c.high {
				t.Errorf("%s, %d workers: room for %d rows, want %d to %d", c.name, workers, n, c.low, c.high)
			}
		}
	}
}
