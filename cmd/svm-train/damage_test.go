package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestDamaged: faults that come from damage of compressed data are not reported, but the damage is.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"rows": "1 1:7\n-1 2:7\n", "rows.arff": "@relation r\n@attribute x numeric\n@attribute c numeric\n@data\n7,1\n8,-1\n"} {
		data := filepath.Join(dir, name+".gz")
		if err := os.WriteFile(data, []byte(strings.Replace(testenv.StoredGzip(t, text), "7", "x", 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		status := run(t.Context(), []string{data, filepath.Join(dir, "model")}, nil, io.Discard, &stderr)
		if want := "can't read input file " + data + ": " + "the gzip data are corrupt: gzip: invalid checksum\n"; status != 1 || stderr.String() != want {
			t.Errorf("%s: status %d, %s, want %s", name, status, &stderr, want)
		}
	}
}

// TestUTF16: a text in UTF-16 without a mark is reported as such.
func TestUTF16(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "rows")
	if err := os.WriteFile(data, []byte("1\x00 \x001\x00:\x002\x00\n\x00"), 0o666); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	status := run(t.Context(), []string{data, filepath.Join(dir, "model")}, nil, io.Discard, &stderr)
	if want := "Wrong input format at line 1: " + data + ":1:1: the text is UTF-16, expected UTF-8\n"; status != 1 || stderr.String() != want {
		t.Errorf("status %d, %s, want %s", status, &stderr, want)
	}
}
