package format

import (
	"path/filepath"
	"slices"
	"strings"
)

// Detect returns the codec for a file with the given path whose content, once uncompressed, begins
// with head. If nothing fits, ok is false.
//
//  1. The path's extension decides, in any letter case and after the extension of a compression
//     (.gz, .zst, .bz2, .xz) is removed. A file named iris.csv is read as CSV even if it does not
//     look like CSV: the CSV reader's error message is then the useful one.
//  2. If several codecs have that extension, the first whose Sniff accepts head is taken, else the
//     first of them.
//  3. If no codec has the extension, or there is none (standard input, for example), the first
//     codec whose Sniff accepts head is taken, else the first whose Resembles does.
//
// For the codecs of this module 512 bytes of head are enough, with two exceptions: files that begin
// with long comments, and tables separated by blanks whose lines are so long that head holds fewer
// than three. A longer head does no harm.
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
