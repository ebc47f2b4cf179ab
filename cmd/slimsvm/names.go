package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// names is what a file of numbered features and labels cannot say of its columns.
// It is kept in a file beside it, as datafile.ColumnNames has it.
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
	as     string   // the mark of the encoding that did it; "": not known
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
	if n.scaled {
		n.as, _ = datafile.Mark(e) // without one it is not known
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
	fmt.Fprintf(&b, "%s%d", datafile.ClassMark, n.header.Class+1)
	for _, word := range n.words() {
		if *word.is {
			b.WriteString(" " + word.name)
		}
	}
	if n.as != "" {
		b.WriteString(" " + datafile.MarkPrefix + n.as)
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
	return []namesWord{{datafile.Dense, &n.dense}, {datafile.Number, &n.number}, {datafile.Sign, &n.sign}, {datafile.Encoded, &n.encoded}, {datafile.Scaled, &n.scaled}}
}

// readNames reads a file of names.
func readNames(path string) (*names, error) {
	kept, err := datafile.ReadNames(path)
	if err != nil {
		return nil, err
	}
	n := &names{header: kept.Header, list: kept.List, as: kept.Mark}
	for _, word := range n.words() {
		*word.is = kept.Has(word.name)
	}
	return n, nil
}
