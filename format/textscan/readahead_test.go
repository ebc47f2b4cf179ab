package textscan

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// countingReader reads blocks of numbered lines up to one that begins with !.
type countingReader struct {
	wait  func(text string) // until it is this block's turn
	lines []string          // of the last block, as far as it was read
}

func (r *countingReader) ReadBlock(text []byte) (size, lines int) {
	r.wait(string(text))
	r.lines = r.lines[:0]
	for line := range bytes.Lines(text) {
		if line[0] == '!' {
			break
		}
		r.lines = append(r.lines, string(line))
		size += len(line)
	}
	return size, len(r.lines)
}

// cutBlocks returns what cuts blocks of so many lines from a text.
func cutBlocks(text string, lines int) func(buf []byte) []byte {
	all := strings.SplitAfter(text, "\n")
	return func(buf []byte) []byte {
		n := min(lines, len(all))
		for _, line := range all[:n] {
			buf = append(buf, line...)
		}
		all = all[n:]
		return buf
	}
}

// numberedLines returns so many lines.
func numberedLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, "line", i)
	}
	return b.String()
}

// TestReadAheadKeepsTheOrder reads later blocks sooner: each is returned when it is read, in the
// order of the text, and no more are under way, nor more readers made, than there may be.
func TestReadAheadKeepsTheOrder(t *testing.T) {
	const workers, blocks, most = 3, 20, 3 + spareBlocks
	turns := map[string]chan struct{}{}
	for i := range blocks {
		turns[fmt.Sprintln("line", i)] = make(chan struct{})
	}
	var under, read atomic.Int32
	wait := func(text string) {
		if n := under.Add(1); n > most {
			t.Errorf("%d blocks are read at the same time", n)
		}
		<-turns[text]
		read.Add(1)
		under.Add(-1)
	}
	var released [blocks]bool
	release := func(i int) {
		if i < blocks && !released[i] {
			released[i] = true
			close(turns[fmt.Sprintln("line", i)])
		}
	}
	readers := 0
	a := NewReadAhead(workers, cutBlocks(numberedLines(blocks), 1), func() *countingReader {
		readers++
		return &countingReader{wait: wait}
	})
	a.Begin(100)
	if a.Started() != 0 {
		t.Error("a new one has blocks")
	}
	for next := range blocks {
		release(next + most - 1) // the last one of those that may be under way
		release(next)
		r, ok := a.Next()
		if want := fmt.Sprintln("line", next); !ok || !slices.Equal(r.lines, []string{want}) {
			t.Fatalf("block %d: %v, %q", next, ok, r.lines)
		}
		if a.Lines() != 100+next {
			t.Errorf("%d lines are before block %d", a.Lines(), next)
		}
		if want := min(most, blocks-next) - 1; a.Started() != want {
			t.Errorf("%d blocks are started behind block %d, expected %d", a.Started(), next, want)
		}
		if int(read.Load()) <= next {
			t.Errorf("block %d was returned, %d have been read", next, read.Load())
		}
	}
	for range 2 {
		if _, ok := a.Next(); ok {
			t.Error("there is a block behind the last")
		}
	}
	if text, lines := a.Rest(); len(text) > 0 || lines != 100+blocks {
		t.Errorf("the rest is %q, behind %d lines", text, lines)
	}
	if readers != most {
		t.Errorf("%d readers, expected %d", readers, most)
	}
}

// TestReadAheadStops gives back the text behind the first line that is not read, once, with the
// number of lines before it, and begins again with the readers it has.
func TestReadAheadStops(t *testing.T) {
	const lines, perBlock = 40, 4
	for at := 0; at <= lines; at++ {
		text := strings.SplitAfter(numberedLines(lines), "\n")[:lines]
		if at < lines {
			text[at] = "!" + text[at]
		}
		for _, more := range []int{0, 1, 6} { // lines that are read by other means then
			cut := cutBlocks(strings.Join(text, ""), perBlock)
			readers := 0
			a := NewReadAhead(2, func(buf []byte) []byte { return cut(buf) }, func() *countingReader {
				readers++
				return &countingReader{wait: func(string) {}}
			})
			var got []string
			read := func() (rest string) {
				for {
					if r, ok := a.Next(); ok {
						got = append(got, r.lines...)
						continue
					}
					if _, ok := a.Next(); ok {
						t.Fatal("there is a block behind the end")
					}
					ahead, before := a.Rest()
					if before != len(got) {
						t.Fatalf("line %d stops it, behind %d lines, expected %d", at, before, len(got))
					}
					return string(ahead) + string(cutAll(cut))
				}
			}
			rest := read()
			if want := strings.Join(text[at:], ""); rest != want {
				t.Fatalf("line %d stops it, and the rest is %q, expected %q", at, rest, want)
			}
			made := readers
			behind := text[min(at+more, lines):]
			if more > 0 {
				got = append(got, text[at:min(at+more, lines)]...)
				cut = cutBlocks(strings.Join(behind, ""), perBlock)
				a.Begin(len(got))
				if rest = read(); rest != "" || strings.Join(got, "") != strings.Join(text, "") {
					t.Fatalf("line %d stops it, and then %q was read, and %q left", at, got, rest)
				}
			}
			if most := 2 + spareBlocks; readers > most || len(behind) < len(text)/2 && readers > made {
				t.Fatalf("line %d stops it: %d readers, then %d", at, made, readers)
			}
		}
	}
}

// cutAll returns all that is left.
func cutAll(cut func(buf []byte) []byte) (text []byte) {
	for block := cut(nil); len(block) > 0; block = cut(nil) {
		text = append(text, block...)
	}
	return text
}

// TestReadAheadIsDropped has an owner who stops asking: no goroutine is left.
func TestReadAheadIsDropped(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 50 {
		a := NewReadAhead(8, cutBlocks(numberedLines(100), 1), func() *countingReader { return &countingReader{wait: func(string) {}} })
		if _, ok := a.Next(); !ok {
			t.Fatal("there is no block")
		}
	}
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(wait) > 20*time.Second {
			t.Fatalf("%d goroutines more than before", runtime.NumGoroutine()-before)
		}
	}
}

// TestAheadWorkers has memory for some readers, of which some are spare, and for the owner.
func TestAheadWorkers(t *testing.T) {
	for _, c := range []struct{ most, bytes, want int }{
		{1000, 100, 7}, {400, 100, 1}, {399, 100, 0}, {0, 100, 0}, {0, 0, 0}, {100, 0, 97},
	} {
		if n := AheadWorkers(c.most, c.bytes); n != c.want {
			t.Errorf("%d bytes, %d a reader: %d workers, expected %d", c.most, c.bytes, n, c.want)
		}
	}
	a := NewReadAhead(100, cutBlocks(numberedLines(100), 1), func() *countingReader { return &countingReader{wait: func(string) {}} })
	if a.Next(); a.Started()+1 != mostAheadWorkers+spareBlocks {
		t.Errorf("%d blocks for 100 processors", a.Started()+1)
	}
}
