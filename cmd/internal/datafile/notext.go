package datafile

import (
	"fmt"
	"strings"
)

// A NoTextError is the error of Open for a file that is no text.
type NoTextError struct {
	What   string // the kind of file
	Packed bool   // a text may be in it
}

// Error names the kind of file.
func (e *NoTextError) Error() string { return fmt.Sprintf("the file is %s, expected a text", e.What) }

// noTexts are kinds of files that may be taken for data, and how they begin, as no text does.
var noTexts = []struct {
	begin, what string
	packed      bool
}{
	{"PK\x03\x04", "a zip archive or a spreadsheet (.xlsx)", true},
	{"PK\x05\x06", "an empty zip archive", true},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", true},
	{"Rar!\x1a\x07", "a rar archive", true},
	{"\x04\x22\x4d\x18", "lz4 data", true},
	{"\x1f\x9d", "compress data (.Z)", true},
	{"\x5d\x00\x00", "lzma data", true},
	{"LZIP\x01", "lzip data", true},
	{"\x1f\x8b", "packed twice, first by gzip", true}, // the second time was undone
	{"\x28\xb5\x2f\xfd", "packed twice, first by zstd", true},
	{"\xfd7zXZ\x00", "packed twice, first by xz", true},
	{"BZh91AY&SY", "packed twice, first by bzip2", true},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a spreadsheet (.xls) or a document", false},
	{"PAR1\x15", "a Parquet file", false},
	{"\x89HDF\r\n\x1a\n", "an HDF5 file", false},
	{"\x93NUMPY", "a NumPy array", false},
	{"\xac\xed\x00\x05", "serialised Java objects, as Weka's .bsi and .model are", false},
	{"SQLite format 3\x00", "an SQLite database", false},
}

// tarMark stands at tarAt in a tar archive.
const (
	tarMark = "ustar"
	tarAt   = 257
)

// notText returns a *NoTextError if a file that begins with head is of a kind above, else nil.
func notText(head []byte) error {
	text := string(head)
	for _, f := range noTexts {
		if strings.HasPrefix(text, f.begin) {
			return &NoTextError{f.what, f.packed}
		}
	}
	if len(text) > tarAt && strings.HasPrefix(text[tarAt:], tarMark) && strings.IndexByte(text[:tarAt], 0) > 0 {
		return &NoTextError{"a tar archive", true}
	}
	return nil
}
