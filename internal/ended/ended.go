// Package ended has the error of work that ends because its context did. All packages of the module
// return that one, so that a caller finds in it both why the context was cancelled and that it was.
package ended

import (
	"context"
	"errors"
)

// Err returns nil if ctx has not ended. Otherwise it returns an error for which errors.Is holds with
// ctx.Err() and with context.Cause(ctx). If there is no cause of its own, that is ctx.Err() itself.
// Else its text is that of the cause.
func Err(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	return withCause(ctx, err)
}

// withCause adds why ctx was cancelled to its error.
func withCause(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case cause == nil:
		return err
	case errors.Is(cause, err): // the same one, as a rule
		return cause
	}
	return &causeError{cause, err}
}

// A causeError is the end of a context that has a cause of its own.
type causeError struct{ cause, err error }

// Error implements error.
func (e *causeError) Error() string { return e.cause.Error() }

// Unwrap returns the cause and the context's error.
func (e *causeError) Unwrap() []error { return []error{e.cause, e.err} }
