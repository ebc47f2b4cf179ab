package format

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// ErrChanged reports that an input changed while it was being read, or between two readings of it.
var ErrChanged = errors.New("the file changed while it was read")

// A Watch detects that a file changes while it is read, and that compressed data are damaged where
// what was made of them has a fault, or that a text with a fault is UTF-16. Without it, a file that
// is cut off or rewritten meanwhile may look complete, and a damaged file like one that was written
// with faults. The zero Watch watches nothing and finds nothing.
type Watch struct {
	file   *os.File    // nil: not for changes
	info   os.FileInfo // of the file as it was
	packed *stream     // nil: not for damage
}

// NewWatch begins to watch r, which [Open], [OpenInput] or [OpenStream] returned or which is an
// *os.File. Only regular files are watched for changes.
func NewWatch(r io.Reader) Watch {
	if s, ok := r.(*stream); ok {
		w := NewWatch(s.file)
		w.packed = s
		return w
	}
	file, info := regularFile(r)
	return Watch{file: file, info: info}
}

// regularFile returns the regular file that r is, or leaves open, and nil if it is none.
func regularFile(r io.Reader) (*os.File, os.FileInfo) {
	if left, ok := r.(leftOpen); ok {
		r = left.Reader
	}
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return f, info
		}
	}
	return nil, nil
}

// Check returns [ErrChanged] if the file has changed since NewWatch. If it has not, and err is a
// fault of the content, Check returns what that comes from:
//
//   - The *[Error] of compressed data that are damaged. Check sums come last, so Check reads the data
//     to their end for that, of which it may take a gibibyte of content.
//   - An *[Error] that wraps [ErrUTF16] or [ErrUTF32], if the text looks so: see [WideText].
//
// Otherwise it returns err. Call it when reading ends: any other error is then a consequence of what
// Check tells.
func (w Watch) Check(err error) error {
	if w.file != nil {
		if info, failed := w.file.Stat(); failed == nil && changed(w.info, info) { // failed: closed
			return ErrChanged
		}
	}
	if err == nil || err == io.EOF || ofSystem(err) {
		return err
	}
	if damage := w.packed.damage(); damage != nil {
		if errors.Is(err, damage) {
			return err
		}
		return damage
	}
	if wide := WideText(w.head()); wide != nil {
		at := &Error{Line: 1, Column: 1, Err: wide}
		if given := (*Error)(nil); errors.As(err, &given) {
			at.Path = given.Path
		}
		return at
	}
	return err
}

// headSize is how much of a text tells whether it is UTF-16 or UTF-32.
const headSize = 4 << 10

// head returns how the content begins, as far as it is known.
func (w Watch) head() []byte {
	switch {
	case w.packed != nil:
		return w.packed.head
	case w.file != nil:
		head := make([]byte, headSize)
		n, _ := w.file.ReadAt(head, 0)
		return head[:n]
	}
	return nil
}

// ofSystem reports whether an error is none of a content: the work was given up, or a file cannot be
// read or written.
func ofSystem(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*fs.PathError))
}

// Regular reports whether a regular file is watched, and so one that can change.
func (w Watch) Regular() bool { return w.file != nil }

// Compressed reports whether what is watched is compressed, once some of it was read.
func (w Watch) Compressed() bool { return w.packed != nil && w.packed.how != nil }

// CheckReopened returns [ErrChanged] if next, the watch of a file opened later by the same path,
// watches another file than w, or if the file has changed in between.
func (w Watch) CheckReopened(next Watch) error {
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

// moved reports whether a difference of times is one of times that were set, rather than of one
// that a file system told at first as it was and then as it keeps it: cut to two seconds or less.
func moved(d time.Duration) bool { return d > 0 || d <= -2*time.Second }
