package format

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
)

// FuzzDecompress: any bytes are read, packed or not, without a panic and to an
// end; what comes does not depend on the pieces in which they arrive; bytes that
// are not packed come as they are; a fault is an *Error with the path.
func FuzzDecompress(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "packed", "*.*z*"))
	if err != nil || len(files) < 15 {
		f.Fatalf("%d seeds, %v", len(files), err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(append(b[:len(b)/2:len(b)/2], b...))
	}
	f.Add([]byte("1 1:2\n"))
	// more than this of what a small file holds is not looked at: it is a bomb
	const most = 1 << 20
	read := func(r io.Reader) (string, error) {
		b, err := io.ReadAll(io.LimitReader(newStream(io.NopCloser(r), "f"), most))
		return string(b), err
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text, err := read(bytes.NewReader(b))
		slow, slowErr := read(iotest.OneByteReader(bytes.NewReader(b)))
		if text != slow || (err == nil) != (slowErr == nil) || err != nil && err.Error() != slowErr.Error() {
			t.Errorf("%d bytes, %v; one byte at a time %d bytes, %v", len(text), err, len(slow), slowErr)
		}
		if how, _ := recognise(b, true); how == nil && (err != nil || text != string(b[:min(len(b), most)])) {
			t.Errorf("not packed: %d bytes from %d, %v", len(text), len(b), err)
		}
		if e := (*Error)(nil); err != nil && (!errors.As(err, &e) || e.Path != "f") {
			t.Errorf("error %v", err)
		}
	})
}
