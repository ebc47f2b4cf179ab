package encode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A jsonFault is a fault of a line of JSON.
type jsonFault struct {
	column int // in bytes, from 1; 0: the whole line
	text   string
}

func (f *jsonFault) Error() string { return f.text }

// decode reads a line that is one object. All keys of into stand there once, but for those that may
// be left out, and nothing is null. A fault is a *jsonFault.
func decode(line []byte, into any) error {
	if at := invalidUTF8(line); at >= 0 {
		return &jsonFault{at + 1, fmt.Sprintf("byte %#02x is not UTF-8", line[at])}
	}
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
	return checkKeys(line, keysOf(reflect.TypeOf(into).Elem()))
}

// invalidUTF8 returns the place of the first byte that is not UTF-8, -1 if there is none.
func invalidUTF8(line []byte) int {
	for at := 0; at < len(line); {
		r, n := utf8.DecodeRune(line[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return -1
}

// A key is one that an object may have.
type key struct {
	name     string
	optional bool
}

// keysOf returns the keys of a struct.
func keysOf(t reflect.Type) []key {
	keys := make([]key, t.NumField())
	for i := range keys {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		keys[i] = key{name, options == "omitempty"}
	}
	return keys
}

// checkKeys checks what encoding/json lets pass in a line that it has read: null, which it takes for
// nothing, keys in other letters, that stand twice, or that are not there.
func checkKeys(line []byte, keys []key) error {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, _ := d.Token(); t != json.Delim('{') {
		return &jsonFault{1, "expected an object, found null"}
	}
	seen := make(map[string]bool, len(keys))
	for depth, isKey := 1, true; depth > 0; {
		t, err := d.Token()
		if err != nil {
			return faultOf(line, err)
		}
		end := int(d.InputOffset())
		switch t := t.(type) {
		case nil:
			return &jsonFault{end - len("null") + 1, "expected a value, found null"}
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
		case string:
			if depth > 1 || !isKey {
				break
			}
			at := max(1, end-len(t)-1)
			if !slices.ContainsFunc(keys, func(k key) bool { return k.name == t }) {
				return &jsonFault{at, fmt.Sprintf("unknown key %q", t)}
			}
			if seen[t] {
				return &jsonFault{at, fmt.Sprintf("the key %q stands twice", t)}
			}
			seen[t], isKey = true, false
			continue
		}
		isKey = depth == 1
	}
	for _, k := range keys {
		if !k.optional && !seen[k.name] {
			return &jsonFault{text: fmt.Sprintf("expected the key %q, which is not there", k.name)}
		}
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
		return fmt.Sprintf("a whole number of %d bits", strconv.IntSize)
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
