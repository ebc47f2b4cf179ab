//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package format

import (
	"io/fs"
	"path/filepath"
	"syscall"
)

// writable and searchable are of access(2).
const writable, searchable = 2, 1

// takesFile returns the error, if any, with which no new file can be made at path. It
// makes none.
func takesFile(path string) error {
	if err := syscall.Access(filepath.Dir(path), writable|searchable); err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}
