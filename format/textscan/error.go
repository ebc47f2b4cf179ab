package textscan

import (
	"errors"
	"fmt"
)

// An Error is a fault in a text: where it is and what it is.
type Error struct {
	Path   string // "" when the reader was not told
	Line   int    // from 1; 0 when the fault has no line
	Column int    // in bytes, from 1; 0 when the fault is the whole line's
	Err    error
}

// Error returns "path:line:column: cause", leaving out what is not known.
func (e *Error) Error() string {
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
		return e.Err.Error()
	}
	return at + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// WithPath returns err with path put into an *Error that has none, and any
// other error as an *Error of that file. An error that wraps an *Error with a
// path is left alone. It returns nil for nil.
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
