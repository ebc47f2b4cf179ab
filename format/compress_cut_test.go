package format

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
)

// gzipMember returns a member whose header has all that one may have.
func gzipMember(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Name, z.Comment, z.Extra = "rows.txt", "two rows", []byte("extra")
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A member that is cut anywhere, in its name and its comment too, is cut off,
// whether it is the first or follows another.
func TestUnpackCutMember(t *testing.T) {
	first, second := gzipMember(t, "1 1:2\n"), gzipMember(t, "-1 1:3\n")
	for n := 1; n < len(second); n++ {
		for _, before := range [][]byte{nil, first} {
			for _, way := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
				got, err := unpackAll(way(bytes.NewReader(append(bytes.Clone(before), second[:n]...))))
				want := ""
				if before != nil {
					want = "1 1:2\n"
				}
				if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(got, want) || !strings.HasPrefix(want+"-1 1:3\n", got) {
					t.Errorf("cut after %d of %d bytes, behind %d: %q, %v", n, len(second), len(before), got, err)
				}
				wantError(t, err)
			}
		}
	}
}

// Rows that a damaged block of bzip2 became are not given to anybody.
func TestUnpackDamagedBlock(t *testing.T) {
	rows, b := string(packedFile(t, "rows.txt")), packedFile(t, "rows.bz2")
	tried, wrong := 0, 0
	for n := 0; n < len(b); n += 1 + n/20 {
		tried++
		damaged := bytes.Clone(b)
		damaged[n] ^= 1 << (n % 8)
		for before, text := range map[int]string{0: "", len(b): rows} { // bytes and rows of a whole file in front
			got, err := unpackAll(bytes.NewReader(append(bytes.Clone(b[:before]), damaged...)))
			if how, _ := recognise(damaged, true); how == nil && before == 0 {
				continue
			}
			if errors.Is(err, bzip2WrongSum) {
				wrong++
			}
			if err == nil && got != text+rows || got != text && got != text+rows {
				t.Fatalf("with another byte %d, behind %d: %d bytes, %v", n, before, len(got), err)
			}
		}
	}
	if wrong < tried/2 {
		t.Errorf("only %d wrong sums in %d files", wrong, tried)
	}
}

// Blocks that end where a part does are given in time: memory does not grow with
// their number.
func TestUnpackManyBlocks(t *testing.T) {
	b := &bzip2Reader{r: readerFunc(func(p []byte) (int, error) { return len(p), nil })}
	for range 3 * mostHeld {
		if _, err := io.ReadFull(b, make([]byte, bzip2Part)); err != nil {
			t.Fatal(err)
		}
		if n := len(b.held) + len(b.checked) + len(b.free); n > mostHeld+3 {
			t.Fatalf("%d parts are kept", n)
		}
	}
}
