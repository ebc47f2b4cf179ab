package datafile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/slimsvm/slimsvm/cmd/internal/formats"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models"
)

// Errors of finding a format.
var (
	ErrNoFormat     = errors.New("no format")
	ErrUnrecognised = errors.New("the format is not recognised")
)

// errEmpty is what is said of a file that nothing but its content tells the format of.
var errEmpty = errors.New("the file is empty")

// errModel is what is said of a model.
var errModel = errors.New("the file is a model, expected data")

// beginsModel reports whether a text begins as a model does, whatever the file is called. The first line of a
// table may begin with svm_type.
func beginsModel(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(head, byteOrderMark), []byte{'\n'})
	key, value, _ := strings.Cut(string(bytes.TrimRight(line, "\r")), " ")
	if textscan.FileKind([]byte(key)) != textscan.BeginsModel {
		return false
	}
	for task := models.CSVC; task <= models.NuSVR; task++ {
		if value == task.String() {
			return true
		}
	}
	return key != "svm_type" && !math.IsNaN(number(value))
}

// unrecognised says what the file is that begins with head, in which no data were recognised.
func unrecognised(head []byte) error {
	line, rest, _ := bytes.Cut(bytes.TrimPrefix(head, byteOrderMark), []byte{'\n'})
	next, _, _ := bytes.Cut(rest, []byte{'\n'})
	switch kind := textscan.FileKind(line); {
	case len(head) == 0:
		return errEmpty
	case kind == textscan.BeginsRanges && len(bytes.Fields(next)) != 2: // no limits: a table of one column
		return ErrUnrecognised
	case kind == textscan.BeginsModel:
		return errModel
	case kind != "":
		return &format.Error{Line: 1, Column: 1, Err: fmt.Errorf("found %s, which is %s, expected data", textscan.QuoteWord(line), kind)}
	}
	return ErrUnrecognised
}

// Find returns the codec of that name or, if the name is empty, the one that fits
// a file's path and the first bytes of its content: ErrNoFormat, ErrUnrecognised.
func Find(name, path string, head []byte) (format.Codec, error) {
	if name == "" {
		codec, ok := format.Detect(path, head, formats.All)
		if !ok {
			return codec, ErrUnrecognised
		}
		return codec, nil
	}
	for _, codec := range formats.All {
		if codec.Name == name {
			return codec, nil
		}
	}
	return format.Codec{}, fmt.Errorf("%w %q: there are %s", ErrNoFormat, name, Names())
}

// Names lists the formats' names.
func Names() string {
	var names []string
	for _, codec := range formats.All {
		names = append(names, codec.Name)
	}
	return strings.Join(names, ", ")
}
