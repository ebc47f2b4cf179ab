package main

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestMasked: a text without some of its lines is read in as large parts as are asked for, and in the
// smallest.
func TestMasked(t *testing.T) {
	text := strings.Repeat("x\n", 1000) + "a longer line\n" + strings.Repeat("y", 100) + "\nlast"
	for _, c := range []struct {
		first, last int
		faulty      map[int]bool
		want        string
	}{
		{1, 0, nil, text},
		{1, 0, map[int]bool{1: true, 1001: true}, "\n" + strings.Repeat("x\n", 999) + "\n" + strings.Repeat("y", 100) + "\nlast"},
		{1000, 1001, nil, strings.Repeat("\n", 999) + "x\na longer line\n"},
		{1, 0, map[int]bool{1002: true, 1003: true}, strings.Repeat("x\n", 1000) + "a longer line\n\n"},
	} {
		masked := func() io.Reader {
			return &masked{lineFeed: lineFeed{r: bufio.NewReaderSize(strings.NewReader(text), 16)}, faulty: c.faulty, first: c.first, last: c.last}
		}
		room := make([]byte, 2*len(text))
		r := masked()
		n, err := r.Read(room)
		if string(room[:n]) != c.want || err != nil {
			t.Errorf("lines %d to %d without %v: %d bytes at once, %v, want %d", c.first, c.last, c.faulty, n, err, len(c.want))
		}
		for range 2 {
			if n, err := r.Read(room); n > 0 || err != io.EOF {
				t.Errorf("lines %d to %d without %v: %d bytes behind the end, %v", c.first, c.last, c.faulty, n, err)
			}
		}
		if got, err := io.ReadAll(iotest.OneByteReader(masked())); string(got) != c.want || err != nil {
			t.Errorf("lines %d to %d without %v: %d bytes one by one, %v, want %d", c.first, c.last, c.faulty, len(got), err, len(c.want))
		}
	}
}
