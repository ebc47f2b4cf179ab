package arff

import (
	"errors"
	"fmt"
)

// A DatePattern reads dates as an attribute of type date does that declares it. The zero
// DatePattern reads none.
type DatePattern struct{ compiled *datePattern }

// CompileDatePattern returns the pattern that a text is.
func CompileDatePattern(text string) (DatePattern, error) {
	p, err := compileDate(text)
	if err != nil {
		return DatePattern{}, fmt.Errorf("date pattern %s: %w", clip(text), err)
	}
	return DatePattern{p}, nil
}

// Parse returns the milliseconds since 1970-01-01T00:00 UTC of a date, as the
// Reader of NewReader reads it.
func (p DatePattern) Parse(text []byte) (ms float64, err error) {
	if p.compiled == nil {
		return 0, errors.New("no date pattern: CompileDatePattern makes one")
	}
	if ms, err = p.compiled.parse(text, firstCentury, false); err != nil {
		return 0, fmt.Errorf("expected a date like %s, %w", clip(p.compiled.text), err)
	}
	return ms, nil
}
