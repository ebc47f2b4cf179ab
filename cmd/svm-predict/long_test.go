package main

import "testing"

// TestLongText: a text may have more bytes than an int of 32 bits counts; wrapped around, they made rows of none, by whose
// length parts are cut.
func TestLongText(t *testing.T) {
	s := &parts{row: job{bytes: 10, terms: 100}}
	s.learn(1<<32-1, 1<<22)
	if s.row.bytes != 1024 || s.lines(1) < fewRows {
		t.Errorf("rows are of %d bytes, parts of %d", s.row.bytes, s.lines(1))
	}
}
