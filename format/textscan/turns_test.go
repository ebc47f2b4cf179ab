package textscan_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// slowReader gives a line at a time, each after a while.
type slowReader struct{ lines []string }

func (r *slowReader) Read(p []byte) (int, error) {
	if len(r.lines) == 0 {
		return 0, io.EOF
	}
	time.Sleep(2 * time.Millisecond) // longer than goroutines look before they sleep
	n := copy(p, r.lines[0])
	if r.lines[0] = r.lines[0][n:]; r.lines[0] == "" {
		r.lines = r.lines[1:]
	}
	return n, nil
}

// TestTurns: goroutines that each fetch some of the blocks get all of the text, in order, and all of
// them the error that ends it.
func TestTurns(t *testing.T) {
	broken := errors.New("broken")
	text := strings.Repeat("some line\nanother\n\nmore\n", 20)
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	for name, p := range map[string]struct {
		reader func() io.Reader
		err    error
	}{
		"all at once":  {func() io.Reader { return strings.NewReader(text) }, io.EOF},
		"byte by byte": {func() io.Reader { return iotest.OneByteReader(strings.NewReader(text)) }, io.EOF},
		"slow":         {func() io.Reader { return &slowReader{slices.Clone(lines)} }, io.EOF},
		"broken":       {func() io.Reader { return io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)) }, broken},
	} {
		for _, goroutines := range []int{1, 2, 5} {
			turns := textscan.NewTurns(textscan.NewBlocks(p.reader()))
			const most = 200
			var got [most]string
			var errs [most]error
			var all sync.WaitGroup
			for g := range goroutines {
				all.Go(func() {
					var buf []byte
					for n := g; n < most; n += goroutines {
						if buf, errs[n] = turns.Next(n, buf, 32); errs[n] == nil {
							got[n] = string(buf)
						}
					}
				})
			}
			all.Wait()
			if turns.Fetched() != most || turns.Long() {
				t.Errorf("%s, %d goroutines: %d blocks fetched, long %v", name, goroutines, turns.Fetched(), turns.Long())
			}
			ended := false
			for n, err := range errs {
				if ended = ended || err != nil; ended && !errors.Is(err, p.err) || !ended && !strings.HasSuffix(got[n], "\n") {
					t.Fatalf("%s, %d goroutines: block %d is %q, %v", name, goroutines, n, got[n], err)
				}
			}
			if joined := strings.Join(got[:], ""); joined != text {
				t.Errorf("%s, %d goroutines: %q", name, goroutines, joined)
			}
		}
	}
}

// TestLongTurns: a block that is much longer than asked for is told of.
func TestLongTurns(t *testing.T) {
	text := bytes.Repeat([]byte("x y z\n"), 10)
	text = append(append(text, bytes.Repeat([]byte("x"), 100)...), '\n')
	turns := textscan.NewTurns(textscan.NewBlocks(bytes.NewReader(text)))
	for n := 0; ; n++ {
		block, err := turns.Next(n, nil, 16)
		if err == io.EOF {
			break
		}
		if long := len(block) > 32; turns.Long() != long {
			t.Errorf("block %d of %d bytes: long is %v", n, len(block), turns.Long())
		}
	}
	if !turns.Long() {
		t.Error("no long block")
	}
}
