package arff

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
)

// fuzzReading is what a reader makes of a text: rows and faults, in turn.
type fuzzReading struct {
	header *format.Header
	rows   []format.Instance
	events []string // how many rows there were before each fault, and the fault
	err    error    // the first fault, or io.EOF
}

// fuzzRead reads a text to its end, behind every fault.
func fuzzRead(t *testing.T, r *Reader, text []byte) (got fuzzReading) {
	lines := bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r")) + 1
	for {
		in, err := r.Read()
		if err == nil {
			got.rows = append(got.rows, cloneRow(in))
			continue
		}
		if got.err == nil {
			got.err = err
			got.header = r.header
		}
		if err == io.EOF {
			return got
		}
		e := (*format.Error)(nil)
		if !errors.As(err, &e) || e.Path != "" {
			t.Fatalf("%v is no fault in a text", err)
		}
		if e.Line < 1 || e.Line > lines || e.Column < 1 || e.Column > len(text)+1 {
			t.Fatalf("%v has no place in a text of %d lines and %d bytes", err, lines, len(text))
		}
		if s := err.Error(); len(s) > 1000 || strings.ContainsAny(s, "\r\n") {
			t.Fatalf("message of %d bytes: %q", len(s), s)
		}
		if len(got.events) > 2*lines+2 {
			t.Fatalf("%d faults in %d lines", len(got.events), lines)
		}
		got.events = append(got.events, fmt.Sprint(len(got.rows), " ", err))
		if !r.Skip() {
			return got
		}
	}
}

func cloneRow(in format.Instance) format.Instance {
	in.X = in.X.Clone()
	in.Strings = slices.Clone(in.Strings)
	return in // Tables are not used again
}

// FuzzReader: any text is read, strictly and as Weka, without a panic and to an
// end, with the same result in one piece, byte by byte and in blocks, in memory that is a
// multiple of the text's; faults have a place in it. What is read is written and
// comes back; what is read strictly means the same to Weka.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		numbers + "1,2\n{0 3}, {2}\n{}\n?,1e400\n1, 'x\n",
		texts + "'it\\'s',\"\\101\\n\\q\"\n? '?'\n{1 a}\nx,'\\\n'\n",
		mixed + "1,yes,2001-02-03,'a b'\n{0 5,3 x}\n1,no,?,? {0.5}\n",
		bags + "1,'1,a\\n{0 2,1 \\'b c\\'},{3}'\n?,?\n",
		"@relation r\n@attribute b relational\n@attribute c relational\n@attribute x {p,q}\n@end c\n@end b\n@data\n'\\'p\\\\nq\\''\n",
		"\ufeff% c\r@RELATION 'a b'\r\n@Attribute \"x\" REAL [0,1] {2}\n@attribute n {a,'',{}\n@data\n",
		"@relation r\n@attribute d date \"G yyyy EEE, d MMM '?' HH:mm:ss.SSS zzz\"\n@attribute e date yy\n@data\n'AD 2001 Tue, 3 Apr ? 04:05:06.007 CET',69\n",
		"@relation r\n@attribute a numeric {1",
		"@relation r\n@attribute s string\n@attribute n numeric\n@data\n{0 first,1 1}\n{1 2}\n1,2,3,4,5\n",
	} {
		for flags := range byte(4) {
			f.Add([]byte(s), flags)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, flags byte) {
		if flags > 3 {
			return
		}
		set := func(in io.Reader) *Reader {
			r := NewReader(in)
			r.Weka, r.Latin1 = flags&1 != 0, flags&2 != 0
			return r
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := set(bytes.NewReader(text))
		for {
			if _, err := r.Read(); err != nil && !r.Skip() {
				break
			}
		}
		runtime.ReadMemStats(&after)
		// a column takes some hundred bytes, its declaration at least 13; what quotes
		// in quotes stand for is kept at every level
		if used, most := after.TotalAlloc-before.TotalAlloc, uint64(2<<20+2000*len(text)); used > most {
			t.Errorf("%d bytes allocated to read %d", used, len(text))
		}

		got := fuzzRead(t, set(bytes.NewReader(text)), text)
		pieces := fuzzRead(t, set(iotest.OneByteReader(bytes.NewReader(text))), text)
		if !slices.Equal(got.events, pieces.events) || len(got.rows) != len(pieces.rows) {
			t.Fatalf("%d rows and faults %q; byte by byte %d and %q", len(got.rows), got.events, len(pieces.rows), pieces.events)
		}
		blocks := set(bytes.NewReader(text))
		blocks.Workers, blocks.blockBytes, blocks.src.buf = 3, 32, make([]byte, 32)
		parallel := fuzzRead(t, blocks, text)
		if !slices.Equal(got.events, parallel.events) || len(got.rows) != len(parallel.rows) {
			t.Fatalf("%d rows and faults %q; in blocks %d and %q", len(got.rows), got.events, len(parallel.rows), parallel.events)
		}
		if got.err != io.EOF {
			return
		}
		h, _ := r.Header()
		for i := range got.rows {
			if err := sameInstance(h.Attributes, &got.rows[i], &pieces.rows[i]); err != nil {
				t.Fatalf("row %d, byte by byte: %v", i+1, err)
			}
			if err := sameInstance(h.Attributes, &got.rows[i], &parallel.rows[i]); err != nil {
				t.Fatalf("row %d, in blocks: %v", i+1, err)
			}
		}
		var written bytes.Buffer
		w := NewWriter(&written)
		if err := w.WriteHeader(h); err != nil {
			t.Fatalf("the header cannot be written: %v", err)
		}
		rows := got.rows[:0:0]
		for i := range got.rows {
			if err := w.Write(got.rows[i]); err == nil {
				rows = append(rows, got.rows[i])
			} else if !strings.Contains(err.Error(), "cannot be told by the pattern") && !(r.Weka && strings.Contains(err.Error(), "is no date in milliseconds")) &&
				!strings.Contains(err.Error(), "is no position among 0 values") {
				t.Fatalf("row %d cannot be written: %v", i+1, err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, weka := range []bool{false, true} {
			again := NewReader(bytes.NewReader(written.Bytes()))
			again.Weka = weka
			if err := readsBack(again, h, rows); err != nil {
				t.Fatalf("written and read again, as Weka: %v: %v\n%.1000s", weka, err, &written)
			}
		}
		if flags == 0 {
			weka := NewReader(bytes.NewReader(text))
			weka.Weka = true
			if err := readsBack(weka, h, got.rows); err != nil {
				t.Fatalf("Weka reads something else: %v", err)
			}
		}
	})
}
