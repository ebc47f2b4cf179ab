package models

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// MarshalText returns what [Write] writes, so that a model is a text within JSON, for example.
// Values are rounded as by Write. A model whose Inputs or Provenance are not UTF-8 is an error.
func (m Model) MarshalText() ([]byte, error) {
	text, err := m.MarshalBinary()
	if err != nil || utf8.Valid(text) {
		return text, err
	}
	if utf8.Valid(m.Inputs) {
		return nil, errors.New("the model's provenance is not UTF-8")
	}
	return nil, errors.New("the model's inputs are not UTF-8")
}

// UnmarshalText sets m to the model that [Read] returns for the text. On error m is unchanged.
func (m *Model) UnmarshalText(text []byte) error {
	read, err := Read(bytes.NewReader(text))
	if err == nil {
		*m = *read
	}
	return err
}

// MarshalBinary returns what [Write] writes. Package gob calls it.
func (m Model) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	if err := Write(&b, &m); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// UnmarshalBinary is UnmarshalText. Package gob calls it.
func (m *Model) UnmarshalBinary(text []byte) error { return m.UnmarshalText(text) }
