package encode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// A jsonFault is a fault of a line of JSON.
type jsonFault struct {
	column int // in bytes, from 1; 0: the whole line
	text   string
}

func (f *jsonFault) Error() string { return f.text }

// decode reads a line that is one object. A fault is a *jsonFault.
func decode(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return faultOf(line, err)
	}
	end := int(d.InputOffset())
	if _, err := d.Token(); err != io.EOF {
		rest := bytes.TrimLeft(line[end:], " \t\r")
		return &jsonFault{len(line) - len(rest) + 1, fmt.Sprintf("expected the end of the line behind the object, found %q", rest[:min(len(rest), mostQuoted)])}
	}
	return nil
}

// mostQuoted bounds the text that a fault quotes.
const mostQuoted = 40

// faultOf puts an error of encoding/json into our words.
func faultOf(line []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return &jsonFault{1, "expected an object, found an empty line"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &jsonFault{len(line) + 1, "the line ends inside the object"}
	case errors.As(err, &syntax):
		return &jsonFault{max(1, int(syntax.Offset)), syntax.Error()}
	case errors.As(err, &kind):
		text := fmt.Sprintf("expected %s, found %s", wanted(kind.Type), found(kind.Value))
		if kind.Field == "" {
			return &jsonFault{1, text}
		}
		key := fmt.Sprintf("%q", kind.Field)
		return &jsonFault{columnOf(line, key), fmt.Sprintf("%s: %s", key, text)}
	}
	if key, is := strings.CutPrefix(err.Error(), "json: unknown field "); is {
		return &jsonFault{columnOf(line, key), "unknown key " + key}
	}
	return &jsonFault{text: strings.TrimPrefix(err.Error(), "json: ")}
}

// columnOf returns where a key in quotes stands, 0 if it is written in another way.
func columnOf(line []byte, key string) int {
	if i := bytes.Index(line, []byte(key+":")); i >= 0 {
		return i + 1
	}
	return bytes.Index(line, []byte(key)) + 1
}

// wanted says what a value has to be.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Int32:
		return "a whole number of 32 bits"
	case reflect.Float64:
		return "a number of 64 bits"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// found says what stands there, which encoding/json names with a word and, of a number,
// its text.
func found(value string) string {
	switch word, text, _ := strings.Cut(value, " "); word {
	case "string":
		return "a text"
	case "array":
		return "a list"
	case "number":
		if text == "" {
			return "a number"
		}
		return text
	case "object":
		return "an object"
	}
	return value
}
