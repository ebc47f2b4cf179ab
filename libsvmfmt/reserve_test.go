package libsvmfmt

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReserve: there is room for about as many rows as there are, as far as those that were read
// tell; rows before a line that is longer than a block do not.
func TestReserve(t *testing.T) {
	const block = 1 << 12
	for _, c := range []struct {
		name, text string
		low, high  int // room for so many rows
	}{
		{"a long line behind a short one", "1\n-1 1:1" + strings.Repeat(" ", 100*block) + "\n", 2, 16},
		{"rows alike", strings.Repeat("1 1:1\n", 10*block), 10 * block, 13 * block},
		{"rows alike, more than are believed at first", strings.Repeat("1\n", fewRows+50*block), fewRows + 50*block, fewRows + 70*block},
		{"rows that become shorter", strings.Repeat("1 1:1"+strings.Repeat(" ", 100)+"\n", 2*block) + strings.Repeat("1\n", 20*block), 22 * block, 35 * block},
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

// claimed is a text that is longer than it turns out to be, as a file that has holes is.
type claimed struct{ *strings.Reader }

func (claimed) Len() int { return math.MaxInt }

// sized is a text whose size is known, and which is read from its beginning to its end only.
type sized struct {
	io.Reader
	size int
}

func (s sized) Len() int { return s.size }

// TestReserveBelieved: room for very many rows needs more than a beginning that promises them.
func TestReserveBelieved(t *testing.T) {
	const block = 1 << 12
	many := strings.Repeat("0\n", 3*fewRows)
	wide := strings.Repeat("0\n", 10*block) + strings.Repeat("1"+strings.Repeat(" ", 100*block)+"\n", 20)
	for _, c := range []struct {
		name      string
		text      io.Reader
		rows      int
		low, high int // room for so many rows
	}{
		{"many rows", strings.NewReader(many), 3 * fewRows, 3 * fewRows, 4 * fewRows},
		{"many rows that cannot be sampled", sized{strings.NewReader(many), len(many)}, 3 * fewRows, 3 * fewRows, 4 * fewRows},
		{"few behind those of a text that is said to be long", claimed{strings.NewReader(many[:20*block])}, 10 * block, 0, sampledRows + 20*block},
		{"few behind those of a text that has wide ones", strings.NewReader(wide), 10*block + 20, 0, fewRows + 20*block},
	} {
		for _, workers := range []int{1, 3} {
			if s, ok := c.text.(io.Seeker); ok {
				s.Seek(0, io.SeekStart)
			} else {
				c.text = sized{strings.NewReader(many), len(many)}
			}
			d, err := parse(t.Context(), c.text, workers, block)
			if err != nil {
				t.Fatal(err)
			}
			if n := cap(d.Y); d.Len() != c.rows || n < c.low || n > c.high {
				t.Errorf("%s, %d workers: %d rows, room for %d, want %d, %d to %d", c.name, workers, d.Len(), n, c.rows, c.low, c.high)
			}
		}
	}
}

// TestSampled: parts from all over a text tell how many rows it may have.
func TestSampled(t *testing.T) {
	short, wide := strings.Repeat("0\n", 1<<19), "1"+strings.Repeat(" ", 1<<20)+"\n"
	for _, c := range []struct {
		name, text string
		low, high  float64
	}{
		{"rows alike", short, 1 << 19, 1.1 * (1 << 19)},
		{"a wide one behind as many", short + wide, 1 << 19, 1.2 * (1 << 19)},
		{"short ones behind a wide one", wide + short, 1 << 19, 1.2 * (1 << 19)},
		{"one", wide, 0, 0},
	} {
		room := rowRoom{text: strings.NewReader(c.text), size: int64(len(c.text))}
		if n := room.sampled(); n < c.low || n > c.high {
			t.Errorf("%s: %v rows, want %v to %v", c.name, n, c.low, c.high)
		}
	}
}
