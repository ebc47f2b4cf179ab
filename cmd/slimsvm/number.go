package main

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
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
		return strconv.AppendFloat(nil, v, 'g', -1, 64), nil
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
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
