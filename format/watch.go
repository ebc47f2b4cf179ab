package format

import (
	"errors"
	"io"
	"os"
	"time"
)

// ErrChanged reports an input that changed while it was read, or was another when it was read again.
var ErrChanged = errors.New("the file changed while it was read")

// A Watch tells whether a file changes while it is read: what was read of one that is cut off or
// rewritten meanwhile may look complete. The zero Watch watches nothing, and finds no change.
type Watch struct {
	file *os.File    // nil: nothing
	info os.FileInfo // of the file as it was
}

// NewWatch begins to watch what Open has returned, or another *os.File. Only regular files are watched, packed or not.
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

// Check returns ErrChanged, in the place of err, if the file has become another since NewWatch. It is for the end of
// reading: what else went wrong comes from the change.
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

// Again returns ErrChanged if next, which watches what was opened by the same path later, watches another file than
// w, or the file after it has changed.
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
