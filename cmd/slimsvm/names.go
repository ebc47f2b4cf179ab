package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// names is what a file of numbered features and labels cannot say of its columns.
// It is kept in a file beside it:
//
//	file   = { number TAB name LF } "% class" number { " " word } LF ARFF header
//	name   = text | quoted
//	word   = "dense" | "number" | "sign" | "encoded" | "scaled"
//
// The number behind class is the label's column, counted from 1. The list in front
// is there if encode made the file; it names the features. A name with a control
// character or a quote at its begin is quoted as in Go.
type names struct {
	header *format.Header
	// dense says that rows came with all their values.
	dense bool
	// number and sign say how labels are numbered, if not by their place.
	number, sign bool
	// encoded says that a nominal column of more than two labels is a feature a
	// label, as in package encode; otherwise each column is a feature, and a nominal
	// value its label's place.
	encoded bool
	// scaled says that features are not the columns' own values.
	scaled bool
	list   []string // names of features, where encoded
}

// namesOfEncoding returns the names for a file that encode makes.
func namesOfEncoding(e *encode.Encoding) *names {
	n := &names{encoded: true, list: e.Names(), header: &format.Header{Relation: e.Relation, Class: e.Class}}
	for i := range e.Columns {
		c := &e.Columns[i]
		n.header.Attributes = append(n.header.Attributes, format.Attribute{Name: c.Name, Type: c.Type, Labels: c.Labels, Pattern: c.Pattern})
		n.scaled = n.scaled || c.Scales != nil
	}
	return n
}

func (n *names) text() ([]byte, error) {
	var b bytes.Buffer
	for i, name := range n.list {
		if strings.HasPrefix(name, `"`) || strings.HasPrefix(name, "`") || strings.HasPrefix(name, "'") || strings.ContainsFunc(name, unicode.IsControl) {
			name = strconv.Quote(name)
		}
		fmt.Fprintf(&b, "%d\t%s\n", i+1, name)
	}
	fmt.Fprintf(&b, "%% class %d", n.header.Class+1)
	for _, word := range n.words() {
		if *word.is {
			b.WriteString(" " + word.name)
		}
	}
	b.WriteByte('\n')
	w := arff.NewWriter(&b)
	if err := w.WriteHeader(n.header); err != nil {
		return nil, err
	}
	err := w.Flush()
	return b.Bytes(), err
}

type namesWord struct {
	name string
	is   *bool
}

func (n *names) words() []namesWord {
	return []namesWord{{"dense", &n.dense}, {"number", &n.number}, {"sign", &n.sign}, {"encoded", &n.encoded}, {"scaled", &n.scaled}}
}

// writeFile writes a whole file.
func writeFile(ctx context.Context, path string, text []byte) error {
	out, err := format.Create(ctx, path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Close()
}

// readNames reads a file of names.
func readNames(path string) (*names, error) {
	f, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	head, _ := r.Peek(len(classMark)) // an error comes again
	var text []byte
	if beginsNames(head) {
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

const classMark = "% class "

// beginsNames reports whether a file of names can begin like that. What cannot is not
// read, since it may be anything.
func beginsNames(head []byte) bool {
	return string(head) == classMark || len(head) > 0 && head[0] >= '0' && head[0] <= '9'
}

func parseNames(text []byte) (*names, error) {
	n := new(names)
	line := 1
	for ; len(text) > 0 && text[0] >= '0' && text[0] <= '9'; line++ {
		var entry []byte
		entry, text, _ = bytes.Cut(text, []byte{'\n'})
		_, name, _ := strings.Cut(strings.TrimSuffix(string(entry), "\r"), "\t")
		if plain, err := strconv.Unquote(name); err == nil {
			name = plain
		}
		n.list = append(n.list, name)
	}
	first, rest, _ := bytes.Cut(text, []byte{'\n'})
	said, ok := strings.CutPrefix(strings.TrimSuffix(string(first), "\r"), classMark)
	words := strings.Fields(said)
	if !ok || len(words) == 0 {
		return nil, &format.Error{Line: line, Err: fmt.Errorf("expected %q, found %q", classMark+"N", first)}
	}
	class, err := strconv.Atoi(words[0])
	if err != nil {
		return nil, &format.Error{Line: line, Err: fmt.Errorf("the label's column %q is no number", words[0])}
	}
	for _, word := range words[1:] {
		known := false
		for _, w := range n.words() {
			if w.name == word {
				known, *w.is = true, true
			}
		}
		if !known {
			return nil, &format.Error{Line: line, Err: fmt.Errorf("unknown word %q", word)}
		}
	}
	h, err := arff.NewReader(bytes.NewReader(rest)).Header()
	if err != nil {
		if fault := (*format.Error)(nil); errors.As(err, &fault) && fault.Line > 0 {
			fault.Line += line
		}
		return nil, err
	}
	if class < 1 || class > len(h.Attributes) {
		return nil, &format.Error{Line: line, Err: fmt.Errorf("the label's column is %d of %d", class, len(h.Attributes))}
	}
	named := *h
	named.Class = class - 1
	n.header = &named
	return n, nil
}
