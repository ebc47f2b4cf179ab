package arff

import (
	"errors"
	"fmt"
)

// ErrStrict is wrapped by faults that only a strict reader finds. Weka, and a Reader whose field
// Weka is set, read the text without a complaint, but may meet another fault after it.
var ErrStrict = errors.New("Weka passes over it")

// strictError is an ErrStrict whose text does not say so.
type strictError struct{ error }

func (strictError) Is(target error) bool { return target == ErrStrict }

func strictly(text string, args ...any) error {
	return strictError{fmt.Errorf(text, args...)}
}

// Messages are readable when a value is long or binary: at most clipBytes of a
// text are shown, and fewer where they take more than clipWidth characters.
const (
	clipBytes = 40
	clipWidth = 64
)

// clip quotes text for a message.
func clip[T string | []byte](text T) string {
	if q := fmt.Sprintf("%q", text[:min(len(text), clipBytes)]); len(text) <= clipBytes && len(q) <= clipWidth {
		return q
	}
	for n := clipBytes; ; n-- {
		if q := fmt.Sprintf("%q...", text[:min(len(text), n)]); len(q) <= clipWidth {
			return q
		}
	}
}
