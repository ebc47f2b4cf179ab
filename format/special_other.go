//go:build !unix

package format

import (
	"errors"
	"io"
	"io/fs"
)

// endWait does nothing: there is nothing to wait for.
func endWait(string) io.Closer { return nil }

// takesNone reports whether err is that of a folder that takes no new files.
func takesNone(err error) bool { return errors.Is(err, fs.ErrPermission) }
