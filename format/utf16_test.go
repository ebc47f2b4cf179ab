package format_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/slimsvm/slimsvm/format"
)

// inUTF16 returns a text in UTF-16.
func inUTF16(order binary.AppendByteOrder, text string) (b []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return b
}

// TestUTF16: a text in UTF-16 with a mark is read as the same in UTF-8, from files and
// streams, packed too, however little is read at a time.
func TestUTF16(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{
		"", "a", "a,b\r\n1,2\r\n", "größe\tçéñ\u2028\ufeff\uffff\n", "\U0001f600", "x\U0010ffff\U00010000y\n",
		"\x00", strings.Repeat("a\U0001f600", 50_000), strings.Repeat("\U0001f600", 50_000), strings.Repeat("ю", 100_000),
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			b := inUTF16(order, "\ufeff"+text)
			if order == binary.LittleEndian && text == "\x00" {
				b = b[:2] // what would be a mark of UTF-32
				text = ""
			}
			for name, content := range map[string][]byte{"plain": b, "packed": gzipped(t, b)} {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, content, 0o666); err != nil {
					t.Fatal(err)
				}
				f, err := format.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				for how, r := range map[string]io.Reader{
					"file": f, "stream": format.OpenStream(bytes.NewReader(content), "x"),
					"bytes": iotest.OneByteReader(format.OpenStream(iotest.OneByteReader(bytes.NewReader(content)), "x")),
				} {
					if got, err := io.ReadAll(r); string(got) != text || err != nil {
						t.Errorf("%s, %s, %v: %.40q, %v, want %.40q", name, how, order, got, err, text)
					}
				}
				f.Close()
			}
		}
	}
}

// TestUTF16Faults: what is no UTF-16 with a mark is as it was; halves of pairs are no UTF-8,
// and a text that is cut off is reported as such.
func TestUTF16Faults(t *testing.T) {
	read := func(b string) (string, error) {
		got, err := io.ReadAll(format.OpenStream(strings.NewReader(b), "x"))
		return string(got), err
	}
	for _, text := range []string{"\xff", "\xfe", "\xffa", "\xfe\xfe", "\xff\xfe\x00\x00a\x00\x00\x00", "a\x00b\x00", "\xef\xbb\xbfa", "\xef\xbb"} {
		if got, err := read(text); got != text || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"\xff\xfea\x00\x3d\xd8":                 "a\xed\xa0\xbd",
		"\xff\xfe\x3d\xd8b\x00":                 "\xed\xa0\xbdb",
		"\xff\xfe\x00\xdeb\x00":                 "\xed\xb8\x80b",
		"\xfe\xff\xd8\x3d\xd8\x3d\xde\x00\x00a": "\xed\xa0\xbd\U0001f600a",
	} {
		if got, err := read(text); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"\xff\xfea\x00b", "\xfe\xff\x00", "\xff\xfe\x3d\xd8\x00", string(gzipped(t, []byte("\xff\xfea\x00b")))} {
		got, err := read(text)
		if at := (*format.Error)(nil); !errors.As(err, &at) || at.Error() != "x: the UTF-16 text is cut off: its last character is half there" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	broken := errors.New("broken")
	r := format.OpenStream(io.MultiReader(strings.NewReader("\xff\xfea\x00\x3d\xd8"), iotest.ErrReader(broken)), "x")
	if got, err := io.ReadAll(r); string(got) != "a\xed\xa0\xbd" && string(got) != "a" || err != broken {
		t.Errorf("%q, %v", got, err)
	}
}

// gzipped returns b packed.
func gzipped(t *testing.T, b []byte) []byte {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}
