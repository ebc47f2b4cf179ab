//go:build !unix

package format

import (
	"errors"
	"io/fs"
	"os"
)

// endWait does nothing: there is nothing to wait for.
func endWait(string) *os.File { return nil }

// takesNone reports whether err is that of a folder that takes no new files.
func takesNone(err error) bool { return errors.Is(err, fs.ErrPermission) }
