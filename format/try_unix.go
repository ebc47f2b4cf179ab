//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package format

import (
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// takesFile returns the error, if any, with which no new file can be made at path. It
// makes none.
func takesFile(path string) error {
	err := unix.Faccessat(unix.AT_FDCWD, filepath.Dir(path), unix.W_OK|unix.X_OK, unix.AT_EACCESS)
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}
