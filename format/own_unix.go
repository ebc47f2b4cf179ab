//go:build unix

package format

import (
	"io"
	"io/fs"
	"os"
	"syscall"
)

// duplicate returns a file that writes where a file of this process does, at the
// same place of it.
func duplicate(fd int, path string) (io.WriteCloser, error) {
	syscall.ForkLock.RLock()
	own, err := syscall.Dup(fd)
	if err == nil {
		syscall.CloseOnExec(own)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(own), path), nil
}

// goesTo reports whether a file of this process is the one of info.
func goesTo(fd int, info fs.FileInfo) bool {
	var own syscall.Stat_t
	other, ok := info.Sys().(*syscall.Stat_t)
	return ok && syscall.Fstat(fd, &own) == nil && own.Dev == other.Dev && own.Ino == other.Ino
}
