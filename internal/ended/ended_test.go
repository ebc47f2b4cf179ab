package ended_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// A list is an error that cannot be compared.
type list []string

func (list) Error() string { return "a slice" }

// own is a context that has an error of its own.
type own struct {
	context.Context
	err error
}

func (o own) Err() error { return o.err }

func TestErr(t *testing.T) {
	full := errors.New("the disk is full")
	wrapped := fmt.Errorf("the user has left: %w", context.Canceled)
	cancelled := func(cause error) context.Context {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		return ctx
	}
	late, cancel := context.WithDeadlineCause(t.Context(), time.Unix(0, 0), full)
	defer cancel()
	plainLate, cancelPlain := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancelPlain()
	nested, cancelNested := context.WithCancel(cancelled(full))
	defer cancelNested()
	for name, c := range map[string]struct {
		ctx  context.Context
		is   []error
		same error // the error itself; nil: one of its own
		text string
	}{
		"no cause":             {cancelled(nil), nil, context.Canceled, "context canceled"},
		"a cause":              {cancelled(full), []error{full, context.Canceled}, nil, "the disk is full"},
		"a cause of a parent":  {nested, []error{full, context.Canceled}, nil, "the disk is full"},
		"a cause that says so": {cancelled(wrapped), []error{context.Canceled}, wrapped, wrapped.Error()},
		"one not comparable":   {cancelled(list{"x"}), []error{context.Canceled}, nil, "a slice"},
		"too late":             {late, []error{full, context.DeadlineExceeded}, nil, "the disk is full"},
		"too late, no cause":   {plainLate, nil, context.DeadlineExceeded, context.DeadlineExceeded.Error()},
		"an error of its own":  {own{t.Context(), full}, nil, full, "the disk is full"},
		"none comparable":      {own{t.Context(), list{"x"}}, nil, nil, "a slice"},
	} {
		err := ended.Err(c.ctx)
		if err == nil || err.Error() != c.text || c.same != nil && err != c.same {
			t.Errorf("%s: the error is %v, want %v", name, err, c.text)
		}
		for _, want := range c.is {
			if !errors.Is(err, want) {
				t.Errorf("%s: %v is not %v", name, err, want)
			}
		}
	}
	if err := ended.Err(t.Context()); err != nil {
		t.Errorf("a context that goes on has the error %v", err)
	}
}
