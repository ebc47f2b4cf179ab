package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// packedFile returns a file of testdata/packed.
func packedFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "packed", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// unpackAll reads content that may be packed, of a file with the name f.
func unpackAll(r io.Reader) (string, error) {
	b, err := io.ReadAll(newStream(io.NopCloser(r), "f"))
	return string(b), err
}

// modest and whole are the files of testdata/packed that hold rows.txt; modest
// those of them that ask for little memory.
var (
	modest = []string{"rows.gz", "rows.zst", "rows.bz2", "rows.xz", "skip.zst", "blocks-crc32.xz", "sha256.xz", "none.xz"}
	whole  = append(slices.Clone(modest), "window27.zst", "window31.zst", "dictionary128.xz", "dictionary129.xz")
)

func TestUnpack(t *testing.T) {
	rows := string(packedFile(t, "rows.txt"))
	for _, name := range append(whole, "rows.txt") {
		b := packedFile(t, name)
		for _, way := range []func(io.Reader) io.Reader{
			func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader,
		} {
			if got, err := unpackAll(way(bytes.NewReader(b))); got != rows || err != nil {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
		}
		end := strings.Index(name, ".") // what follows decides what may be joined
		empty := "empty" + name[end:]
		if name == "rows.txt" {
			continue
		}
		joined := bytes.Join([][]byte{b, packedFile(t, empty), b, b, packedFile(t, empty)}, nil)
		if got, err := unpackAll(bytes.NewReader(joined)); got != rows+rows+rows || err != nil {
			t.Errorf("%s three times: %d bytes, %v", name, len(got), err)
		}
	}
	for _, name := range []string{"empty.gz", "empty.zst", "empty.bz2", "empty.xz"} {
		if got, err := unpackAll(bytes.NewReader(packedFile(t, name))); got != "" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// Texts that only begin like packed files, as far as they go, are texts.
func TestUnpackTexts(t *testing.T) {
	for _, text := range []string{
		"", "1", "B", "BZ", "BZh", "BZh1 1:2", "BZh0123456", "BZh91AY&SX", "BZh91AY", "(", "(x", "P*M", "P*Mx", "\xfe7zXZ\x00", "\x1e\x8b",
		"\xef\xbb\xbf1 1:1\n", "\x00", strings.Repeat("1 1:2\n", 1e5),
	} {
		if text == "BZh91AY" { // cut within what no text holds
			if _, err := unpackAll(strings.NewReader(text)); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if got, err := unpackAll(r); got != text || err != nil {
				t.Errorf("%.20q: %.20q, %v", text, got, err)
			}
		}
	}
}

// Reading that fails behind a whole file is reported, whatever it fails with.
func TestUnpackFails(t *testing.T) {
	rows := string(packedFile(t, "rows.txt"))
	for _, name := range append([]string{"rows.txt"}, modest...) {
		for _, fault := range []error{errors.New("the line was cut"), io.ErrUnexpectedEOF} {
			got, err := unpackAll(io.MultiReader(bytes.NewReader(packedFile(t, name)), iotest.ErrReader(fault)))
			if err != fault || !strings.HasPrefix(rows, got) {
				t.Errorf("%s: %d bytes, %v, want %v", name, len(got), err, fault)
			}
		}
	}
}

func TestUnpackTruncated(t *testing.T) {
	rows := string(packedFile(t, "rows.txt"))
	for _, name := range modest {
		b := packedFile(t, name)
		steps := []int{len(b) - 1, len(b) - 2, 4, 5, 6, 7, 11, 13} // the shortest that are surely packed
		for k := 1; k < 20; k++ {
			steps = append(steps, len(b)*k/20)
		}
		if strings.HasSuffix(name, ".xz") {
			steps = append(steps, 12, 1, 2, 3) // between the header and the first block
		}
		for _, n := range steps {
			for _, before := range []int{0, len(b)} { // bytes of a whole file in front
				got, err := unpackAll(bytes.NewReader(append(bytes.Clone(b[:before]), b[:n]...)))
				want := strings.HasPrefix(rows, got)
				if before > 0 {
					want = strings.HasPrefix(rows+rows, got) && len(got) >= len(rows)
				}
				if !want || !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "f: the ") {
					t.Errorf("%s cut after %d of %d bytes, behind %d: %d bytes, %v", name, n, len(b), before, len(got), err)
				}
				wantError(t, err)
			}
		}
	}
	// between any two blocks, where the package for LZMA2 takes the end for one
	b := packedFile(t, "blocks-crc32.xz")
	for n := 8; n < len(b)/2; n += 4 { // two blocks end at such places
		if got, err := unpackAll(bytes.NewReader(b[:n])); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(rows, got) {
			t.Fatalf("blocks-crc32.xz cut after %d bytes: %d bytes, %v", n, len(got), err)
		}
	}
}

// wantError checks that an error says the file's name, once, and is of the
// right type.
func wantError(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Path != "f" || e.Line != 0 {
		t.Errorf("error %v is not an *Error of f", err)
	}
}

// With one bit changed, a file reads as before or is an error.
func TestUnpackDamaged(t *testing.T) {
	rows := string(packedFile(t, "rows.txt"))
	for _, name := range modest {
		b := packedFile(t, name)
		found := 0
		for n := 0; n < len(b); n += 1 + n/10 {
			damaged := bytes.Clone(b)
			damaged[n] ^= 1 << (n % 8)
			got, err := unpackAll(bytes.NewReader(damaged))
			if how, _ := recognise(damaged, true); how == nil { // so codecs see that it is no text
				if got != string(damaged) || err != nil {
					t.Errorf("%s with another byte %d, no longer packed: %v", name, n, err)
				}
				continue
			}
			slow, slowErr := unpackAll(iotest.OneByteReader(bytes.NewReader(damaged)))
			if got != slow || fmt.Sprint(err) != fmt.Sprint(slowErr) {
				t.Errorf("%s with another byte %d: %d bytes, %v; one byte at a time %d, %v", name, n, len(got), err, len(slow), slowErr)
			}
			if err == nil && got != rows && !strings.HasSuffix(name, "none.xz") {
				t.Errorf("%s with another byte %d: no error and other rows", name, n)
			}
			if err != nil {
				found++
				wantError(t, err)
			}
		}
		if found < 30 {
			t.Errorf("%s: only %d errors", name, found)
		}
	}
}

// Every byte behind the data counts: check sums and lengths.
func TestUnpackDamagedEnd(t *testing.T) {
	for name, n := range map[string]int{"rows.gz": 8, "rows.zst": 4, "rows.bz2": 4, "rows.xz": 12 + 12 + 8, "sha256.xz": 12 + 12 + 32, "blocks-crc32.xz": 12 + 28 + 4} {
		b := packedFile(t, name)
		for k := len(b) - n; k < len(b); k++ {
			damaged := bytes.Clone(b)
			damaged[k] ^= 0x10
			if _, err := unpackAll(bytes.NewReader(damaged)); err == nil {
				t.Errorf("%s with another byte %d of %d: no error", name, k, len(b))
			}
		}
	}
}

func TestUnpackTrailing(t *testing.T) {
	rows := string(packedFile(t, "rows.txt"))
	for _, name := range whole {
		b := packedFile(t, name)
		for _, tail := range []string{"junk behind the end", "\x00\x00\x00\x00junk", "\n", string(packedFile(t, "rows.gz")), string(packedFile(t, "rows.zst")), string(packedFile(t, "rows.txt"))} {
			kind := strings.TrimPrefix(filepath.Ext(name), ".")
			if strings.HasPrefix(tail, "\x1f") && kind == "gz" || strings.HasPrefix(tail, "\x28") && kind == "zst" {
				continue
			}
			got, err := unpackAll(bytes.NewReader(append(bytes.Clone(b), tail...)))
			if got != rows {
				t.Errorf("%s before %.5q: %d bytes instead of %d", name, tail, len(got), len(rows))
			}
			if len(tail) >= 10 && !errors.Is(err, errTrailing) || err == nil {
				t.Errorf("%s before %.5q: %v", name, tail, err)
			}
			wantError(t, err)
		}
	}
	b := append(packedFile(t, "rows.xz"), 0, 0, 0, 0, 0, 0, 0, 0) // which the format allows
	if got, err := unpackAll(bytes.NewReader(append(b, b...))); got != rows+rows || err != nil {
		t.Errorf("xz with padding: %v", err)
	}
	if _, err := unpackAll(bytes.NewReader(append(b, 0, 0))); !errors.Is(err, errTrailing) {
		t.Errorf("xz with short padding: %v", err)
	}
}

// A few bytes behind a packed file, of any kind, are the beginning of another, which is cut off, or
// something else.
func TestUnpackShortTail(t *testing.T) {
	rows := string(packedFile(t, "rows.txt"))
	for name, starts := range map[string][]string{
		"rows.gz": {"\x1f\x8b\x08"}, "rows.zst": {"\x28\xb5\x2f\xfd", "\x5f\x2a\x4d\x18"}, "rows.bz2": {"BZh9\x31\x41"}, "rows.xz": {xzMagic},
	} {
		b := string(packedFile(t, name))
		for _, start := range starts {
			for n := range len(start) {
				for _, c := range []struct {
					tail string
					err  error
				}{
					{start[:n+1], io.ErrUnexpectedEOF},
					{start[:n] + "j", errTrailing},
					{start[:n] + "ju", errTrailing},
					{start[:n] + "\n", errTrailing},
				} {
					switch {
					case strings.HasSuffix(name, ".bz2") && n >= 4, strings.HasSuffix(name, ".gz") && n >= 2:
						if c.err == errTrailing {
							continue // another has begun, and is faulty
						}
					}
					for _, files := range []int{1, 2} {
						got, err := unpackAll(strings.NewReader(strings.Repeat(b, files) + c.tail))
						if got != strings.Repeat(rows, files) || !errors.Is(err, c.err) {
							t.Errorf("%d %s before %q: %d bytes, %v, want %v", files, name, c.tail, len(got), err, c.err)
						}
						wantError(t, err)
					}
				}
			}
		}
	}
}

// Whatever fills up the last byte of bzip2's data, one byte behind them is reported.
func TestUnpackStrangeByte(t *testing.T) {
	for filled := range 8 {
		b := bzip2Bytes{Reader: bufio.NewReader(bytes.NewReader(bzip2Ending(filled, 'x')))}
		for k := 0; ; k++ {
			if _, err := b.ReadByte(); err != nil {
				break
			}
			if got, want := b.strange(), k == 12; got != want {
				t.Errorf("%d bits fill up the last byte: %v behind byte %d", filled, got, k)
			}
		}
	}
}

// bzip2Ending returns the last bytes of bzip2's data, so many bits of which fill up the last, and
// one more.
func bzip2Ending(filled int, more byte) []byte {
	end := new(big.Int).SetBytes([]byte("\x17\x72\x45\x38\x50\x90\xfe\xdc\xba\x98")) // with a sum
	b := append(make([]byte, 12), end.Lsh(end, uint(filled)).Bytes()...)
	return append(b[len(b)-12:], more)
}

// TestUnpackTrailingGzip: what follows a member, however short, is a member, padding
// or something else.
func TestUnpackTrailingGzip(t *testing.T) {
	rows, b := string(packedFile(t, "rows.txt")), packedFile(t, "rows.gz")
	for _, c := range []struct {
		tail, want string
		err        error
	}{
		{"", rows, nil},
		{string(b), rows + rows, nil},
		{"\x00", rows, nil},
		{"\x00\x00\x00", rows, nil},
		{strings.Repeat("\x00", 1<<17), rows, nil},
		{string(b) + strings.Repeat("\x00", 512), rows + rows, nil},
		{"\x00\x00j", rows, errTrailing},
		{strings.Repeat("\x00", 1000) + string(b), rows, errTrailing},
		{"j", rows, errTrailing},
		{"ju", rows, errTrailing},
		{"junk", rows, errTrailing},
		{"\x1fjunk", rows, errTrailing},
		{"\n", rows, errTrailing},
		{"\x1f", rows, io.ErrUnexpectedEOF},
		{"\x1f\x8b", rows, io.ErrUnexpectedEOF},
		{"\x1f\x8b\x08\x00\x00", rows, io.ErrUnexpectedEOF},
	} {
		for _, way := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
			got, err := unpackAll(way(strings.NewReader(string(b) + c.tail)))
			if got != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("%d bytes %.8q behind: %d bytes, %v, want %v", len(c.tail), c.tail, len(got), err, c.err)
			}
		}
	}
}

func TestUnpackMessages(t *testing.T) {
	for _, c := range []struct{ name, message string }{
		{"x86.xz", "f: cannot read the xz data: filters other than LZMA2 are not supported; unpack them with xz -d"},
	} {
		if got, err := unpackAll(bytes.NewReader(packedFile(t, c.name))); got != "" || err == nil || err.Error() != c.message {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
	}
}

// What a file asks for does not matter, but how far it refers back.
func TestUnpackFar(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: some hundred megabytes are unpacked")
	}
	for _, c := range []struct {
		name string
		size int64 // at least
		err  string
	}{
		{"near.xz", 130<<20 + 10000, ""},
		{"far.xz", 128<<20 - mostChunk, "f: cannot read the xz data: they refer back by more than 128 MiB; unpack them with xz -d"},
		{"near.zst", 130<<20 + 10000, ""},
		{"near-single.zst", 130<<20 + 10000, ""},
		{"far.zst", 128 << 20, "f: cannot read the zstd data: they refer back by more than 128 MiB; unpack them with zstd -d --long=31"},
	} {
		if testing.Short() && c.err == "" {
			continue
		}
		n, err := io.Copy(io.Discard, newStream(io.NopCloser(bytes.NewReader(packedFile(t, c.name))), "f"))
		if c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) || n < c.size {
			t.Errorf("%s: %d bytes, %v", c.name, n, err)
		}
	}
}

// The error of a device is not one of the data, whatever a decoder makes of it.
func TestUnpackReadErrors(t *testing.T) {
	rows := string(packedFile(t, "rows.txt"))
	fault := &fs.PathError{Op: "read", Path: "f", Err: errors.New("disk on fire")}
	for _, name := range append(whole, "rows.txt") {
		b := packedFile(t, name)
		for k := range 12 {
			n := []int{0, 1, 2, 3, 5, 9, 12, 100, 3000, len(b) - 3, len(b) - 1, len(b)}[k]
			for _, way := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.DataErrReader} {
				got, err := unpackAll(way(io.MultiReader(bytes.NewReader(b[:n]), iotest.ErrReader(fault))))
				if err != error(fault) {
					t.Errorf("%s failing after %d bytes: %v", name, n, err)
				}
				// packed bytes are no text, unless they are too few to tell
				if !strings.HasPrefix(rows, got) && (got != string(b[:n]) || n >= longestMagic) {
					t.Errorf("%s failing after %d bytes: other rows", name, n)
				}
			}
		}
	}
}

// After its end a stream does not ask its file again: a terminal would go on.
func TestUnpackAsksOnce(t *testing.T) {
	for _, text := range []string{"", "1 1:1\n", "BZ"} {
		ends := 0
		r := readerFunc(func(p []byte) (int, error) {
			n := copy(p, text)
			text = text[n:]
			if n == 0 {
				ends++
				return 0, io.EOF
			}
			return n, nil
		})
		s := newStream(io.NopCloser(r), "f")
		for range 3 {
			if _, err := io.ReadAll(s); err != nil {
				t.Error(err)
			}
		}
		if ends != 1 {
			t.Errorf("the end is read %d times", ends)
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Only as many bytes are awaited as it takes to tell.
func TestUnpackAwaits(t *testing.T) {
	for _, c := range []struct{ arrives, read string }{
		{"1", "1"}, {"B\n", "B\n"}, {"BZh1\n", "BZh1\n"}, {"\x1e", "\x1e"}, {"P*\n", "P*\n"},
	} {
		r := io.MultiReader(strings.NewReader(c.arrives), readerFunc(func([]byte) (int, error) {
			return 0, fmt.Errorf("asked for more than %q", c.arrives)
		}))
		buf := make([]byte, 10)
		n, err := newStream(io.NopCloser(r), "f").Read(buf)
		if string(buf[:n]) != c.read || err != nil {
			t.Errorf("%q reads as %q, %v", c.arrives, buf[:n], err)
		}
	}
}
