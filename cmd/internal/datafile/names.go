package datafile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// ColumnNames are what the file of names says that is kept beside a file of numbered
// features and labels: what those cannot say of the columns they were made of.
//
//	file   = { number TAB name LF } "% class" number { " " word } LF ARFF header
//	name   = text | quoted
//	word   = "dense" | "number" | "sign" | "encoded" | "scaled" | "as=" mark
//
// The number behind class is the label's column, counted from 1. The list in front
// is there if encode made the file; it names the features. A name with a control
// character or a quote at its beginning is quoted as in Go.
type ColumnNames struct {
	Header *format.Header // with the label's column
	List   []string       // names of features; nil: encode did not make the file
	Mark   string         // the Mark of the encoding that scaled the features; "": not known
	words  []string
}

// The words of a file of names.
const (
	Dense      = "dense"   // rows came with all their values
	Number     = "number"  // labels are numbered by the number that they are
	Sign       = "sign"    // labels are 1 and -1
	Encoded    = "encoded" // features are those of package encode, else each is a column
	Scaled     = "scaled"  // features are not the columns' own values
	MarkPrefix = "as="     // in front of the mark of the encoding that scaled them
)

// Mark returns sixteen digits that tell encodings apart, whatever the relation is called and fractions began with.
func Mark(e *encode.Encoding) (string, error) {
	nameless := *e
	nameless.Relation, nameless.DecimalComma = "", false
	text, err := nameless.MarshalText()
	h := fnv.New64a()
	h.Write(text)
	return fmt.Sprintf("%016x", h.Sum64()), err
}

// namesSuffix is what the name of a file of names has behind that of the data.
const namesSuffix = ".names"

// Has reports whether the file has a word.
func (n *ColumnNames) Has(word string) bool { return slices.Contains(n.words, word) }

// ReadNames reads a file of names. Where a system has no room for the path, there is no
// file.
func ReadNames(path string) (*ColumnNames, error) {
	f, err := format.Open(path)
	if errors.Is(err, syscall.ENAMETOOLONG) {
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	head, _ := r.Peek(len(ClassMark)) // an error comes again
	var text []byte
	if begins(head) {
		text, err = io.ReadAll(r)
	} else if text, err = r.ReadSlice('\n'); err == io.EOF || err == bufio.ErrBufferFull {
		err = nil // the fault is in what there is of the line
	}
	if err != nil {
		return nil, format.WithPath(err, path)
	}
	n, err := parseNames(text)
	return n, format.WithPath(err, path)
}

// ClassMark stands in front of the label's column.
const ClassMark = "% class "

// begins reports whether a file of names can begin like that. What cannot is not
// read, since it may be anything.
func begins(head []byte) bool {
	return string(head) == ClassMark || len(head) > 0 && head[0] >= '0' && head[0] <= '9'
}

func parseNames(text []byte) (*ColumnNames, error) {
	n := new(ColumnNames)
	line := 1
	for ; len(text) > 0 && text[0] >= '0' && text[0] <= '9'; line++ {
		var entry []byte
		entry, text, _ = bytes.Cut(text, []byte{'\n'})
		_, name, _ := strings.Cut(strings.TrimSuffix(string(entry), "\r"), "\t")
		if plain, err := strconv.Unquote(name); err == nil {
			name = plain
		}
		n.List = append(n.List, name)
	}
	first, rest, _ := bytes.Cut(text, []byte{'\n'})
	said, ok := strings.CutPrefix(strings.TrimSuffix(string(first), "\r"), ClassMark)
	words := strings.Fields(said)
	if !ok || len(words) == 0 {
		return nil, &format.Error{Line: line, Err: fmt.Errorf("expected %q, found %s", ClassMark+"N", textscan.Quote(first))}
	}
	class, err := strconv.Atoi(words[0])
	if err != nil {
		return nil, &format.Error{Line: line, Err: fmt.Errorf("the label's column %s is not a number", textscan.Quote([]byte(words[0])))}
	}
	for _, word := range words[1:] {
		if as, ok := strings.CutPrefix(word, MarkPrefix); ok {
			n.Mark = as
		} else if !slices.Contains([]string{Dense, Number, Sign, Encoded, Scaled}, word) {
			return nil, &format.Error{Line: line, Err: fmt.Errorf("unknown word %s", textscan.Quote([]byte(word)))}
		}
	}
	before := bytes.Repeat([]byte{'\n'}, line) // so that lines are the file's
	h, err := arff.NewReader(io.MultiReader(bytes.NewReader(before), bytes.NewReader(rest))).Header()
	if err != nil {
		return nil, headerFault(err)
	}
	if class < 1 || class > len(h.Attributes) {
		return nil, &format.Error{Line: line, Err: fmt.Errorf("the label's column has the number %d, expected 1 to %d", class, len(h.Attributes))}
	}
	named := *h
	named.Class = class - 1
	n.Header, n.words = &named, words[1:]
	return n, nil
}

// headerFault returns the fault of a header. That it may be one for a strict reader only does
// not show: no other reads files of names.
func headerFault(err error) error {
	if fault := (*format.Error)(nil); errors.As(err, &fault) && errors.Is(err, arff.ErrStrict) {
		return &format.Error{Line: fault.Line, Column: fault.Column, Err: errors.New(fault.Err.Error())}
	}
	return err
}

// EncodedAs reports whether features and labels are those of an encoding, as far as
// names tell: of the same columns and labels, and scaled by this one if those are.
func (n *ColumnNames) EncodedAs(e *encode.Encoding) bool {
	if len(n.Header.Attributes) != len(e.Columns) || n.Header.Class != e.Class {
		return false
	}
	scaled := false
	for i := range e.Columns {
		a, c := &n.Header.Attributes[i], &e.Columns[i]
		if a.Name != c.Name || a.Type != c.Type || !slices.Equal(a.Labels, c.Labels) || !n.Has(Encoded) && !n.same(c, i == e.Class) {
			return false
		}
		scaled = scaled || c.Scales != nil
	}
	if !scaled || !n.Has(Scaled) {
		return scaled == n.Has(Scaled)
	}
	mark, err := Mark(e)
	return err == nil && n.Mark == mark
}

// same reports whether a column that is not encoded has the numbers that encoding
// gives: a value, or one of two places.
func (n *ColumnNames) same(c *encode.Column, class bool) bool {
	switch {
	case c.Type != format.Nominal:
		return true
	case class:
		return !n.Has(Number) && !n.Has(Sign)
	}
	return len(c.Labels) <= 2
}
