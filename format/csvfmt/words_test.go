package csvfmt

import (
	"bytes"
	"testing"
)

// Every byte beside what is sought, at every place and distance from the end.
func TestCellEnd(t *testing.T) {
	for n := range 20 {
		for at := range n {
			for c := range 256 {
				for _, separator := range []byte{',', '\t', '|', 0x80, 0xff, 0, 1} {
					b := bytes.Repeat([]byte{byte(c)}, n)
					want := n
					if byte(c) == separator {
						want = at
					}
					if got := cellEnd(b, at, separator); got != want {
						t.Fatalf("the cell in %q[%d:] ends at %d, want %d, before %q", b, at, got, want, separator)
					}
					b[at+(n-at)/2] = separator
					want = at + bytes.IndexByte(b[at:], separator)
					if got := cellEnd(b, at, separator); got != want {
						t.Fatalf("the cell in %q[%d:] ends at %d, want %d, before %q", b, at, got, want, separator)
					}
				}
			}
		}
	}
}

// A quote counts only where it stands before the separator.
func TestScan(t *testing.T) {
	for n := range 20 {
		for s := range n + 1 {
			for q := range n + 1 {
				b := bytes.Repeat([]byte("-"), n)
				separator, quote := n, -1
				if q < n {
					b[q], quote = '"', q
				}
				if s < n {
					b[s], separator = ',', s
				}
				if q == s || q > s {
					quote = -1
				}
				r := records{dialect: dialect{separator: ',', quote: '"'}, rec: append(b, ",\""...)}
				if gotS, gotQ := r.scan(0, n); gotS != separator || gotQ != quote {
					t.Fatalf("%q: separator %d, quote %d; want %d, %d", b, gotS, gotQ, separator, quote)
				}
			}
		}
	}
}
