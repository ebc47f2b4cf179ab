package textscan_test

import (
	"errors"
	"io"
	"slices"
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

// Blocks of so many lines have them, but the last and long ones, and are the text otherwise.
func TestNextLines(t *testing.T) {
	broken := errors.New("broken")
	text := strings.Repeat("a\n\nbcd\r\n"+strings.Repeat("x", 300)+"\n", 20) + "end"
	for how, reader := range readers {
		for _, lines := range []int{1, 2, 7, 79, 80, 81, 1000} {
			for _, size := range []int{1, 50, 10000} {
				for _, most := range []int{1, 2, 400, 1 << 20} {
					for _, end := range []error{io.EOF, broken} {
						var r io.Reader = strings.NewReader(text)
						want := text
						if end != io.EOF {
							r, want = io.MultiReader(r, iotest.ErrReader(end)), strings.TrimSuffix(text, "end")
						}
						b := textscan.NewBlocks(reader(r))
						var joined string
						var buf []byte
						for {
							block, err := b.NextLines(buf, lines, size, most)
							if err != nil {
								if _, again := b.NextLines(buf, lines, size, most); err != end || again != end || block != nil {
									t.Errorf("%s: block %q, error %v, then %v, want %v", how, block, err, again, end)
								}
								break
							}
							joined += string(block)
							n, last := strings.Count(string(block), "\n"), strings.LastIndexByte(strings.TrimSuffix(string(block), "\n"), '\n')+1
							if whole := n == lines && last < most || n < lines && len(block) >= most && last < most; len(block) == 0 || len(joined) < len(want) && (!whole || block[len(block)-1] != '\n') {
								t.Fatalf("%s, %d lines, size %d, %d bytes: %d lines in %q", how, lines, size, most, n, block)
							}
							if cap(block)-len(block) < textscan.Slack {
								t.Fatalf("%s: %d bytes behind a block", how, cap(block)-len(block))
							}
							buf = block
						}
						if joined != want {
							t.Errorf("%s, %d lines, size %d, %d bytes: %q, want %q", how, lines, size, most, joined, want)
						}
					}
				}
			}
		}
	}
	if _, err := textscan.NewBlocks(stuck{}).NextLines(nil, 3, 10, 100); err != io.ErrNoProgress {
		t.Errorf("stuck: %v", err)
	}
}

// A text may be read by lines, then in blocks and by lines again.
func TestChange(t *testing.T) {
	text := strings.Repeat("a\nbcd\n\r\n"+strings.Repeat("x", 100)+"\n", 50) + "end"
	lines := strings.Split(text, "\n")
	broken := errors.New("broken")
	for how, reader := range readers {
		for _, first := range []int{0, 1, 7, len(lines) - 1, len(lines)} {
			for _, blocks := range []int{0, 1, 3} {
				for _, size := range []int{1, 50, 1000, 100000} {
					for _, end := range []error{io.EOF, broken} {
						var r io.Reader = strings.NewReader(text)
						want := lines
						if end != io.EOF {
							r, want = io.MultiReader(r, iotest.ErrReader(end)), lines[:len(lines)-1]
						}
						l := textscan.NewLines(reader(r))
						var got []string
						next := func() error {
							line, err := l.Next()
							if err == nil {
								if cap(line)-len(line) < textscan.Slack {
									t.Fatalf("%s: %d bytes behind a line", how, cap(line)-len(line))
								}
								got = append(got, string(line))
							}
							return err
						}
						for range first {
							next()
						}
						b, unread := l.Blocks(), []byte(nil)
						for range blocks {
							block, err := b.Next(nil, size)
							if err != nil {
								break
							}
							if cap(block)-len(block) < textscan.Slack {
								t.Fatalf("%s: %d bytes behind a block", how, cap(block)-len(block))
							}
							line, rest, _ := strings.Cut(string(block), "\n")
							got, unread = append(got, line), []byte(rest)
							if len(rest) > 0 {
								break
							}
						}
						l = b.Lines(unread, len(got))
						for {
							if err := next(); err != nil {
								if err != end {
									t.Errorf("%s, %d lines, %d blocks of %d: %v, want %v", how, first, blocks, size, err, end)
								}
								break
							}
						}
						if !slices.Equal(got, want) || l.Number() != len(want) {
							t.Errorf("%s, %d lines, %d blocks of %d: %q, want %q, number %d", how, first, blocks, size, got, want, l.Number())
						}
					}
				}
			}
		}
	}
}
