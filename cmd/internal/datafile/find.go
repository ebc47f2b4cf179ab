package datafile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/cmd/internal/formats"
	"github.com/slimsvm/slimsvm/format"
)

// Errors of finding a format.
var (
	ErrNoFormat     = errors.New("no format")
	ErrUnrecognised = errors.New("the format is not recognised")
)

// errUTF16 is what is said of such a text.
var errUTF16 = errors.New("the text is UTF-16, expected UTF-8")

// isUTF16 reports whether a text that begins so is in UTF-16, which begins with a mark
// or else has a NUL byte beside each ASCII character.
func isUTF16(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return true
	}
	pairs, zeros := len(head)/2, [2]int{}
	for i, c := range head[:2*pairs] {
		if c == 0 {
			zeros[i%2]++
		}
	}
	return pairs > 1 && zeros[0]+zeros[1] == max(zeros[0], zeros[1]) && 2*(zeros[0]+zeros[1]) > pairs
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
