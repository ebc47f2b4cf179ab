package format

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packer returns a writer that packs what is written to w as the name of the
// file at path asks for, and is done when it is closed; nil: not packed. Its
// bytes depend on nothing but what is written.
func packer(path string, w io.Writer) io.WriteCloser {
	switch packing(path) {
	case ".gz":
		z := gzip.NewWriter(w)
		z.ModTime = time.Unix(0, 0) // which gzip takes for none
		return z
	case ".zst":
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic("format: " + err.Error()) // it knows no such option
		}
		return z
	}
	return nil
}

// ErrPacking is wrapped by the error for an output whose name asks for a compression that cannot be
// written.
var ErrPacking = errors.New("outputs are packed by gzip or zstd: expected a name that ends in .gz or .zst, or in neither")

// CheckOutput returns the error that [Create] would return because of the path's name alone, such
// as an extension of a compression that cannot be written. Call it before long work whose result
// goes to path.
func CheckOutput(path string) error {
	switch ext := packing(path); ext {
	case "", ".gz", ".zst":
		return nil
	default:
		return &fs.PathError{Op: "create", Path: path, Err: fmt.Errorf("%s cannot be written: %w", ext, ErrPacking)}
	}
}

// packing returns the extension of path if it is that of packed files, in lower
// case; else "".
func packing(path string) string {
	if packedBy(path) == nil {
		return ""
	}
	return strings.ToLower(filepath.Ext(path))
}

// packedBy returns the compression that the name of a file tells, nil if it tells none.
func packedBy(path string) *compression {
	ext := strings.ToLower(filepath.Ext(path))
	for _, c := range compressions {
		if slices.Contains(c.extensions, ext) {
			return c
		}
	}
	return nil
}
