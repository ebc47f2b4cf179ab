package format

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// again returns b over and over, n times.
func again(b []byte, n int) io.Reader {
	at := 0
	return readerFunc(func(p []byte) (int, error) {
		if at == len(b) {
			at = 0
			n--
		}
		if n <= 0 {
			return 0, io.EOF
		}
		k := copy(p, b[at:])
		at += k
		return k, nil
	})
}

// heap returns the bytes in use after a collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// drain reads a packed file to its end and returns the length of what it holds,
// all zeros, and the most memory in use on the way.
func drain(t *testing.T, packed io.Reader) (total, most int64) {
	t.Helper()
	buf := make([]byte, 1<<20)
	zeros := make([]byte, len(buf))
	before := heap()
	r := newStream(io.NopCloser(packed), "f")
	const look = 32 << 20
	next := int64(look)
	for {
		n, err := io.ReadFull(r, buf)
		if !bytes.Equal(buf[:n], zeros[:n]) {
			t.Fatal("not zeros")
		}
		if total += int64(n); total >= next {
			most = max(most, heap()-before)
			next += look
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return total, most
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Reading a gigabyte of zeros takes the memory of a window, whether they are one
// packed file or many. Of the slower formats it is less.
func TestUnpackBombs(t *testing.T) {
	zeros := make([]byte, 1<<20)
	pack := func(w io.WriteCloser, megabytes int) {
		for range megabytes {
			if _, err := w.Write(zeros); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	parts := 1
	if testing.Short() {
		parts = 2 // of what is still more than any limit below
	}
	var gz, zst bytes.Buffer
	z, err := gzip.NewWriterLevel(&gz, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	pack(z, 256/parts)
	w, err := zstd.NewWriter(&zst, zstd.WithWindowSize(8<<20))
	if err != nil {
		t.Fatal(err)
	}
	pack(w, 1024/parts)
	for _, c := range []struct {
		name   string
		packed []byte
		times  int
		total  int64
		limit  int64
	}{
		{"gzip", gz.Bytes(), 4, 1 << 30 / int64(parts), 4 << 20},
		{"zstd", zst.Bytes(), 1, 1 << 30 / int64(parts), 40 << 20},
		{"bzip2", packedFile(t, "zeros.bz2"), 128 / parts, 128 << 20 / int64(parts), 12 << 20},
		{"xz", packedFile(t, "zeros.xz"), 64 / parts, 64 << 20 / int64(parts), 24 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			total, most := drain(t, again(c.packed, c.times))
			if total != c.total || most > c.limit {
				t.Errorf("%d bytes with %d bytes of memory, want %d with %d at most", total, most, c.total, c.limit)
			}
			t.Logf("%d bytes from %d, %d of memory", total, len(c.packed)*c.times, most)
		})
	}
}

// A file that asks for a window of 128 MiB and then holds little gets little.
func TestUnpackClaims(t *testing.T) {
	for _, name := range []string{"window27.zst", "window31.zst", "dictionary128.xz", "dictionary129.xz"} {
		const times = 200
		b := packedFile(t, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, err := io.Copy(io.Discard, newStream(io.NopCloser(again(b, times)), "f"))
		runtime.ReadMemStats(&after)
		if n != int64(times*len(packedFile(t, "rows.txt"))) || err != nil {
			t.Fatalf("%s: %d bytes, %v", name, n, err)
		}
		if taken := int64(after.TotalAlloc - before.TotalAlloc); taken > maxWindow+maxWindow/4 {
			t.Errorf("%s, %d times: %s", name, times, fmt.Sprint(taken>>20, " MiB were allocated"))
		}
	}
}
