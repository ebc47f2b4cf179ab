package format

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// An xzFile is an .xz file with one block and no check, as a test wants it.
type xzFile struct {
	chunks   string
	size     int // of the content
	count    int // of blocks, in the index
	unpadded int // added to the block's size in the index
	header   string
	padding  string
	flags    byte
	footer   byte
	back     int // added to the index's size in the footer
}

// withSum returns b with its check sum behind it.
func withSum(b string) string {
	return string(binary.LittleEndian.AppendUint32([]byte(b), crc32.ChecksumIEEE([]byte(b))))
}

func (f xzFile) String() string {
	pad := func(s string) string { return s + strings.Repeat("\x00", -len(s)&3) }
	flags := string([]byte{0, f.flags})
	header := "\x02\x00" + f.header + "\x00\x00\x00"
	if len(f.header) > 3 {
		header = "\x02" + f.header
	}
	header = withSum(header)
	block := header + pad(f.chunks)
	if f.padding != "" {
		block = header + f.chunks + f.padding
	}
	index := "\x00" + string(byte(f.count))
	for range f.count {
		index += string([]byte{byte(len(header) + len(f.chunks) + f.unpadded), byte(f.size)})
	}
	index = withSum(pad(index))
	end := string(binary.LittleEndian.AppendUint32(nil, uint32(len(index)/4-1+f.back))) + string([]byte{0, f.footer})
	sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(end)))
	magic := string(binary.LittleEndian.AppendUint32([]byte(xzMagic+flags), crc32.ChecksumIEEE([]byte(flags))))
	return magic + block + index + string(sum) + end + xzFooterMagic
}

func TestXZ(t *testing.T) {
	const abc, end, lzma2 = "\x01\x00\x02abc", "\x00", "\x21\x01\x16"
	good := xzFile{chunks: abc + end, size: 3, count: 1, header: lzma2}
	with := func(change func(f *xzFile)) xzFile {
		f := good
		change(&f)
		return f
	}
	for _, c := range []struct {
		name string
		file xzFile
		want string // content, then the error
	}{
		{"good", good, "abc"},
		{"two chunks", with(func(f *xzFile) { f.chunks = abc + "\x02\x00\x00d" + end; f.size = 4 }), "abcd"},
		{"new dictionary", with(func(f *xzFile) { f.chunks = abc + abc + end; f.size = 6 }), "abcabc"},
		{"no chunks", with(func(f *xzFile) { f.chunks = end; f.size = 0 }), ""},
		{"size in the index", with(func(f *xzFile) { f.size = 4 }), "abc: corrupt: the index is not that of the blocks"},
		{"packed size in the index", with(func(f *xzFile) { f.unpadded = 1 }), "abc: corrupt: the index is not that of the blocks"},
		{"no blocks in the index", with(func(f *xzFile) { f.count = 0 }), "abc: corrupt: the index is not that of the blocks"},
		{"two blocks in the index", with(func(f *xzFile) { f.count = 2 }), "abc: corrupt: the index is not that of the blocks"},
		{"padding", with(func(f *xzFile) { f.padding = "x" }), "abc: corrupt: padding that is not zero"},
		{"footer", with(func(f *xzFile) { f.footer = 1 }), "abc: corrupt: wrong end of a stream"},
		{"size of the index", with(func(f *xzFile) { f.back = 1 }), "abc: corrupt: wrong end of a stream"},
		{"check", with(func(f *xzFile) { f.flags, f.footer = 2, 2 }), ": corrupt: unknown kind of check 2"},
		{"filter", with(func(f *xzFile) { f.header = "\x03\x01\x16" }), ": cannot read: filters other than LZMA2 are not supported; unpack them with xz -d"},
		{"two filters", with(func(f *xzFile) { f.header = "\x01" + lzma2 + "\x00\x00\x00" }), ": cannot read: filters other than LZMA2 are not supported; unpack them with xz -d"},
		{"unknown flag", with(func(f *xzFile) { f.header = "\x04" + lzma2 + "\x00\x00\x00" }), ": corrupt: wrong header of a block"},
		{"behind the filter", with(func(f *xzFile) { f.header = "\x00" + lzma2 + "\x00\x01\x00" }), ": corrupt: wrong header of a block"},
		{"size in the header", with(func(f *xzFile) { f.header = "\x80\x03" + lzma2 + "\x00\x00" }), "abc"},
		{"wrong size in the header", with(func(f *xzFile) { f.header = "\x80\x04" + lzma2 + "\x00\x00" }), "abc: corrupt: wrong length of a block"},
		{"wrong packed size in the header", with(func(f *xzFile) { f.header = "\x40\x04" + lzma2 + "\x00\x00" }), "abc: corrupt: wrong length of a block"},
		{"long number in the header", with(func(f *xzFile) { f.header = "\x80\x83\x00" + lzma2 + "\x00" }), ": corrupt: wrong header of a block"},
		{"dictionary of 4 GiB", with(func(f *xzFile) { f.header = "\x21\x01\x28" }), "abc"},
		{"dictionary of 192 MiB", with(func(f *xzFile) { f.header = "\x21\x01\x1f" }), "abc"},
		{"dictionary of 128 MiB", with(func(f *xzFile) { f.header = "\x21\x01\x1e" }), "abc"},
		{"no such dictionary", with(func(f *xzFile) { f.header = "\x21\x01\x29" }), ": corrupt: wrong header of a block"},
		{"kind of chunk", with(func(f *xzFile) { f.chunks = "\x03\x00\x00a" + end }), ": corrupt: wrong kind of chunk 0x3"},
		{"old dictionary", with(func(f *xzFile) { f.chunks = "\x02\x00\x02abc" + end }), ": corrupt: lzma: unexpected chunk type"},
		{"short packed chunk", with(func(f *xzFile) { f.chunks = "\xe0\x00\x02\x00\x00\x5d\x00" + end; f.size = 0 }), ": corrupt: wrong length of a chunk"},
		{"much memory for a chunk", with(func(f *xzFile) { f.chunks = "\xe0\x00\x02\x00\x05\x25\x00\x00\x00\x00\x00\x00" + end }), ": corrupt: wrong properties 0x25 of a chunk"},
		{"no such properties", with(func(f *xzFile) { f.chunks = "\xe0\x00\x02\x00\x05\xe1\x00\x00\x00\x00\x00\x00" + end }), ": corrupt: wrong properties 0xe1 of a chunk"},
	} {
		text := c.file.String()
		got, err := unpackAll(bytes.NewReader([]byte(text)))
		if err != nil {
			message := strings.TrimPrefix(err.Error(), "f: ")
			message = strings.Replace(message, "the xz data are corrupt", "corrupt", 1)
			got += ": " + strings.Replace(message, "cannot read the xz data", "cannot read", 1)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestXZChunks: more than 64 KiB of packed data are several chunks, of which later ones go on with
// what was before.
func TestXZChunks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 300_000)
	for i := range text {
		if text[i] = '0' + byte(rng.IntN(10)); i >= 200_000 { // which does not get shorter
			text[i] = byte(rng.IntN(256))
		}
	}
	var packed bytes.Buffer
	w, err := xz.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := unpackAll(&packed); err != nil || got != string(text) {
		t.Errorf("%d bytes of %d, %v", len(got), len(text), err)
	}
}
