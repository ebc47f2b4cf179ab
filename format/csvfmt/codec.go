package csvfmt

import (
	"bytes"
	"io"

	"github.com/slimsvm/slimsvm/format"
)

// Codec describes CSV, written with commas. It reads every separator that a Reader finds out,
// blanks included.
var Codec = format.Codec{
	Name:       "csv",
	Extensions: []string{".csv"},
	Sniff:      sniff,
	NewReader:  func(r io.Reader) format.Reader { return NewReader(r) },
	NewWriter:  func(w io.Writer) format.Writer { return NewWriter(w) },
	Parse:      Parse,
}

// TSV describes CSV written with tabs. It reads every separator that a Reader finds out.
var TSV = format.Codec{
	Name:       "tsv",
	Extensions: []string{".tsv", ".tab"},
	Sniff:      func(head []byte) bool { return sniff(head) && bytes.IndexByte(head, '\t') >= 0 },
	NewReader:  func(r io.Reader) format.Reader { return NewReader(r) },
	NewWriter: func(w io.Writer) format.Writer {
		t := NewWriter(w)
		t.Separator = '\t'
		return t
	},
	Parse: Parse,
}

// sniff reports whether head begins with lines of two or more cells, all lines of as many, or with
// the line that names the separator. Of a line that is longer than head some cells do. What begins
// like an ARFF file is none.
func sniff(head []byte) bool {
	text := bytes.TrimPrefix(head, byteOrderMark)
	first := bytes.TrimLeft(text, " \t\r\n")
	if len(first) == 0 || first[0] == '%' || first[0] == '@' {
		return false
	}
	if isIndented(text) {
		text = first
	}
	if returnsEnd(text, '"') {
		text, _ = io.ReadAll(&lineFeeds{r: bytes.NewReader(text)})
	}
	separator, rest := separatorLine(text)
	s := sampler{head: rest, dialect: dialect{quote: '"'}}
	best := s.find()
	cut := best.open && bytes.IndexByte(rest, '\n') < 0
	return separator != 0 || best.fits && best.cells > 1 && (best.agree > 0 || cut)
}

// isIndented reports whether all lines but blank ones begin with a tab, which else ends an empty
// cell.
func isIndented(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line[0] != '\t' && len(bytes.TrimSpace(line)) > 0 {
			return false
		}
	}
	return true
}
