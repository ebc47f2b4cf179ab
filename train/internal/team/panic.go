package team

import (
	"fmt"
	"runtime/debug"
)

// A Panic is the value of a panic in shared work. The goroutine that waits for the work panics with
// it, so that its caller can recover as if that goroutine had done the work alone.
type Panic struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

// Error returns the value and where it came from.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Recovered wraps the result of recover and adds the stack. It returns nil for nil.
func Recovered(value any) *Panic {
	switch v := value.(type) {
	case nil:
		return nil
	case *Panic: // from work nested in this work
		return v
	}
	return &Panic{value, debug.Stack()}
}
