package format_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// stored returns a text packed as it is, in which a bit can be flipped that only the check sum tells.
func stored(t *testing.T, name, text string) string {
	t.Helper()
	if name == "gzip" {
		return testenv.StoredGzip(t, text)
	}
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderCRC(true), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	w.Close()
	if !strings.Contains(b.String(), text) {
		t.Fatalf("%s does not hold the text as it is", name)
	}
	return b.String()
}

// TestWatchDamage: a fault of what compressed data hold is reported as theirs if they are damaged, and
// only then.
func TestWatchDamage(t *testing.T) {
	const text = "1 1:2\n"
	fault := &format.Error{Line: 1, Err: errors.New("not a number")}
	for _, c := range []struct {
		err  error
		tell bool
	}{
		{fault, true}, {errors.New("no format"), true},
		{nil, false}, {io.EOF, false}, {context.Canceled, false},
		{&fs.PathError{Op: "write", Path: "out", Err: errors.New("no room")}, false},
	} {
		for _, name := range []string{"gzip", "zstd", "plain"} {
			whole := text
			if name != "plain" {
				whole = stored(t, name, text)
			}
			for _, broken := range []bool{false, true} {
				packed := whole
				if broken {
					packed = strings.Replace(packed, "1:2", "1:x", 1)
				}
				path := filepath.Join(t.TempDir(), "rows")
				write(t, path, packed)
				r, err := format.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				for name2, r := range map[string]io.Reader{path: r, "standard input": format.OpenStream(strings.NewReader(packed), "standard input")} {
					w := format.NewWatch(r)
					io.ReadFull(r, make([]byte, 3))
					got := w.Check(c.err)
					at := (*format.Error)(nil)
					switch {
					case !broken || !c.tell || name == "plain":
						if got != c.err {
							t.Errorf("%s, %v, broken %v: %v", name, c.err, broken, got)
						}
					case !errors.As(got, &at) || at.Path != name2 || at.Line != 0 || !strings.Contains(got.Error(), "the "+name+" data are corrupt: "):
						t.Errorf("%s, %v: %v, want damage of %s", name, c.err, got, name2)
					case w.Check(got) != got:
						t.Errorf("%s: %v is not the same again", name, got)
					}
					if w.Compressed() != (name != "plain") || w.Regular() != (name2 == path) {
						t.Errorf("%s of %s: compressed %v, regular %v", name, name2, w.Compressed(), w.Regular())
					}
				}
			}
		}
	}
}

// TestWatchCut: data that are cut off far behind a fault are reported as such; those that never end are
// given up.
func TestWatchCut(t *testing.T) {
	fault := &format.Error{Line: 1, Err: errors.New("not a number")}
	whole := stored(t, "gzip", strings.Repeat("1 1:x\n", 10_000))
	r := format.OpenStream(strings.NewReader(whole[:len(whole)-1]), "rows")
	io.ReadFull(r, make([]byte, 3))
	if got := format.NewWatch(r).Check(fault); !errors.Is(got, io.ErrUnexpectedEOF) {
		t.Errorf("cut off: %v", got)
	}
	if testing.Short() {
		return
	}
	member := stored(t, "gzip", strings.Repeat("1 1:x\n", 10_000))
	endless := &forever{text: member}
	r = format.OpenStream(endless, "rows")
	io.ReadFull(r, make([]byte, 3))
	if got := format.NewWatch(r).Check(fault); got != error(fault) || endless.read < 1<<30 {
		t.Errorf("without end: %v after %d bytes", got, endless.read)
	}
}

// forever is a text again and again.
type forever struct {
	text string
	at   int
	read int
}

func (f *forever) Read(p []byte) (int, error) {
	n := copy(p, f.text[f.at:])
	f.at, f.read = (f.at+n)%len(f.text), f.read+n
	return n, nil
}

// TestWatchUTF16: a fault of a text that is in UTF-16 without a mark, or in UTF-32, is that, whether
// the text is compressed or not.
func TestWatchUTF16(t *testing.T) {
	fault := &format.Error{Line: 1, Err: errors.New("not a number")}
	utf16, utf32 := format.ErrUTF16, format.ErrUTF32
	for text, is := range map[string]error{
		"1\x00 \x001\x00:\x002\x00\n\x00": utf16, "\x001\x00 \x001\x00:\x002\x00\n": utf16,
		"\x00\r\x00\n\x00\r\x00\n": utf16,
		"1 1:2\n":                  nil, "1\x00 1:2\n": nil, "": nil, "1\x00": nil,
		"\xff\xfe\x00\x001\x00\x00\x00": utf32, "\x00\x00\xfe\xff\x00\x00\x001": utf32,
		"1\x00\x00\x00 \x00\x00\x00é\x10\x11": nil, "1\x00\x00\x00 \x00\x00\x00\xe9\x00\x00\x00": utf32,
		"\x00\x00\x001\x00\x00\x00 \x00\x01\xf6\x00": utf32, "1\x00\x00\x00\x00\x00\x00\x00": nil,
	} {
		for _, packed := range []string{text, stored(t, "gzip", text)} {
			path := filepath.Join(t.TempDir(), "rows")
			write(t, path, packed)
			r, err := format.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			for _, r := range []io.Reader{r, format.OpenStream(strings.NewReader(packed), "standard input")} {
				w := format.NewWatch(r)
				io.Copy(io.Discard, r)
				got := w.Check(fault)
				if is == nil && got != error(fault) || !errors.Is(got, is) && is != nil {
					t.Errorf("%.10q: %v, want %v", text, got, is)
				}
				if is != nil && got.Error() != "1:1: "+is.Error() {
					t.Errorf("%.10q: %v, want %s", text, got, is)
				}
				if got := w.Check(io.EOF); got != io.EOF {
					t.Errorf("%.10q: %v at the end", text, got)
				}
			}
		}
	}
}
