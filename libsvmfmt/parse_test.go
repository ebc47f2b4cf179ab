package libsvmfmt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// described returns all of a data set and an error in one text.
func described(d *format.Dataset, err error) string {
	if d == nil || err != nil {
		return fmt.Sprintf("%v, %v", d, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%+v %d rows %v\n", d.Header, d.X.Len(), d.Weight)
	for i, y := range d.Y {
		fmt.Fprintln(&b, text(format.Instance{X: d.X.Row(i), Y: y}))
	}
	return b.String()
}

// A line that is too long, which takes a gigabyte to have, is reported with its number.
func TestParseLongLine(t *testing.T) {
	for n := range 3 {
		text := strings.Repeat("1 1:2\n", n) + "2 3"
		_, err := libsvmfmt.Parse(context.Background(), io.MultiReader(strings.NewReader(text), iotest.ErrReader(textscan.ErrLongLine)))
		if want := fmt.Sprintf("%d: %v", n+1, textscan.ErrLongLine); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Blocks of any size read by any number of goroutines give what the Reader gives,
// faults with their places and read errors as well.
func TestParseBlocks(t *testing.T) {
	texts := []string{strings.Repeat("1 1:2 3:4.5\n", 500), strings.Repeat("1 1:2\n", 200) + "1 1:2 1:3\n" + strings.Repeat("x\n", 200)}
	for _, c := range cases {
		texts = append(texts, c.text)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 30 { // lines from the table, most of them sound
		var b strings.Builder
		for range r.IntN(60) {
			c := cases[r.IntN(len(cases))]
			if c.err == "" && strings.HasSuffix(c.text, "\n") || r.IntN(100) == 0 {
				b.WriteString(c.text)
			}
		}
		texts = append(texts, b.String())
	}
	broken := errors.New("broken")
	faults := 0
	for _, data := range texts {
		for _, end := range []error{io.EOF, broken} {
			source := func() io.Reader {
				if end == io.EOF {
					return strings.NewReader(data)
				}
				return io.MultiReader(strings.NewReader(data), iotest.ErrReader(end))
			}
			d, err := format.ReadAll(context.Background(), libsvmfmt.NewReader(source()))
			want := described(d, err)
			if err != nil && err != broken {
				faults++
			}
			for _, workers := range []int{1, 2, 5} {
				for _, size := range []int{1, 20, 300, 1 << 16} {
					if got := described(libsvmfmt.ParseBlocks(context.Background(), source(), workers, size)); got != want {
						t.Fatalf("%q by %d in blocks of %d:\n%s\nwant\n%s", data, workers, size, got, want)
					}
				}
			}
		}
	}
	if faults < 20 {
		t.Errorf("only %d texts with faults", faults)
	}
}

func TestParseProcessors(t *testing.T) {
	data := benchText(2)[:600<<10]
	data = data[:bytes.LastIndexByte(data, '\n')]
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want string
	for _, n := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(n)
		got := described(libsvmfmt.Parse(context.Background(), bytes.NewReader(data)))
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("another data set by %d processors", n)
		}
	}
}

func TestParseCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	endless := io.MultiReader(strings.NewReader("1 1:2\n"), readerFunc(func(p []byte) (int, error) {
		cancel()
		return copy(p, "1 1:2\n"), nil
	}))
	for _, workers := range []int{1, 3} {
		if d, err := libsvmfmt.ParseBlocks(ctx, endless, workers, 1000); d != nil || err != context.Canceled {
			t.Errorf("%v, %v", d, err)
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
