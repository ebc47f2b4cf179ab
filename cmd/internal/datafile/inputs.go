package datafile

import (
	"errors"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
)

// ErrNoInputs reports a model that was made of numbers as they stood.
var ErrNoInputs = errors.New("the model does not say how declared columns become features")

// Inputs returns the encoding that is kept with a model, ErrNoInputs where there is none, or an
// error unless it fits the model's labels. A fault is a *format.Error with its line in the model's
// file.
func Inputs(m *models.Model) (*encode.Encoding, error) {
	if m.Inputs == nil {
		return nil, ErrNoInputs
	}
	e := new(encode.Encoding)
	if err := e.UnmarshalInputs(m.Inputs, max(m.InputsLine, 1)); err != nil {
		return nil, err
	}
	if !m.Task.Classifies() || !e.Nominal() {
		return e, nil
	}
	for _, label := range m.Labels {
		if label < 0 || label >= len(e.ClassColumn().Labels) {
			return nil, &format.Error{Line: m.InputsLine, Err: fmt.Errorf("label %d has no text among the model's inputs", label)}
		}
	}
	return e, nil
}
