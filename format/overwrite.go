package format

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// writeOver writes the first size bytes of from over the file at path, and cuts off the rest of its
// old content. begun reports that the file may have lost its old content. Bytes beyond the old size
// are written first, at the end, so that there is room for the rest: if there is none, the file
// keeps its old content.
func writeOver(path string, from io.ReaderAt, size int64) (begun bool, err error) {
	to, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return false, err
	}
	defer func() { // a file system may tell of a failure as late as here
		if e := to.Close(); err == nil {
			err = e
		}
	}()
	info, err := to.Stat()
	if err != nil {
		return false, err
	}
	old := info.Size()
	if size > old {
		if err := lengthen(to, from, old, size); err != nil {
			return to.Truncate(old) != nil, err
		}
	}
	if err := copyPart(to, from, 0, min(old, size)); err != nil {
		return true, err
	}
	return true, to.Truncate(size)
}

// lengthen writes bytes old to size of from behind what a file holds, and waits until the disk has
// room for them.
func lengthen(to *os.File, from io.ReaderAt, old, size int64) error {
	if err := copyPart(to, from, old, size); err != nil {
		return err
	}
	if err := to.Sync(); !neverSyncs(err) {
		return err
	}
	return nil
}

// neverSyncs reports whether err says that a file's system has nothing to wait for.
func neverSyncs(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL)
}

// copyPart copies bytes lo to hi to the same place.
func copyPart(to *os.File, from io.ReaderAt, lo, hi int64) error {
	_, err := io.Copy(io.NewOffsetWriter(to, lo), io.NewSectionReader(from, lo, hi-lo))
	return err
}

// aftermath is an error of the system, and what it leaves of files.
type aftermath struct {
	err  error
	says string
}

func (a *aftermath) Error() string { return a.err.Error() + "; " + a.says }

func (a *aftermath) Unwrap() error { return a.err }

// damaged is the error of a file that holds some of what it held and some of what it was to hold. All of
// that is in the file kept, "": nowhere.
func damaged(err error, kept string) error {
	if kept == "" {
		return &aftermath{err, "the file is damaged"}
	}
	return &aftermath{err, "the file is damaged, but all that it was to hold is in " + kept}
}
