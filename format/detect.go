package format

import (
	"path/filepath"
	"slices"
	"strings"
)

// Detect returns the codec for a file with the given path whose content, once
// unpacked, begins with head. 512 bytes of head are enough for every codec of
// the project, unless there are long comments in front, or lines so long that there are not three of
// them, which it takes to tell a table by the blanks between its cells; more do no harm.
//
// The path's extension decides, in any case of its letters and without that of a
// compression (.gz, .zst, .bz2, .xz): who names a file iris.csv says what it is,
// and when it is not, the CSV reader's message is of more use than another
// format's. Only if several codecs have the extension, the first of them whose
// Sniff accepts head is taken, or else the first of them. If no codec has the
// extension, or path is without one, as standard input is, head decides: the
// first codec whose Sniff accepts it, or else the first that it resembles, for
// its reader to say what is wrong. When head is empty or like nothing, ok is
// false.
func Detect(path string, head []byte, codecs []Codec) (c Codec, ok bool) {
	ext := strings.ToLower(filepath.Ext(unpackedName(path)))
	var named []Codec
	for _, c := range codecs {
		if slices.Contains(c.Extensions, ext) {
			named = append(named, c)
		}
	}
	if len(named) > 0 {
		codecs = named
	}
	for _, c := range codecs {
		if len(head) > 0 && c.Sniff != nil && c.Sniff(head) {
			return c, true
		}
	}
	if len(named) > 0 {
		return named[0], true
	}
	for _, c := range codecs {
		if len(head) > 0 && c.Resembles != nil && c.Resembles(head) {
			return c, true
		}
	}
	return Codec{}, false
}

// unpackedName returns path without the extension of a compression.
func unpackedName(path string) string {
	if ext := packing(path); ext != "" {
		return path[:len(path)-len(ext)]
	}
	return path
}
