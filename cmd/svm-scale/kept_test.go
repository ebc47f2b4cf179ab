package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// Whatever is kept, the second reading gives the rows of the first and their places.
func TestKeptRows(t *testing.T) {
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, "%d 1:%d %d:0.5 # row\n", i%3, i, 2+i%7)
	}
	data := text.String()
	read := func(r reader) (all []string) {
		for {
			in, err := r.Read()
			if err == io.EOF {
				return all
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprint(in.Y, in.Weight, in.X, r.place(errors.New("at"))))
		}
	}
	want := read(newRows(strings.NewReader(data)))
	for _, c := range []struct{ room, kept int }{
		{-1, 0}, {0, 0}, {1, 0}, {rowBytes + 2*entryBytes + 1, 1}, {1000, 11}, {1 << 20, 50},
	} {
		first := newKeeping(strings.NewReader(data), c.room)
		if got := read(first); !equal(got, want) {
			t.Errorf("room %d: first reading %v, want %v", c.room, got, want)
		}
		if n := first.kept.Len(); n != c.kept || first.whole != (n == 50) {
			t.Errorf("room %d: %d rows kept, whole %t, want %d", c.room, n, first.whole, c.kept)
		}
		for range 2 { // it may be read more than twice
			if got := read(&rereading{rows: newRows(strings.NewReader(data)), first: first}); !equal(got, want) {
				t.Errorf("room %d: second reading %v, want %v", c.room, got, want)
			}
		}
		if !first.whole {
			// shorter than what was kept, and than the rest
			for _, n := range []int{0, 20} {
				short := strings.Join(strings.SplitAfter(data, "\n")[:n], "")
				if got := read(&rereading{rows: newRows(strings.NewReader(short)), first: first}); len(got) != max(n, c.kept) {
					t.Errorf("room %d: %d rows of %d and of %d kept", c.room, len(got), n, c.kept)
				}
			}
		}
	}
	// an error is not the end
	first := newKeeping(strings.NewReader("1 1:1\nx\n"), 1<<20)
	first.Read()
	if _, err := first.Read(); err == nil || first.whole {
		t.Errorf("%v, whole %t", err, first.whole)
	}
	var fault *format.Error
	again := &rereading{rows: newRows(strings.NewReader("1 1:1\nx\n")), first: first}
	again.Read()
	if _, err := again.Read(); !errors.As(err, &fault) || fault.Line != 2 {
		t.Errorf("%v, want a fault in line 2", err)
	}
}

func equal(a, b []string) bool { return strings.Join(a, "|") == strings.Join(b, "|") }
