package team

import (
	"fmt"
	"runtime/debug"
)

// A Panic is what work panicked with that another goroutine may have done. The one that waits for
// the work panics with it, so that who has called it can recover, as if it had done all by itself.
type Panic struct {
	Value any
	Stack []byte // where it was
}

// Error returns the value and where it came from.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Caught returns what recover has returned with the stack, nil if that is nil.
func Caught(value any) *Panic {
	switch v := value.(type) {
	case nil:
		return nil
	case *Panic: // of work inside of work
		return v
	}
	return &Panic{value, debug.Stack()}
}
