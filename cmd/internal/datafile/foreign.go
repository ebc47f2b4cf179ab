package datafile

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"

	"github.com/slimsvm/slimsvm/cmd/internal/formats"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// DetectForeign looks at an open file that a drop-in command is to read, at its start.
// It returns the file's reader if it is of a format other than LIBSVM's, or else
// nil and the text that LIBSVM's reader has to read: all that is there.
//
// A command that stands in for LIBSVM's must not take for something else what
// LIBSVM reads, and what LIBSVM refuses keeps LIBSVM's message. So a file is
// LIBSVM's unless it says clearly that it is not:
//
//   - by the extension of its name, packed or not: .arff, .csv, .tsv, .tab or
//     .svmlight, and yet its first line is no row of LIBSVM's. (A LIBSVM file may
//     have any name. Of .svmlight files, whose rows look the same, only those that
//     begin with a feature 0 are LIBSVM's.)
//   - by its content: the first line, after empty lines and lines that begin with
//     %, begins with @relation or @attribute.
//
// isRow reports whether a text begins with a row as the command's own reader of
// LIBSVM files accepts it; the row may be cut off at the end of the text. Of a
// pipe hardly more is awaited than it takes to tell. The file is closed by the
// caller. When ctx ends, so does reading, as in Open.
func DetectForeign(ctx context.Context, path string, file io.Reader, isRow func(head []byte) bool) (f *File, text io.Reader) {
	codec, named := foreignName(path)
	for look := newPeeker(file); ; {
		look.more()
		is, sure := false, false
		switch {
		case !named:
			if is, sure = beginsARFF(look.head); is {
				codec, _ = Find("arff", "", nil)
			}
		case look.done || bytes.IndexByte(look.head, '\n') >= 0:
			is, sure = foreignText(look.head, codec, isRow), len(bytes.TrimSpace(look.head)) > 0
		}
		switch {
		case !sure && !look.done:
		case is:
			return &File{Reader: new(Options).reader(ctx, codec, look.whole), Name: path, Codec: codec, file: io.NopCloser(nil)}, nil
		default:
			return nil, look.whole
		}
	}
}

// foreignName returns the codec of the extension of path, if it is not LIBSVM's.
func foreignName(path string) (codec format.Codec, ok bool) {
	if codec, ok = format.Detect(path, nil, formats.All); codec.Name == libsvmfmt.Codec.Name {
		return codec, false
	}
	return codec, ok
}

// foreignText reports whether a file is of the format of its name, by a text that
// begins with the first line, or with as much of it as is looked at. An empty file
// is LIBSVM's, without rows. So is a model, which LIBSVM's reader refuses as what it is.
func foreignText(head []byte, codec format.Codec, isRow func([]byte) bool) bool {
	switch {
	case len(bytes.TrimSpace(head)) == 0, beginsModel(head):
		return false
	case !isRow(head):
		return true
	}
	return codec.Name == libsvmfmt.SVMLight.Name && !hasFeatureZero(head)
}

// hasFeatureZero reports whether the first row of a text has a feature 0, which
// comes first.
func hasFeatureZero(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	words := bytes.Fields(line[:min(len(line), mostLabel)])
	if len(words) < 2 {
		return false
	}
	index, _, _ := bytes.Cut(words[1], []byte{':'})
	return textscan.Atoi(string(index)) == 0
}

// mostLabel is how many bytes of a row hold its label and the first index.
const mostLabel = 4 << 10

var byteOrderMark = []byte("\xef\xbb\xbf")

// beginsARFF reports whether a text begins with @relation or @attribute, behind
// nothing but comments and white space.
func beginsARFF(head []byte) (begins, sure bool) {
	if len(head) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, head) {
		return false, false
	}
	head = bytes.TrimPrefix(head, byteOrderMark)
	for {
		head = bytes.TrimLeft(head, " \t\r\n\v\f")
		if len(head) == 0 {
			return false, false
		}
		if head[0] != '%' {
			break
		}
		end := bytes.IndexAny(head, "\r\n")
		if end < 0 {
			return false, false
		}
		head = head[end:]
	}
	sure = true
	for _, word := range []string{"@relation", "@attribute"} {
		switch {
		case len(head) <= len(word) && bytes.EqualFold(head, []byte(word[:len(head)])):
			sure = false
		case len(head) > len(word) && bytes.EqualFold(head[:len(word)], []byte(word)) && bytes.IndexByte([]byte(" \t\"'"), head[len(word)]) >= 0:
			return true, true
		}
	}
	return false, sure
}

// mostSeen bounds how much of a file is looked at: long comments may stand before a header.
const mostSeen = 64 << 10

// A peeker shows more and more of the beginning of a file.
type peeker struct {
	head     []byte
	whole    io.Reader // the file from its start
	done     bool      // head is all there is, or enough
	file     *os.File
	buffered *bufio.Reader
}

func newPeeker(file io.Reader) *peeker {
	if f, ok := file.(*os.File); ok { // a regular one, says format.Open
		return &peeker{whole: f, file: f}
	}
	b := bufio.NewReaderSize(file, mostSeen)
	return &peeker{whole: b, buffered: b}
}

// more makes head longer, or sets done. An error of reading comes again when the
// whole is read.
func (l *peeker) more() {
	var err error
	if l.file != nil {
		next := headSize
		if len(l.head) > 0 {
			next = mostSeen
		}
		head := make([]byte, next)
		var n int
		n, err = l.file.ReadAt(head, 0)
		l.head = head[:n]
	} else {
		next := len(l.head) + 1
		if next > headSize { // a byte at a time would be slow
			next = min(2*next, mostSeen)
		}
		_, err = l.buffered.Peek(next)
		l.head, _ = l.buffered.Peek(l.buffered.Buffered())
	}
	l.done = err != nil || len(l.head) >= mostSeen
}
