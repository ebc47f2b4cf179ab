package arff

import (
	"errors"
	"fmt"
)

// A DatePattern parses dates as a date attribute with that pattern does. The zero DatePattern
// parses none.
type DatePattern struct{ compiled *datePattern }

// CompileDatePattern compiles a date pattern in the notation of Java's SimpleDateFormat.
func CompileDatePattern(text string) (DatePattern, error) {
	p, err := compileDate(text)
	if err != nil {
		return DatePattern{}, fmt.Errorf("date pattern %s: %w", clip(text), err)
	}
	return DatePattern{p}, nil
}

// Parse returns a date as milliseconds since 1970-01-01T00:00 UTC, as the Reader of NewReader
// would.
func (p DatePattern) Parse(text []byte) (ms float64, err error) {
	if p.compiled == nil {
		return 0, errors.New("no date pattern: CompileDatePattern makes one")
	}
	if ms, err = p.compiled.parse(text, firstCentury, false); err != nil {
		return 0, fmt.Errorf("expected a date like %s, %w", clip(p.compiled.text), err)
	}
	return ms, nil
}
