// Package formats lists the data formats that the commands know. A new format
// is one entry here. The methods of training, which most commands do without, are in
// package catalog.
package formats

import (
	"bytes"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// All are the data formats, the default first. Where the content decides, the
// first that accepts it is taken, so what LIBSVM reads is LIBSVM's.
var All = []format.Codec{libsvmfmt.Codec, svmlight(), arff.Codec, csvfmt.Codec, csvfmt.TSV}

// svmlight returns SVMlight's format, recognised by what only it has: comments on
// lines of their own, comments with colons, query ids. A row that LIBSVM's reader
// refuses for another reason is a faulty row of LIBSVM's.
func svmlight() format.Codec {
	c := libsvmfmt.SVMLight
	sniff := c.Sniff
	c.Sniff = func(head []byte) bool { return ownToSVMLight(head) && sniff(head) }
	return c
}

func ownToSVMLight(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte{'\n'})
		row, comment, _ := bytes.Cut(line, []byte{'#'})
		if row = bytes.TrimSpace(row); len(row) > 0 {
			words := bytes.Fields(row)
			return bytes.IndexByte(comment, ':') >= 0 || len(words) > 1 && bytes.HasPrefix(words[1], []byte("qid:"))
		}
		if len(row) < len(line) && bytes.IndexByte(line, '#') >= 0 {
			return true
		}
		head = rest
	}
	return false
}
