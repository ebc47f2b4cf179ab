package testenv

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// StoredGzip returns a text as gzip data that hold it as it is. If some of it is changed there,
// only the check sum at the end tells.
func StoredGzip(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), text) {
		t.Fatal("gzip does not hold the text as it is")
	}
	return b.String()
}
