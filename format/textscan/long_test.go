package textscan_test

import (
	"io"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// TestLongLines: a line may be as long as is allowed, whether it ends or the text does, and no
// longer, however it is read. Lines before one that is too long are lines; no more memory is taken
// than it needs.
func TestLongLines(t *testing.T) {
	const most = 200_000
	full := strings.Repeat(" ", most)
	for _, c := range []struct {
		name, text string
		lines      int // before the fault
		fault      bool
	}{
		{"as long as it may be", full + "\n", 1, false},
		{"without an end", full, 1, false},
		{"several", full + "\n" + full + "\na\n" + full, 4, false},
		{"one byte more", full + "x", 0, true},
		{"one byte more, and its end", full + "x\n", 0, true},
		{"behind others", "a\n" + full + "\nb\n" + full + " \nc\n", 3, true},
		{"without end", full + full + full + full, 0, true},
	} {
		for how, reader := range readers {
			l := textscan.NewLines(reader(strings.NewReader(c.text)))
			l.SetMost(most)
			lines, err := 0, error(nil)
			for {
				if _, err = l.Next(); err != nil {
					break
				}
				lines++
			}
			check(t, c.name+", lines, "+how, lines, c.lines, err, c.fault)
			if l.Room() > most+1 {
				t.Errorf("%s, %s: room for %d bytes", c.name, how, l.Room())
			}
			for _, size := range []int{1000, 1 << 16, most} {
				for _, in := range []struct {
					how  string
					next func(b *textscan.Blocks, buf []byte) ([]byte, error)
					room int
				}{
					{"blocks", func(b *textscan.Blocks, buf []byte) ([]byte, error) { return b.Next(buf, size) }, most + 8192},
					{"blocks of lines", func(b *textscan.Blocks, buf []byte) ([]byte, error) { return b.NextLines(buf, 3, size, size) }, most + size + 8192},
				} {
					b := textscan.NewBlocks(reader(strings.NewReader(c.text)))
					b.SetMost(most)
					var block []byte
					for lines = 0; ; {
						if block, err = in.next(b, block); err != nil {
							err = textscan.AtLine(err, lines+1)
							break
						}
						lines += strings.Count(strings.TrimSuffix(string(block), "\n"), "\n") + 1
						if cap(block) > in.room+textscan.Slack {
							t.Errorf("%s, %s, %s: memory for %d bytes", c.name, in.how, how, cap(block))
						}
					}
					check(t, c.name+", "+in.how+", "+how, lines, c.lines, err, c.fault)
				}
			}
			b := textscan.NewBlocks(reader(strings.NewReader(c.text)))
			b.SetMost(most)
			l = b.Lines(nil, 0)
			for lines = 0; ; lines++ {
				if _, err = l.Next(); err != nil {
					break
				}
			}
			check(t, c.name+", lines of blocks, "+how, lines, c.lines, err, c.fault)
		}
	}
}

// check checks the number of lines and how they ended.
func check(t *testing.T, name string, lines, want int, err error, fault bool) {
	t.Helper()
	end := io.EOF
	if fault {
		end = &textscan.Error{Line: want + 1, Err: textscan.ErrLongLine}
	}
	if lines != want || err.Error() != end.Error() {
		t.Errorf("%s: %d lines, then %v, want %d, then %v", name, lines, err, want, end)
	}
}
