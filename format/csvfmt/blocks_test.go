package csvfmt_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// inPieces gives a text some bytes at a time, so that blocks are short.
type inPieces struct {
	*bytes.Reader
	most int
}

func (p inPieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), p.most)]) }

// allOf reads a text and tells all that a Reader says of it, behind faults too if skip is true.
func allOf(r *csvfmt.Reader, skip bool) string {
	var faults []string
	r.SkipFault = func(fault error) bool {
		first, last := r.Skipping()
		faults = append(faults, fmt.Sprint(fault, first, last))
		return skip
	}
	h, err := r.Header()
	if err != nil {
		return fmt.Sprint(faults, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%+v\n%v\n", *h, faults)
	fmt.Fprintln(&b, r.Mixed(), r.Resembling(), r.Lossy())
	faults = nil
	for {
		in, err := r.Read()
		if err != nil {
			fmt.Fprint(&b, err, faults)
			return b.String()
		}
		fmt.Fprintln(&b, r.Line(), in)
	}
}

// sameInBlocks compares reading in blocks of several sizes with reading record by record.
func sameInBlocks(t *testing.T, name string, text []byte, skip bool, set func(r *csvfmt.Reader)) string {
	t.Helper()
	r := csvfmt.NewReader(bytes.NewReader(text))
	set(r)
	want := allOf(r, skip)
	for _, size := range []int{40, 150, 1000} {
		for _, workers := range []int{2, 5} {
			r := csvfmt.NewReader(inPieces{bytes.NewReader(text), size/2 + 7})
			set(r)
			csvfmt.InBlocks(r, workers, size)
			got := allOf(r, skip)
			if got == want {
				continue
			}
			g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
			for i := range min(len(g), len(w)) {
				if g[i] != w[i] {
					t.Fatalf("%s, blocks of %d bytes, %d workers, line %d:\n%.600s\nexpected\n%.600s\n%.2000q", name, size, workers, i, g[i], w[i], text)
				}
			}
			t.Fatalf("%s, blocks of %d bytes, %d workers: %d lines, expected %d", name, size, workers, len(g), len(w))
		}
	}
	return want
}

// randomTable returns rows of several kinds of columns. Unusual cells and rows, of which the kinds
// are given as bits, come once in about so many.
func randomTable(r *rand.Rand, rows, kinds, rare int) []byte {
	var b strings.Builder
	separator := []string{",", ";", "\t", ", ", ",", "  "}[r.IntN(6)]
	end := []string{"\n", "\n", "\r\n", "\r"}[r.IntN(4)]
	columns := make([]int, 1+r.IntN(6))
	for k := range columns {
		columns[k] = r.IntN(11)
	}
	if r.IntN(8) == 0 {
		b.WriteString("\ufeff")
	}
	heading := r.IntN(5)
	if r.IntN(8) == 0 { // whole numbers as names, above few that are not whole
		heading = 4
		for k := range columns {
			columns[k] = 10 * r.IntN(2)
		}
	}
	if heading > 0 {
		for k := range columns {
			if k > 0 {
				b.WriteString(separator)
			}
			fmt.Fprintf(&b, []string{"name%d", "%d"}[heading/4], k)
		}
		b.WriteString(end)
	}
	unusual := func() int {
		if k := r.IntN(16); r.IntN(rare) == 0 && kinds>>k&1 == 1 {
			return k
		}
		return -1
	}
	for range rows {
		for k, kind := range columns {
			if k > 0 {
				b.WriteString(separator)
			}
			cell := ""
			switch kind {
			case 0, 1:
				cell = fmt.Sprint(r.IntN(300))
			case 2, 3:
				cell = fmt.Sprintf("%.*f", r.IntN(8), r.NormFloat64()*10)
			case 4:
				cell = []string{"yes", "no", "maybe"}[r.IntN(3)]
			case 5:
				cell = fmt.Sprintf("\"text %d\"", r.IntN(30))
			case 6:
				cell = fmt.Sprintf("\"%d\"", r.IntN(30))
			case 7:
				cell = fmt.Sprint(1e-300 * r.ExpFloat64())
			case 8:
				cell = fmt.Sprint(r.Int64())
			case 9:
				cell = fmt.Sprintf("text %d", r.Int64())
			case 10:
				cell = []string{"2", "3", "2.5"}[max(0, r.IntN(40)-37)]
			}
			switch unusual() {
			case 0:
				cell = "?"
			case 1:
				cell = ""
			case 2:
				cell = "NA"
			case 3:
				cell = "\"two\nlines\""
			case 4:
				cell = "\"a \"\"word\"\"\""
			case 5:
				cell = "1,5"
			case 6:
				cell = "007"
			case 7:
				cell = " 3 "
			case 8:
				cell = "1e999"
			case 9:
				cell = "\"open"
			case 10:
				cell = "\xff"
			case 11:
				cell += separator + "9"
			case 12:
				cell = "word"
			case 13:
				cell = "name0"
			case 14:
				cell = "\ufeff1"
			case 15:
				cell = "nan"
			}
			b.WriteString(cell)
		}
		b.WriteString(end)
		if unusual() >= 0 {
			b.WriteString(end)
		}
	}
	return []byte(b.String())
}

// TestBlocksReadTheSame compares reading in blocks with reading record by record: columns, labels,
// rows, lines and faults, of tables with hardly anything unusual and with much of it.
func TestBlocksReadTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 71))
	cases := 1500
	if testing.Short() {
		cases = 400
	}
	rows := 0
	for i := range cases {
		one, other := r.IntN(16), r.IntN(16)
		kinds := []int{0, 0xffff, r.IntN(1 << 16), 1<<one | 1<<other}[i%4]
		text := randomTable(r, 3+r.IntN(60)<<(i%3), kinds, []int{5, 50, 300}[r.IntN(3)])
		options := r.IntN(1 << 6)
		all := sameInBlocks(t, fmt.Sprintf("case %d", i), text, r.IntN(2) == 0, func(c *csvfmt.Reader) {
			c.Numeric = options&7 == 7
			c.QuotedNumbers = options&8 != 0
			if options&0x30 == 0x30 {
				c.Missing = []string{"NA", "-99", "7"}
			}
			if options&0x18 == 0x18 {
				c.Nominal = []string{"first"}
			}
		})
		rows += strings.Count(all, "\n")
	}
	if rows < 10*cases {
		t.Errorf("%d rows were read in %d cases", rows, cases)
	}
}

// TestBlocksOfTheUsualSize reads a file of some megabytes.
func TestBlocksOfTheUsualSize(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 71))
	var b strings.Builder
	b.WriteString("a,b,c,d\n")
	for i := range 60_000 {
		fmt.Fprintf(&b, "%d,%.6f,%q,%s\n", r.IntN(100), r.NormFloat64(), []string{"yes", "no"}[r.IntN(2)], []string{"p", "q", "r"}[r.IntN(3)])
		if i%9000 == 8999 {
			b.WriteString("1,2,\"y\nes\",p\n")
		}
	}
	text := []byte(b.String())
	want := allOf(csvfmt.NewReader(bytes.NewReader(text)), true)
	for _, in := range []io.Reader{bytes.NewReader(text), struct{ io.Reader }{bytes.NewReader(text)}} {
		c := csvfmt.NewReader(in)
		c.Workers = 3
		if got := allOf(c, true); got != want || strings.Count(want, "\n") < 60_000 {
			t.Errorf("%d bytes are told of it, expected %d", len(got), len(want))
		}
	}
}

// TestBlocksAreUsed sees that goroutines read at all, and that they end when nobody asks any more.
func TestBlocksAreUsed(t *testing.T) {
	text := []byte("a,b\n" + strings.Repeat("1,2.5\n", 300_000))
	before, most := runtime.NumGoroutine(), 0
	for range 5 {
		c := csvfmt.NewReader(bytes.NewReader(text))
		c.Workers = 4
		for range 60_000 {
			if _, err := c.Read(); err != nil {
				t.Fatal(err)
			}
			most = max(most, runtime.NumGoroutine())
		}
	}
	if most == before {
		t.Error("no goroutine was seen")
	}
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(wait) > 20*time.Second {
			t.Fatalf("%d goroutines more than before", runtime.NumGoroutine()-before)
		}
	}
}
