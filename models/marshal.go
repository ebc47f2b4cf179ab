package models

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// MarshalText returns what Write writes, so that a model within other things, in JSON for one, is a
// text. What Write rounds is rounded.
func (m Model) MarshalText() ([]byte, error) {
	text, err := m.MarshalBinary()
	if err == nil && !utf8.Valid(text) {
		return nil, errors.New("the model's inputs are not UTF-8")
	}
	return text, err
}

// UnmarshalText makes m what Read reads. In case of an error m is as it was.
func (m *Model) UnmarshalText(text []byte) error {
	read, err := Read(bytes.NewReader(text))
	if err == nil {
		*m = *read
	}
	return err
}

// MarshalBinary returns what Write writes. It is what package gob asks for.
func (m Model) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	if err := Write(&b, &m); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// UnmarshalBinary is UnmarshalText.
func (m *Model) UnmarshalBinary(text []byte) error { return m.UnmarshalText(text) }
