package format

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"
)

// aheadText returns so many bytes that do not repeat.
func aheadText(n int) []byte {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(rng.Uint32())
	}
	return text
}

// TestAheadReader reads contents of every length about the borders of blocks, by reads of any
// length, from what gives its bytes in pieces, and with an error behind them or none.
func TestAheadReader(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	fault := errors.New("fault")
	for _, length := range []int{0, 1, 1000, firstAhead - 1, firstAhead, firstAhead + 1, firstAhead + blockAhead - 1, firstAhead + blockAhead, firstAhead + 3*blockAhead + 5} {
		text := aheadText(length)
		for _, source := range []func() io.Reader{
			func() io.Reader { return bytes.NewReader(text) },
			func() io.Reader { return iotest.DataErrReader(bytes.NewReader(text)) },
			func() io.Reader { return iotest.HalfReader(bytes.NewReader(text)) },
			func() io.Reader { return io.MultiReader(bytes.NewReader(text), iotest.ErrReader(fault)) },
		} {
			for _, most := range []int{1 << 10, 100 << 10, 2 << 20} {
				want := error(io.EOF)
				r := source()
				if rest, err := io.ReadAll(source()); err != nil {
					if want = err; len(rest) != length {
						t.Fatal("the source is wrong")
					}
				}
				a := &aheadReader{r: r}
				var got []byte
				for {
					p := make([]byte, 1+rng.IntN(most))
					n, err := a.Read(p)
					if got = append(got, p[:n]...); err != nil {
						if n > 0 || err != want {
							t.Errorf("%d bytes: the last read gives %d bytes and %v", length, n, err)
						}
						break
					}
					if n < len(p) && len(got) < length {
						t.Fatalf("%d bytes: a read of %d gives %d at %d", length, len(p), n, len(got))
					}
				}
				if !bytes.Equal(got, text) {
					t.Errorf("%d bytes, reads up to %d: other bytes", length, most)
				}
				if _, err := a.Read(make([]byte, 1)); err != want {
					t.Errorf("%d bytes: then the error is %v", length, err)
				}
			}
		}
	}
}

// TestAheadReaderIdle ends where nothing comes, as io.ReadFull would not.
func TestAheadReaderIdle(t *testing.T) {
	a := &aheadReader{r: io.MultiReader(bytes.NewReader([]byte("abc")), idleReader{})}
	got, err := io.ReadAll(a)
	if string(got) != "abc" || err != io.ErrNoProgress {
		t.Errorf("%q, %v", got, err)
	}
}

type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

// TestAheadIsUsed: large compressed files are read ahead, small ones and pipes are not, no goroutine
// is left to an owner who does not close, and after Close nothing is read.
func TestAheadIsUsed(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	packed := func(text []byte) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(text)
		z.Close()
		return b.Bytes()
	}
	dir := t.TempDir()
	large := filepath.Join(dir, "large.gz")
	text := aheadText(20 * blockAhead)
	for path, content := range map[string][]byte{large: packed(text), filepath.Join(dir, "small.gz"): packed(text[:firstAhead-1])} {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	open := func(path string) *stream {
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		return r.(*stream)
	}
	small := open(filepath.Join(dir, "small.gz"))
	if small.ahead == nil || small.ahead.next != nil {
		t.Error("a small file is read by a goroutine")
	}
	small.Close()

	before := runtime.NumGoroutine()
	s := open(large)
	if s.ahead == nil || s.ahead.next == nil {
		t.Fatal("a large file is not read ahead")
	}
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(wait) > 20*time.Second {
			t.Fatal("a goroutine is left")
		}
	}
	if rest, err := io.ReadAll(s); err != nil || !bytes.Equal(rest, text[1000:]) {
		t.Errorf("%d bytes, %v", len(rest), err)
	}
	s.Close()

	s = open(large)
	reads := new(countedReads)
	reads.r, s.ahead.r = s.ahead.r, reads
	if _, err := io.ReadFull(s, make([]byte, firstAhead+1)); err != nil { // a goroutine reads by reads
		t.Fatal(err)
	}
	s.Close()
	n := reads.n.Load()
	time.Sleep(10 * time.Millisecond)
	if reads.n.Load() != n || n == 0 {
		t.Errorf("%d reads, then %d", n, reads.n.Load())
	}
	if _, err := io.ReadAll(s); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}

	r, w := io.Pipe()
	go func() {
		w.Write(packed(text))
		w.Close()
	}()
	pipe := OpenStream(r, "pipe").(*stream)
	if got, err := io.ReadAll(pipe); err != nil || !bytes.Equal(got, text) || pipe.ahead != nil {
		t.Errorf("a pipe: %d bytes, %v, read ahead %v", len(got), err, pipe.ahead != nil)
	}
}

// countedReads counts how often r is read.
type countedReads struct {
	r io.Reader
	n atomic.Int64
}

func (c *countedReads) Read(p []byte) (int, error) {
	c.n.Add(1)
	return c.r.Read(p)
}
