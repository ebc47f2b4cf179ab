package textscan

import (
	"errors"
	"fmt"
	"io/fs"
)

// An Error is a fault in a text and its place. Package format calls it format.Error.
type Error struct {
	Path   string // "" if the reader does not know it
	Line   int    // from 1; 0 if the fault has no line
	Column int    // in bytes, from 1; 0 if the fault is in the whole line
	Err    error
}

// Error returns "path:line:column: cause" without the parts that are not known. An error of the system
// that names the file says that already.
func (e *Error) Error() string {
	if system, ok := e.Err.(*fs.PathError); ok && e.Line == 0 && system.Path == e.Path {
		return system.Error()
	}
	at := e.Path
	for _, n := range []int{e.Line, e.Column} {
		if n == 0 {
			break
		}
		if at != "" {
			at += ":"
		}
		at += fmt.Sprint(n)
	}
	if at == "" {
		return fmt.Sprint(e.Err) // nil too
	}
	return fmt.Sprint(at, ": ", e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// WithPath adds path to an [*Error] that has none. Any other error becomes an *Error of that file;
// an error that wraps an *Error with a path is returned unchanged. It returns nil for nil.
func WithPath(err error, path string) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*Error); ok {
		if e.Path == "" {
			e.Path = path
		}
		return err
	}
	// an Error inside another error is part of that one's text already
	if e := (*Error)(nil); errors.As(err, &e) && e.Path != "" {
		return err
	}
	return &Error{Path: path, Err: err}
}
