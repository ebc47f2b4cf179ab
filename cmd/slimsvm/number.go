package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
)

// A number is a number in JSON, which has no word for some: NaN becomes null, and
// infinities the texts "Infinity" and "-Infinity".
type number float64

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
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

// numbers returns x as JSON numbers.
func numbers(x []float64) []number {
	n := make([]number, len(x))
	for i, v := range x {
		n[i] = number(v)
	}
	return n
}

// printJSON prints v in one line.
func printJSON(w io.Writer, v any) error {
	text, err := jsonText(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// jsonText returns v as JSON, in which <, > and & stand as they are.
func jsonText(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}
