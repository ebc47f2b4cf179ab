package csvfmt

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestSkipFault: a reader that passes over records with faults tells of all, where one is an open quote
// of it, and has the other rows.
func TestSkipFault(t *testing.T) {
	for _, c := range []struct {
		text, rows, faults, end string
		most                    int // faults to skip; 0: all
		blanks                  bool
	}{
		{text: "a,b\n1,2\n3\n4,5\n6,7,8\n9,0\n", rows: "1,2 4,5 9,0", faults: "3:2 5:5", end: "EOF"},
		{text: "a,b\n1\n", faults: "2:2", end: "EOF"},
		// quotes, and bytes that no text has
		{text: "a,b\n1,2\n\"3\"x,4\n5,\"6\",\"7,8\"\n9,\xff\n1,2\r3\n", rows: "1,2", faults: "3:4 4:7 5:3 6:4", end: "EOF"},
		// numbers that are none, of columns whose types all rows tell
		{text: "a;b\n1;1,500\n2;3\n3;1e999\n4;4\n5;1,600\n", rows: "2,3 4,4", faults: "2:3 4:3 6:3", end: "EOF"},
		{text: "a;b\n1;1,5\n2;3\n3\n4;x\n", rows: "1,0 2,1 4,2", faults: "4:2", end: "EOF"},
		{text: "a;b\n1;1,5\n2;3\n3\n4;2,5\n", rows: "1,1.5 2,3 4,2.5", faults: "4:2", end: "EOF"}, // once, though it is read again
		// names of rows, and blanks
		{text: "\"a\" \"b\"\n\"x\" 1 2\n\"y\" 3\n\"z\" 4 5 6\n\"u\" 7 8\n\"v\" 9 10\n\"w\" 11 12\n", rows: "1,2 7,8 9,10 11,12", faults: "3:6 4:9", end: "EOF", blanks: true},
		// records of several lines
		{text: "a,b\n1\n2,3,\"4\n5\"\n6\n7,8\n", rows: "7,8", faults: "2:2 3:5 5:2", end: "EOF"},
		{text: "a,b\n\"x\ny\",2,3\n4,5\n\"x\n\ny\"\n\"p\nq\"r,5\n\"x\n\xff\",\"y\nz\"\nu,7\n", rows: "0,5 1,7", faults: "3:6 7:3 9:3 11:1", end: "EOF"},
		{text: "a;b;c\n1;2;3\n\"1,5\n\";2;3\n4;1e999;\"x\ny\"\n4;5;z\n", rows: "0,2,0 1,2,0 2,5,2", faults: "5:3", end: "EOF"},
		{text: "a b\n\"x\ny\" 2 3\n4 5\n", rows: "4,5", faults: "3:6", end: "EOF", blanks: true},
		// a record does not end where its quotes do if the line of the fault has none by itself, or
		// if it goes on for long
		{text: "a,b\n1,2\n\"3,4\n5,6\n7,\"8\n9\n", rows: "1,2", faults: "5:4 6:2", end: "EOF"},
		{text: "a,b\n1\n\"x\n\",\",4,5\n6,7\n", rows: "6,7", faults: "2:2 3:1 4:7", end: "EOF"},
		{text: "a,b\n2,3,\"4" + strings.Repeat("\n", 100) + "\"\n6\n", faults: "2:5 102:1 103:2", end: "EOF"},
		{text: "a,b\n1,1e999\n2,3\n4,\"5\n", rows: "2,3", faults: "4:3 2:3", end: "EOF"},
		// one open quote behind the other, each of which would close the one before
		{text: "a,b\n1,\"x\n2,\"y\n3,\"z\n4,\"u\n5,6\n7,\"8\"\n", rows: "5,6 7,8", faults: "2:3 3:3 4:3 5:3", end: "EOF"},
		{text: "a,b\n1,2\n\"\n3,4\n\n\n\"5\n6\n7,\"8\"\n9\n", rows: "1,2 3,4 7,8", faults: "3:1 7:1 8:2 10:2", end: "EOF"},
		{text: "a,b\n1,\"\xfe\n2,\"\xfe\n3,\"\xfe\n4,5\n", rows: "4,5", faults: "2:4 4:3", end: "EOF"},
		{text: "a,b\n1,2,3,\"x\n\xfe\"\n3,4\n", rows: "3,4", faults: "2:5", end: "EOF"},
		{text: "a,b\n1,\"x\n2,3\n4\n5,\"y\n6,\"z\n", rows: "2,3", faults: "2:3 4:2 6:4", end: "EOF"},
		{text: "a;b;c\n1;2;3\n1,500;2;\"x\ny\"\n4\n", rows: "1,2,0", faults: "5:2 3:1", end: "EOF"},
		// of those that are told not all are to be skipped
		{text: "a,b\n1,2\n3\n4\n5,6\n", rows: "1,2", faults: "3:2", most: 1, end: "4:2: the line ends after 1 cell, expected 2 as in the first"},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			r := NewReader(in)
			if c.blanks {
				r.Separator = Blanks
			}
			var faults, rows []string
			r.SkipFault = func(err error) bool {
				if len(faults) == c.most && c.most > 0 {
					return false
				}
				place, _, _ := strings.Cut(err.Error(), ": ")
				faults = append(faults, place)
				return true
			}
			var end error
			for end == nil {
				row, err := r.Read()
				if end = err; err == nil {
					rows = append(rows, strings.ReplaceAll(strings.Trim(fmt.Sprint(row.X.Value), "[]"), " ", ","))
				}
			}
			if got := strings.Join(rows, " "); got != c.rows {
				t.Errorf("%q: rows %s, want %s", c.text, got, c.rows)
			}
			if got := strings.Join(faults, " "); got != c.faults || end.Error() != c.end {
				t.Errorf("%q: faults %s, and %v, want %s, and %s", c.text, got, end, c.faults, c.end)
			}
		}
	}
}

// TestQuoteFaults: the kinds of faults that tell how quotes stand.
func TestQuoteFaults(t *testing.T) {
	for text, kind := range map[string]error{
		"a,b\n1,\"2\n": ErrOpen, "a,b\n1,2\"3\n": ErrMisplaced, "a,b\n1,\"2\"3\n": ErrMisplaced, "a,b\n1,2\r3\n": ErrMisplaced,
		"a,b\n\"is not closed\"\n": nil, "a,b\n1,2,behind the closing quote\n": nil,
	} {
		r := NewReader(strings.NewReader(text))
		var err error
		for err == nil {
			_, err = r.Read()
		}
		for _, k := range []error{ErrOpen, ErrMisplaced} {
			if errors.Is(err, k) != (k == kind) {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}
