package arff

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unsafe"

	"github.com/slimsvm/slimsvm/format"
)

// A reading is what a Reader gives: rows and faults as text, in order.
func reading(r *Reader) []string {
	var all []string
	for {
		in, err := r.Read()
		switch {
		case err == nil:
			in.X = in.X.Clone()
			for i, v := range in.X.Value {
				if math.IsNaN(v) {
					in.X.Value[i] = math.MaxFloat64 // which is equal to itself
				}
			}
			all = append(all, fmt.Sprint(r.Line(), in))
		case r.Skip():
			all = append(all, err.Error())
		default:
			return append(all, err.Error())
		}
	}
}

// newParallel returns a Reader with goroutines that read blocks of some bytes, behind a buffer of
// about as many.
func newParallel(r io.Reader, workers, size int) *Reader {
	p := NewReader(r)
	p.Workers, p.blockBytes = workers, size
	if size < lineBuffer {
		p.src.buf = make([]byte, 1<<bits.Len(uint(size)))
	}
	return p
}

// compareReadings reads a text with goroutines and without, and returns what they read.
func compareReadings(t *testing.T, name string, size int, open func() io.Reader) []string {
	t.Helper()
	want := reading(NewReader(open()))
	for _, workers := range []int{1, 2, 3, 20} {
		got := reading(newParallel(open(), workers, size))
		if len(got) != len(want) {
			t.Errorf("%s, %d workers: %d rows and faults, expected %d", name, workers, len(got), len(want))
		}
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("%s, %d workers, row or fault %d:\n%.300s\nexpected\n%.300s", name, workers, i, got[i], want[i])
			}
		}
	}
	return want
}

// mixedText returns rows of all kinds of columns but relations, dense and sparse, with comments,
// blank lines and, of a given number of lines, one that is faulty.
func mixedText(size, faulty int, end string) string {
	r := rand.New(rand.NewPCG(9, uint64(size+faulty)))
	var b strings.Builder
	b.WriteString(strings.ReplaceAll("@relation r\n@attribute n numeric\n@attribute s string\n@attribute c {yes,no,'may be'}\n@attribute d date yyyy-MM-dd\n@attribute m numeric\n@data\n", "\n", end))
	for b.Len() < size {
		switch k := r.IntN(20); {
		case k == 0:
			b.WriteString("% a comment, 1,2")
		case k == 1:
			b.WriteString("   ")
		case k < 5:
			fmt.Fprintf(&b, "{0 %g, 1 'text %d', 2 no, 3 2001-02-%02d}", r.NormFloat64(), r.IntN(1000), 1+r.IntN(28))
		case faulty > 0 && r.IntN(faulty) == 0:
			b.WriteString([]string{"1,2", "x,y,yes,2001-01-01,2", "1,'open,yes", "1,s,perhaps,2001-01-01,4", "1,s,yes,2001-31-01,4", "{1 2 3}", "1,2,yes,2001-01-01,5,6"}[r.IntN(7)])
		default:
			fmt.Fprintf(&b, "%g,'a \\' %d',%s,\"2001-02-%02d\",%d", r.NormFloat64(), r.IntN(1000), []string{"yes", "no", "'may be'", "?"}[r.IntN(4)], 1+r.IntN(28), r.IntN(300))
			if r.IntN(10) == 0 {
				b.WriteString(", {2}")
			}
		}
		b.WriteString(end)
	}
	return b.String()
}

// TestWorkersReadTheSame compares reading with goroutines with reading without: rows, line numbers
// and faults, with every kind of line end, and inputs that end or fail in between.
func TestWorkersReadTheSame(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, faulty := range []int{0, 300, 20} {
			for _, size := range []int{60, 300, 2000} { // of a block; a line has some 40 bytes
				text := mixedText(40*size, faulty, end)
				name := fmt.Sprintf("blocks of %d bytes, line ends %q, one of %d faulty", size, end, faulty)
				all := compareReadings(t, name, size, func() io.Reader { return strings.NewReader(text) })
				if len(all) < size/2 {
					t.Errorf("%s: %d rows and faults", name, len(all))
				}
				cut := text[:len(text)-len(text)/7]
				compareReadings(t, name+", cut", size, func() io.Reader { return strings.NewReader(cut) })
				failing := func() io.Reader {
					return io.MultiReader(strings.NewReader(cut), iotest.ErrReader(errors.New("the device failed")))
				}
				if all := compareReadings(t, name+", failing", size, failing); !strings.Contains(all[len(all)-1], "the device failed") {
					t.Errorf("%s: the end is %s", name, all[len(all)-1])
				}
				compareReadings(t, name+", in pieces", size, func() io.Reader { return &pieces{text: text} })
			}
		}
	}
	text := mixedText(4*lineBuffer, 4000, "\n")
	compareReadings(t, "blocks of the usual size", blockBytes, func() io.Reader { return strings.NewReader(text) })
}

// pieces gives a text, sometimes less of it than it is asked for.
type pieces struct {
	text string
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.n++; p.n%5 == 0 {
		b = b[:min(len(b), 3*p.n)]
	}
	n := copy(b, p.text)
	if p.text = p.text[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestWorkersReadLongLines has lines that are longer than blocks and than the buffer.
func TestWorkersReadLongLines(t *testing.T) {
	var b strings.Builder
	b.WriteString("@relation r\n@attribute a numeric\n@attribute s string\n@data\n")
	for i := range 12 {
		for k := range 10_000 {
			fmt.Fprintf(&b, "%d,text%d\n", k%7, i)
		}
		fmt.Fprintf(&b, "5,'%s'\n", strings.Repeat("long ", 40_000*(i%4)))
		b.WriteString("%" + strings.Repeat(" comment", 50_000*(i%3)) + "\n")
	}
	text := b.String()
	if all := compareReadings(t, "long lines", blockBytes, func() io.Reader { return strings.NewReader(text) }); len(all) != 12*10_001+1 {
		t.Errorf("%d rows", len(all)-1)
	}
}

// TestWorkersReadInLatin1 has bytes that are no UTF-8.
func TestWorkersReadInLatin1(t *testing.T) {
	text := "@relation r\n@attribute c {\xe9,\xe8}\n@attribute s string\n@data\n" + strings.Repeat("\xe9,\xf6\n\xe8,x\n", 100_000)
	r, seq := NewReader(strings.NewReader(text)), NewReader(strings.NewReader(text))
	r.Latin1, seq.Latin1, r.Workers = true, true, 3
	if got, want := reading(r), reading(seq); !reflect.DeepEqual(got, want) || len(got) != 200_001 {
		t.Errorf("%d rows, expected %d", len(got), len(want))
	}
}

// TestWorkersAreUsed sees that goroutines read at all, and that they end when nobody asks any more.
func TestWorkersAreUsed(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		r := NewReader(strings.NewReader(mixedText(1<<20, 0, "\n")))
		r.Workers = 4
		for range 5000 {
			if _, err := r.Read(); err != nil {
				t.Fatal(err)
			}
		}
		if r.blocks == nil {
			t.Fatal("the caller reads alone")
		}
	}
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(wait) > 20*time.Second {
			t.Fatalf("%d goroutines more than before", runtime.NumGoroutine()-before)
		}
	}
}

// TestWorkersOfManyColumns sees that goroutines are fewer, or none, where each needs much memory for
// the columns.
func TestWorkersOfManyColumns(t *testing.T) {
	if size := int(unsafe.Sizeof(column{})) + 4 + 8 + 1; size > columnBytes || unsafe.Sizeof(0) == 8 && size < columnBytes/2 {
		t.Errorf("a column takes %d bytes, not some %d", size, columnBytes)
	}
	for _, c := range []struct{ columns, blocks int }{{100, 10}, {15_000, 4}, {30_000, 0}} {
		var b strings.Builder
		b.WriteString("@relation r\n")
		for i := range c.columns {
			fmt.Fprintf(&b, "@attribute a%d numeric\n", i)
		}
		b.WriteString("@data\n" + strings.Repeat("{0 1,50 2.5}\n", 60_000))
		r := NewReader(strings.NewReader(b.String()))
		r.Workers = 100
		most := 0
		for {
			if _, err := r.Read(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if r.blocks != nil {
				most = max(most, r.blocks.ahead.Started())
			}
		}
		if r.sequential != (c.blocks == 0) {
			t.Errorf("%d columns: it is known to be sequential: %v", c.columns, r.sequential) // else each row asks again
		}
		if most > c.blocks || (most > 0) != (c.blocks > 0) {
			t.Errorf("%d columns: up to %d blocks ahead, expected %d", c.columns, most, c.blocks)
		}
	}
}

// TestWorkersDoNotWaitForText reads from an input that gives one row at a time: each is returned
// before the next is asked for.
func TestWorkersDoNotWaitForText(t *testing.T) {
	head := mixedText(3*lineBuffer, 0, "\n")
	in, out := io.Pipe()
	r := NewReader(io.MultiReader(strings.NewReader(head), in))
	r.Workers = 3
	rows, err := format.ReadAll(t.Context(), NewReader(strings.NewReader(head)))
	if err != nil {
		t.Fatal(err)
	}
	for range rows.Len() {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		go fmt.Fprintf(out, "%d,s,yes,2001-01-01,7\n", i)
		row, err := r.Read()
		if err != nil || row.X.Value[0] != float64(i) {
			t.Fatalf("%v, %v", row, err)
		}
	}
	out.Close()
	if _, err := r.Read(); err != io.EOF {
		t.Error(err)
	}
}

func BenchmarkReadParallel(b *testing.B) {
	for _, bb := range benchmarkTexts {
		text := bb.text(benchmarkSize)
		for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
			b.Run(fmt.Sprintf("%s/%d", bb.name, workers), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					r := NewReader(bytes.NewReader(text))
					r.Workers = workers
					for {
						if _, err := r.Read(); err == io.EOF {
							break
						} else if err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
