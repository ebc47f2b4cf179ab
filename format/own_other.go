//go:build !unix

package format

import (
	"io"
	"io/fs"
)

// duplicate returns nil: no path names a file of this process.
func duplicate(int, string) (io.WriteCloser, error) { return nil, nil }

// goesTo returns false: a file that a stream goes to cannot be replaced.
func goesTo(int, fs.FileInfo) bool { return false }
