// Package jsonline prints values as JSON, one a line, and numbers that JSON has no word for.
package jsonline

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
)

// A Number is a number in JSON, which has no word for some: NaN becomes null, and
// infinities the texts "Infinity" and "-Infinity".
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte("null"), nil
	case math.IsInf(v, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Infinity"`), nil
	default:
		return json.Marshal(v)
	}
}

// Numbers returns x as JSON numbers.
func Numbers(x []float64) []Number {
	n := make([]Number, len(x))
	for i, v := range x {
		n[i] = Number(v)
	}
	return n
}

// Print prints v in one line.
func Print(w io.Writer, v any) error {
	text, err := Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Marshal returns v as JSON, in which <, > and & stand as they are.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

// New returns a number that is there.
func New(v float64) *Number { return (*Number)(&v) }
