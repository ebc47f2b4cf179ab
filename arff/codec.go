package arff

import (
	"bytes"
	"context"
	"io"
	"runtime"

	"github.com/slimsvm/slimsvm/format"
)

// Codec describes ARFF, read strictly.
var Codec = format.Codec{
	Name:       "arff",
	Extensions: []string{".arff"},
	Sniff:      sniff,
	NewReader:  func(r io.Reader) format.Reader { return NewReader(r) },
	NewWriter:  func(w io.Writer) format.Writer { return NewWriter(w) },
	Parse:      Parse,
}

// Parse reads a whole data set strictly. In the Dataset, the value of a string or relational column
// is a position in the row's Strings or Tables, which a Dataset does not keep: use a [Reader] for
// those. A large text is read by as many goroutines as there are processors (GOMAXPROCS).
func Parse(ctx context.Context, r io.Reader) (*format.Dataset, error) {
	reader := NewReader(r)
	reader.Workers = runtime.GOMAXPROCS(0)
	return format.ReadAll(ctx, reader)
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// sniff reports whether head begins with @relation, perhaps behind comments, or holds comments only.
func sniff(head []byte) bool {
	head = bytes.TrimPrefix(head, byteOrderMark)
	comment := false
	for len(head) > 0 {
		switch c := head[0]; {
		case classOf[c] == blank:
			head = head[1:]
		case c == '%':
			comment = true
			i := bytes.IndexAny(head, "\r\n")
			if i < 0 {
				return true
			}
			head = head[i:]
		default:
			if c == '\'' || c == '"' {
				head = head[1:]
			}
			n := len(keywordRelation)
			return len(head) >= n && bytes.EqualFold(head[:n], []byte(keywordRelation)) &&
				(len(head) == n || classOf[head[n]] != wordByte)
		}
	}
	return comment
}
