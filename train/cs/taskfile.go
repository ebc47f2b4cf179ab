package cs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ReadTask reads a task for a problem of n rows from JSON, as encoding/json writes it. Numbers keep
// their bits, so the outcome does not depend on where the task is done.
func ReadTask(r io.Reader, n int) (*Task, error) {
	if r == nil {
		return nil, errors.New("task: no text to read")
	}
	t := new(Task)
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return nil, fmt.Errorf("task: %w", err)
	}
	var text *json.SyntaxError
	if _, err := d.Token(); err == nil || errors.As(err, &text) {
		return nil, errors.New("task: text behind it")
	} else if err != io.EOF {
		return nil, fmt.Errorf("task: %w", err)
	}
	if err := t.Validate(n); err != nil {
		return nil, fmt.Errorf("task: %w", err)
	}
	return t, nil
}
