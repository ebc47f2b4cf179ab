package format

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestZstdFrames: frames with windows of all sizes, and those to skip, may follow each other, and a
// fault is one of the frame in which it is.
func TestZstdFrames(t *testing.T) {
	rows := string(packedFile(t, "rows.txt"))
	corrupt := bytes.Clone(packedFile(t, "window31.zst"))
	corrupt[len(corrupt)/2] ^= 0x10
	for _, c := range []struct {
		files []string
		tail  string
		rows  int
		err   string
	}{
		{files: []string{"window31.zst", "skip.zst", "rows.zst", "window28.zst", "empty.zst", "window31.zst"}, rows: 5},
		{files: []string{"window31.zst"}, tail: "junk", rows: 1, err: "f: cannot read the zstd data: they are followed by something else"},
		{files: []string{"rows.zst"}, tail: "\n", rows: 1, err: "f: cannot read the zstd data: they are followed by something else"},
		{files: []string{"skip.zst", "rows.zst"}, tail: "\x28\xb5\n", rows: 1, err: "f: cannot read the zstd data: they are followed by something else"},
		{files: []string{"rows.zst"}, tail: "\x28\xb5", rows: 1, err: "f: the zstd data are cut off: unexpected EOF"},
		{files: []string{"rows.zst"}, tail: "\x5f", rows: 1, err: "f: the zstd data are cut off: unexpected EOF"},
		{files: []string{"window31.zst"}, tail: "\x28\xb5\x2f\xfd\x04", rows: 1, err: "f: the zstd data are cut off: unexpected EOF"},
		{files: []string{"rows.zst"}, tail: string(corrupt), rows: 1, err: "f: the zstd data are corrupt: "},
		{tail: "\x28\xb5\x2f\xfd\x04\xa8\x07\x00\x00", err: "f: the zstd data are corrupt: "}, // a block of no kind
	} {
		var packed []byte
		for _, name := range c.files {
			packed = append(packed, packedFile(t, name)...)
		}
		packed = append(packed, c.tail...)
		for name, way := range map[string]func(io.Reader) io.Reader{"": func(r io.Reader) io.Reader { return r }, ", a byte at a time": iotest.OneByteReader} {
			got, err := unpackAll(way(bytes.NewReader(packed)))
			want := strings.Repeat(rows, c.rows)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.HasPrefix(err.Error(), c.err)) {
				t.Errorf("%q and %.8q%s: %v, want %s", c.files, c.tail, name, err, c.err)
			}
			if !strings.HasPrefix(got, want) || c.err == "" && got != want {
				t.Errorf("%q and %.8q%s: %d bytes, want %d", c.files, c.tail, name, len(got), len(want))
			}
		}
	}
}
