package format

import (
	"errors"
	"io"
	"os"
	"time"
)

// ErrChanged reports that an input changed while it was being read, or between two readings of it.
var ErrChanged = errors.New("the file changed while it was read")

// A Watch detects that a file changes while it is read. Without it, a file that is cut off or
// rewritten meanwhile may look complete. The zero Watch watches nothing and finds no change.
type Watch struct {
	file *os.File    // nil: nothing
	info os.FileInfo // of the file as it was
}

// NewWatch begins to watch r, which [Open] returned or which is an *os.File. Only regular files,
// compressed or not, are watched; for any other reader it returns the zero Watch.
func NewWatch(r io.Reader) Watch {
	switch r := r.(type) {
	case *stream:
		return NewWatch(r.file)
	case leftOpen:
		return NewWatch(r.Reader)
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return Watch{r, info}
		}
	}
	return Watch{}
}

// Check returns [ErrChanged] if the file has changed since NewWatch, and err if not. Call it when
// reading ends: any other error is then a consequence of the change.
func (w Watch) Check(err error) error {
	if w.file == nil {
		return err
	}
	info, failed := w.file.Stat()
	switch {
	case failed != nil: // closed
		return err
	case changed(w.info, info):
		return ErrChanged
	}
	return err
}

// Again returns [ErrChanged] if next, the watch of a file opened later by the same path, watches
// another file than w, or if the file has changed in between.
func (w Watch) Again(next Watch) error {
	if w.file != nil && next.file != nil && (!os.SameFile(w.info, next.info) || changed(w.info, next.info)) {
		return ErrChanged
	}
	return nil
}

// changed reports whether a file that was so is otherwise now.
func changed(was, now os.FileInfo) bool {
	// what the system makes up has no size, and any time
	return now.Size() != was.Size() || was.Size() > 0 && moved(now.ModTime().Sub(was.ModTime()))
}

// moved reports whether a difference of times is one of times that were set, rather than of one that a file
// system told at first as it was and then as it keeps it: cut to two seconds or less.
func moved(d time.Duration) bool { return d > 0 || d <= -2*time.Second }
