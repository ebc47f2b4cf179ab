//go:build unix

package format

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// endWait ends the wait of a goroutine that opens a named pipe for writing, by opening it for
// reading. It returns the file to close when the wait is over, or nil if the pipe cannot be read.
func endWait(path string) *os.File {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	return f
}

// takesNone reports whether err is that of a folder that takes no new files.
func takesNone(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
