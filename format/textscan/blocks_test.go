package textscan_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Blocks are whole lines, joined the text, whatever the sizes of reads and blocks; a
// read error comes behind the lines before it.
func TestBlocks(t *testing.T) {
	broken := errors.New("broken")
	long := strings.Repeat("x", 1000)
	for _, text := range []string{"", "a", "a\n", "\n", "\n\n\n", "a\nb", "a\nb\n", "a\r\nbb\nccc\n" + long + "\nd\n" + long, long, "\x00\n\xff"} {
		for how, reader := range readers {
			for _, size := range []int{1, 2, 3, 10, 100, 5000} {
				for _, end := range []error{io.EOF, broken} {
					var r io.Reader = strings.NewReader(text)
					want := text
					if end != io.EOF {
						r = io.MultiReader(r, iotest.ErrReader(end))
						want = text[:strings.LastIndexByte(text, '\n')+1]
					}
					b := textscan.NewBlocks(reader(r))
					var joined string
					var buf []byte
					for {
						block, err := b.Next(buf, size)
						if err != nil {
							if _, again := b.Next(buf, size); err != end || again != end || block != nil {
								t.Errorf("%s, size %d: block %q, error %v, then %v, want %v", how, size, block, err, again, end)
							}
							break
						}
						if len(block) == 0 || block[len(block)-1] != '\n' && len(joined)+len(block) < len(want) {
							t.Fatalf("%s, size %d: block %q behind %q", how, size, block, joined)
						}
						joined += string(block)
						buf = block
					}
					if joined != want {
						t.Errorf("%s, size %d: %q, want %q", how, size, joined, want)
					}
				}
			}
		}
	}
	if _, err := textscan.NewBlocks(stuck{}).Next(nil, 10); err != io.ErrNoProgress {
		t.Errorf("stuck: %v", err)
	}
}
